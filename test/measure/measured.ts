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
  return measuredOver(params, [verdicts], zeroDivision);
}

/** One measure over several cases c1, c2, …, each with its verdicts. */
export function measuredOver(
  params: Readonly<Record<string, unknown>> | string,
  cases: readonly (readonly Verdict[])[],
  zeroDivision: ZeroDivision = null,
): MeasureValue {
  const wanted = typeof params === 'string' ? { [params]: {} } : { m: params };
  const { measures } = buildMeasures(wanted, zeroDivision);
  const tally = new Tally(measures, ['label']);
  cases.forEach((verdicts, at) => tally.addCase(makeCase({ id: `c${at + 1}` }), null, verdicts));
  return tally.values()[0]!;
}

/** What a measure is for each case, as cases.jsonl has it. */
export function byCase(
  params: Readonly<Record<string, unknown>>,
  cases: readonly (readonly Verdict[])[],
): (number | null)[] {
  const tally = new Tally(buildMeasures({ m: params }, null).measures, []);
  return cases.map((verdicts, at) => tally.addCase(makeCase({ id: `c${at + 1}` }), null, verdicts).measures['m']!);
}
