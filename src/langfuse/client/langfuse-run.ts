import { setTimeout as sleep } from 'node:timers/promises';

import { UsageError } from '../../data/problems.ts';
import { visible } from '../../data/visible.ts';
import type { ItemTrace, RunCounts, RunInfo, RunSink, ScoreInit } from '../../experiment/backend.ts';
import type { Connection } from './connection.ts';
import { deliverScores } from './deliver-scores.ts';
import { deliverSpans } from './deliver-spans.ts';
import type { ItemSpans } from './item-spans.ts';
import type { TimeSpan } from './older-api.ts';
import { countOlderScores, countScores, experimentTraces, linkedTraces, type Asked } from './read-back.ts';
import type { RunLinks } from './run-links.ts';

const TRACES_AT_A_TIME = 50;
const FIRST_WAIT_MS = 200;
const LONGEST_WAIT_MS = 4000;

interface Sent {
  readonly scores: number;
  readonly began: number;
  readonly ended: number;
}

/** One run, on its way to Langfuse. */
export class LangfuseRun implements RunSink {
  readonly #connection: Connection;
  readonly #run: RunInfo;
  readonly #links: RunLinks;
  readonly #spans: () => Promise<ItemSpans>;
  readonly #settleMs: number;
  readonly #sent = new Map<string, Sent>();
  #before: Promise<unknown> = Promise.resolve();

  constructor(given: {
    readonly connection: Connection;
    readonly run: RunInfo;
    readonly links: RunLinks;
    readonly spans: () => Promise<ItemSpans>;
    readonly settleMs: number;
  }) {
    this.#connection = given.connection;
    this.#run = given.run;
    this.#links = given.links;
    this.#spans = given.spans;
    this.#settleMs = given.settleMs;
  }

  async publish(traces: readonly ItemTrace[]): Promise<void> {
    for (const { scores } of traces) refuseNoNumbers(scores);
    // One after the other: the first of all may have to make the run.
    const own = this.#before.then(() => this.#publishAll(traces));
    this.#before = own.catch(() => undefined);
    return own;
  }

  async scoreRun(scores: readonly ScoreInit[]): Promise<void> {
    refuseNoNumbers(scores);
    const datasetRunId = await this.#links.id();
    if (datasetRunId === null)
      throw new UsageError(
        `the run ${visible(this.#run.name)} is not in Langfuse: a run begins with its first trace`,
        'publish the traces first',
      );
    // Not the time of the call: sent again tomorrow, they are to be the same scores.
    const [, lastEnd] = bounds([...this.#sent.values()].map(({ ended }) => ended)) ?? [0, Date.now()];
    const at = new Date(lastEnd).toISOString();
    await deliverScores(
      this.#connection,
      scores.map((score) => ({ ...score, datasetRunId, at })),
    );
  }

  async counts(traceIds: Iterable<string>, expected?: RunCounts): Promise<RunCounts> {
    const asked = this.#asked(new Set(traceIds));
    const wanted = expected ?? this.#expected(asked.ids);
    const end = Date.now() + this.#settleMs;
    let linked: ReadonlySet<string> | null = null;
    for (let wait = FIRST_WAIT_MS; ; wait = Math.min(2 * wait, LONGEST_WAIT_MS)) {
      if (linked === null || linked.size < wanted.traces) linked = await this.#linked(asked, wanted.traces);
      const found = { traces: linked.size, scores: await this.#countScores(linked, asked) };
      if (found.traces >= wanted.traces && found.scores >= wanted.scores) return found;
      if (Date.now() + wait > end) return found;
      await sleep(wait);
    }
  }

  async url(): Promise<string | null> {
    const { projectUrl } = this.#connection;
    const id = await this.#links.id();
    if (projectUrl === null || id === null) return null;
    return `${projectUrl}/datasets/${encodeURIComponent(this.#run.dataset.id)}/runs/${encodeURIComponent(id)}`;
  }

  async #publishAll(traces: readonly ItemTrace[]): Promise<void> {
    let delivered = 0;
    try {
      for (let from = 0; from < traces.length; from += TRACES_AT_A_TIME) {
        const some = traces.slice(from, from + TRACES_AT_A_TIME);
        await this.#publishSome(some);
        delivered += some.length;
      }
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      throw new UsageError(
        `${traces.length - delivered} of ${traces.length} traces were not delivered: ${error.message}`,
        error.next,
      );
    }
  }

  async #publishSome(traces: readonly ItemTrace[]): Promise<void> {
    const scores = traces.flatMap((trace) =>
      trace.scores.map((score) => ({
        ...score,
        traceId: trace.traceId,
        observationId: trace.rootId,
        at: trace.endedAt,
      })),
    );
    const experimentId = await this.#links.link(traces);
    const spans = await (await this.#spans()).of(traces, this.#run, experimentId);
    await deliverSpans(this.#connection, spans);
    await deliverScores(this.#connection, scores);
    for (const { traceId, startedAt, endedAt, scores: own } of traces)
      this.#sent.set(traceId, { scores: own.length, began: Date.parse(startedAt), ended: Date.parse(endedAt) });
  }

  async #linked(asked: Asked, wanted: number): Promise<ReadonlySet<string>> {
    const { generation } = this.#connection;
    const none = new Set<string>();
    if (asked.ids.size === 0) return none;
    const id = generation === 3 ? null : await this.#links.id();
    const newer = id === null ? null : await experimentTraces(this.#connection, id, asked);
    if (generation === 4 || (newer !== null && newer.size >= wanted)) return newer ?? none;
    // A server on its way from one generation to the other may have them in the older lists first.
    const older = (await linkedTraces(this.#connection, this.#run, asked)) ?? none;
    return newer !== null && newer.size >= older.size ? newer : older;
  }

  async #countScores(linked: ReadonlySet<string>, { ended }: Asked): Promise<number> {
    if (linked.size === 0) return 0;
    const found = await countScores(this.#connection, linked);
    return found ?? (await countOlderScores(this.#connection, linked, ended)) ?? 0;
  }

  #expected(ids: ReadonlySet<string>): RunCounts {
    const sent = [...ids].flatMap((id) => this.#sent.get(id) ?? []);
    return { traces: sent.length, scores: sent.reduce((sum, { scores }) => sum + scores, 0) };
  }

  /** The times are known where all of the traces were sent from here. */
  #asked(ids: ReadonlySet<string>): Asked {
    const sent = [...ids].flatMap((id) => this.#sent.get(id) ?? []);
    const isAll = sent.length === ids.size;
    return {
      ids,
      began: isAll ? spanOf(sent.map(({ began }) => began)) : null,
      ended: isAll ? spanOf(sent.map(({ ended }) => ended)) : null,
    };
  }
}

/** Langfuse would drop them without a word. */
function refuseNoNumbers(scores: readonly ScoreInit[]): void {
  for (const { id, name, value } of scores)
    if (!Number.isFinite(value))
      throw new UsageError(`the score ${visible(name)} (${visible(id)}) is ${value}, and only numbers are published`);
}

function spanOf(times: readonly number[]): TimeSpan | null {
  const found = bounds(times);
  return found === null ? null : { from: new Date(found[0]).toISOString(), to: new Date(found[1] + 1).toISOString() };
}

function bounds(times: readonly number[]): readonly [number, number] | null {
  if (times.length === 0) return null;
  return [times.reduce((a, b) => Math.min(a, b)), times.reduce((a, b) => Math.max(a, b))];
}
