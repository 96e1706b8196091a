/** A number as messages show it, to three digits: 0.6666 is 0.667. */
export function short(value: number): string {
  return String(Math.round(value * 1000) / 1000);
}

/** The same for a value that is under a limit, and must not look as if it reached it: 0.8496 under 0.85 is 0.849. */
export function shortUnder(value: number, limit: number): string {
  const rounded = Math.round(value * 1000);
  return String((rounded / 1000 >= limit ? Math.floor(value * 1000) : rounded) / 1000);
}
