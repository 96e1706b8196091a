import type { ItemAverage } from '../experiment/item-averages.ts';
import type { ExperimentSummary } from '../experiment/summary.ts';
import type { Direction } from '../measure/measure.ts';
import type { MeasureValue } from '../measure/results.ts';
import { count, figure, levelText, NONE } from '../text/figures.ts';
import { arrow, arrowLegend } from './arrows.ts';
import { type Column, quiet, type Table, type Text } from './document.ts';
import { averageText, overText, unitWord } from './experiment-words.ts';
import { intervalText, whyNone } from './value-text.ts';

const right = { align: 'right' } as const;
const onPage = { ...right, on: 'page' } as const;

/**
 * A row per measure. A narrow terminal leaves out the pooled values first, then counts, then intervals; only then are
 * names cut.
 */
export function scoreTable(summary: ExperimentSummary): Table {
  const rows = scoreRows(summary);
  const isPooled = hasPooled(rows);
  const columns: readonly (readonly [Column, (row: ScoreRow) => Text])[] = [
    [{ title: 'score', shrinks: 'last' }, ({ name, aim }) => (aim === null ? name : `${name} ${arrow(aim)}`)],
    [{ title: 'average', ...right }, ({ average }) => valueText(average?.mean)],
    [{ title: intervalTitle(rows, 'average'), drop: 1 }, ({ average }) => intervalCell(average)],
    [{ title: 'method', on: 'page' }, ({ average }) => average?.interval?.method ?? NONE],
    [{ title: unitWord(summary, 2), ...right, drop: 2 }, ({ average }) => countCell(average?.n)],
    [{ title: 'without', ...onPage }, ({ average }) => countCell(average?.without)],
    [{ title: 'sd', ...onPage }, ({ average }) => valueText(average?.sd)],
    [{ title: 'min', ...onPage }, ({ average }) => valueText(average?.min)],
    [{ title: 'max', ...onPage }, ({ average }) => valueText(average?.max)],
  ];
  const pooledColumns: typeof columns = [
    [{ title: 'pooled', ...right, drop: 3 }, ({ pooled }) => valueText(pooled?.value)],
    [{ title: intervalTitle(rows, 'pooled'), drop: 4 }, ({ pooled }) => intervalCell(pooled)],
    [{ title: 'method', on: 'page' }, ({ pooled }) => pooled?.interval?.method ?? NONE],
  ];
  const all = isPooled ? [...columns, ...pooledColumns] : columns;
  return {
    columns: all.map(([column]) => column),
    rows: rows.map((row) => all.map(([, cell]) => cell(row))),
    remarks: [
      overText(summary),
      ...arrowLegend(rows.flatMap(({ aim }) => aim ?? [])),
      ...scoreRemarks(rows),
      averageText(summary, isPooled),
    ],
    dropped: 'a wider terminal and report.md show all columns',
  };
}

function intervalTitle(rows: readonly ScoreRow[], of: 'average' | 'pooled'): string {
  const level = rows.map((row) => row[of]?.interval).find((interval) => interval != null)?.level;
  return level === undefined ? 'interval' : `${levelText(level)} interval`;
}

function valueText(value: number | null | undefined): string {
  return value == null ? NONE : figure(value);
}

function intervalCell(of: ItemAverage | MeasureValue | null): Text {
  return of === null ? '' : of.interval === null ? quiet(NONE) : intervalText(of);
}

function countCell(value: number | undefined): Text {
  return { text: value === undefined ? '' : count(value), tone: 'quiet' };
}

/** One measure: its average over items and its value over all items together. */
interface ScoreRow {
  readonly name: string;
  readonly average: ItemAverage | null;
  readonly pooled: MeasureValue | null;
  /** Which way is better; null if nothing defines it. */
  readonly aim: { readonly direction: Direction; readonly best?: number } | null;
}

/** In the order of the scored run; a measure without a value per item has only its pooled value. */
function scoreRows({ scores, measures }: ExperimentSummary): ScoreRow[] {
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

/** Whether there are values of all items together: repeats have one for each, and show none. */
function hasPooled(rows: readonly ScoreRow[]): boolean {
  return rows.some(({ pooled }) => pooled !== null);
}

/** Why cells are empty, each reason once, with the measures it holds for. */
function scoreRemarks(rows: readonly ScoreRow[]): string[] {
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
