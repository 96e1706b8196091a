import { join } from 'node:path';

import { z } from 'zod';

import type { DifferingScore, RunCounts, RunSink, ScoreInit } from '../backend.ts';
import { sendingTime } from '../sending-time.ts';
import type { Published } from '../summary.ts';
import { type AnswerLog } from './answer-log.ts';
import { outcomeKey } from './open-calls.ts';
import { type ItemResult, type TraceFrame, itemTrace, scoreIdOf, traceIdsOf } from './item-trace.ts';
import { openLineLog } from './line-log.ts';
import type { ItemOutcome } from './scorer.ts';

const PUBLISHED_FILE = 'published.jsonl';

/** Together they are written in half the time. */
const BATCH = 500;
/** Slow answers are shown before there are so many. */
const BATCH_MS = 2000;
/** Further ones wait in the log, not in memory. */
const MOST_BATCHES = 2;

/** Which outcome of an item was published, with which scores. */
const MARKS = {
  schema: z.object({
    item: z.string(),
    repeat: z.int(),
    at: z.int(),
    failed: z.boolean(),
    scores: z.int(),
    /** What the scores were made with, and what the trace carries. */
    recipe: z.string(),
    place: z.string(),
    trace: z.string(),
    /** Time of sending, if the place orders by it; older versions sent a trace as at its start. */
    sent: z.iso.datetime().optional(),
  }),
  message: 'this line was changed or damaged',
  next: 'remove it: its item is sent again',
};
type Mark = z.infer<typeof MARKS.schema>;

interface Arrived extends Pick<Mark, 'item' | 'repeat' | 'at' | 'failed' | 'scores'> {
  /** Published where this session publishes, with scores made as now, and not missing there. */
  isCurrent: boolean;
  /** Values by the name of the score, if it was published before. */
  readonly values?: Readonly<Record<string, number>>;
}

interface Destination extends Pick<Mark, 'recipe' | 'place'> {
  /** Of each repeat, from the first. */
  readonly sinks: readonly RunSink[];
  /** True if the latest sending of a score wins, whatever arrives last. */
  readonly ordersByTime: boolean;
}

type Held = Pick<ItemOutcome, 'item' | 'entry'> & { readonly result: ItemResult | null };

export type Publisher = Awaited<ReturnType<typeof openPublisher>>;

