import { UsageError } from '../../data/problems.ts';
import { shorten, visible } from '../../data/visible.ts';
import type { Backend } from '../../experiment/backend.ts';
import { langfuseAccess } from './access.ts';
import { PATIENCE, type Patience } from './calls.ts';
import type { Clock } from './clock.ts';
import { connect, type Generation } from './connection.ts';
import { getDataset, getItem, listDatasets, listItems, saveDataset, saveItems } from './datasets.ts';
import { fetchObservation, fetchTrace } from './fetch-trace.ts';
import type { Environment } from './has-langfuse.ts';
import { ItemSpans } from './item-spans.ts';
import { LangfuseRun } from './langfuse-run.ts';
import { searchTraces, tracesOfRuns } from './list-traces.ts';
import { getPrompt, labelPrompt, listPrompts, savePrompt } from './prompts.ts';
import { runLinks } from './run-links.ts';
import { runMetadata } from './run-metadata.ts';
import { loadTracing } from './sdk.ts';

export interface LangfuseOptions {
  readonly environment?: Environment;
  /** The only generation of the API to be used; without it the server is asked what it has. */
  readonly generation?: Generation;
  readonly patience?: Partial<Patience>;
  /** How long counts are waited for without a change: Langfuse shows what it took after some seconds. */
  readonly settleMs?: number;
  readonly clock?: Clock;
}

const SETTLE_MS = 30_000;

/** Datasets, prompts and runs in Langfuse, through its official packages. Throws where it cannot be reached. */
export async function langfuseBackend(options: LangfuseOptions = {}): Promise<Backend> {
  const { environment = process.env, generation = null, patience, settleMs = SETTLE_MS, clock } = options;
  const access = langfuseAccess(environment);
  const connection = await connect(access, generation, { ...PATIENCE, ...patience }, clock);
  let spans: Promise<ItemSpans> | null = null;
  const tracing = async () => (spans ??= loadTracing().then((sdk) => new ItemSpans(sdk)));
  return {
    kind: 'langfuse',
    place: access.baseUrl,
    datasets: () => listDatasets(connection),
    dataset: (name) => getDataset(connection, name),
    saveDataset: (dataset) => saveDataset(connection, dataset),
    archiveDataset: async (name) => {
      throw new UsageError(
        `Langfuse cannot archive a dataset, so ${visible(shorten(name))} stays in its lists`,
        'archive its items instead, or delete it in Langfuse itself',
      );
    },
    items: (dataset, which) => listItems(connection, dataset, which),
    item: (id) => getItem(connection, id),
    saveItems: (dataset, items) => saveItems(connection, dataset, items),
    prompts: () => listPrompts(connection),
    prompt: (name, which) => getPrompt(connection, name, which),
    savePrompt: (prompt) => savePrompt(connection, prompt),
    labelPrompt: (name, version, labels) => labelPrompt(connection, name, version, labels),
    trace: (id) => fetchTrace(connection, id),
    observation: (id, traceId) => fetchObservation(connection, id, traceId),
    traces: (search) => searchTraces(connection, search),
    runTraces: (dataset, run) => tracesOfRuns(connection, dataset, run),
    runMetadata: (dataset, name) => runMetadata(connection, dataset, name),
    openRun: async (run) =>
      new LangfuseRun({ connection, run, links: await runLinks(connection, run), spans: tracing, settleMs }),
    close: async () => {
      if (spans !== null) await (await spans).close();
    },
  };
}
