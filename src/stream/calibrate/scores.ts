import { percentileOf } from '../../stats.ts';
import { type CaseColumn, type CaseTable, recordBy } from './case-table.ts';

/** How the values of the cases become one: by mean, sum or maximum, or the value below which a share of them lies. */
type Summary = 'mean' | 'sum' | 'max' | number;
export type ScoreUnit = 'ms' | 'flushes' | 'words' | 'pct' | 'cases';

interface ScoreRule {
  readonly of: CaseColumn;
  readonly how: Summary;
  readonly unit: ScoreUnit;
  /** Only larger chunks are better; all else is better when it is less. */
  readonly better?: 'higher';
}

/** Scores of which it can be said which way is better, so that a front can be drawn. */
export const OBJECTIVE_NAMES = [
  'flush_count_mean',
  'ttff_content_p50_ms',
  'ttff_content_p95_ms',
  'ttff_trace_p50_ms',
  'chunk_size_p50',
  'worst_wait_p50_ms',
  'worst_wait_p95_ms',
  'late_wait_p95_ms',
  'gap_p95_ms',
  'spam_pct_mean',
  'tail_words_mean',
] as const;
export type ObjectiveName = (typeof OBJECTIVE_NAMES)[number];

/**
 * The scores of a policy over all cases. Percentiles interpolate linearly; the program that the names come from does
 * not, so its figures differ by up to the gap between two neighbours. `worst_wait` is the p95 of a case, as
 * there, but of how long words were held and not of the gaps between flushes, which are `gap`.
 */
const RULES = {
  flush_count_mean: { of: 'flush_count', how: 'mean', unit: 'flushes' },
  ttff_content_p50_ms: { of: 'ttff_content_ms', how: 0.5, unit: 'ms' },
  ttff_content_p95_ms: { of: 'ttff_content_ms', how: 0.95, unit: 'ms' },
  ttff_trace_p50_ms: { of: 'ttff_trace_ms', how: 0.5, unit: 'ms' },
  chunk_size_p50: { of: 'chunk_size_p50', how: 0.5, unit: 'words', better: 'higher' },
  chunk_size_p90: { of: 'chunk_size_p90', how: 0.9, unit: 'words' },
  // The largest over cases: a bound on it holds for every case.
  chunk_size_p95: { of: 'chunk_size_p95', how: 'max', unit: 'words' },
  chunk_size_max: { of: 'chunk_size_max', how: 'max', unit: 'words' },
  worst_wait_p50_ms: { of: 'wait_p95_ms', how: 0.5, unit: 'ms' },
  worst_wait_p95_ms: { of: 'wait_p95_ms', how: 0.95, unit: 'ms' },
  worst_wait_max_ms: { of: 'wait_max_ms', how: 'max', unit: 'ms' },
  late_wait_p95_ms: { of: 'late_wait_p95_ms', how: 0.95, unit: 'ms' },
  late_wait_max_ms: { of: 'late_wait_max_ms', how: 'max', unit: 'ms' },
  gap_p95_ms: { of: 'gap_p95_ms', how: 0.95, unit: 'ms' },
  spam_pct_mean: { of: 'spam_pct', how: 'mean', unit: 'pct' },
  timer_flush_pct_mean: { of: 'timer_flush_pct', how: 'mean', unit: 'pct' },
  timer_under_min_pct_mean: { of: 'timer_under_min_pct', how: 'mean', unit: 'pct' },
  tail_words_mean: { of: 'tail_words', how: 'mean', unit: 'words' },
  cases_without_flush: { of: 'without_flush', how: 'sum', unit: 'cases' },
} as const satisfies Readonly<Record<string, ScoreRule>>;

export type ScoreName = keyof typeof RULES;
export const POLICY_SCORES: Readonly<Record<ScoreName, ScoreRule>> = RULES;
export const SCORE_NAMES: readonly ScoreName[] = Object.keys(RULES).filter((name) => isScoreName(name));

function isScoreName(name: string): name is ScoreName {
  return Object.hasOwn(RULES, name);
}

export function whyNoScore(name: ScoreName): string {
  return POLICY_SCORES[name].of === 'gap_p95_ms' ? 'no case has two regular flushes' : 'no case has a regular flush';
}

interface PolicyScore {
  /** Null if no case has a value. */
  readonly value: number | null;
  readonly n: number;
}
export type PolicyScores = Readonly<Record<ScoreName, PolicyScore>>;

/** The values of one column under one policy that are defined, sorted, each with its case. */
interface SortedCases {
  readonly values: Float64Array;
  readonly cases: readonly number[];
}

/** Reads scores off a table, each case counted `times` times. NaN: no case has a value. */
export class ScoreReader {
  readonly #table: CaseTable;
  /** Used again for every score: how often each of the sorted cases counts. */
  readonly #times: Float64Array;
  readonly #sorted = new Map<CaseColumn, SortedCases[]>();

  constructor(table: CaseTable) {
    this.#table = table;
    this.#times = new Float64Array(table.cases);
  }

  /** Each case once. */
  everyCase(): Float64Array {
    return new Float64Array(this.#table.cases).fill(1);
  }

  score(name: ScoreName, policy: number, times: Float64Array): number {
    const { of, how } = POLICY_SCORES[name];
    if (typeof how === 'number' || how === 'max') {
      const { values, cases } = this.#casesOf(of, policy);
      for (let at = 0; at < cases.length; at += 1) this.#times[at] = times[cases[at]!]!;
      this.#times.fill(0, cases.length);
      return percentileOf({ values, times: this.#times }, how === 'max' ? 1 : how).value ?? Number.NaN;
    }
    const { cases, columns } = this.#table;
    const column = columns[of];
    let sum = 0;
    let n = 0;
    for (let at = 0; at < cases; at += 1) {
      const value = column[policy * cases + at]!;
      if (Number.isNaN(value)) continue;
      sum += times[at]! * value;
      n += times[at]!;
    }
    return n === 0 ? Number.NaN : how === 'mean' ? sum / n : sum;
  }

  scores(policy: number, times: Float64Array): PolicyScores {
    return recordBy(SCORE_NAMES, (name) => {
      const value = this.score(name, policy, times);
      const n = this.#casesOf(POLICY_SCORES[name].of, policy).cases.reduce((sum, at) => sum + times[at]!, 0);
      return { value: Number.isNaN(value) ? null : value, n };
    });
  }

  #casesOf(of: CaseColumn, policy: number): SortedCases {
    const known = this.#sorted.get(of) ?? [];
    this.#sorted.set(of, known);
    return (known[policy] ??= this.#sort(of, policy));
  }

  #sort(of: CaseColumn, policy: number): SortedCases {
    const { cases: count, columns } = this.#table;
    const own = columns[of].subarray(policy * count, (policy + 1) * count);
    const cases = [...own.keys()].filter((at) => !Number.isNaN(own[at])).sort((a, b) => own[a]! - own[b]!);
    return { values: Float64Array.from(cases, (at) => own[at]!), cases };
  }
}