/** Sends outcomes with their scores to the backend, in batches, and remembers what has arrived there. */
export async function openPublisher(
  frame: TraceFrame & { readonly folder: string },
  log: AnswerLog,
  { sinks, recipe, place, ordersByTime }: Destination,
) {
  const arrived = new Map<string, Arrived>();
  let lastSent = log.lastStart() ?? '';
  const nextSending = (): string => (lastSent = sendingTime(lastSent === '' ? null : lastSent));
  const marks = await openLineLog<Mark>(join(frame.folder, PUBLISHED_FILE), MARKS, (mark) => {
    const { item, repeat, at, failed, scores, sent } = mark;
    const key = outcomeKey(item, repeat);
    // Older versions sent a trace again as at the same time, so that either sending may show.
    const isTied = ordersByTime && sent === undefined && arrived.has(key);
    const isCurrent = mark.recipe === recipe && mark.place === place && !isTied;
    if (sent !== undefined && sent > lastSent) lastSent = sent;
    arrived.set(key, { item, repeat, at, failed, scores, isCurrent });
  });
  const startOf = (item: string, repeat: number): string => new Date(log.known(item, repeat)?.began ?? 0).toISOString();

  const publish = async (batch: readonly Held[]): Promise<void> => {
    const sent = nextSending();
    for (const [repeat, own] of Map.groupBy(batch, ({ entry }) => entry.repeat)) {
      const traces = own.map(({ item, entry, result }) => {
        const wasFailure = arrived.get(outcomeKey(item.id, repeat))?.failed === true;
        return itemTrace(frame, { item, entry, result, wasFailure, startedAt: startOf(item.id, repeat) });
      });
      await sinks[repeat - 1]!.publish(traces, sent);
      const marked = own.map(async ({ entry: { item, outcome } }, index) => {
        const { traceId: trace, scores } = traces[index]!;
        const at = log.known(item, repeat)?.offset ?? -1;
        const key = outcomeKey(item, repeat);
        const mark = { item, repeat, at, failed: outcome === 'failed', scores: scores.length };
        await marks.append({ ...mark, recipe, place, trace, ...(ordersByTime ? { sent } : {}) });
        const values = arrived.has(key) && {
          values: Object.fromEntries(scores.map(({ name, value }) => [name, value])),
        };
        arrived.set(key, { ...mark, isCurrent: true, ...values });
      });
      await Promise.all(marked);
    }
  };

  let held: Held[] = [];
  let heldSince = 0;
  let sending = Promise.resolve();
  let batches = 0;
  let fault: Error | null = null;
  const send = (): void => {
    const batch = held;
    if (batch.length === 0) return;
    held = [];
    batches += 1;
    sending = sending
      .then(() => publish(batch))
      // The answers are safe in the log; what did not arrive is sent again at the end, or by the same command.
      .catch((error: unknown) => void (fault ??= error instanceof Error ? error : new Error(String(error))))
      .finally(() => (batches -= 1));
  };

  return {
    sinks,

    /** Sends scores of the run of a repeat as a whole. */
    scoreRun: async (repeat: number, scores: readonly ScoreInit[]) =>
      sinks[repeat - 1]?.scoreRun(scores, nextSending()),

    /** Whether this outcome of an item, scored as now, was sent to this place already. */
    hasArrived(item: string, repeat: number): boolean {
      const mark = arrived.get(outcomeKey(item, repeat));
      return mark?.isCurrent === true && mark.at === log.known(item, repeat)?.offset;
    },

    /** Takes an outcome along; waits if the backend is slower than the answers come. */
    async add({ item, entry }: ItemOutcome, result: ItemResult | null): Promise<void> {
      if (held.length === 0) heldSince = Date.now();
      held.push({ item, entry, result });
      if (held.length < BATCH && Date.now() - heldSince < BATCH_MS) return;
      send();
      if (batches >= MOST_BATCHES) await sending;
    },

    /** Everything that was added has arrived; throws what kept it from there. */
    async flush(): Promise<void> {
      send();
      await sending;
      const thrown = fault;
      fault = null;
      if (thrown !== null) throw thrown;
    },

    /** What should be there: a trace for each outcome, and the scores that were sent. */
    expected(): RunCounts {
      return { traces: log.size, scores: arrived.values().reduce((sum, mark) => sum + mark.scores, 0) };
    },

    /** What the backend reports. What it lacks counts as not arrived from then on, and is sent again. */
    async counts(): Promise<Pick<Published, 'found' | 'differing'>> {
      const counts = { traces: 0, scores: 0 };
      const differing: DifferingScore[] = [];
      for (const [repeat, own] of Map.groupBy(arrived.values(), (mark) => mark.repeat)) {
        const byTrace = new Map(own.map((mark) => [traceIdsOf(frame.record.id, mark.item, repeat).traceId, mark]));
        const sent = byTrace.entries().map(([traceId, { item: itemId, scores, values }]) => {
          const trace = { traceId, itemId, startedAt: startOf(itemId, repeat), scores };
          return values === undefined ? trace : { ...trace, values: valuesById(traceId, values) };
        });
        const found = await sinks[repeat - 1]?.counts(sent);
        counts.traces += found?.traces ?? 0;
        counts.scores += found?.scores ?? 0;
        differing.push(...(found?.differing ?? []));
        for (const traceId of found?.short ?? []) byTrace.get(traceId)!.isCurrent = false;
      }
      return { found: counts, ...(differing.length === 0 ? {} : { differing }) };
    },

    async close(): Promise<void> {
      await sending;
      await marks.close();
    },
  };
}

function valuesById(traceId: string, values: Readonly<Record<string, number>>): Map<string, number> {
  return new Map(Object.entries(values).map(([name, value]) => [scoreIdOf(traceId, name), value]));
}
