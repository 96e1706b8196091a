import { join } from 'node:path';

import { z } from 'zod';

import type { ExpectedTrace, RunCounts, RunSink } from '../backend.ts';
import { type AnswerLog, outcomeKey } from './answer-log.ts';
import { type ItemResult, type TraceFrame, itemTrace, traceIdsOf } from './item-trace.ts';
import { type LineKind, LineLog } from './line-log.ts';
import type { ItemOutcome } from './scorer.ts';

const PUBLISHED_FILE = 'published.jsonl';

/** Together they are written in half the time. */
const BATCH = 500;
/** Slow answers are shown before there are so many. */
const BATCH_MS = 2000;
/** Further ones wait in the log, not in memory. */
const MOST_BATCHES = 2;

const markSchema = z.object({
  item: z.string(),
  repeat: z.int(),
  /** Where its line stands in the log. */
  at: z.int(),
  failed: z.boolean(),
  scores: z.int(),
  /** What the scores were made with, and what the trace carries. */
  recipe: z.string(),
  /** Where it was published. */
  place: z.string(),
  trace: z.string(),
});
/** Which outcome of an item was published, with which scores. */
type Mark = z.infer<typeof markSchema>;

const MARKS: LineKind<Mark> = {
  schema: markSchema,
  message: 'this line was changed or damaged',
  next: 'remove it: its item is sent again',
};

/** What is remembered of it. */
interface Arrived extends Pick<Mark, 'item' | 'repeat' | 'at' | 'failed' | 'scores'> {
  /** Published where this session publishes, with scores made as now, and not missing there. */
  readonly isCurrent: boolean;
}

export interface PublisherOptions extends TraceFrame {
  readonly folder: string;
  /** Of each repeat, from the first. */
  readonly sinks: readonly RunSink[];
  /** Names where they go. */
  readonly place: string;
  readonly log: AnswerLog;
  /** Names what scores are made with, and what traces carry beside them. */
  readonly madeWith: string;
}

type Held = Pick<ItemOutcome, 'item' | 'entry'> & { readonly result: ItemResult | null };

/** Sends outcomes with their scores to the backend, in batches, and remembers what has arrived there. */
export class Publisher {
  readonly #options: PublisherOptions;
  readonly #marks: LineLog<Mark>;
  readonly #arrived: Map<string, Arrived>;
  #held: Held[] = [];
  #heldSince = 0;
  #sending: Promise<void> = Promise.resolve();
  #batches = 0;
  #fault: Error | null = null;

  private constructor(options: PublisherOptions, marks: LineLog<Mark>, arrived: Map<string, Arrived>) {
    this.#options = options;
    this.#marks = marks;
    this.#arrived = arrived;
  }

  static async open(options: PublisherOptions): Promise<Publisher> {
    const arrived = new Map<string, Arrived>();
    const marks = await LineLog.open(
      join(options.folder, PUBLISHED_FILE),
      MARKS,
      ({ item, repeat, at, failed, scores, recipe, place }) => {
        const isCurrent = recipe === options.madeWith && place === options.place;
        arrived.set(outcomeKey(item, repeat), { item, repeat, at, failed, scores, isCurrent });
      },
    );
    return new Publisher(options, marks, arrived);
  }

  /** Of each repeat, from the first. */
  get sinks(): readonly RunSink[] {
    return this.#options.sinks;
  }

  /** Whether this outcome of an item, scored as now, was sent to this place already. */
  hasArrived(item: string, repeat: number): boolean {
    const mark = this.#arrived.get(outcomeKey(item, repeat));
    return mark?.isCurrent === true && mark.at === this.#options.log.known(item, repeat)?.offset;
  }

  /** Takes an outcome along; waits where the backend is slower than the answers come. */
  async add({ item, entry }: ItemOutcome, result: ItemResult | null): Promise<void> {
    if (this.#held.length === 0) this.#heldSince = Date.now();
    this.#held.push({ item, entry, result });
    if (this.#held.length < BATCH && Date.now() - this.#heldSince < BATCH_MS) return;
    this.#send();
    if (this.#batches >= MOST_BATCHES) await this.#sending;
  }

  /** Everything that was added has arrived; throws what kept it from there. */
  async flush(): Promise<void> {
    this.#send();
    await this.#sending;
    const fault = this.#fault;
    this.#fault = null;
    if (fault !== null) throw fault;
  }

  /** What should be there: a trace for each outcome, and the scores that were sent. */
  expected(): RunCounts {
    const scores = this.#arrived.values().reduce((sum, mark) => sum + mark.scores, 0);
    return { traces: this.#options.log.size, scores };
  }

  /** What the backend says is there. What it lacks counts as not arrived from then on, and is sent again. */
  async counts(): Promise<RunCounts> {
    const { sinks, log, runId } = this.#options;
    const counts = { traces: 0, scores: 0 };
    for (const [at, sink] of sinks.entries()) {
      const marks = new Map<string, Arrived>();
      const expected: ExpectedTrace[] = [];
      for (const mark of this.#arrived.values()) {
        const { item: itemId, repeat, scores } = mark;
        if (repeat !== at + 1) continue;
        const { traceId } = traceIdsOf(runId, itemId, repeat);
        marks.set(traceId, mark);
        const startedAt = new Date(log.known(itemId, repeat)?.began ?? 0).toISOString();
        expected.push({ traceId, itemId, startedAt, scores });
      }
      if (expected.length === 0) continue;
      const { traces, scores, short } = await sink.counts(expected);
      counts.traces += traces;
      counts.scores += scores;
      for (const traceId of short) {
        const mark = marks.get(traceId);
        if (mark !== undefined) this.#arrived.set(outcomeKey(mark.item, mark.repeat), { ...mark, isCurrent: false });
      }
    }
    return counts;
  }

  async close(): Promise<void> {
    await this.#sending;
    await this.#marks.close();
  }

  #send(): void {
    const batch = this.#held;
    if (batch.length === 0) return;
    this.#held = [];
    this.#batches += 1;
    this.#sending = this.#sending
      .then(() => this.#publish(batch))
      .catch((error: unknown) => {
        // The answers are safe in the log; what did not arrive is sent again at the end, or by the same command.
        this.#fault ??= error instanceof Error ? error : new Error(String(error));
      })
      .finally(() => {
        this.#batches -= 1;
      });
  }

  async #publish(batch: readonly Held[]): Promise<void> {
    const { sinks, log, madeWith: recipe, place } = this.#options;
    for (const [at, sink] of sinks.entries()) {
      const own = batch.filter(({ entry }) => entry.repeat === at + 1);
      if (own.length === 0) continue;
      const traces = own.map(({ item, entry, result }) =>
        itemTrace(this.#options, {
          item,
          entry,
          result,
          startedAt: new Date(log.known(item.id, entry.repeat)?.began ?? entry.startedAt).toISOString(),
          wasFailure: this.#arrived.get(outcomeKey(item.id, entry.repeat))?.failed === true,
        }),
      );
      await sink.publish(traces);
      await Promise.all(
        own.map(async ({ entry: { item, repeat, outcome } }, index) => {
          const { traceId: trace, scores } = traces[index]!;
          const line = log.known(item, repeat)?.offset ?? -1;
          const mark = { item, repeat, at: line, failed: outcome === 'failed', scores: scores.length };
          await this.#marks.append({ ...mark, recipe, place, trace });
          this.#arrived.set(outcomeKey(item, repeat), { ...mark, isCurrent: true });
        }),
      );
    }
  }
}
