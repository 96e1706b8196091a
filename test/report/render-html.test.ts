import { readFileSync } from 'node:fs';

import { describe, expect, it } from 'vitest';

import type { Block, Document } from '../../src/report/document.ts';
import { evaluationDocument } from '../../src/report/evaluation.ts';
import { renderHtml } from '../../src/report/render-html.ts';
import { renderMarkdown } from '../../src/report/render-markdown.ts';
import { agreed, madeUpEvaluation } from './evaluation-made-up.ts';
import { dangerous, HOSTILE } from './made-up-run.ts';

const evaluation = evaluationDocument(madeUpEvaluation());
const page = renderHtml(evaluation);

const all = (text: string, pattern: RegExp): string[] => Array.from(text.matchAll(pattern), ([, match]) => match ?? '');
const rendered = (...blocks: readonly Block[]): string => renderHtml({ title: 'T', sections: [{ blocks }] });

/** An evaluation in which everything that comes from outside is hostile. */
function hostileDocument(): Document {
  const evil = `<script>alert(1)</script>${HOSTILE}"'`;
  const made = madeUpEvaluation();
  return evaluationDocument({
    ...made,
    recipe: { name: evil, about: evil },
    systems: made.systems.map((one) => ({ ...one, system: evil })),
    agreement: [agreed(evil, { title: evil, value: null, undefined: evil })],
    judge: made.judge.map((one) => ({ ...one, model: evil, expired: evil })),
    withoutClass: [{ caseId: evil, because: evil }],
    missing: [{ question: evil, title: evil, system: evil, given: 0, expected: 2, people: [evil] }],
    leftColumns: [evil],
  });
}

describe('renderHtml', () => {
  it('has the same sections, tables, rows and remarks as the Markdown, in the same order', () => {
    const markdown = renderMarkdown(evaluation);
    const plain = (text: string): string => text.replaceAll(/\\([[\]#|*_])/g, '$1');
    const tables = all(markdown, /^\| (---)/gm).length;
    expect(all(page, /<h2 [^>]*>([^<]*)<\/h2>/g)).toEqual(all(markdown, /^## (.*)$/gm).map(plain));
    expect(all(page, /<caption>([^<]*)<\/caption>/g)).toEqual(all(markdown, /^### (.*)$/gm).map(plain));
    // Every table of Markdown has a line of dashes besides its titles and rows.
    expect(all(page, /(<tr[ >])/g)).toHaveLength(all(markdown, /^(\|) /gm).length - tables);
    expect(all(page.slice(page.indexOf('<main>')), /(<li>)/g)).toHaveLength(all(markdown, /^(-) /gm).length);
  });

  it('is one file that runs nothing and loads nothing', () => {
    expect(page).toContain(
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline';",
    );
    expect(page).not.toMatch(/<script|<link|<img|<iframe|javascript:|url\(|@import|https?:/i);
    expect(all(page, /(\son[a-z]+=)/g)).toEqual([]);
  });

  it('has the colours of the screens', () => {
    const theme = ['theme.css', 'report/report.css'].map((name) =>
      readFileSync(new URL(`../../web/src/${name}`, import.meta.url), 'utf8'),
    );
    const colours = all(page, /^ {2}(--[a-z-]+: light-dark.*);$/gm);
    expect(colours.length).toBeGreaterThan(8);
    for (const colour of colours) expect(theme.join('')).toContain(`${colour};`);
  });

  it('has tables that a screen reader can walk through, each in a box that scrolls', () => {
    const tables = all(page, /<table>([^]*?)<\/table>/g);
    for (const table of tables) {
      expect(table).toMatch(/<thead><tr><th scope="col"/);
      for (const row of all(table.slice(table.indexOf('<tbody>')), /<tr>([^]*?)<\/tr>/g))
        expect(row).toMatch(/^<th scope="row"/);
    }
    expect(all(page, /(<div class="table-scroll" role="region" aria-label="[^"]+" tabindex="0">)/g)).toHaveLength(
      tables.length,
    );
  });

  it('draws a value with its interval, hidden from screen readers since the text has the same', () => {
    expect(page).toMatch(/0\.250 \(0\.100 to 0\.600\), n 4<svg class="bar" [^>]*aria-hidden="true">/);
    expect(page).not.toMatch(/undefined \[1\]<[^<]*<svg/);
    const bar = (value: number, interval: { low: number; high: number } | null, aim: number | null): string =>
      rendered({ text: { text: 'x', bar: { value, interval, ends: [0, 5], aim } } });
    expect(bar(2.5, { low: 0, high: 5 }, null)).toMatch(/class="interval"[^]*translate\(60 6\)/);
    // What is beyond the range is at its end, and a range without a size has no bar.
    expect(bar(7, null, 2.5)).toMatch(/class="aim" x1="60" y1="1" x2="60" y2="11"[^]*translate\(116 6\)/);
    expect(rendered({ text: { text: 'x', bar: { value: 1, interval: null, ends: [1, 1], aim: null } } })).not.toContain(
      '<svg',
    );
  });

  it('escapes what comes from outside and shows what would reorder or clear', () => {
    const evil = renderHtml(hostileDocument());
    expect(evil).not.toMatch(/<script|<img/i);
    expect(evil).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
    expect(evil).toContain('‹U+202E›');
    expect(dangerous(evil)).toEqual([]);
    // Nothing of it ends an attribute: elements have none but our own.
    const names = new Set(
      all(evil, /<[a-z0-9]+((?: [a-zA-Z-]+="[^"]*")*)\/?>/g).flatMap((own) => all(own, / ([a-zA-Z-]+)="/g)),
    );
    expect([...names].filter((name) => name.startsWith('on') || name === 'src' || name === 'style')).toEqual([]);
    expect(renderMarkdown(hostileDocument())).not.toMatch(/<script|<img/i);
    expect(dangerous(renderMarkdown(hostileDocument()))).toEqual([]);
  });

  it('renders marks, lists, pairs, groups, code, links and folded sections', () => {
    const html = rendered(
      { text: 'done', mark: 'passed', tone: 'strong' },
      { list: ['a', { item: 'b.', note: 'why' }], mark: 'warning', total: 5 },
      { columns: [{ title: '' }, { title: '' }], rows: [['seed', '42']] },
      { columns: [{ title: 'n' }], rows: [{ group: 'all' }, ['1']], total: 4, remarks: ['of 3'] },
      { code: 'a <b>\nc', lead: 'YAML:' },
      { text: { text: 'https://example.org/a', link: true } },
      { text: { text: 'javascript:alert(1)', link: true } },
    );
    for (const part of [
      '<p class="strong"><span class="mark good" role="img" aria-label="passed">✓</span>done</p>',
      'b. why</li>',
      '<li>… and 3 more</li>',
      '<dt>seed</dt><dd>42 </dd>',
      '<th scope="rowgroup" colspan="1"><span>all</span></th>',
      '<li>… and 2 more: --json has all of them</li>',
      '<p>YAML:</p><pre>a &lt;b&gt;\nc</pre>',
      '<a href="https://example.org/a">https://example.org/a</a>',
      '<p>javascript:alert(1)</p>',
    ])
      expect(html).toContain(part);
    const folded = renderHtml({ title: 'T', sections: [{ title: 'More', folded: true, blocks: [{ text: 'x' }] }] });
    expect(folded).toContain('<details><summary>More</summary><p>x</p>');
  });
});
