let last = 0;

/**
 * Returns the time to send a score at. Langfuse lets the latest sending of a score win and breaks ties at random, so the
 * times of one process never repeat, and none is before `earlier`, the time of a sending by a clock that was ahead.
 *
 * @example sendingTime('2099-12-31T23:59:59.999Z') // '2100-01-01T00:00:00.000Z'
 */
export function sendingTime(earlier: string | null = null): string {
  last = Math.max(Date.now(), last + 1, earlier === null ? 0 : Date.parse(earlier) + 1);
  return new Date(last).toISOString();
}
