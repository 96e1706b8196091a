import { hash } from 'node:crypto';

import { UsageError } from '../../data/problems.ts';
import { visible } from '../../data/visible.ts';
import type { ItemTrace, RunInfo, RunSink, ScoreInit } from '../../experiment/backend.ts';
import { sideBySide } from '../../experiment/limits/side-by-side.ts';
import { sendingTime } from '../../experiment/sending-time.ts';
import type { Connection } from './connection.ts';
import { hasDatasetRuns, linkItem, olderRunLinks, runIdOf } from './older-api.ts';
import { isShort, readBack, settle } from './read-back.ts';
import { deliverScores } from './scores.ts';
import { ENVIRONMENT, itemSpans, loadTracing, sendSpans } from './spans.ts';
import { plural } from '../../text/figures.ts';

const TRACES_AT_A_TIME = 50;
const LINKS_AT_A_TIME = 8;

/** One run, on its way to Langfuse. */
export async function openLangfuseRun(connection: Connection, run: RunInfo, settleMs: number): Promise<RunSink> {
  const environment = run.traces?.environment ?? ENVIRONMENT;
  const links = await runLinks(connection, run);
  let before: Promise<unknown> = Promise.resolve();
  /** Scores of the run as a whole, as they were last sent. */
  let pooled: readonly ScoreInit[] = [];

  async function publishSome(traces: readonly ItemTrace[], sentAt: string): Promise<void> {
    const scores = traces.flatMap(({ traceId, rootId, scores: some }) =>
      some.map((score) => ({ ...score, traceId, observationId: rootId, environment, sentAt })),
    );
    const experimentId = await links.link(traces);
    const tracing = await loadTracing();
    const spans = traces.map((trace) => itemSpans(tracing, trace, run, experimentId));
    await sendSpans(connection, tracing, spans);
    await deliverScores(connection, scores);
  }

  async function publishAll(traces: readonly ItemTrace[], sentAt: string): Promise<void> {
    let delivered = 0;
    try {
      for (; delivered < traces.length; delivered += TRACES_AT_A_TIME)
        await publishSome(traces.slice(delivered, delivered + TRACES_AT_A_TIME), sentAt);
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      throw new UsageError(
        `${traces.length - delivered} of ${plural(traces.length, 'trace')} not delivered: ${error.message}`,
        error.next,
      );
    }
  }

  return {
    async publish(traces, sentAt = sendingTime()) {
      for (const { scores } of traces) refuseNoNumbers(scores);
      // One after the other: the first of all may have to make the run.
      const published = before.then(() => publishAll(traces, sentAt));
      before = published.catch(() => undefined);
      return published;
    },

    async scoreRun(scores, sentAt = sendingTime()) {
      refuseNoNumbers(scores);
      const datasetRunId = await links.id();
      if (datasetRunId === null)
        throw new UsageError(
          `the run ${visible(run.name)} is not in Langfuse: a run begins with its first trace`,
          'publish the traces first',
        );
      await deliverScores(
        connection,
        scores.map((score) => ({ ...score, environment, datasetRunId, sentAt })),
      );
      pooled = scores;
    },

    async counts(traces) {
      const expected = [...traces];
      const { arrivals, scoresOf, runScores, differing } = readBack(connection, run, links.id, environment);
      const found = new Map(await settle({ expected, calls: connection.calls, settleMs, read: arrivals }));
      // The list of items goes by the server's clock: before scores are taken for lost, they are looked for by themselves.
      const unscored = expected.filter((trace) => found.has(trace.traceId) && isShort(trace, found));
      if (unscored.length > 0)
        for (const [id, scores] of await scoresOf(unscored)) found.set(id, Math.max(scores, found.get(id) ?? 0));
      const short = expected.filter((trace) => isShort(trace, found));
      const others = short.flatMap(differing);
      const runId = await links.id();
      // A first sending has no earlier value that could show.
      if (runId !== null && pooled.length > 0 && expected.some(({ values }) => values !== undefined)) {
        const values = new Map(pooled.map(({ id, value }) => [id, value]));
        const whole = { traceId: runId, itemId: '', startedAt: '', scores: values.size, values };
        await settle({ expected: [whole], calls: connection.calls, settleMs, read: () => runScores(whole) });
        others.push(...differing(whole));
      }
      return {
        traces: found.size,
        scores: [...found.values()].reduce((sum, scores) => sum + scores, 0),
        short: short.map(({ traceId }) => traceId),
        ...(others.length === 0 ? {} : { differing: others }),
      };
    },

    async url() {
      const { projectUrl } = connection;
      const id = await links.id();
      if (projectUrl === null || id === null) return null;
      return `${projectUrl}/datasets/${encodeURIComponent(run.dataset.id)}/runs/${encodeURIComponent(id)}`;
    },
  };
}

/** Langfuse would drop them without a word. */
function refuseNoNumbers(scores: readonly ScoreInit[]): void {
  for (const { id, name, value } of scores)
    if (!Number.isFinite(value))
      throw new UsageError(`the score ${visible(name)} (${visible(id)}) is ${value}, and only numbers are published`);
}

/** How traces become parts of a run. */
interface RunLinks {
  /** Links them, and answers with the id of the run. Those that are linked already are left alone. */
  readonly link: (traces: readonly ItemTrace[]) => Promise<string>;
  readonly id: () => Promise<string | null>;
}

/** By the server's own dataset runs where it has them, else by attributes on the spans. */
async function runLinks(connection: Connection, run: RunInfo): Promise<RunLinks> {
  const { generation } = connection;
  const hasRuns = generation === null ? await hasDatasetRuns(connection, run.dataset.name) : generation === 3;
  if (hasRuns) return linksByCalls(connection, run);
  // Langfuse 4: the attributes hold all, and the id is made from the run, so that it is the same when it is sent again.
  const id = hash('sha256', JSON.stringify([run.dataset.id, run.name])).slice(0, 16);
  return { link: async () => id, id: async () => id };
}

/** Langfuse 3: one call for each trace. Linking twice would make two links, so the server is asked what it has. */
function linksByCalls(connection: Connection, run: RunInfo): RunLinks {
  let runId: string | null = null;
  let linked: Set<string> | null = null;
  return {
    async link(traces) {
      if (linked === null) {
        const items = (await olderRunLinks(connection, run)) ?? [];
        runId = items[0]?.datasetRunId ?? null;
        linked = new Set(items.map(({ traceId }) => traceId));
      }
      const known = linked;
      const missing = traces.filter(({ traceId }) => !known.has(traceId));
      const linkTrace = async ({ traceId, rootId, item }: ItemTrace): Promise<void> => {
        const init = { datasetItemId: item.id, traceId, observationId: rootId };
        runId = (await linkItem(connection, run, init)).datasetRunId;
        known.add(traceId);
      };
      // The first by itself: it may have to make the run, and two at once might make two.
      const alone = runId === null ? 1 : 0;
      for (const first of missing.slice(0, alone)) await linkTrace(first);
      await sideBySide(missing.slice(alone), LINKS_AT_A_TIME, linkTrace);
      if (runId === null) throw new Error('a run has no id though traces were linked to it');
      return runId;
    },
    id: async () => runId ?? runIdOf(connection, run),
  };
}
