import { describe, expect, it } from 'vitest';

import { displayWidth } from '../../src/report/display-width.ts';
import { type Block, type Document, numberColumns, textColumns } from '../../src/report/document.ts';
import { renderMarkdown } from '../../src/report/render-markdown.ts';
import { renderTerminal } from '../../src/report/render-terminal.ts';
import { makeStyle } from '../../src/report/style.ts';
import { dangerous, HOSTILE } from './made-up-run.ts';

const DOCUMENT: Document = {
  title: 'Harvest',
  about: [{ text: 'of ' }, { text: 'field.csv', code: true }],
  mark: 'warning',
  sections: [
    {
      title: 'Crops',
      blocks: [
        {
          columns: [...textColumns('crop'), ...numberColumns('tons'), { title: 'note', on: 'page' }],
          rows: [
            { group: '▲ more', tone: 'good' },
            ['rye', { text: '12', tone: 'strong' }, 'dry year'],
            ['oats', '9', ''],
            ['barley', '7', ''],
            ['spelt', '5', ''],
          ],
          shown: 2,
          rest: ': --json shows all',
          remarks: ['tons: of dry grain'],
        },
      ],
    },
    { title: 'Empty', blocks: [{ list: [] }, null] },
    {
      title: 'Found',
      mark: 'error',
      blocks: [
        { text: 'Two fields share a name.', tone: 'strong' },
        { list: ['north', { item: 'south', note: 'twice' }], lead: 'Behind it', total: 5 },
        { code: 'a: 1', language: 'yaml', on: 'page' },
      ],
    },
    { title: 'Signature', folded: true, on: 'page', blocks: [{ code: 'x' }] },
  ],
};

