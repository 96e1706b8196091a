import type { ItemAverage } from '../experiment/item-averages.ts';
import type { ExperimentSummary } from '../experiment/summary.ts';
import type { Direction } from '../measure/measure.ts';
import type { MeasureValue } from '../measure/results.ts';
import { count, levelText, NONE } from '../text/figures.ts';
import { arrow, arrowLegend } from './arrows.ts';
import { type FilledColumn, filledTable, quiet, type Table, type Text } from './document.ts';
import { averageText, overText, outcomeWord } from './experiment-words.ts';
import { figureOrNone, intervalText, sharedRemarks, whyNone } from './value-text.ts';

const right = { align: 'right' } as const;
const onPage = { ...right, on: 'page' } as const;

/**
 * A row per measure. A narrow terminal leaves out the pooled values first, then counts, then intervals; only then are
 * names cut.
 */
export function scoreTable(summary: ExperimentSummary): Table {
  const rows = scoreRows(summary);
  const isPooled = hasPooled(rows);
  const columns: readonly FilledColumn<ScoreRow>[] = [
    [{ title: 'score', shrinks: 'last' }, ({ name, aim }) => (aim === null ? name : `${name} ${arrow(aim)}`)],
    [{ title: 'average', ...right }, ({ average }) => figureOrNone(average?.mean)],
    [{ title: intervalTitle(rows, 'average'), drop: 1 }, ({ average }) => intervalCell(average)],
    [{ title: 'method', on: 'page' }, ({ average }) => average?.interval?.method ?? NONE],
    [{ title: outcomeWord(summary, 2), ...right, drop: 2 }, ({ average }) => countCell(average?.n)],
    [{ title: 'without', ...onPage }, ({ average }) => countCell(average?.without)],
    [{ title: 'sd', ...onPage }, ({ average }) => figureOrNone(average?.sd)],
    [{ title: 'min', ...onPage }, ({ average }) => figureOrNone(average?.min)],
    [{ title: 'max', ...onPage }, ({ average }) => figureOrNone(average?.max)],
  ];
  const pooledColumns: typeof columns = [
    [{ title: 'pooled', ...right, drop: 3 }, ({ pooled }) => figureOrNone(pooled?.value)],
    [{ title: intervalTitle(rows, 'pooled'), drop: 4 }, ({ pooled }) => intervalCell(pooled)],
    [{ title: 'method', on: 'page' }, ({ pooled }) => pooled?.interval?.method ?? NONE],
  ];
  const all = isPooled ? [...columns, ...pooledColumns] : columns;
  return {
    ...filledTable(all, rows),
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

function intervalCell(of: ItemAverage | MeasureValue | null): Text {
  return of === null ? '' : of.interval === null ? quiet(NONE) : intervalText(of);
}

function countCell(value: number | undefined): Text {
  return quiet(value === undefined ? '' : count(value));
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
  return sharedRemarks(
    rows.flatMap(({ name, average, pooled }) => {
      const why = pooled === null || pooled.interval !== null ? null : whyNone(pooled);
      const texts = [
        average === null
          ? 'no average: it has no value of one item'
          : average.mean === null
            ? `no average: ${average.undefined ?? 'no reason given'}`
            : average.interval === null
              ? `no interval: ${average.noInterval ?? 'no reason given'}`
              : null,
        pooled?.value === null ? `no pooled value: ${pooled.undefined ?? 'no reason given'}` : null,
        why === null ? null : `no interval: ${why}`,
      ];
      return texts.flatMap((text) => (text === null ? [] : [{ name, text }]));
    }),
  );
}
