import { describe, expect, test } from 'vitest';

import { makeCase } from '../../src/data/case.ts';
import { buildMeasures } from '../../src/measure/measures.ts';
import { Tally } from '../../src/measure/tally.ts';
import { missed } from '../judge/verdicts.ts';
import { span } from '../pair/items.ts';

const { measures } = buildMeasures({ precision: {}, recall: {}, macro_recall: {} }, null);

describe('labels without end', () => {
  const cases = (labels: number, schemes: readonly (string | null)[]): (() => void) => {
    const tally = new Tally(measures, ['label']);
    return () => {
      for (let from = 0; from < labels; from += 25_000)
        for (const scheme of schemes)
          tally.addCase(
            makeCase({ id: `d${from}`, fields: {} }),
            scheme,
            Array.from({ length: Math.min(25_000, labels - from) }, (_, at) => missed(span(0, 5, `L${from + at}`))),
          );
    };
  };

  test('are refused beyond 150,000 over all schemes, with advice', () => {
    expect(cases(150_000, [null])).not.toThrow();
    expect(cases(150_001, [null])).toThrow(/^there are 150001 labels or more: too many for measures by label$/);
    expect(cases(60_000, [null, 'wide', 'long'])).toThrow(/labels or more, under 3 schemes each: too many/);
  });
});
