import type { ExpectedTrace } from '../../experiment/backend.ts';
import type { Calls } from './calls.ts';
import type { Arrivals } from './read-back.ts';

type Expected = Pick<ExpectedTrace, 'traceId' | 'scores'>;

const FIRST_WAIT_MS = 200;
const LONGEST_BACKOFF_MS = 4000;
const LONGEST_WAIT_MS = 30_000;
/** A read of many pages is followed by a pause that is as long for each of them. */
const WAIT_PER_CALL_MS = 500;
/** The same once the server has refused reads: the smallest plan of Langfuse's Cloud allows 30 a minute. */
const WAIT_PER_CALL_LIMITED_MS = 2000;
/** More is still on its way for longer without showing. */
const QUIET_PER_MISSING_MS = 3;
/** A server that shows fewer than ten a second is not waited for to the end. */
const LONGEST_PER_EXPECTED_MS = 100;
/** One read may be of a server that was busy just then. */
const QUIET_READS = 2;

export interface Settling<T extends Expected> {
  readonly expected: readonly T[];
  readonly calls: Calls;
  /** How long nothing may change before what is missing is given up. */
  readonly settleMs: number;
  /** What is there of these. */
  readonly read: (short: readonly T[]) => Promise<Arrivals>;
}

/** What is there in the end. A server that takes its time is asked again for as long as it shows more than before. */
export async function settle<T extends Expected>({ expected, calls, settleMs, read }: Settling<T>): Promise<Arrivals> {
  const { clock } = calls;
  const found = new Map<string, number>();
  const things = expected.reduce((sum, { scores }) => sum + 1 + scores, 0);
  const began = clock.now();
  let before: { readonly sum: number; readonly at: number } | null = null;
  let rose = began;
  let quietReads = 0;
  for (let backoff = FIRST_WAIT_MS; ; backoff = Math.min(2 * backoff, LONGEST_BACKOFF_MS)) {
    const { sent, limited } = calls;
    // What was seen once is there, whatever another copy of the server's tables has.
    for (const [id, scores] of await read(expected.filter((trace) => isShort(trace, found))))
      found.set(id, Math.max(scores, found.get(id) ?? 0));
    if (!expected.some((trace) => isShort(trace, found))) return found;
    const now = clock.now();
    const sum = [...found.values()].reduce((total, scores) => total + 1 + scores, 0);
    const perMs: number = before === null ? 0 : (sum - before.sum) / Math.max(1, now - before.at);
    if (before === null || sum > before.sum) [rose, quietReads] = [now, 0];
    else quietReads += 1;
    before = { sum, at: now };
    const quietEnd = rose + settleMs + (things - sum) * QUIET_PER_MISSING_MS;
    const isQuiet = quietReads >= QUIET_READS && now >= quietEnd;
    if (isQuiet || now - began > settleMs + things * LONGEST_PER_EXPECTED_MS) return found;
    const isLimited = calls.limited > limited;
    const perCall = isLimited ? WAIT_PER_CALL_LIMITED_MS : WAIT_PER_CALL_MS;
    const gentle = Math.max(backoff, (calls.sent - sent - 1) * perCall);
    // By the pace so far: a look before most of it can be there is for nothing.
    const byPace = perMs > 0 ? Math.min((things - sum) / perMs, LONGEST_WAIT_MS) : 0;
    const wait = Math.max(gentle, byPace);
    await clock.sleep(isLimited || now >= quietEnd ? wait : Math.min(wait, quietEnd - now));
  }
}

export function isShort({ traceId, scores }: Expected, found: Arrivals): boolean {
  const there = found.get(traceId);
  return there === undefined || there < scores;
}
