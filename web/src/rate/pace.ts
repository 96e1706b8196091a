/** How long items of each kind took, the last one last: a case and an answer are not the same work. */
export type Durations = Readonly<Record<'case' | 'answer', readonly number[]>>;

export const NO_DURATIONS: Durations = { case: [], answer: [] };

const FEWEST = 5;
const RECENT = 20;
/** Longer than this and the person was away. */
const LONGEST_MS = 10 * 60_000;

/**
 * How long the rest will take at the median pace of the last items; null until there are five of each kind that is left,
 * and where nothing is left.
 *
 * @example paceWords({ case: [], answer: [60_000, 60_000, 60_000, 60_000, 60_000] }, ['answer']) // 'about a minute …'
 */
export function paceWords(durations: Durations, left: readonly ('case' | 'answer')[]): string | null {
  if (left.length === 0 || left.some((kind) => durations[kind].length < FEWEST)) return null;
  const ms = left.reduce((sum, kind) => sum + median(durations[kind]), 0);
  return `${roughly(ms / 60_000)} left at your pace`;
}

/** With one more item done; time away does not count. */
export function withDuration(durations: Durations, kind: 'case' | 'answer', ms: number): Durations {
  const counted = Math.min(Math.max(0, ms), LONGEST_MS);
  return { ...durations, [kind]: [...durations[kind], counted].slice(-RECENT) };
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  return ((sorted[Math.ceil(middle) - 1] ?? 0) + (sorted[Math.floor(middle)] ?? 0)) / 2;
}

function roughly(minutes: number): string {
  if (minutes < 1.5) return 'about a minute';
  if (minutes < 10) return `about ${Math.round(minutes)} minutes`;
  if (minutes < 57.5) return `about ${Math.round(minutes / 5) * 5} minutes`;
  const halves = Math.round(minutes / 30);
  if (halves === 2) return 'about an hour';
  return `about ${halves % 2 === 0 ? halves / 2 : `${(halves - 1) / 2}½`} hours`;
}
