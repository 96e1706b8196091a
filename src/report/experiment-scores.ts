import type { ItemAverage } from '../experiment/item-averages.ts';
import type { ExperimentSummary } from '../experiment/summary.ts';
import type { Direction } from '../measure/measure.ts';
import type { MeasureValue } from '../measure/results.ts';
import { arrow } from './arrows.ts';
import { whyNone } from './headline-lines.ts';

/** One measure: its average over items and its value over all items together. */
export interface ScoreRow {
  readonly name: string;
  readonly average: ItemAverage | null;
  readonly pooled: MeasureValue | null;
  /** Which way is better; null where nothing says so. */
  readonly aim: { readonly direction: Direction; readonly best?: number } | null;
}

/** In the order of the scored run; what has no value of one item comes with its pooled value alone. */
export function scoreRows({ scores, measures }: ExperimentSummary): ScoreRow[] {
  const pooled = (measures ?? []).filter(({ slice }) => Object.keys(slice).length === 0);
  const averages = scores ?? [];
  const names = new Set([...pooled, ...averages].map(({ name }) => name));
  return [...names].map((name) => {
    const average = averages.find((one) => one.name === name) ?? null;
    const value = pooled.find((one) => one.name === name) ?? null;
    return { name, average, pooled: value, aim: aimOf(average, value) };
  });
}

function aimOf(average: ItemAverage | null, pooled: MeasureValue | null): ScoreRow['aim'] {
  const { direction, best } = pooled ?? average ?? {};
  if (direction === undefined) return null;
  return best === undefined ? { direction } : { direction, best };
}

export function arrowOf({ aim }: ScoreRow): string {
  return aim === null ? '' : arrow(aim);
}

/** Whether there are values of all items together: repeats have one for each, and show none. */
export function hasPooled(rows: readonly ScoreRow[]): boolean {
  return rows.some(({ pooled }) => pooled !== null);
}

/** Why cells are empty, each reason once, with the measures it holds for. Holds text from data: escape it. */
export function scoreRemarks(rows: readonly ScoreRow[]): string[] {
  const byReason = new Map<string, Set<string>>();
  const add = (reason: string, name: string): void => {
    byReason.set(reason, (byReason.get(reason) ?? new Set()).add(name));
  };
  for (const { name, average, pooled } of rows) {
    if (average === null) add('no average: it has no value of one item', name);
    else if (average.mean === null) add(`no average: ${average.undefined ?? 'no reason given'}`, name);
    else if (average.interval === null) add(`no interval: ${average.noInterval ?? 'no reason given'}`, name);
    if (pooled === null) continue;
    if (pooled.value === null) add(`no pooled value: ${pooled.undefined ?? 'no reason given'}`, name);
    const why = pooled.interval === null ? whyNone(pooled) : null;
    if (why !== null) add(`no interval: ${why}`, name);
  }
  return [...byReason].map(([reason, names]) => `${[...names].join(', ')}: ${reason}`);
}
