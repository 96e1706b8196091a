import { setTimeout as sleep } from 'node:timers/promises';

import { plural } from '../../text/figures.ts';
import { USUAL_POLICY } from '../limits/call-with-limits.ts';
import { backoff, type Failure, retried } from '../limits/retry.ts';
import { TargetError } from '../targets/target.ts';
import { accountFor, type EndedBatch, type UnreadPart, unreadText } from './batch-account.ts';
import type { BatchLog, LoggedBatch } from './batch-log.ts';
import type {
  BatchAccess,
  BatchPlace,
  BatchProtocol,
  BatchRequest,
  BatchResponse,
  BatchResult,
  BatchState,
  UnansweredRequest,
} from './batch-protocol.ts';

/** The provider that works on a batch, and how it is asked. */
export interface BatchDesk {
  readonly protocol: BatchProtocol;
  readonly place: BatchPlace;
  readonly access: Omit<BatchAccess, 'signal'>;
  readonly log: BatchLog;
  readonly pollMs: number | null;
  readonly onNotice: (text: string) => void;
  /** Nobody waits for batches any more. A submission under way is not ended by it. */
  readonly over: AbortSignal;
  /** The time in milliseconds. */
  readonly now: () => number;
}

/** What became of a request, and in which batch. */
export type BatchAnswer = (BatchResponse | UnansweredRequest) & { readonly batch: string };

/** What became of the requests of a batch. */
interface FollowedBatch {
  readonly answers: readonly BatchAnswer[];
  /** Requests whose answers may have been paid for, and cannot be read; null if all are accounted for. */
  readonly unread: { readonly ids: readonly string[]; readonly text: string } | null;
}

const FIRST_POLL_MS = 2000;
const LONGEST_POLL_MS = 60_000;
/** A batch that was submitted a moment ago may not be listed yet: it is looked for until its intent is this old. */
const LISTED_AFTER_POLLS = 10;
/** So many answers that are none, one after the other, and the server is not what it was. */
const MOST_GARBAGE = 10;
/**
 * A batch is gone after so many 404s in a row over at least an hour: Anthropic sends them a second after creation and in
 * between (anthropics/anthropic-sdk-python#1432).
 */
const LEAST_LOOKS = 5;
const GONE_MS = 60 * 60_000;
/** Results may come later than the state that reports them (BerriAI/litellm#37715). */
const LATE_MS = 10 * 60_000;

const isPassing = ({ kind }: TargetError): boolean => kind === 'server' || kind === 'connection' || kind === 'timeout';

/**
 * Submits what an intent names. A call whose outcome is not known is never repeated blindly: the provider may have taken
 * the batch, and both would be paid for.
 */
export async function submitBatch(
  desk: BatchDesk,
  batch: LoggedBatch,
  requests: readonly BatchRequest[],
): Promise<void> {
  const { protocol, place, log } = desk;
  const access = { ...desk.access, signal: new AbortController().signal };
  let isFound = false;
  const attempt = async () => {
    try {
      return { value: await protocol.submit(access, place, batch, requests) };
    } catch (error) {
      if (!(error instanceof TargetError)) throw error;
      const { kind, retryAfterMs } = error;
      const failure = (passes: Failure['passes']) => ({ failure: { error, passes, retryAfterMs } });
      if (kind === 'rate') return failure('rate');
      if (!isPassing(error)) return failure(null);
      batch.isUnsure = true;
      const found = await findBatch(desk, access, batch);
      batch.isUnsure = false;
      isFound = found !== null;
      return found === null ? failure('soon') : { value: found };
    }
  };
  const ended = await retried(attempt, USUAL_POLICY, (waitMs) =>
    sleep(waitMs, true, { signal: desk.over }).catch(() => false),
  );
  if (!('value' in ended)) throw ended.failure.error;
  await noteSubmitted(log, batch, ended.value, isFound);
}

