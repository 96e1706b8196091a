import { makeCase } from '../../src/data/case.ts';
import type { Verdict } from '../../src/judge/verdict.ts';
import { buildMeasures } from '../../src/measure/measures.ts';
import type { ZeroDivision } from '../../src/measure/measure.ts';
import { type MeasureValue, Tally } from '../../src/measure/tally.ts';

/** One measure over verdicts, as a recipe names it. */
export function measured(
  params: Readonly<Record<string, unknown>> | string,
  verdicts: readonly Verdict[],
  zeroDivision: ZeroDivision = null,
): MeasureValue {
  const wanted = typeof params === 'string' ? { [params]: {} } : { m: params };
  const { measures } = buildMeasures(wanted, zeroDivision);
  const tally = new Tally(measures, ['label']);
  tally.addCase(makeCase({ id: 'c1' }), null, verdicts);
  return tally.values()[0]!;
}
