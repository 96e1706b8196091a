import { randomUUID } from 'node:crypto';

import { TargetError } from '../targets/target.ts';
import { type BatchLog, type LoggedBatch, openBatchLog } from './batch-log.ts';
import type { BatchPlace, BatchProtocol, BatchRequest, BatchState } from './batch-protocol.ts';
import { type BatchAnswer, type BatchDesk, cancelBatch, followBatch, submitBatch } from './follow-batch.ts';

export interface CollectorOptions {
  /** Where batches.jsonl is. */
  readonly folder: string;
  /** Wait before a batch is looked at again; null: longer and longer, up to a minute. */
  readonly pollMs: number | null;
  /** A batch is submitted once nothing has been added to it for this long; half a second unless given. */
  readonly quietMs?: number | undefined;
  /** Batches are left to the provider, and calls that wait for them are given up. */
  readonly stop?: AbortSignal | undefined;
  /** Answers that an earlier session could not read are asked for, and paid for, again. */
  readonly askAgain?: boolean | undefined;
  /** Batches are submitted, or those that are under way cancelled, and nobody waits for answers. */
  readonly mode?: 'submit' | 'cancel' | undefined;
  /** The time in milliseconds; the clock of the machine unless given. */
  readonly now?: (() => number) | undefined;
  readonly onNotice?: ((text: string) => void) | undefined;
  /** Gets the provider's id of a batch, and how many requests it holds. */
  readonly onSubmitted?: ((batch: string, count: number) => void) | undefined;
}

/** Batches that are under way. */
export interface BatchProgress {
  readonly batches: number;
  readonly submitted: number;
  readonly done: number;
  /** The provider's word for the state of the batch that has been under way longest. */
  readonly state: string;
  /** When that one was submitted, in milliseconds. */
  readonly since: number;
}

/** A request on its way into a batch. */
export interface CollectedCall {
  readonly protocol: BatchProtocol;
  readonly place: BatchPlace;
  readonly headers: Readonly<Record<string, string>>;
  readonly key: string | null;
  readonly request: BatchRequest;
  readonly bytes: number;
  readonly signal: AbortSignal | null;
}

/** What became of a request; `unread`: its answer may have been paid for, and cannot be read. */
type CollectedAnswer = BatchAnswer | { readonly id: string; readonly unread: string };

interface Waiting {
  readonly request: BatchRequest;
  readonly bytes: number;
  readonly tray: Tray;
  readonly answer: PromiseWithResolvers<CollectedAnswer>;
}

/** Requests to one place that are collected for the next batch. */
interface Tray {
  readonly desk: BatchDesk;
  readonly next: Map<string, Waiting>;
  bytes: number;
  timer: NodeJS.Timeout | undefined;
}

/**
 * Collects requests, submits them as batches, and hands out the results. The log in the folder names each batch before it
 * is submitted, so that after a kill the same requests find it again.
 */
