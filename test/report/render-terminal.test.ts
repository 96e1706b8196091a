import { describe, expect, test } from 'vitest';

import type { Document } from '../../src/report/document.ts';
import { renderMarkdown } from '../../src/report/render-markdown.ts';
import { renderTerminal } from '../../src/report/render-terminal.ts';
import { makeStyle } from '../../src/report/style.ts';

const tableOf = (title: string | undefined): Document => ({
  title: 'Rules',
  sections: [
    {
      ...(title === undefined ? {} : { title }),
      blocks: [
        {
          columns: [{ title: 'rule' }, { title: 'setting', below: true }, { title: 'n', align: 'right' }],
          rows: [
            ['merge', 'joins spans that are next to each other', '12'],
            ['sum', '', '7'],
          ],
        },
      ],
    },
  ],
});

describe('a column that is below its row', () => {
  const narrow = makeStyle({ width: 40 });

  test('takes lines of its own on a terminal, none if it is empty', () => {
    expect(renderTerminal(tableOf(undefined), narrow).split('\n').slice(2)).toEqual([
      'rule    n',
      'merge  12',
      '  joins spans that are next to each',
      '  other',
      'sum     7',
      '',
    ]);
    expect(renderTerminal(tableOf('Rule'), narrow)).toContain('\n  merge  12\n    joins spans');
  });

  test('is a column like others on a page', () => {
    expect(renderMarkdown(tableOf('Rule'))).toContain('| merge | joins spans that are next to each other | 12 |');
  });
});

test('a grid that is too wide for a terminal is continued below, and is one table on a page', () => {
  const places = ['0.1', '0.2', '0.3'];
  const grid: Document = {
    title: 'Grid',
    sections: [
      {
        blocks: [
          {
            columns: [{ title: 'share' }, ...places.map((title) => ({ title, align: 'right' as const }))],
            rows: ['low', 'high'].map((name) => [name, ...places.map((place) => `${name} at ${place} of`)]),
            continues: true,
          },
        ],
      },
    ],
  };
  expect(
    renderTerminal(grid, makeStyle({ width: 40 }))
      .split('\n')
      .slice(2),
  ).toEqual([
    'share             0.1             0.2',
    'low     low at 0.1 of   low at 0.2 of',
    'high   high at 0.1 of  high at 0.2 of',
    '',
    'share             0.3',
    'low     low at 0.3 of',
    'high   high at 0.3 of',
    '',
  ]);
  expect(renderMarkdown(grid)).toContain('| low | low at 0.1 of | low at 0.2 of | low at 0.3 of |');
});

test('what is beside a title is below it if both do not fit on a line', () => {
  const about = 'what the numbers below it are of';
  const document: Document = { title: 'Run', sections: [{ title: 'Values', about, blocks: [{ text: 'none' }] }] };
  expect(renderTerminal(document, makeStyle())).toContain(`\nValues  ${about}\n  none\n`);
  const long: Document = { ...document, sections: [{ ...document.sections[0]!, title: 'Values of all' }] };
  expect(renderTerminal(long, makeStyle({ width: 40 }))).toContain(`\nValues of all\n  ${about}\n  none\n`);
});
