import { join } from 'node:path';

import { z } from 'zod';

import { InputError } from '../../data/problems.ts';
import type { CaseResult } from '../../measure/tally.ts';
import type { Plan } from '../../recipe/plan.ts';
import type { ExpectedTrace, RunCounts, RunSink, ScoreInit } from '../backend.ts';
import type { AnswerLog } from './answer-log.ts';
import { type TraceFrame, itemTrace, traceIdsOf } from './item-trace.ts';
import { LineLog } from './line-log.ts';
import { type ItemOutcome, scoreEach } from './scorer.ts';

export const PUBLISHED_FILE = 'published.jsonl';

/** Together they are written in half the time. */
const BATCH = 500;
/** Slow answers are shown before there are so many. */
const BATCH_MS = 2000;
/** Further ones wait in the log, not in memory. */
const MOST_BATCHES = 2;

/** Which outcome of an item was published, with which scores. */
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
type Mark = z.infer<typeof markSchema>;

/** What is remembered of it. */
interface Arrived {
  readonly at: number;
  readonly failed: boolean;
  readonly scores: number;
  /** Published where this session publishes, with scores made as now. */
  readonly isCurrent: boolean;
}

export interface PublisherOptions extends TraceFrame {
  readonly folder: string;
  /** Of each repeat, from the first. */
  readonly sinks: readonly RunSink[];
  /** Names where they go. */
  readonly place: string;
  readonly log: AnswerLog;
  /** Null: nothing is scored. */
  readonly plan: Plan | null;
  /** Names what scores are made with, and what traces carry beside them. */
  readonly madeWith: string;
}

interface Held {
  readonly outcome: ItemOutcome;
  /** What its measures say; null where nobody has scored it yet. */
  readonly result: CaseResult | null;
}

/** Sends outcomes with their scores to the backend, in batches, and remembers what has arrived there. */
export class Publisher {
  readonly #options: PublisherOptions;
  readonly #marks: LineLog;
  readonly #arrived: Map<string, Arrived>;
  #held: Held[] = [];
  #heldSince = 0;
  /** What the backend turned out not to have, or not all of. */
  readonly #short = new Set<string>();
  #sending: Promise<void> = Promise.resolve();
  #batches = 0;
  #fault: Error | null = null;

  private constructor(options: PublisherOptions, marks: LineLog, arrived: Map<string, Arrived>) {
    this.#options = options;
    this.#marks = marks;
    this.#arrived = arrived;
  }

  static async open(options: PublisherOptions): Promise<Publisher> {
    const file = join(options.folder, PUBLISHED_FILE);
    const arrived = new Map<string, Arrived>();
    const marks = await LineLog.open(file, (line, _place, number) => {
      const mark = parsedMark(line);
      if (mark === null)
        throw new InputError([
          {
            file,
            line: number,
            message: 'this line was changed or damaged',
            next: 'remove it: its item is sent again',
          },
        ]);
      const { at, failed, scores } = mark;
      const isCurrent = mark.recipe === options.madeWith && mark.place === options.place;
      arrived.set(keyOf(mark.item, mark.repeat), { at, failed, scores, isCurrent });
    });
    return new Publisher(options, marks, arrived);
  }

  /** Whether this outcome of an item, scored as now, was sent to this place already. */
  hasArrived(item: string, repeat: number): boolean {
    const key = keyOf(item, repeat);
    const mark = this.#arrived.get(key);
    return (
      mark !== undefined &&
      mark.isCurrent &&
      !this.#short.has(key) &&
      mark.at === this.#options.log.placeOf(item, repeat)
    );
  }