export function batchCollector(options: CollectorOptions) {
  const { folder, pollMs, quietMs = 500, stop, mode, now = Date.now, onNotice = () => undefined } = options;
  /** Ends waiting, but no submission: that is waited for, to write down its id. */
  const over = new AbortController();
  const underWay = new Set<Promise<unknown>>();
  /** Which batch has a request; a batch is followed once an answer of it is wanted. */
  const holders = new Map<string, LoggedBatch>();
  const followed = new Set<LoggedBatch>();
  const trays = new Map<string, Tray>();
  const waiting = new Map<string, Waiting>();
  /** Answers that nobody has asked for yet. */
  const early = new Map<string, CollectedAnswer>();
  const states = new Map<LoggedBatch, BatchState | null>();
  const cancelled = new Map<LoggedBatch, Promise<void>>();
  /** Why answers are not read, of each batch that has such. */
  const unread: string[] = [];

  let opened: Promise<BatchLog> | null = null;
  const openLog = (): Promise<BatchLog> =>
    (opened ??= openBatchLog(folder).then((log) => {
      for (const batch of log.batches.values()) for (const id of batch.ids) holders.set(id, batch);
      return log;
    }));

  const leave = (): void => {
    for (const { timer } of trays.values()) clearTimeout(timer);
    over.abort();
    for (const { answer } of waiting.values()) answer.reject(leftError());
  };
  if (stop?.aborted === true) leave();
  stop?.addEventListener('abort', leave, { once: true });

  const inBackground = (ids: readonly string[], work: Promise<unknown>): void => {
    const done = work
      .catch((error: unknown) => {
        for (const id of ids) waiting.get(id)?.answer.reject(over.signal.aborted ? leftError() : endOf(error));
      })
      .finally(() => underWay.delete(done));
    underWay.add(done);
  };

  const submit = (tray: Tray): void => {
    clearTimeout(tray.timer);
    if (tray.next.size === 0 || over.signal.aborted) return;
    const requests = [...tray.next.values()].map(({ request }) => request);
    const ids = requests.map(({ id }) => id);
    tray.next.clear();
    tray.bytes = 0;
    const work = async (): Promise<void> => {
      const { desk } = tray;
      const name = `assay-${randomUUID()}`;
      await desk.log.append({ event: 'intent', name, at: Date.now(), ids });
      const batch = desk.log.batches.get(name)!;
      for (const id of ids) holders.set(id, batch);
      states.set(batch, null);
      try {
        await submitBatch(desk, batch, requests);
      } catch (error) {
        if (!batch.isUnsure) await forget(desk, batch);
        if (!batch.isUnsure || !(error instanceof TargetError)) throw error;
        // Not a failure of its requests, which --only-failed would ask again.
        const message = `whether the provider took a batch is not known (${error.message})`;
        throw new TargetError({ kind: 'access', status: error.status, message });
      }
      options.onSubmitted?.(batch.batch ?? '', ids.length);
      if (mode === undefined) follow(tray, batch);
      else for (const id of ids) waiting.get(id)?.answer.reject(leftError());
    };
    inBackground(ids, work());
  };

  const collect = (one: Waiting): void => {
    const { tray, request, bytes } = one;
    const { most } = tray.desk.protocol;
    if (tray.next.size >= most.requests || tray.bytes + bytes > most.bytes) submit(tray);
    tray.next.set(request.id, one);
    tray.bytes += bytes;
    clearTimeout(tray.timer);
    tray.timer = setTimeout(() => submit(tray), quietMs);
  };

  /** The provider does not have the batch: its requests may go into another. */
  const forget = async ({ log }: BatchDesk, batch: LoggedBatch): Promise<void> => {
    await log.append({ event: 'lost', name: batch.name, at: Date.now() });
    states.delete(batch);
    for (const id of batch.ids) if (holders.get(id) === batch) holders.delete(id);
  };

  const follow = (tray: Tray, batch: LoggedBatch): void => {
    if (followed.has(batch)) return;
    followed.add(batch);
    const isAgain = batch.isAskedAgain || (options.askAgain === true && batch.unread !== null);
    const work = async (): Promise<void> => {
      states.set(batch, null);
      const end = await followBatch(tray.desk, batch, (state) => void states.set(batch, state)).finally(() =>
        states.delete(batch),
      );
      if (end === null) await forget(tray.desk, batch);
      else deliver(end.answers);
      const unreadEnd = end?.unread ?? null;
      if (unreadEnd !== null && !isAgain) {
        unread.push(unreadEnd.text);
        deliver(unreadEnd.ids.map((id) => ({ id, unread: unreadEnd.text })));
        return;
      }
      if (unreadEnd !== null && !batch.isAskedAgain) {
        const event = { event: 'ended', name: batch.name, at: Date.now(), state: 'unread', again: true } as const;
        await tray.desk.log.append(event);
      }
      for (const id of unreadEnd?.ids ?? (end === null ? batch.ids : [])) {
        if (holders.get(id) === batch) holders.delete(id);
        const one = waiting.get(id);
        if (one !== undefined) collect(one);
      }
    };
    inBackground(batch.ids, work());
  };

  const deliver = (answers: readonly CollectedAnswer[]): void => {
    for (const answer of answers) {
      const one = waiting.get(answer.id);
      if (one === undefined) early.set(answer.id, answer);
      else one.answer.resolve(answer);
    }
  };

  const trayOf = async ({ protocol, place, headers, key }: CollectedCall): Promise<Tray> => {
    const log = await openLog();
    const name = JSON.stringify([place, headers['anthropic-beta']]);
    const access = { baseUrl: place.baseUrl, headers, key };
    const desk = { protocol, place, access, log, pollMs, onNotice, over: over.signal, now };
    const tray = trays.get(name) ?? { desk, next: new Map<string, Waiting>(), bytes: 0, timer: undefined };
    trays.set(name, tray);
    return tray;
  };

  return {
    openLog,

    /** What a batch answers to a request: one that has it already, or the next. */
    async answerTo(call: CollectedCall): Promise<CollectedAnswer> {
      const tray = await trayOf(call);
      const { request, bytes, signal } = call;
      const { id } = request;
      const ready = early.get(id);
      if (early.delete(id) && ready !== undefined) return ready;
      if (over.signal.aborted) throw leftError();
      const holder = holders.get(id);
      if (mode === 'cancel' && holder !== undefined) {
        if (!cancelled.has(holder)) cancelled.set(holder, cancelBatch(tray.desk, holder));
        await cancelled.get(holder);
      }
      if (mode === 'cancel' || (mode === 'submit' && holder !== undefined)) throw leftError();
      const known = waiting.get(id);
      const one = known ?? { request, bytes, tray, answer: Promise.withResolvers<CollectedAnswer>() };
      const onAbort = (): void => {
        if (tray.next.delete(id)) tray.bytes -= bytes;
        one.answer.reject(signal?.reason);
      };
      if (known === undefined) {
        waiting.set(id, one);
        if (holder === undefined) collect(one);
        else follow(tray, holder);
      }
      signal?.addEventListener('abort', onAbort, { once: true });
      if (signal?.aborted === true) onAbort();
      try {
        return await one.answer.promise;
      } finally {
        signal?.removeEventListener('abort', onAbort);
        waiting.delete(id);
      }
    },

    /** Why answers that may have been paid for are not read; null if every answer is accounted for. */
    unread: (): string | null => (unread.length === 0 ? null : unread.join('\n')),

    /** Null while no batch is under way. */
    progress(): BatchProgress | null {
      const [first] = [...states.keys()].toSorted((a, b) => a.at - b.at);
      if (first === undefined) return null;
      let [submitted, done] = [0, 0];
      for (const [{ ids }, state] of states) {
        submitted += ids.length;
        done += state?.done ?? 0;
      }
      return { batches: states.size, submitted, done, state: states.get(first)?.word ?? 'submitted', since: first.at };
    },

    /** Batches that are under way stay with the provider. */
    async close(): Promise<void> {
      stop?.removeEventListener('abort', leave);
      leave();
      while (underWay.size > 0) await Promise.allSettled(underWay);
      await (await opened)?.close();
    },
  };
}

function leftError(): TargetError {
  return new TargetError({ kind: 'aborted', message: 'the batch is left to the provider' });
}

/** What goes wrong with a batch is no failure of its requests: the run ends, and the same command resumes it. */
function endOf(error: unknown): unknown {
  if (!(error instanceof TargetError)) return error;
  const { message, status } = error;
  return new TargetError({ kind: 'access', message, status });
}
