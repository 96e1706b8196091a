import { count, figure } from '../text/figures.ts';
import { quietLines } from './quiet-lines.ts';
import { type GroupRow, type GroupTable, undefinedReasons } from './run-tables.ts';
import type { Style } from './style.ts';
import { type Cell, type Column, tableLines } from './table.ts';

const COUNTS = ['hit', 'missed', 'spurious', 'excused'] as const;

/** A table of labels, schemes or values for a terminal, with at most `most` rows and a word on the rest. */
export function groupLines(table: GroupTable, style: Style, most = Infinity): string[] {
  const scored = table.rows.filter((row) => !isExcusedOnly(row));
  const rows = scored.slice(0, scored.length > most + 1 ? most : undefined);
  const verdicts = COUNTS.filter((verdict) => table.rows.some(({ counts }) => (counts?.[verdict] ?? 0) > 0));
  const right = 'right' as const;
  const columns: Column[] = [
    { title: table.title, shrinks: true },
    ...table.headings.map((title) => ({ title, align: right })),
    { title: 'n', align: right, drop: 3 },
    ...verdicts.map((title) => ({ title, align: right, drop: title === 'excused' ? 2 : 1 })),
  ];
  const cells = rows.map((row): Cell[] => [
    `  ${row.name}`,
    ...row.values.map((value): Cell => (value?.value == null ? { text: '–', tone: 'quiet' } : figure(value.value))),
    { text: row.n === null ? '' : count(row.n), tone: 'quiet' },
    ...verdicts.map((verdict): Cell => {
      const n = row.counts?.[verdict] ?? 0;
      return n === 0 ? { text: '0', tone: 'quiet' } : count(n);
    }),
  ]);
  return [
    ...tableLines(columns, cells, style),
    ...remarks(table, scored, rows).flatMap((text) => quietLines(text, style)),
  ];
}

/** A label of which nothing counts: it has no score to show. */
function isExcusedOnly({ values, counts }: GroupRow): boolean {
  return (
    counts !== null &&
    counts.hit + counts.missed + counts.spurious === 0 &&
    values.every((value) => value?.value == null)
  );
}

/** Below the table: what is not shown, and why cells are empty, each reason once. */
function remarks(table: GroupTable, scored: readonly GroupRow[], shown: readonly GroupRow[]): string[] {
  const left = scored.length - shown.length;
  const reasons = undefinedReasons(shown);
  const excused = table.rows.filter(isExcusedOnly).map(({ name, counts }) => `${name} ${count(counts?.excused ?? 0)}`);
  const rest = [
    ...(reasons.length > 0 ? [`– undefined: ${reasons.join('; ')}`] : []),
    ...(left > 0 ? [`… and ${count(left)} more with fewer items`] : []),
  ];
  return [
    ...(table.note === undefined ? [] : [table.note]),
    ...(excused.length > 0 ? [`excused only: ${excused.join(', ')}`] : []),
    ...(rest.length > 0 ? [rest.join('; ')] : []),
  ];
}
