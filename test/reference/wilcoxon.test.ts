import { describe, expect, test } from 'vitest';
import { type Alternative, wilcoxon } from '../../src/stats/wilcoxon.ts';
import type { ZeroMethod } from '../../src/stats/ranks.ts';
import { noReference, referenceJson } from './reference-data.ts';

interface Case {
  readonly name: string;
  readonly n: number;
  readonly x: readonly number[];
  readonly y: readonly number[];
  readonly n_zero_diffs: number;
  readonly results: readonly {
    readonly zero_method: ZeroMethod;
    readonly method: 'auto' | 'exact' | 'approx';
    readonly correction: boolean;
    readonly alternative: Alternative;
    readonly statistic: number;
    readonly pvalue: number | null;
    readonly pvalue_17g: string;
    readonly zstatistic: number | null;
  }[];
}

describe.skipIf(noReference)('wilcoxon reference', () => {
  test('all 200 results are those of SciPy 1.17.1, bit for bit', () => {
    const { scipy, cases } = referenceJson('stats/wilcoxon_reference.json') as {
      scipy: string;
      cases: readonly Case[];
    };
    expect(scipy).toBe('1.17.1');
    expect(cases).toHaveLength(10);
    let compared = 0;
    for (const { name, n, x, y, n_zero_diffs: zeros, results } of cases) {
      for (const one of results) {
        const { zero_method: zeroMethod, method, correction, alternative } = one;
        const found = wilcoxon(x, y, { zeroMethod, method, correction, alternative });
        const which = `${name} ${zeroMethod} ${method} ${alternative} correction ${correction}`;
        expect(found.statistic, which).toBe(one.statistic);
        expect(found.pValue, which).toBe(one.pvalue);
        expect(found.pValue, which).toBe(one.pvalue_17g === 'nan' ? null : Number(one.pvalue_17g));
        expect(found.zStatistic, which).toBe(one.zstatistic);
        expect(found.undefined === null, which).toBe(one.pvalue !== null);
        expect([found.n, found.zeros], which).toEqual([n - zeros, zeros]);
        compared += 1;
      }
    }
    expect(compared).toBe(200);
  });
});
