import type { ExperimentSummary } from '../experiment/summary.ts';
import type { Interval } from '../measure/results.ts';
import { clusters, displayWidth } from './display-width.ts';
import { arrowOf, hasPooled, type ScoreRow } from './experiment-scores.ts';
import { unitWord } from './experiment-words.ts';
import { count, figure, levelText } from '../text/figures.ts';
import { intervalText } from './headline-lines.ts';
import { safeText } from './safe-text.ts';
import type { Style } from './style.ts';
import { type Cell, type Column, tableLines } from './table.ts';

const INDENT = '  ';
const GAP = 2;
/** With a name of this length, 80 columns still hold the average and its interval. */
const LONGEST_NAME = 46;

export interface ScoreTable {
  readonly lines: readonly string[];
  /** Whether the terminal was too narrow for the values of all items together. */
  readonly withoutPooled: boolean;
}

/**
 * A line a measure. A narrow terminal goes without the pooled values first, then without counts, then without
 * intervals; only then are names cut. A pipe gets every number, however wide that is.
 */
export function scoreTable(summary: ExperimentSummary, rows: readonly ScoreRow[], style: Style): ScoreTable {
  const columns = scoreColumns(summary, rows);
  const averages = averageCells(rows);
  const widest = Math.max('average'.length, ...averages.map(({ width }) => width));
  const room = Math.min(LONGEST_NAME, style.width - INDENT.length - GAP - widest);
  const cells = rows.map((row, at): Cell[] => [
    `${INDENT}${style.terminal ? cutInside(safeText(row.name), room) : row.name}`,
    averages[at]!.cell,
    ...otherCells(row),
  ]);
  const lines = tableLines(
    columns.map(({ drop, ...column }) => (style.terminal && drop !== undefined ? { ...column, drop } : column)),
    cells,
    style,
  );
  return { lines, withoutPooled: hasPooled(rows) && lines[0]?.includes('pooled') !== true };
}

function scoreColumns(summary: ExperimentSummary, rows: readonly ScoreRow[]): Column[] {
  const title = (intervals: readonly (Interval | null | undefined)[]): string => {
    const level = intervals.find((interval) => interval != null)?.level;
    return level === undefined ? '' : `${levelText(level)} interval`;
  };
  const columns: Column[] = [
    { title: 'Score' },
    { title: 'average', align: 'right' },
    { title: title(rows.map(({ average }) => average?.interval)), drop: 1 },
    { title: unitWord(summary, 2), align: 'right', drop: 2 },
  ];
  if (!hasPooled(rows)) return columns;
  return [
    ...columns,
    { title: 'pooled', align: 'right', drop: 3 },
    { title: title(rows.map(({ pooled }) => pooled?.interval)), drop: 4 },
  ];
}

function averageCells(rows: readonly ScoreRow[]): { readonly cell: Cell; readonly width: number }[] {
  const widest = Math.max(...rows.map((row) => arrowOf(row).length));
  return rows.map((row) => {
    const { average } = row;
    const value = average === null || average.mean === null ? null : figure(average.mean);
    const arrows = value === null ? ' '.repeat(widest + 1) : ` ${arrowOf(row).padEnd(widest)}`;
    return {
      cell: [
        { text: value ?? '–', tone: value === null ? 'quiet' : 'strong' },
        { text: arrows, tone: 'quiet' },
      ],
      width: displayWidth(`${value ?? '–'}${arrows}`),
    };
  });
}

function otherCells({ average, pooled }: ScoreRow): Cell[] {
  const interval = (of: { readonly interval: Interval | null }): Cell =>
    intervalText(of) || { text: 'none', tone: 'quiet' };
  return [
    average === null || average.mean === null ? '' : interval(average),
    { text: average === null ? '' : count(average.n), tone: 'quiet' },
    pooled === null || pooled.value === null ? { text: '–', tone: 'quiet' } : figure(pooled.value),
    pooled === null || pooled.value === null ? '' : interval(pooled),
  ];
}

/**
 * Names of measures begin alike and end alike: what is cut out of the middle is missed least.
 *
 * @example cutInside('relationship_over_extraction', 20) // 'relationsh…xtraction'
 */
export function cutInside(text: string, width: number): string {
  if (displayWidth(text) <= width) return text;
  const all = clusters(text);
  const head = taken(all, Math.ceil((width - 1) / 2));
  const tail = taken(all.toReversed(), Math.floor((width - 1) / 2)).toReversed();
  return `${head.join('')}…${tail.join('')}`;
}

function taken(from: readonly { readonly text: string; readonly width: number }[], width: number): string[] {
  const kept: string[] = [];
  let used = 0;
  for (const { text, width: own } of from) {
    used += own;
    if (used > width) break;
    kept.push(text);
  }
  return kept;
}
