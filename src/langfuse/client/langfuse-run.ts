import { UsageError } from '../../data/problems.ts';
import { visible } from '../../data/visible.ts';
import type { ExpectedTrace, FoundTraces, ItemTrace, RunInfo, RunSink, ScoreInit } from '../../experiment/backend.ts';
import { spansAnswer } from './answers.ts';
import type { Connection } from './connection.ts';
import { deliverScores } from './deliver-scores.ts';
import { ENVIRONMENT, type ItemSpans, type TraceSpans } from './item-spans.ts';
import { otlpRequest } from './otlp.ts';
import { ReadBack } from './read-back.ts';
import type { RunLinks } from './run-links.ts';
import { isShort, settle } from './settle.ts';

const TRACES_AT_A_TIME = 50;

/** One run, on its way to Langfuse. */
export class LangfuseRun implements RunSink {
  readonly #connection: Connection;
  readonly #run: RunInfo;
  readonly #environment: string;
  readonly #links: RunLinks;
  readonly #spans: () => Promise<ItemSpans>;
  readonly #settleMs: number;
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
    this.#environment = given.run.traces?.environment ?? ENVIRONMENT;
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

  async scoreRun(scores: readonly ScoreInit[], at = new Date().toISOString()): Promise<void> {
    refuseNoNumbers(scores);
    const datasetRunId = await this.#links.id();
    if (datasetRunId === null)
      throw new UsageError(
        `the run ${visible(this.#run.name)} is not in Langfuse: a run begins with its first trace`,
        'publish the traces first',
      );
    await deliverScores(
      this.#connection,
      scores.map((score) => ({ ...score, environment: this.#environment, datasetRunId, at })),
    );
  }

  async counts(traces: Iterable<ExpectedTrace>): Promise<FoundTraces> {
    const expected = [...traces];
    const readBack = new ReadBack(this.#connection, this.#run, this.#links, this.#environment);
    const { calls } = this.#connection;
    const settled = await settle({
      expected,
      calls,
      settleMs: this.#settleMs,
      read: (short) => readBack.arrivals(short),
    });
    const found = new Map(settled);
    // The list of items goes by the server's clock: before scores are taken for lost, they are looked for by themselves.
    const unscored = expected.filter((trace) => found.has(trace.traceId) && isShort(trace, found));
    if (unscored.length > 0)
      for (const [id, scores] of await readBack.scoresOf(unscored)) found.set(id, Math.max(scores, found.get(id) ?? 0));
    return {
      traces: found.size,
      scores: [...found.values()].reduce((sum, scores) => sum + scores, 0),
      short: expected.filter((trace) => isShort(trace, found)).map(({ traceId }) => traceId),
    };
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
        environment: this.#environment,
        at: trace.startedAt,
      })),
    );
    const experimentId = await this.#links.link(traces);
    const spans = await (await this.#spans()).of(traces, this.#run, experimentId);
    await deliverSpans(this.#connection, spans);
    await deliverScores(this.#connection, scores);
  }
}

/** Langfuse would drop them without a word. */
function refuseNoNumbers(scores: readonly ScoreInit[]): void {
  for (const { id, name, value } of scores)
    if (!Number.isFinite(value))
      throw new UsageError(`the score ${visible(name)} (${visible(id)}) is ${value}, and only numbers are published`);
}

// Langfuse takes up to 16 MiB at once; servers before it often less.
const MOST_CHARACTERS = 2 << 20;

/** Sends them and makes sure that the server has taken them all. */
async function deliverSpans(connection: Connection, traces: readonly TraceSpans[]): Promise<void> {
  for (const batch of bySize(traces)) await send(connection, batch);
}

async function send({ api, calls }: Connection, batch: readonly TraceSpans[]): Promise<void> {
  const request = otlpRequest(
    batch[0]!.scope,
    batch.flatMap(({ spans }) => spans),
  );
  const answer = await calls.make('send traces', spansAnswer, (options) =>
    api.opentelemetry.exportTraces(request, options),
  );
  const rejected = answer?.partialSuccess?.rejectedSpans ?? 0;
  if (rejected > 0)
    throw new UsageError(
      calls.withoutKeys(
        `Langfuse at ${calls.place} took a batch of traces without ${rejected} of its spans: ${answer?.partialSuccess?.errorMessage ?? 'it does not say why'}`,
      ),
    );
}

function* bySize(traces: readonly TraceSpans[]): Generator<readonly TraceSpans[]> {
  let batch: TraceSpans[] = [];
  let characters = 0;
  for (const one of traces) {
    const { length } = JSON.stringify(one.spans);
    if (batch.length > 0 && characters + length > MOST_CHARACTERS) {
      yield batch;
      batch = [];
      characters = 0;
    }
    batch.push(one);
    characters += length;
  }
  if (batch.length > 0) yield batch;
}
