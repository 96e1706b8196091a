import { setTimeout as sleep } from 'node:timers/promises';

import { plural } from '../../text/figures.ts';
import { USUAL_POLICY } from '../limits/call-with-limits.ts';
import { backoff, type Failure, retried } from '../limits/retry.ts';
import { TargetError } from '../targets/target.ts';
import { BATCH_FILE, type BatchLog, type LoggedBatch } from './batch-log.ts';
import type {
  BatchAccess,
  BatchPlace,
  BatchProtocol,
  BatchRequest,
  BatchResult,
  BatchState,
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
}

/** What became of a request, and in which batch. */
export type BatchAnswer = BatchResult & { readonly batch: string };

const FIRST_POLL_MS = 2000;
const LONGEST_POLL_MS = 60_000;
/** A batch that was submitted a moment ago may not be listed yet: it is looked for until its intent is this old. */
const LISTED_AFTER_POLLS = 10;
/** So many answers that are none, one after the other, and the server is not what it was. */
const MOST_GARBAGE = 10;

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
      const found = await findBatch(desk, access, batch);
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

/** Sees a batch to its end: what became of each of its requests, or null if the provider does not have the batch. */
export async function followBatch(
  desk: BatchDesk,
  batch: LoggedBatch,
  onState: (state: BatchState) => void,
): Promise<BatchAnswer[] | null> {
  const { log, onNotice } = desk;
  const access = { ...desk.access, signal: desk.over };
  const own = new Set(batch.ids);
  const foreign = new Set<string>();
  let batchId = batch.batch;
  let ended: Awaited<ReturnType<typeof endOfBatch>>;
  for (;;) {
    if (batchId === null) {
      batchId = await findBatch(desk, access, batch, foreign);
      if (batchId === null) return null;
      await noteSubmitted(log, batch, batchId, true);
    }
    ended = await endOfBatch(desk, access, batchId, onState);
    const isForeign = batch.isFound && ended.results.length > 0 && !ended.results.some(({ id }) => own.has(id));
    if (!isForeign) break;
    // Found by its time and size alone, and somebody else's.
    foreign.add(batchId);
    batchId = null;
  }
  const { word, results } = ended;
  const known = results.filter(({ id }) => own.has(id));
  const missing = new Set(own);
  if (known.length < results.length)
    onNotice(`batch ${batchId}: ${plural(results.length - known.length, 'result')} of unknown requests ignored`);
  // The first result of a request counts.
  const answers: BatchAnswer[] = known
    .filter(({ id }) => missing.delete(id))
    .map((one) => ({ ...one, batch: batchId }));
  for (const id of missing) answers.push({ id, batch: batchId, unanswered: `not among the results (${word})` });
  const unanswered = answers.filter((one) => one.unanswered !== undefined);
  if (unanswered.length > 0)
    onNotice(
      `batch ${batchId} (${word}): ${plural(unanswered.length, 'request')} of ${batch.ids.length} not answered: ${unanswered[0]!.unanswered ?? ''}`,
    );
  if (!batch.isEnded) await log.append({ event: 'ended', name: batch.name, at: Date.now(), state: word });
  return answers;
}

async function endOfBatch(
  desk: BatchDesk,
  access: BatchAccess,
  batchId: string,
  onState: (state: BatchState) => void,
): Promise<{ readonly word: string; readonly results: readonly BatchResult[] }> {
  const { protocol, onNotice, pollMs } = desk;
  const policy = { backoffMs: FIRST_POLL_MS, longestWaitMs: LONGEST_POLL_MS };
  try {
    for (let times = 1; ; times += 1) {
      const state = await patiently(desk, () => protocol.poll(access, batchId));
      onState(state);
      if (!state.isEnded) {
        await sleep(pollMs ?? backoff(policy, times), null, { signal: desk.over });
        continue;
      }
      if (state.fault !== undefined) onNotice(`batch ${batchId} (${state.word}): ${state.fault}`);
      // As a whole: half of a broken transfer would look like requests without an answer.
      const results = await patiently(desk, () => Array.fromAsync(protocol.results(access, batchId)));
      return { word: state.word, results };
    }
  } catch (error) {
    // Providers keep a batch for a month or so.
    if (error instanceof TargetError && error.status === 404) return { word: 'no longer at the provider', results: [] };
    throw error;
  }
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
    patiently(desk, () => protocol.findSubmitted(access, batch, others)).catch((error: unknown) => {
      throw cannotLookUp(batch, error);
    });
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
function cannotLookUp({ name }: LoggedBatch, error: unknown): unknown {
  if (!(error instanceof TargetError) || (error.status !== 404 && error.status !== 405)) return error;
  const { status, message } = error;
  const next = `see at the provider; if it was not, remove the line of ${name} from ${BATCH_FILE}`;
  const what = `whether a batch was submitted before the interruption cannot be looked up: ${next}`;
  return new TargetError({ kind: 'access', message: `${what} (${message})`, status });
}

async function noteSubmitted(log: BatchLog, { name }: LoggedBatch, batch: string, isFound: boolean): Promise<void> {
  await log.append({ event: 'submitted', name, at: Date.now(), batch, ...(isFound ? { found: true } : {}) });
}

/** A provider that cannot be reached has the batch nevertheless: it is asked until it answers. */
async function patiently<T>({ over, onNotice, pollMs }: BatchDesk, call: () => Promise<T>): Promise<T> {
  const policy = { backoffMs: pollMs ?? FIRST_POLL_MS, longestWaitMs: LONGEST_POLL_MS };
  let garbage = 0;
  for (let times = 1; ; times += 1) {
    try {
      return await call();
    } catch (error) {
      if (!(error instanceof TargetError) || over.aborted) throw error;
      garbage = error.kind === 'answer' ? garbage + 1 : 0;
      const mayPass = error.kind === 'rate' || isPassing(error) || (garbage > 0 && garbage < MOST_GARBAGE);
      if (!mayPass) throw error;
      if (times === 1)
        onNotice(`the batch endpoint does not answer as it should, and is asked again (${error.message})`);
      await sleep(Math.max(error.retryAfterMs ?? 0, backoff(policy, times)), null, { signal: over });
    }
  }
}
