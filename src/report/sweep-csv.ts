import type { Sweep, SweepDifference } from '../compare/sweep/sweep.ts';

type Value = string | number | boolean | null | undefined;

const COLUMNS = [
  'own',
  'system',
  'measure',
  'value',
  'undefined',
  'n',
  'low',
  'high',
  'level',
  'difference_from',
  'difference',
  'difference_low',
  'difference_high',
  'p',
  'p_holm',
  'verdict',
] as const;

/** A row a point, system and measure; an empty cell is what there is no value for. */
export function recipeSweepCsv({ axes, points, systems }: Sweep): string {
  const rows: Value[][] = [[...axes.map(({ path }) => path), ...COLUMNS]];
  for (const point of points)
    for (const [system, values] of point.systems.entries())
      for (const { name, value, undefined: reason, n, interval } of values)
        rows.push([
          ...point.at.map((place, axis) => axes[axis]!.texts[place]),
          point.own,
          systems[system]!.name,
          name,
          value,
          reason,
          n,
          interval?.low,
          interval?.high,
          interval?.level,
          ...differenceCells(
            systems[0]!.name,
            point.differences.find((one) => one.system === system && one.name === name),
          ),
        ]);
  return csvText(rows);
}

/** A line a row; an empty cell is what there is no value for. */
export function csvText(rows: readonly (readonly Value[])[]): string {
  return `${rows.map((row) => row.map(cell).join(',')).join('\n')}\n`;
}

function differenceCells(from: string, one: SweepDifference | undefined): Value[] {
  if (one === undefined) return Array.from({ length: 7 }, () => null);
  const { difference, interval, permutation, adjusted, verdict } = one;
  return [from, difference, interval?.low, interval?.high, permutation.pValue, adjusted, verdict];
}

/** A text that a spreadsheet would take for a formula gets an apostrophe before it, as spreadsheets themselves do. */
function cell(value: Value): string {
  if (value === null || value === undefined) return '';
  if (typeof value !== 'string') return String(value);
  const isFormula = /^[=+@\t\r-]/.test(value) && !/^[+-]?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i.test(value);
  const text = isFormula ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
