import type { MeasureValue } from '../measure/results.ts';
import { count, figure } from '../text/figures.ts';
import { intervalText } from './headline-lines.ts';
import type { Style } from './style.ts';
import { type Cell, tableLines } from './table.ts';

/** Values of measures by what their labels are called: the dimensions of a scale. What has none is told in one line. */
export function partLines(
  table: { readonly title: string; readonly rows: readonly MeasureValue[] },
  style: Style,
): string[] {
  const known = table.rows.filter(({ value }) => value !== null);
  if (known.length === 0) return [];
  const rows = known.map((value): Cell[] => [
    `  ${value.name} ${Object.values(value.slice)[0] ?? ''}`,
    { text: figure(value.value ?? 0), tone: 'strong' },
    { text: count(value.n), tone: 'quiet' },
    intervalText(value) || { text: 'none', tone: 'quiet' },
  ]);
  return tableLines(
    [
      { title: table.title, shrinks: true },
      { title: 'value', align: 'right' },
      { title: 'n', align: 'right' },
      { title: 'interval' },
    ],
    rows,
    style,
  );
}
