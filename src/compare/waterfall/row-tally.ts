import { hitCredit, verdictCount, WHOLE } from '../../measure/hit-measures.ts';
import { type Counter, isCounter, type Measure, total } from '../../measure/measure.ts';
import { buildMeasures } from '../../measure/measures.ts';
import { SumLog } from '../../measure/sum-log.ts';
import { Tally } from '../../measure/tally.ts';
import { sumsOf, totals } from '../../measure/unit-sums.ts';
import type { Plan } from '../../recipe/plan.ts';
import type { SchemeVerdicts } from '../../score/score-case.ts';
import type { WaterfallStep } from './waterfall.ts';

/** A case as one variant scores it. */
export type ScoredRow = Pick<SchemeVerdicts, 'case' | 'verdicts'>;

/** Makes the rows of one waterfall, which all count the same: the counts of each kind, and every measure overall. */
export function rowTallies(plan: Plan) {
  const zeroDivision = plan.resolved['zeroDivision'];
  const kinds = [...plan.schemes[0]!.pair.keys()].map((kind) => {
    const counted = (key: string, counts: (verdict: Parameters<Counter['of']>[0]) => boolean): Counter => ({
      key: `${key}:${kind}`,
      of: (verdict) => (verdict.kind === kind && counts(verdict) ? verdict.weight : 0),
    });
    const scope = { ...WHOLE, kind };
    const counters = {
      credit: hitCredit(scope),
      hits: verdictCount('hit', scope),
      missed: verdictCount('missed', scope),
      spurious: verdictCount('spurious', scope),
      excused: counted('excused', ({ verdict }) => verdict === 'excused'),
      partly: counted('partly', ({ verdict, credit }) => verdict === 'hit' && credit !== 1),
    };
    const asked = Object.fromEntries(['precision', 'recall', 'f1'].map((of) => [of, { of, kind }]));
    const { measures } = buildMeasures(asked, typeof zeroDivision === 'number' ? zeroDivision : null);
    return { kind, counters, measures };
  });
  const whole = [...kinds.flatMap(({ measures }) => measures), ...plan.measures.filter(isOfWholeNumbers)];
  const others = plan.measures.filter((measure) => !isOfWholeNumbers(measure));
  const all = [
    ...kinds.flatMap(({ counters }) => Object.values(counters)),
    ...whole.flatMap(({ counters, beside = [] }) => [...counters, ...beside.filter(isCounter)]),
  ];
  const counters = [...new Map(all.map((counter) => [counter.key, counter])).values()];
  const places = new Map(counters.map(({ key }, at) => [key, at]));
  return () => {
    // Whole numbers are added up as one case, since what each case added can be forgotten.
    const log = new SumLog(places);
    const tally = others.length === 0 ? null : new Tally(others, [], plan.interval?.cluster ?? null);
    return {
      add({ case: scored, verdicts }: ScoredRow): void {
        tally?.addCase(scored, null, verdicts);
        log.addVerdicts(counters, verdicts);
      },
      result(): Pick<WaterfallStep, 'kinds' | 'measures'> {
        log.keep('all');
        const table = log.byUnit();
        const sums = sumsOf(table, totals(table));
        const values = new Map(tally?.values().map(({ name, value }) => [name, value]));
        return {
          kinds: kinds.map(({ kind, counters: own, measures }) => {
            const [precision = null, recall = null, f1 = null] = measures.map((measure) => measure.value(sums).value);
            const partly = sums.get(own.partly.key);
            return {
              kind,
              hit: total(sums, own.credit),
              missed: sums.get(own.missed.key),
              spurious: sums.get(own.spurious.key),
              excused: sums.get(own.excused.key),
              precision,
              recall,
              f1,
              ...(partly === 0 ? {} : { hits: sums.get(own.hits.key), partly }),
            };
          }),
          measures: Object.fromEntries(
            plan.measures.map((measure) => {
              const { name } = measure;
              return [name, values.has(name) ? values.get(name)! : measure.value(sums).value];
            }),
          ),
        };
      },
    };
  };
}

/** Counters, by how their keys begin, that only ever add whole numbers: weights of verdicts, and credits in millionths. */
const WHOLE_NUMBERS =
  /^(credit|hit|missed|spurious|excused-(gold|predicted)|attributes(-right)?|quotes(-found)?|verdicts|total):/;

/** Whether nothing but whole numbers goes into a measure, so that no order of adding can change a bit of it. */
export function isOfWholeNumbers({ counters, caseCounters, numbers = [], beside = [] }: Measure): boolean {
  const all = [...counters, ...caseCounters, ...numbers, ...beside];
  return all.every((counter) => isCounter(counter) && WHOLE_NUMBERS.test(counter.key));
}