describe('a document', () => {
  it('is laid out for a terminal: titles over their tables, long tables cut, empty sections gone', () => {
    expect(renderTerminal(DOCUMENT, makeStyle())).toBe(
      [
        '! Harvest',
        'of field.csv',
        '',
        'Crops  tons',
        '▲ more',
        '  rye    12',
        '  … and 3 more: --json shows all',
        '  tons: of dry grain',
        '',
        '✗ Found',
        '  Two fields share a name.',
        '  Behind it',
        '    north',
        '    south',
        '      twice',
        '    … and 3 more',
        '',
      ].join('\n'),
    );
  });

  it('is a Markdown page with all rows, and with what only a page has room for', () => {
    expect(renderMarkdown(DOCUMENT)).toBe(
      [
        '# ⚠️ Harvest',
        'of <code>field.csv</code>',
        '## Crops',
        [
          '| crop | tons | note |',
          '| --- | ---: | --- |',
          '| **▲ more** |  |  |',
          '| rye | **12** | dry year |',
          '| oats | 9 |  |',
          '| barley | 7 |  |',
          '| spelt | 5 |  |',
        ].join('\n'),
        '- tons: of dry grain',
        '## ❌ Found',
        '**Two fields share a name.**',
        'Behind it',
        '- north\n- south: twice\n- … and 3 more',
        '```yaml\na: 1\n```',
        '<details>\n<summary>Signature</summary>\n\n```\nx\n```\n\n</details>\n',
      ].join('\n\n'),
    );
  });

  it('keeps every line within the width, but for commands to copy', () => {
    const long = 'a sentence of many words that goes on and on until it has to be broken somewhere';
    const text = renderTerminal(
      {
        title: long,
        sections: [
          {
            title: 'Long',
            blocks: [
              { text: long },
              { list: [{ item: long, note: long }] },
              { columns: [...textColumns('name'), { title: 'why', wraps: true }], rows: [[long, long]] },
              { text: `assay explain ${long}`, whole: true },
            ],
          },
        ],
      },
      makeStyle({ terminal: true, width: 50 }),
    );
    const wide = text.split('\n').filter((line) => displayWidth(line) > 50);
    expect(wide).toEqual([`  assay explain ${long}`]);
  });

  it('lets nothing in the data act on a terminal or a page', () => {
    const nasty = `@octocat #12 https://x.test ${HOSTILE}`;
    const hostile: Document = {
      title: nasty,
      about: nasty,
      sections: [
        {
          title: nasty,
          about: nasty,
          blocks: [
            { text: [{ text: nasty, code: true }, { text: nasty }] },
            { list: [{ item: nasty, note: nasty }], lead: nasty },
            { columns: textColumns(nasty, nasty), rows: [{ group: nasty }, [nasty, nasty]], remarks: [nasty] },
            { code: nasty, lead: nasty },
          ],
        },
      ],
    };
    for (const terminal of [true, false])
      expect(dangerous(renderTerminal(hostile, makeStyle({ terminal, colour: true })))).toEqual([]);
    const page = renderMarkdown(hostile);
    expect(dangerous(page)).toEqual([]);
    const outside = page.replaceAll(/^```[^]*?^```$/gm, '').replaceAll(/<code>.*?<\/code>/g, '');
    expect(outside).not.toMatch(/@(?!<!-- -->)|(?<!^|#)#12|https:\/\/|<img|(?<!\\)\[x\]\(y\)/m);
    const cells = (line: string): number => line.replaceAll(/\\[\\|]/g, '').split('|').length;
    const rows = page.split('\n').filter((line) => line.startsWith('|'));
    expect(new Set(rows.map(cells)).size).toBe(1);
  });
});

const documentOf = (...blocks: Block[]): Document => ({ title: 'T', sections: [{ title: 'Part', blocks }] });
const page = (...blocks: Block[]): string => renderMarkdown(documentOf(...blocks)).split('## Part\n\n')[1]!;
const terminal = (block: Block, width: number, isTerminal = true): string =>
  renderTerminal(documentOf(block), makeStyle({ width, terminal: isTerminal })).split('\n\n')[1]!;

describe('a table without titles', () => {
  const table: Block = {
    columns: [{ title: '' }, { title: '', align: 'right' }, { title: '' }],
    rows: [
      ['answered', '12', '2 from the cache'],
      ['failed', '0', ''],
    ],
    remarks: ['remark'],
  };

  it('is below the title of its section', () => {
    expect(terminal(table, 80)).toBe('Part\n  answered  12  2 from the cache\n  failed     0\n  remark\n');
  });

  it('is a list on a page', () => {
    expect(page(table)).toBe('- answered: 12, 2 from the cache\n- failed: 0\n- remark\n');
  });
});

describe('a table that tells where columns are that it has no room for', () => {
  const table: Block = {
    columns: [
      { title: 'name', shrinks: 'last' },
      { title: 'value', align: 'right' },
      { title: 'interval', drop: 1 },
      { title: 'pooled', drop: 2 },
    ],
    rows: [['relationship_strict_over_extraction', '0.5', '0.4 to 0.6', '0.55']],
    dropped: 'report.md has all',
  };

  it('leaves them out on a terminal before it cuts names, and these in the middle', () => {
    expect(terminal(table, 80)).not.toContain('report.md');
    expect(terminal(table, 60)).toMatch(
      /^Part +value {2}interval\n {2}relationship_strict_over_extraction +0\.5 {2}0\.4 to 0\.6\n {2}report\.md has all\n$/,
    );
    expect(terminal(table, 40)).toContain('\n  relationship_s…_over_extraction    0.5\n');
  });

  it('has all of them in a pipe', () => {
    expect(terminal(table, 40, false)).toMatch(/interval +pooled\n.* 0\.55\n$/);
  });
});

it('an address is a link on a page if it is one of the web, and text if not', () => {
  const link = (text: string): string => page({ text: { text, link: true } });
  expect(link('https://x.example/a')).toBe('<https://x.example/a>\n');
  expect(link('https://x.example/>[a](javascript:b)\u001b/c')).toBe('<https://x.example/%3E[a](javascript:b)%1B/c>\n');
  for (const text of ['javascript:alert(1)', 'not an address', 'data:text/html,x'])
    expect(link(text)).not.toContain('<');
});

describe('rows and columns of values that are undefined throughout', () => {
  const values = (...rows: readonly (readonly string[])[]): Document => ({
    title: 'Systems',
    sections: [
      {
        blocks: [{ columns: [{ title: 'measure' }, ...['A', 'B'].map((title) => ({ title, value: true }))], rows }],
      },
    ],
  });
  const lines = (document: Document): string[] => renderMarkdown(document).trim().split('\n').slice(2);

  it('are left out, and a remark states it', () => {
    const document = values(['recall', '–', '–'], ['f1', '0.5', '–'], ['n', '4', '–']);
    expect(lines(document)).toEqual([
      '| measure | A |',
      '| --- | --- |',
      '| f1 | 0.5 |',
      '| n | 4 |',
      '',
      '- Not shown, undefined throughout: 1 row; column B',
    ]);
    expect(renderTerminal(document, makeStyle())).toContain('Not shown, undefined throughout: 1 row; column B');
  });

  it('stay if any value of theirs is known, or none of the table is', () => {
    expect(lines(values(['recall', '–', '1'], ['f1', '0.5', '–']))).toHaveLength(4);
    expect(lines(values(['recall', '–', '–']))).toContain('| recall | – | – |');
  });

  it('take the heading with them that nothing is left below', () => {
    const table = { columns: [{ title: 'measure' }, { title: 'A', value: true }] };
    const rows = [{ group: 'Main' }, ['f1', '1'], { group: 'Empty' }, ['recall', '–'], { group: 'Rest' }, ['n', '2']];
    const document: Document = { title: 'Run', sections: [{ blocks: [{ ...table, rows }] }] };
    expect(lines(document).filter((line) => line.startsWith('| **'))).toEqual(['| **Main** |  |', '| **Rest** |  |']);
  });
});
