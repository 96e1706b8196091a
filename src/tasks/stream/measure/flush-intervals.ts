import type { TokengateFlush } from '../run-log-records.ts';

/**
 * The time from flush to flush in milliseconds, by flush; null for the first, and where time would run backwards (agents
 * flush out of turn at the end of a trace): the earlier flush then stays the one that is measured from.
 */
export function flushIntervals(flushes: readonly Pick<TokengateFlush, 'timestamp'>[]): (number | null)[] {
  let from: number | null = null;
  return flushes.map(({ timestamp }) => {
    const time = Date.parse(timestamp);
    if (from === null) {
      from = time;
      return null;
    }
    if (time < from) return null;
    const interval = time - from;
    from = time;
    return interval;
  });
}
