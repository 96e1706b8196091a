import { shorten } from '../../data/visible.ts';
import { counted, levelText } from '../../text/figures.ts';
import { type Estimate, drawn, whyNot } from './estimate.ts';
import { oneLine } from './text-width.ts';

/** Characters of a name in running text. */
const NAME = 24;

/** What stands below every figure. */
export const NO_CLAIM = 'No clinical outcome is claimed.';

/** What the intervals are, and which values have none. */
export function intervalNote(estimates: readonly Estimate[]): string {
  const found = estimates.map(drawn).filter((one) => one !== null);
  const kinds = new Set(
    found.flatMap(({ interval }) =>
      interval === null ? [] : [`${levelText(interval.level)} (${shorten(oneLine(interval.method), NAME)})`],
    ),
  );
  if (kinds.size === 0) return 'No intervals: the run has none for these values.';
  const without = found.filter(({ interval }) => interval === null).length;
  const some = without === 0 ? '' : ` ${counted(without, 'value has', 'values have')} none.`;
  return `Bars: interval over cases, ${[...kinds].join(' and ')}.${some}`;
}

/** How many cases stand behind the values, for each name where they differ. */
export function casesNote(
  named: readonly { readonly name: string; readonly estimates: readonly Estimate[] }[],
): string {
  const rows = named.map(({ name, estimates }) => ({ name, n: span(estimates.filter((one) => drawn(one) !== null)) }));
  const known = rows.filter(({ n }) => n !== '');
  if (known.length === 0) return 'n = 0 cases.';
  if (known.every(({ n }) => n === known[0]!.n)) return `n = ${known[0]!.n} cases each.`;
  return `n cases: ${known.map(({ name, n }) => `${shorten(name, NAME)} ${n}`).join(', ')}.`;
}

function span(estimates: readonly Estimate[]): string {
  if (estimates.length === 0) return '';
  const all = estimates.map(({ n }) => n);
  const [low, high] = [Math.min(...all), Math.max(...all)];
  return low === high ? String(low) : `${low} to ${high}`;
}

const SHOWN = 3;

/** The names of the values that cannot be drawn, with why; null: there are none. */
export function withoutValue(all: readonly { readonly name: string; readonly estimate: Estimate }[]): string | null {
  const missing = all.filter(({ estimate }) => drawn(estimate) === null);
  if (missing.length === 0) return null;
  const shown = missing.slice(0, SHOWN).map(({ name, estimate }) => `${shorten(name, 2 * NAME)} (${whyNot(estimate)})`);
  return `${shown.join(', ')}${missing.length > SHOWN ? ` and ${missing.length - SHOWN} more` : ''}`;
}

export function missingNote(missing: string | null): string[] {
  return missing === null ? [] : [`Not drawn, no value: ${missing}.`];
}

/** Says of series that are too many for one figure how many are missing. */
export function leftOutNote(total: number, shown: number, what: string): string[] {
  return total > shown ? [`The first ${shown} of ${total} ${what} are drawn.`] : [];
}
