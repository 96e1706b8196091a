const SECOND = 1000;
const MINUTE = 60 * SECOND;

/** @example agoText(3200) // '3 s ago' */
export function agoText(passed: number): string {
  if (passed < SECOND) return 'just now';
  return passed < MINUTE ? `${Math.floor(passed / SECOND)} s ago` : `${Math.floor(passed / MINUTE)} min ago`;
}
