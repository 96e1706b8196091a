import { describe, expect, it } from 'vitest';

import { ERROR_TYPES, type ErrorType } from '../../../../src/judge/error-type.ts';
import type { RunFigures, Taxonomy } from '../../../../src/figures/run-figures.ts';
import { besideTables } from '../../../../web/src/report/figures/beside-rows.ts';

function figures(f1: number | null, gaps: Partial<Record<ErrorType, number>>): RunFigures {
  const taxonomy: Taxonomy = {
    kind: 'span',
    hit: 1,
    missed: 1,
    spurious: 1,
    f1,
    undefined: f1 === null ? 'no items' : null,
    errors: ERROR_TYPES.map((type) => ({
      type,
      missed: 0,
      spurious: 0,
      lostCredit: 0,
      gap: gaps[type] ?? 0,
      f1IfFixed: null,
      cases: { total: 0, shown: [] },
    })),
  };
  return {
    format: 1,
    signature: '',
    taxonomy: [taxonomy],
    calibration: [],
    attributes: [],
    ceiling: [],
    waterfall: null,
    noWaterfall: null,
  };
}

describe('the errors of several runs, side by side', () => {
  it('have a row for each type that occurs in any of them', () => {
    const runs = [
      { name: 'old', figures: figures(0.7, { missed: 0.2, type: 0.1 }) },
      { name: 'new', figures: figures(0.9, { boundary: 0.1 }) },
    ];
    expect(besideTables(runs)).toEqual([
      {
        kind: 'span',
        runs: [
          { name: 'old', f1: 0.7 },
          { name: 'new', f1: 0.9 },
        ],
        types: [
          { type: 'boundary', gaps: [0, 0.1] },
          { type: 'type', gaps: [0.1, 0] },
          { type: 'missed', gaps: [0.2, 0] },
        ],
      },
    ]);
  });

  it('are nothing, not 0, for a run without figures or without an F1', () => {
    const runs = [
      { name: 'old', figures: figures(0.7, { missed: 0.3 }) },
      { name: 'bare', figures: null },
      { name: 'empty', figures: figures(null, {}) },
    ];
    expect(besideTables(runs)[0]?.types).toEqual([{ type: 'missed', gaps: [0.3, null, null] }]);
  });
});