  /** Takes an outcome along; waits where the backend is slower than the answers come. */
  async add(outcome: ItemOutcome, result: CaseResult | null): Promise<void> {
    if (this.#held.length === 0) this.#heldSince = Date.now();
    this.#held.push({ outcome, result });
    if (this.#held.length < BATCH && Date.now() - this.#heldSince < BATCH_MS) return;
    this.#send();
    if (this.#batches >= MOST_BATCHES) await this.#sending;
  }

  /** Everything that was added has arrived; throws what kept it from there. */
  async flush(): Promise<void> {
    this.#send();
    await this.#sending;
    if (this.#fault === null) return;
    const fault = this.#fault;
    this.#fault = null;
    throw fault;
  }

  /** What should be there: a trace for each outcome, and the scores that were sent. */
  expected(outcomes: number): RunCounts {
    const marks = [...this.#arrived.values()];
    return { traces: outcomes, scores: marks.reduce((sum, { scores }) => sum + scores, 0) };
  }

  /** Scores of the runs as a whole, one list for each repeat. */
  async scoreRuns(scores: readonly (readonly ScoreInit[])[]): Promise<void> {
    for (const [at, own] of scores.entries())
      await this.#options.sinks[at]?.scoreRun(own, this.#options.log.lastStart() ?? undefined);
  }

  async url(): Promise<string | null> {
    return (await this.#options.sinks[0]?.url()) ?? null;
  }

  /** What the backend says is there. What it lacks counts as not arrived from then on, and is sent again. */
  async counts(): Promise<RunCounts> {
    const counts = { traces: 0, scores: 0 };
    for (const [at, sink] of this.#options.sinks.entries()) {
      const keys = new Map<string, string>();
      const expected: ExpectedTrace[] = [];
      for (const [key, { scores }] of this.#arrived) {
        if (repeatOf(key) !== at + 1) continue;
        const itemId = itemOf(key);
        const { traceId } = traceIdsOf(this.#options.runId, itemId, at + 1);
        const startedAt = this.#options.log.startOf(itemId, at + 1) ?? new Date(0).toISOString();
        keys.set(traceId, key);
        expected.push({ traceId, itemId, startedAt, scores });
      }
      if (expected.length === 0) continue;
      const { traces, scores, short } = await sink.counts(expected);
      counts.traces += traces;
      counts.scores += scores;
      for (const traceId of short) this.#short.add(keys.get(traceId) ?? '');
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
    const { sinks, plan, log, madeWith: recipe, place } = this.#options;
    for (const [at, sink] of sinks.entries()) {
      const own = batch.filter(({ outcome }) => outcome.entry.repeat === at + 1);
      if (own.length === 0) continue;
      const unscored = plan === null ? [] : own.flatMap(({ outcome, result }) => (result === null ? outcome : []));
      const results = plan === null || unscored.length === 0 ? null : await scoreEach(plan, unscored);
      const traces = own.map(({ outcome: { item, entry }, result }) =>
        itemTrace(this.#options, {
          item,
          entry,
          result: result ?? results?.get(item.id) ?? null,
          startedAt: log.startOf(item.id, entry.repeat) ?? entry.startedAt,
          wasFailure: this.#arrived.get(keyOf(item.id, entry.repeat))?.failed === true,
        }),
      );
      await sink.publish(traces);
      await Promise.all(
        own.map(async ({ outcome: { item, entry } }, index) => {
          const { repeat } = entry;
          const failed = entry.outcome === 'failed';
          const scores = traces[index]!.scores.length;
          const mark: Mark = {
            item: item.id,
            repeat,
            at: log.placeOf(item.id, repeat) ?? -1,
            failed,
            scores,
            recipe,
            place,
            trace: traces[index]!.traceId,
          };
          await this.#marks.append(mark);
          this.#arrived.set(keyOf(item.id, repeat), { at: mark.at, failed, scores, isCurrent: true });
          this.#short.delete(keyOf(item.id, repeat));
        }),
      );
    }
  }
}

function keyOf(item: string, repeat: number): string {
  return `${repeat} ${item}`;
}

function repeatOf(key: string): number {
  return Number(key.slice(0, key.indexOf(' ')));
}

function itemOf(key: string): string {
  return key.slice(key.indexOf(' ') + 1);
}

function parsedMark(line: string): Mark | null {
  try {
    return markSchema.safeParse(JSON.parse(line)).data ?? null;
  } catch {
    return null;
  }
}