/** Sees a batch to its end: what became of each of its requests, or null if the provider never took the batch. */
export async function followBatch(
  desk: BatchDesk,
  batch: LoggedBatch,
  onState: (state: BatchState) => void,
): Promise<FollowedBatch | null> {
  const { log, onNotice } = desk;
  const access = { ...desk.access, signal: desk.over };
  const requests = new Set(batch.ids);
  const foreign = new Set<string>();
  let batchId = batch.batch;
  let ended: EndedBatch;
  for (;;) {
    if (batchId === null) {
      const found = await findBatch(desk, access, batch, foreign).catch((error: unknown) => cannotLookUp(batch, error));
      if (found === null) return null;
      if (typeof found === 'object') return noteUnread(desk, batch, [], found);
      batchId = found;
      await noteSubmitted(log, batch, batchId, true);
    }
    ended = await endOfBatch(desk, access, batch, batchId, onState);
    if (!isForeign(batch, ended.results)) break;
    // Found by its time and size alone, and somebody else's.
    foreign.add(batchId);
    batchId = null;
  }
  const { word, results } = ended;
  const unknown = results.filter(({ id }) => id !== null && !requests.has(id)).length;
  if (unknown > 0) onNotice(`batch ${batchId}: ${plural(unknown, 'result')} of unknown requests ignored`);
  const answers = ended.answers.map((answer) => ({ ...answer, batch: batchId }));
  if (ended.unread !== null) return noteUnread(desk, batch, answers, ended.unread);
  const unreadable = results.find((result) => 'unreadable' in result);
  if (unreadable !== undefined) onNotice(`batch ${batchId}: ${unreadable.unreadable}`);
  const answered = new Set(answers.map(({ id }) => id));
  for (const id of requests)
    if (!answered.has(id)) answers.push({ id, batch: batchId, unanswered: `not among the results (${word})` });
  const unanswered = answers.filter((answer) => 'unanswered' in answer);
  if (unanswered.length > 0)
    onNotice(
      `batch ${batchId} (${word}): ${plural(unanswered.length, 'request')} of ${batch.ids.length} not answered: ${unanswered[0]!.unanswered}`,
    );
  if (!batch.isEnded || batch.unread !== null)
    await log.append({ event: 'ended', name: batch.name, at: Date.now(), state: word });
  return { answers, unread: null };
}

/** True for a batch that was found by its time and size alone, and has results of other requests only. */
function isForeign({ isFound, ids }: LoggedBatch, results: readonly BatchResult[]): boolean {
  const requests = new Set<string | null>(ids);
  return isFound && results.length > 0 && !results.some(({ id }) => requests.has(id));
}

async function noteUnread(
  { log }: BatchDesk,
  { name, ids, isAskedAgain }: LoggedBatch,
  answers: readonly BatchAnswer[],
  { text, ...unread }: UnreadPart,
): Promise<FollowedBatch> {
  const answered = new Set(answers.map(({ id }) => id));
  if (!isAskedAgain) await log.append({ event: 'unread', name, at: Date.now(), ...unread });
  return { answers, unread: { ids: ids.filter((id) => !answered.has(id)), text } };
}

/** Asks the provider to stop working on a batch. What it has answered so far stays there. */
export async function cancelBatch(desk: BatchDesk, batch: LoggedBatch): Promise<void> {
  const access = { ...desk.access, signal: desk.over };
  const batchId = batch.batch ?? (await findBatch(desk, access, batch));
  if (batchId === null || batch.isEnded) return;
  try {
    await desk.protocol.cancel(access, batchId);
    desk.onNotice(`batch ${batchId} is cancelled`);
  } catch (error) {
    if (!(error instanceof TargetError) || error.kind !== 'request') throw error;
    desk.onNotice(`batch ${batchId} is not cancelled (${error.message})`);
  }
}

async function endOfBatch(
  desk: BatchDesk,
  access: BatchAccess,
  batch: LoggedBatch,
  batchId: string,
  onState: (state: BatchState) => void,
): Promise<EndedBatch> {
  const { protocol, onNotice, pollMs } = desk;
  const policy = { backoffMs: FIRST_POLL_MS, longestWaitMs: LONGEST_POLL_MS };
  const later = patience(desk, batch, LATE_MS);
  const look = <T>(call: () => Promise<T>): Promise<T> => patiently(desk, call, patience(desk, batch, GONE_MS));
  try {
    for (let times = 1; ; times += 1) {
      const state = await look(() => protocol.poll(access, batchId));
      onState(state);
      if (!state.isEnded) {
        await sleep(pollMs ?? backoff(policy, times), null, { signal: desk.over });
        continue;
      }
      // As a whole: half of a broken transfer would look like requests without an answer.
      const results = await look(() => Array.fromAsync(protocol.results(access, batchId)));
      const ended = accountFor(batch, batchId, state, results);
      if (ended.unread !== null && !isForeign(batch, results) && (await later())) continue;
      if (state.fault !== undefined) onNotice(`batch ${batchId} (${state.word}): ${state.fault}`);
      return ended;
    }
  } catch (error) {
    if (!(error instanceof TargetError) || error.status !== 404) throw error;
    const answers = batch.ids.length;
    const text = unreadText(`batch ${batchId}: the provider no longer has it (HTTP 404)`, answers);
    return { word: 'no longer at the provider', results: [], answers: [], unread: { answers, text } };
  }
}

