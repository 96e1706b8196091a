import type { MeasureValue } from '../measure/results.ts';
import { NOT_ASKED_FOR } from '../measure/measure.ts';
import type { Run } from '../score/run.ts';
import { arrow, arrowLegend } from './arrows.ts';
import { count, figure, isCount, levelText } from '../text/figures.ts';
import { quietLines } from './quiet-lines.ts';
import type { RecipeFacts } from './recipe-facts.ts';
import { inGroups, overall } from './run-tables.ts';
import type { Style } from './style.ts';
import { type Cell, type Column, type Piece, tableLines } from './table.ts';

const BAR = 20;

/** The overall measures: value, direction, n, interval, spread over cases where it is wanted, and a bar. */
export function headlineLines(run: Run, facts: RecipeFacts, style: Style): string[] {
  const values = overall(run);
  const level = values.find(({ interval }) => interval !== null)?.interval?.level ?? null;
  const spread = facts.spread && run.measures.cases.total > 1;
  const columns: Column[] = [
    { title: 'Measure', shrinks: true },
    { title: 'value', align: 'right' },
    { title: '' },
    { title: 'n', align: 'right' },
    ...(level === null ? [] : [{ title: `${levelText(level)} interval` }]),
    ...(spread
      ? ([
          { title: 'case mean', align: 'right', drop: 1 },
          { title: 'sd', align: 'right', drop: 2 },
          { title: 'min', align: 'right', drop: 3 },
          { title: 'max', align: 'right', drop: 3 },
        ] as const)
      : []),
    ...(style.terminal ? [{ title: '', drop: 4 }] : []),
  ];
  const rowOf = (value: MeasureValue): Cell[] => {
    const form = facts.measures[value.name]?.of === 'count' ? count : figure;
    if (value.value === null)
      return [`  ${value.name}`, { span: `undefined (${value.undefined ?? 'no reason given'})`, tone: 'quiet' }];
    return [
      `  ${value.name}`,
      { text: form(value.value), tone: 'strong' },
      { text: arrow(value), tone: 'quiet' },
      { text: count(value.n), tone: 'quiet' },
      ...(level === null ? [] : [intervalText(value) || { text: 'none', tone: 'quiet' as const }]),
      ...(spread ? spreadCells(value) : []),
      ...(style.terminal ? [bar(value)] : []),
    ];
  };
  const rows = inGroups(values, facts).flatMap(({ title, values: own }): Cell[][] => [
    ...(title === null ? [] : [[{ text: `  ${title}`, tone: 'quiet' as const }]]),
    ...own.map(rowOf),
  ]);
  return [...tableLines(columns, rows, style), ...remarks(values, style)];
}

/** Ends with the decimals that tell them apart: an interval never looks like a point. */
export function intervalText({
  interval,
  range = [0, 1],
}: Pick<MeasureValue, 'interval'> & Partial<Pick<MeasureValue, 'range'>>): string {
  if (interval === null) return '';
  const end = isCount({ range }, interval.low, interval.high) ? count : figure;
  return `${end(interval.low)} to ${end(interval.high)}`;
}

/** Why a value has no interval although intervals were asked for. */
export function whyNone({ value, noInterval }: MeasureValue): string | null {
  return value === null || noInterval === NOT_ASKED_FOR ? null : noInterval;
}

function spreadCells({ cases }: MeasureValue): Cell[] {
  return [cases?.mean, cases?.sd, cases?.min, cases?.max].map((value) =>
    typeof value === 'number' ? figure(value) : { text: '–', tone: 'quiet' },
  );
}

/** Full up to the value, or up to the interval's low end and dashed through it: what is dashed is not sure. */
function bar({ value, range, interval }: MeasureValue): readonly Piece[] {
  if (value === null || range[0] !== 0 || range[1] !== 1) return [];
  const cells = (share: number): number => Math.round(Math.min(1, Math.max(0, share)) * BAR);
  const solid = cells(interval?.low ?? value);
  const dashed = cells(interval?.high ?? value);
  return [
    { text: '━'.repeat(solid) },
    { text: '╍'.repeat(dashed - solid) },
    { text: '─'.repeat(BAR - dashed), tone: 'quiet' },
  ];
}

/** Below the table: what the arrows mean where they differ, why there is no interval, and the measures' own remarks. */
function remarks(values: readonly MeasureValue[], style: Style): string[] {
  const byNote = new Map<string, string[]>();
  const add = (note: string, name: string): void => void byNote.set(note, [...(byNote.get(note) ?? []), name]);
  for (const value of values) {
    if (value.note !== null) add(value.note, value.name);
    if (whyNone(value) !== null) add(`no interval: ${whyNone(value) ?? ''}`, value.name);
  }
  return [...arrowLegend(values), ...[...byNote].map(([note, names]) => `${names.join(', ')}: ${note}`)].flatMap(
    (text) => quietLines(text, style),
  );
}
