import type { Direction } from '../measure/measure.ts';

/** The fields of a measure that define which way is better. */
interface Aimed {
  readonly direction: Direction;
  readonly best?: number;
}

/** Which way is better: up, down, or towards a value. */
export function arrow({ direction, best }: Aimed): string {
  if (best !== undefined) return `→${best}`;
  return direction === 'higher' ? '↑' : '↓';
}

/** What the arrows mean, if they differ. */
export function arrowLegend(rows: readonly Aimed[]): string[] {
  if (rows.every(({ direction }) => direction === 'higher')) return [];
  const towards = new Set(
    rows.flatMap(({ best }) => (best === undefined ? [] : [`→${best} nearer to ${best} is better`])),
  );
  const lower = rows.some(({ direction, best }) => direction === 'lower' && best === undefined);
  return [['↑ higher is better', ...(lower ? ['↓ lower is better'] : []), ...towards].join(', ')];
}

/** The same in a word, for a table. */
export function betterWord({ direction, best }: Aimed): string {
  return best === undefined ? direction : `nearer to ${best}`;
}