/** Whether to look again, after a wait that grows: until there were enough looks, over a long enough time. */
function patience({ pollMs, over, now }: BatchDesk, { unread }: Pick<LoggedBatch, 'unread'>, leastMs: number) {
  const policy = { backoffMs: pollMs ?? FIRST_POLL_MS, longestWaitMs: LONGEST_POLL_MS };
  // An earlier session has waited.
  const waitMs = unread === null ? leastMs : 0;
  let looks = 0;
  let since = 0;
  return async (): Promise<boolean> => {
    looks += 1;
    if (looks === 1) since = now();
    if (looks >= LEAST_LOOKS && now() - since >= waitMs) return false;
    await sleep(backoff(policy, looks), null, { signal: over });
    return true;
  };
}

/**
 * The batch of an intent whose submission was cut off; null if the provider does not have it. Batches that other intents
 * of the run have only for their size are looked at last: they may be taken for each other's.
 */
async function findBatch(
  desk: BatchDesk,
  access: BatchAccess,
  batch: LoggedBatch,
  foreign: ReadonlySet<string> = new Set(),
): Promise<string | null> {
  const { protocol, log } = desk;
  const known = [...log.batches.values()].filter((one) => one !== batch);
  const sure = known.filter(({ isFound, isEnded }) => !isFound || isEnded);
  const idsOf = (some: readonly LoggedBatch[]) => new Set([...some.flatMap((one) => one.batch ?? []), ...foreign]);
  const lookUp = (others: ReadonlySet<string>): Promise<string | null> =>
    patiently(desk, () => protocol.findSubmitted(access, batch, others), patience(desk, batch, 0));
  const stepMs = desk.pollMs ?? FIRST_POLL_MS;
  for (;;) {
    const isLate = Date.now() - batch.at > stepMs * LISTED_AFTER_POLLS;
    const found = await lookUp(idsOf(known));
    if (found !== null) return found;
    if (isLate) return sure.length === known.length ? null : await lookUp(idsOf(sure));
    await sleep(stepMs, null, { signal: access.signal });
  }
}

/** Some servers take batches and list none. */
function cannotLookUp({ ids }: LoggedBatch, error: unknown): UnreadPart {
  if (!(error instanceof TargetError) || (error.status !== 404 && error.status !== 405)) throw error;
  const what = `whether a batch was submitted before the interruption cannot be looked up (${error.message})`;
  return { answers: ids.length, text: unreadText(what, ids.length) };
}

async function noteSubmitted(log: BatchLog, { name }: LoggedBatch, batch: string, isFound: boolean): Promise<void> {
  await log.append({ event: 'submitted', name, at: Date.now(), batch, ...(isFound ? { found: true } : {}) });
}

/** A provider that cannot be reached has the batch nevertheless: it is asked until it answers. */
async function patiently<T>(
  { over, onNotice, pollMs }: BatchDesk,
  call: () => Promise<T>,
  missing: () => Promise<boolean>,
): Promise<T> {
  const policy = { backoffMs: pollMs ?? FIRST_POLL_MS, longestWaitMs: LONGEST_POLL_MS };
  let garbage = 0;
  for (let times = 1; ; times += 1) {
    try {
      return await call();
    } catch (error) {
      if (!(error instanceof TargetError) || over.aborted) throw error;
      garbage = error.kind === 'answer' ? garbage + 1 : 0;
      const isMissing = error.status === 404;
      const mayPass = error.kind === 'rate' || isPassing(error) || (garbage > 0 && garbage < MOST_GARBAGE);
      if (!mayPass && !isMissing) throw error;
      if (times === 1)
        onNotice(`the batch endpoint does not answer as it should, and is asked again (${error.message})`);
      if (isMissing) {
        if (!(await missing())) throw error;
      } else await sleep(Math.max(error.retryAfterMs ?? 0, backoff(policy, times)), null, { signal: over });
    }
  }
}
