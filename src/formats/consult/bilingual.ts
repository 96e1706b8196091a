import type { Case } from '../../data/case.ts';
import type { Verdict } from '../../judge/verdict.ts';
import type { Measure } from '../../measure/measure.ts';
import { type CaseResult, type MeasureValue, Tally } from '../../measure/tally.ts';
import type { ParityRow, FormatFigures } from '../case-format.ts';
import type { Plan } from '../../recipe/plan.ts';
import { alignTables } from '../../stats/align-tables.ts';
import { comparePaired } from '../../stats/paired-comparison.ts';
import type { PairedDifference } from '../../stats/paired-difference.ts';
import { significant } from '../../text/figures.ts';

export const PARITY = 'bilingual_parity';
const LEVEL = 0.95;

interface Judged {
  readonly given: Case;
  readonly verdicts: readonly Verdict[];
}

/**
 * Answers to the same case in several languages, measure by measure: difference (other language − usual one) over the
 * cases answered in both, with its interval and a paired test. 0 is parity.
 */
export class LanguagePairs implements FormatFigures {
  readonly #plan: Plan;
  readonly #baseLanguage: string;
  /** By language, then by case. */
  readonly #cases = new Map<string, Map<string, Judged>>();

  constructor(plan: Plan) {
    this.#plan = plan;
    this.#baseLanguage = plan.consult?.languages[0] ?? 'en';
  }

  add(given: Case, verdicts: readonly Verdict[]): void {
    const language = given.fields['language'];
    if (typeof language !== 'string' || !given.answered || given.failed !== null) return;
    const own = this.#cases.get(language) ?? new Map<string, Judged>();
    this.#cases.set(language, own.set(given.from ?? given.id, { given, verdicts }));
  }

  async finish(): ReturnType<FormatFigures['finish']> {
    const parity = await this.rows();
    return { measures: parityMeasures(parity), parity };
  }

  async rows(): Promise<ParityRow[]> {
    const base = this.#cases.get(this.#baseLanguage) ?? new Map<string, Judged>();
    const compared = this.#plan.measures.filter(isCompared);
    const rows: ParityRow[] = [];
    for (const [language, own] of this.#cases) {
      if (language === this.#baseLanguage) continue;
      const ids = [...own.keys()].filter((id) => base.has(id)).sort();
      const before = valuesOf(base, ids, compared);
      const after = valuesOf(own, ids, compared);
      for (const measure of compared) {
        // What is only asked of other languages, such as how good a translation is, has nothing to be compared with.
        if (ids.every((id) => before.get(id)?.[measure.name] == null)) continue;
        const both = ids.filter(
          (id) => before.get(id)?.[measure.name] != null && after.get(id)?.[measure.name] != null,
        );
        const difference = both.length === 0 ? null : await this.#difference(measure, both, base, own);
        rows.push({ measure: measure.name, language, usual: this.#baseLanguage, pairs: both.length, difference });
      }
    }
    return rows;
  }

  /** Over the cases that have a value in both languages, so that value, n and test are of the same ones. */
  async #difference(
    measure: Measure,
    ids: readonly string[],
    base: ReadonlyMap<string, Judged>,
    other: ReadonlyMap<string, Judged>,
  ): Promise<PairedDifference> {
    const { interval } = this.#plan;
    const [a, b] = [base, other].map((answers) => tallyOf(answers, ids, [measure]).tally.groups()[0]!.table);
    // The difference itself, also of measures whose best value lies between the ends.
    const { best: _, ...plain } = measure;
    const [found] = await comparePaired(...alignTables(a!, b!), [{ measure: plain, label: -1 }], {
      resamples: interval?.resamples ?? 1000,
      level: interval?.level ?? LEVEL,
      seed: interval?.seed ?? 42,
      method: interval?.method ?? 'percentile',
    });
    return found!;
  }
}

function tallyOf(
  answers: ReadonlyMap<string, Judged>,
  ids: readonly string[],
  measures: readonly Measure[],
): { tally: Tally; results: CaseResult[] } {
  const tally = new Tally(measures, []);
  const results = ids.map((id) => {
    const { given, verdicts } = answers.get(id)!;
    return tally.add({ case: id, failed: given.failed ?? undefined }, null, verdicts);
  });
  return { tally, results };
}

function valuesOf(
  answers: ReadonlyMap<string, Judged>,
  ids: readonly string[],
  measures: readonly Measure[],
): Map<string, CaseResult['measures']> {
  return new Map(tallyOf(answers, ids, measures).results.map((result) => [result.case, result.measures]));
}

/** How many ratings there are is no quality of a language. */
function isCompared({ name, overLabels }: Measure): boolean {
  return !name.endsWith('_coverage') && overLabels !== true;
}

/** The rows as measures: one a measure and language, below a first one that has a reason instead of a value. */
export function parityMeasures(rows: readonly ParityRow[]): MeasureValue[] {
  const shared = { name: PARITY, direction: 'higher', best: 0, range: [null, null], cases: null } as const;
  const nothing = { value: null, interval: null, noInterval: 'there is no value', note: null } as const;
  const why = rows.length === 0 ? 'no case has answers in two languages' : 'there is one for each measure and language';
  const most = Math.max(0, ...rows.map(({ pairs }) => pairs));
  return [
    { ...shared, ...nothing, slice: {}, undefined: why, n: most, units: most },
    ...rows.map(({ measure, language, usual, pairs, difference: found }): MeasureValue => {
      const own = { ...shared, slice: { measure, language }, n: pairs, units: pairs };
      if (found?.difference == null) {
        const missing = `no case has a value in both ${usual} and ${language}`;
        return { ...own, ...nothing, undefined: found?.undefined ?? missing };
      }
      const p = found.permutation.pValue;
      const test = p === null ? `no test: ${found.permutation.undefined ?? ''}` : `paired test p = ${significant(p)}`;
      const { difference: value, interval, noInterval } = found;
      return { ...own, value, undefined: null, interval, noInterval, note: `${language} − ${usual}; ${test}` };
    }),
  ];
}
