import { count, plural, figure, NONE } from '../../plugin.ts';
import { FEW_UNITS } from '../../stats.ts';
import { type ObjectiveName, type ScoreName, POLICY_SCORES, type ScoreUnit } from '../calibrate/scores.ts';
import type { ScoredPolicy, PolicySweep } from '../calibrate/sweep.ts';
import { FIRST_BUFFER_ONLY } from './calibration-v3.ts';

/** A score as people read it: times in seconds. */
export function scoreText(name: ScoreName, value: number | null): string {
  return value === null ? NONE : inUnit(POLICY_SCORES[name].unit, value);
}

function inUnit(unit: ScoreUnit, value: number): string {
  switch (unit) {
    case 'ms':
      return `${(value / 1000).toFixed(2)} s`;
    case 'pct':
      return `${value.toFixed(1)} %`;
    case 'cases':
      return count(value);
    case 'flushes':
    case 'words':
      return figure(value);
  }
}

export function scoreDifference(name: ScoreName, value: number | null): string {
  const text = scoreText(name, value === null ? null : Math.abs(value));
  return value === null || value === 0 ? text : `${value > 0 ? '+' : '−'}${text}`;
}

/** Titles of columns, and what they stand for. */
export const OBJECTIVES: Readonly<Record<ObjectiveName, { readonly title: string; readonly about: string }>> = {
  flush_count_mean: { title: 'updates', about: 'regular flushes a case, mean over cases' },
  ttff_content_p50_ms: {
    title: 'first',
    about: 'time from the first content delta to the first flush, median over cases',
  },
  ttff_content_p95_ms: {
    title: 'first p95',
    about: 'time from the first content delta to the first flush, p95 over cases',
  },
  ttff_trace_p50_ms: {
    title: 'from start',
    about: 'time from the start of the trace to the first flush, median over cases',
  },
  chunk_size_p50: { title: 'words', about: 'words of a flush, median of a case, median over cases (higher is better)' },
  worst_wait_p50_ms: { title: 'tail p50', about: 'how long words are held: p95 of a case, median over cases' },
  worst_wait_p95_ms: { title: 'tail', about: 'how long words are held: p95 of a case, p95 over cases' },
  late_wait_p95_ms: { title: 'late tail', about: 'the same if silence is noticed at the agent’s next delta only' },
  gap_p95_ms: { title: 'gap', about: 'time between two flushes of any agent: p95 of a case, p95 over cases' },
  spam_pct_mean: { title: 'spam', about: 'share of flushes that are too small, mean over cases' },
  tail_words_mean: { title: 'left over', about: 'words still held at the end of a trace, mean over cases' },
};

/** Policies of the front that come out alike in every objective are one row. */
export interface FrontRow {
  readonly policy: ScoredPolicy;
  /** How many score so, this one included. */
  readonly alike: number;
  readonly chosen: boolean;
  /** In how many resamples one of them was chosen; null if nothing was resampled. */
  readonly times: number | null;
}

/** By the first objective; the chosen policy represents those that score as it does. */
export function frontRows({ front, chosen, objectives, stability }: PolicySweep): FrontRow[] {
  const groups = Map.groupBy(front, ({ scores }) => objectives.map(({ name }) => scores[name].value).join());
  const first = objectives[0]!.name;
  const sign = POLICY_SCORES[first].better === 'higher' ? -1 : 1;
  return [...groups.values()]
    .map((group): FrontRow => {
      const own = group.find((policy) => policy === chosen);
      return {
        policy: own ?? group[0]!,
        alike: group.length,
        chosen: own !== undefined,
        times: stability === null ? null : group.reduce((sum, { place }) => sum + stability.chosen[place]!, 0),
      };
    })
    .sort((a, b) => sign * ((a.policy.scores[first].value ?? 0) - (b.policy.scores[first].value ?? 0)));
}

const SETTINGS = {
  min_words: 'minWords',
  max_words: 'maxWords',
  silence_timer_ms: 'silenceMs',
  max_wait_timeout_ms: 'maxWaitMs',
} as const;

/** By setting: its values with the number of resamples in which a policy with them was chosen, the most frequent first. */
export function settingShares({
  stability,
  policies,
}: PolicySweep): { readonly name: string; readonly values: [value: number, times: number][] }[] {
  if (stability === null) return [];
  return Object.entries(SETTINGS).map(([name, setting]) => {
    const counts = new Map<number, number>();
    stability.chosen.forEach((times, place) => {
      const value = policies[place]!.policy[setting];
      if (times > 0) counts.set(value, (counts.get(value) ?? 0) + times);
    });
    return { name, values: [...counts].sort(([a, x], [b, y]) => y - x || a - b) };
  });
}

export function surenessText(sweep: PolicySweep): string {
  const { stability, noStability, chosen } = sweep;
  if (stability === null || chosen === null) return `How sure the choice is, is not known: ${noStability ?? ''}.`;
  const { resamples } = stability;
  const times = stability.chosen[chosen.place]!;
  const front = stability.onFront.get(chosen.place) ?? 0;
  const share = (part: number): string => `${count(part)} of ${count(resamples)} resamples of the cases`;
  const verdict =
    times >= 0.95 * resamples
      ? 'Other cases of the same kind would nearly always lead to it.'
      : times >= 0.5 * resamples
        ? 'Other cases of the same kind would mostly lead to it.'
        : 'These cases do not settle which policy is best.';
  const none = stability.noneLeft === 0 ? '' : ` In ${share(stability.noneLeft)} no policy kept to every constraint.`;
  return `It is chosen in ${share(times)} and on the front in ${count(front)}. ${verdict}${none}`;
}

/** What a reader must know before using the choice. */
export function sweepNotices(sweep: PolicySweep, unused: readonly string[], missing: readonly string[]): string[] {
  const { cases, chosen, usual, invalid, grid } = sweep;
  const { late_wait_p95_ms: late, worst_wait_p95_ms: tail, cases_without_flush: without } = (chosen ?? usual).scores;
  const flat = sweep.objectives.filter(({ used, best }) => !used && best !== null).map(({ name }) => name);
  const isLate = late.value !== null && tail.value !== null && late.value >= 2 * tail.value;
  const notices: readonly (readonly [isTrue: boolean, notice: string])[] = [
    [
      cases.length < FEW_UNITS,
      `all of this rests on ${plural(cases.length, 'case')}: from so few, resampling shows too little of how they vary`,
    ],
    [missing.length > 0, `${plural(missing.length, 'case of the list is', 'cases of the list are')} missing`],
    [
      without.value !== null && without.value > 0,
      `${plural(without.value ?? 0, 'case gets', 'cases get')} no update before the end: times are of the others`,
    ],
    [
      isLate,
      `times after silence are those of a clock beside the stream; if silence is noticed at the agent’s next words only, ` +
        `the tail is ${scoreText('late_wait_p95_ms', late.value)} instead of ${scoreText('worst_wait_p95_ms', tail.value)}`,
    ],
    [flat.length > 0, `policies hardly differ in ${flat.join(', ')}: no say in the choice`],
    [
      invalid.length > 0,
      `${plural(invalid.length, 'policy', 'policies')} of the grid make no sense and were not tried`,
    ],
    [grid.max_wait === 'first-buffer-only', FIRST_BUFFER_ONLY],
    [unused.length > 0, `no effect here: ${unused.join(', ')}`],
  ];
  return notices.flatMap(([isTrue, notice]) => (isTrue ? [notice] : []));
}
