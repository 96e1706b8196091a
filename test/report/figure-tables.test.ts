import { describe, expect, test } from 'vitest';

import type { Table } from '../../src/report/document.ts';
import { figureSections } from '../../src/report/figure-tables.ts';
import { renderMarkdown } from '../../src/report/render-markdown.ts';
import { ERROR_TYPES } from '../../src/judge/error-type.ts';
import type { ErrorClass, RunFigures, Taxonomy } from '../../src/figures/run-figures.ts';
import { dangerous, HOSTILE } from './made-up-run.ts';

const NONE = { missed: 0, spurious: 0, lostCredit: 0, gap: 0, f1IfFixed: 0.6, cases: { total: 0, shown: [] } };

function taxonomy(kind: Taxonomy['kind'], errors: Partial<Record<string, Partial<ErrorClass>>>): Taxonomy {
  return {
    kind,
    hit: 3,
    missed: 2,
    spurious: 2,
    f1: 0.6,
    undefined: null,
    errors: ERROR_TYPES.map((type) => ({ type, ...NONE, ...errors[type] })),
  };
}

const SPANS = taxonomy('span', {
  boundary: { missed: 1, spurious: 1, gap: 0.2, f1IfFixed: 0.8, cases: { total: 1, shown: ['c1'] } },
  missed: { missed: 1, gap: 0.15, f1IfFixed: 0.727, cases: { total: 3, shown: ['c1'] } },
  duplicate: { spurious: 1, gap: 0.05, f1IfFixed: null, cases: { total: 1, shown: ['c1'] } },
});

const FIGURES: RunFigures = {
  format: 1,
  signature: 's',
  taxonomy: [SPANS],
  calibration: [
    {
      kind: 'span',
      field: HOSTILE,
      n: 10,
      leftOut: { 'no number': 2 },
      bins: [
        { from: 0, to: 0.1, n: 0, confidence: null, precision: null, interval: null },
        { from: 0.9, to: 1, n: 10, confidence: 0.95, precision: 0.7, interval: { low: 0.4, high: 0.89 } },
      ],
      error: 0.25,
      curve: [
        { confidence: 0.95, kept: 6, precision: 0.9, recall: 0.5, f1: 0.64 },
        { confidence: 0.9, kept: 10, precision: 0.7, recall: 0.6, f1: 0.646 },
      ],
    },
  ],
  attributes: [
    {
      attribute: 'polarity',
      kind: 'span',
      n: 5,
      right: 4,
      values: ['present', HOSTILE],
      cells: [
        { gold: 'present', predicted: 'present', n: 4, right: true },
        { gold: 'present', predicted: HOSTILE, n: 1, right: false },
      ],
    },
  ],
  ceiling: [
    {
      measure: 'f1',
      about: 'Two people.',
      cases: 6,
      people: [{ name: HOSTILE, value: 0.9, n: 6, interval: null }],
      human: { value: 0.9, undefined: null, interval: { low: 0.8, high: 1, level: 0.95, method: 'm' } },
      system: { value: 0.6, undefined: null, interval: null },
      difference: { value: -0.3, interval: { low: -0.4, high: -0.1, level: 0.95, method: 'm' } },
      verdict: 'below people',
    },
  ],
  waterfall: null,
  noWaterfall: null,
};

/** The tables with the titles of their sections. */
function tablesOf(figures: RunFigures) {
  return figureSections(figures).flatMap(({ title, blocks: [table] }) =>
    table === null ? [] : [{ title: title!, ...(table as Omit<Table, 'rows'> & { rows: readonly string[][] }) }],
  );
}

describe('tables of figures', () => {
  test('errors by type, the largest part first', () => {
    const [table] = tablesOf(FIGURES);
    expect(table!.title).toBe('Errors by type');
    expect(table!.rows.map((row) => row.slice(0, 6))).toEqual([
      ['boundary', '1', '1', '0.200 (50 %)', '0.800', '1'],
      ['missed', '1', '0', '0.150 (38 %)', '0.727', '3'],
      ['duplicate', '0', '1', '0.050 (13 %)', '–', '1'],
    ]);
    expect(table!.remarks).toEqual([
      'F1 is 0.600. Each error has one type, and the parts add up to the gap of 0.400 to 1.',
      'Did not occur: type, both, split, merged, spurious, ungrounded.',
    ]);
  });

  test('credit that hits lack has a column where there is such', () => {
    const partly = taxonomy('span', { boundary: { lostCredit: 1.5, gap: 0.4, f1IfFixed: 1 } });
    const [table] = tablesOf({ ...FIGURES, taxonomy: [partly] });
    expect(table!.columns.map(({ title }) => title)).toContain('lost credit');
    expect(table!.rows[0]).toContain('1.5');
  });

  test('of several kinds each says which it is of; a kind without errors has none', () => {
    const titles = tablesOf({ ...FIGURES, taxonomy: [SPANS, taxonomy('entity', {})] }).map(({ title }) => title);
    expect(titles[0]).toBe('Errors by type: span');
    expect(titles.filter((title) => title.startsWith('Errors'))).toHaveLength(1);
  });

  test('confidence: the tenths that have predictions, the error and the best threshold', () => {
    const table = tablesOf(FIGURES)[1]!;
    expect(table.rows).toEqual([['0.9 to 1.0', '0.950', '0.700', '0.400 to 0.890', '10']]);
    expect(table.remarks![0]).toBe('Expected calibration error 0.250 over 10 predictions; lower is better.');
    expect(table.remarks![1]).toContain('F1 is highest, 0.646');
    expect(table.remarks![2]).toBe('Left out: 2 (no number).');
  });

  test('attributes: what was mistaken for what', () => {
    const table = tablesOf(FIGURES)[2]!;
    expect(table.rows).toEqual([['present', HOSTILE, '1']]);
    expect(table.remarks).toEqual(['4 of 5 hits are right (80 %).']);
  });

  test('people: the difference has its sign', () => {
    const table = tablesOf(FIGURES)[3]!;
    expect(table.rows.slice(0, 3)).toEqual([
      ['the system', '0.600', '–', ''],
      ['people', '0.900', '0.800 to 1.000 (95 %)', ''],
      ['difference', '-0.300', '-0.400 to -0.100 (95 %)', ''],
    ]);
    expect(table.remarks![0]).toBe('The system agrees with people less than they do with each other.');
  });

  test('as Markdown nothing of the data is markup', () => {
    const text = renderMarkdown({ title: 'Run', sections: figureSections(FIGURES) });
    expect(text).toContain('## Errors by type');
    expect(text).toContain('| boundary | 1 | 1 | 0.200 (50 %) | 0.800 | 1 |');
    expect(text).not.toMatch(/<img/);
    expect(dangerous(text)).toEqual([]);
  });

  test('there are none where there is nothing to show', () => {
    expect(tablesOf({ ...FIGURES, taxonomy: [], calibration: [], attributes: [], ceiling: [] })).toEqual([]);
  });
});
