import { plural } from '../../../src/text/figures.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** How long ago, in the coarsest words that still say something; clocks that differ a little say `just now`. */
export function since(at: string | null, now: number): string {
  if (at === null) return 'nothing yet';
  const time = Date.parse(at);
  if (Number.isNaN(time)) return at;
  const passed = now - time;
  if (passed < MINUTE) return 'just now';
  if (passed < HOUR) return `${Math.floor(passed / MINUTE)} min ago`;
  if (passed < DAY) return `${Math.floor(passed / HOUR)} h ago`;
  return `${plural(Math.floor(passed / DAY), 'day')} ago`;
}
