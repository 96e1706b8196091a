import { describe, expect, it } from 'vitest';

import type { ConfusionCount } from '../../../../src/score/run.ts';
import { asConfusion, wrongValues } from '../../../../web/src/report/figures/attribute-rows.ts';
import { confusionTables } from '../../../../web/src/report/figures/confusion-rows.ts';

function cell(gold: string | null, predicted: string | null, n: number, scheme: string | null = null): ConfusionCount {
  return { scheme, kind: 'span', gold, predicted, n };
}

describe('the confusion of labels', () => {
  it('lists what is off, the most frequent first, as a share of the gold of its label', () => {
    const [table] = confusionTables([
      cell('LOC', 'LOC', 6),
      cell('LOC', 'ORG', 1),
      cell('LOC', null, 3),
      cell('ORG', 'ORG', 2),
    ]);
    expect(table).toMatchObject({ title: 'spans', right: 8, n: 12 });
    expect(table?.wrong).toEqual([
      { gold: 'LOC', predicted: null, n: 3, of: 10 },
      { gold: 'LOC', predicted: 'ORG', n: 1, of: 10 },
    ]);
  });

  it('takes a spurious label as a share of its predictions, since no gold stands behind it', () => {
    const [table] = confusionTables([cell('ORG', 'ORG', 2), cell('LOC', 'ORG', 1), cell(null, 'ORG', 1)]);
    expect(table?.wrong.find(({ gold }) => gold === null)).toEqual({ gold: null, predicted: 'ORG', n: 1, of: 4 });
  });

  it('keeps kinds and pairings apart, and no label from nothing', () => {
    const tables = confusionTables([cell('', null, 1), cell('', '', 2), cell('LOC', 'LOC', 1, 'strict')]);
    expect(tables.map(({ title, right, n }) => [title, right, n])).toEqual([
      ['spans', 2, 3],
      ['spans, strict', 1, 1],
    ]);
  });
});

describe('the confusion of an attribute', () => {
  const cells = [
    { gold: 'present', predicted: 'present', n: 15, right: true },
    { gold: 'absent', predicted: 'present', n: 2, right: false },
    { gold: 'present', predicted: 'unknown', n: 3, right: false },
  ];

  it('lists what is off, the most frequent first', () => {
    expect(wrongValues({ cells }).map(({ gold, n }) => [gold, n])).toEqual([
      ['present', 3],
      ['absent', 2],
    ]);
  });

  it('is drawn as labels are', () => {
    expect(asConfusion({ kind: 'object', cells })[1]).toEqual({
      scheme: null,
      kind: 'object',
      gold: 'absent',
      predicted: 'present',
      n: 2,
    });
  });
});
