import { describe, expect, it } from 'vitest';

import { taxonomyFigure } from '../../../src/report/svg/taxonomy-figure.ts';
import { ERROR_TYPES } from '../../../src/judge/error-type.ts';
import type { ErrorClass, Taxonomy } from '../../../src/figures/run-figures.ts';
import { words } from './made-up-figures.ts';

const NONE = { missed: 0, spurious: 0, lostCredit: 0, gap: 0, f1IfFixed: 0.6, cases: { total: 0, shown: [] } };
const ERRORS: Readonly<Partial<Record<string, Partial<ErrorClass>>>> = {
  boundary: { missed: 1, spurious: 1, gap: 0.2, f1IfFixed: 0.8, cases: { total: 1, shown: ['c1'] } },
  missed: { missed: 1, gap: 0.1, f1IfFixed: 0.727, cases: { total: 3, shown: ['c1', 'c2', 'c3'] } },
  duplicate: { spurious: 1, gap: 0.1, f1IfFixed: null },
};
const TAXONOMY: Taxonomy = {
  kind: 'entity',
  hit: 3,
  missed: 2,
  spurious: 2,
  f1: 0.6,
  undefined: null,
  errors: ERROR_TYPES.map((type) => ({ type, ...NONE, ...ERRORS[type] })),
};

function widths(svg: string): number[] {
  return [...svg.matchAll(/<rect [^>]*? width="([\d.]+)"[^>]*class="bar-(?:good|bad)[^"]*"/g)].map(([, wide]) =>
    Number(wide),
  );
}

describe('the figure of error types', () => {
  const svg = taxonomyFigure(TAXONOMY);

  it('draws F1 and the parts of the gap as one bar from 0 to 1', () => {
    const whole = widths(svg).slice(0, 4);
    // 344 units: 0.6, 0.2, 0.1 and 0.1 of them.
    expect(whole).toEqual([206.4, 68.8, 34.4, 34.4]);
  });

  it('has a row for each type that occurred, the largest part first, to be clicked', () => {
    const rows = [...svg.matchAll(/<g class="row" data-error="(\w+)"/g)].map(([, type]) => type);
    expect(rows).toEqual(['boundary', 'duplicate', 'missed']);
  });

  it('tells in words what it shows', () => {
    const text = words(svg);
    expect(text).toContain('Errors of entities by type');
    expect(text).toContain('F1 is 0.600, 0.400 short of 1');
    expect(svg).toContain('missed: 1 missed, 0 spurious, 0.100 of F1 in 3 cases, F1 without them 0.727.');
    expect(text).toContain('3 hits, 2 missed, 2 spurious.');
    expect(text).toContain('Did not occur: type, both, split, merged, spurious, ungrounded.');
  });

  it('says so where there is nothing to draw', () => {
    const none = taxonomyFigure({ ...TAXONOMY, f1: null, undefined: 'there is neither gold nor a prediction' });
    expect(words(none)).toContain('F1 is undefined: there is neither gold nor a prediction.');
    const perfect = taxonomyFigure({ ...TAXONOMY, f1: 1, errors: TAXONOMY.errors.map((one) => ({ ...one, ...NONE })) });
    expect(words(perfect)).toContain('F1 is 1.000: there are no errors.');
  });
});
