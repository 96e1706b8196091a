import type { Case } from '../../data/case.ts';
import type { Verdict } from '../../judge/verdict.ts';
import type { Measure } from '../../measure/measure.ts';
import { type MeasureValue, Tally } from '../../measure/tally.ts';
import type { Plan } from '../../recipe/plan.ts';
import { alignTables } from '../../stats/align-tables.ts';
import { comparePaired } from '../../stats/paired-comparison.ts';
import type { PairedDifference } from '../../stats/paired-difference.ts';

export const PARITY = 'bilingual_parity';
const LEVEL = 0.95;

interface Judged {
  readonly given: Case;
  readonly verdicts: readonly Verdict[];
}

/** One measure in one language against the usual one, over the cases answered in both. */
export interface ParityRow {
  readonly measure: string;
  readonly language: string;
  readonly usual: string;
  readonly difference: PairedDifference;
}

/**
 * Answers to the same case in several languages, measure by measure: difference (other language − usual one) over the
 * cases answered in both, with its interval and a paired test. 0 is parity.
 */
export class LanguagePairs {
  readonly #plan: Plan;
  readonly #usual: string;
  /** By language, then by case. */
  readonly #cases = new Map<string, Map<string, Judged>>();

  constructor(plan: Plan) {
    this.#plan = plan;
    this.#usual = plan.consult?.languages[0] ?? 'en';
  }

  add(given: Case, verdicts: readonly Verdict[]): void {
    const language = given.fields['language'];
    if (typeof language !== 'string' || !given.answered || given.failed !== null) return;
    const own = this.#cases.get(language) ?? new Map<string, Judged>();
    this.#cases.set(language, own.set(given.from ?? given.id, { given, verdicts }));
  }

  async rows(): Promise<ParityRow[]> {
    const { interval, measures } = this.#plan;
    const usual = this.#cases.get(this.#usual) ?? new Map<string, Judged>();
    const rows: ParityRow[] = [];
    for (const [language, own] of this.#cases) {
      if (language === this.#usual) continue;
      const ids = [...own.keys()].filter((id) => usual.has(id)).sort();
      if (ids.length === 0) continue;
      const [a, b] = [usual, own].map((answers) => {
        const tally = new Tally(measures, []);
        for (const id of ids) {
          const { given, verdicts } = answers.get(id)!;
          tally.add({ case: id, failed: given.failed, answered: true, slices: null, cluster: null }, null, verdicts);
        }
        return tally.groups()[0]!.table;
      });
      const compared = measures.filter(isCompared);
      const found = await comparePaired(
        ...alignTables(a!, b!),
        // The difference itself, also of measures whose best value lies between the ends.
        compared.map(({ best: _, ...measure }) => ({ measure, label: -1 })),
        {
          resamples: interval?.resamples ?? 1000,
          level: interval?.level ?? LEVEL,
          seed: interval?.seed ?? 42,
          method: interval?.method ?? 'percentile',
        },
      );
      compared.forEach(({ name }, at) => {
        // What is only asked of other languages, such as how good a translation is, has nothing to be compared with.
        if (found[at]!.baseline === null) return;
        rows.push({ measure: name, language, usual: this.#usual, difference: found[at]! });
      });
    }
    return rows;
  }
}

/** How many ratings there are is no quality of a language. */
function isCompared({ name, overLabels }: Measure): boolean {
  return !name.endsWith('_coverage') && overLabels !== true;
}

/** The rows as measures: one a measure and language; where there are none, one that says why. */
export function parityMeasures(rows: readonly ParityRow[]): MeasureValue[] {
  const shared = { name: PARITY, direction: 'higher', best: 0, range: [null, null], cases: null } as const;
  if (rows.length === 0) {
    const undefinedBecause = 'no case has answers in two languages';
    return [
      {
        ...shared,
        slice: {},
        value: null,
        undefined: undefinedBecause,
        n: 0,
        units: 0,
        interval: null,
        noInterval: 'there is no value',
        note: null,
      },
    ];
  }
  return rows.map(({ measure, language, usual, difference: found }) => {
    const pairs = found.wins + found.losses + found.ties;
    const p = found.permutation.pValue;
    const test =
      p === null ? `no test: ${found.permutation.undefined ?? ''}` : `paired test p = ${Number(p.toPrecision(3))}`;
    return {
      ...shared,
      slice: { measure, language },
      value: found.difference,
      undefined: found.difference === null ? (found.undefined ?? 'no value in one of the languages') : null,
      n: pairs,
      units: found.units,
      interval: found.difference === null ? null : found.interval,
      noInterval: found.difference === null ? 'there is no value' : found.noInterval,
      note: found.difference === null ? null : `${language} − ${usual}; ${test}`,
    };
  });
}
