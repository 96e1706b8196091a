import { z } from 'zod';

import { UsageError } from '../../data/problems.ts';
import { shorten, visible } from '../../data/visible.ts';
import type { Backend } from '../../experiment/backend.ts';
import type { DatasetRecord } from '../../store/records.ts';
import type { ApiGeneration } from '../shapes/endpoint.ts';
import { langfuseAccess } from './access.ts';
import { type Clock, PATIENCE, type Patience } from './calls.ts';
import { connect, type Connection } from './connection.ts';
import { getDataset, getItem, listDatasets, listItems, saveDataset, saveItems } from './datasets.ts';
import { itemRefusal } from './item-request.ts';
import type { Environment } from '../../experiment/models/access.ts';
import { openLangfuseRun } from './langfuse-run.ts';
import { EARLIEST, fetchObservation, fetchTrace, searchTraces, tracesOfRuns } from './traces.ts';
import { olderRunMetadata } from './older-api.ts';
import { getPrompt, labelPrompt, listPrompts, savePrompt } from './prompts.ts';

export interface LangfuseOptions {
  readonly environment?: Environment;
  /** The only generation of the API to be used; without it the server is asked what it has. */
  readonly generation?: ApiGeneration;
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
    itemRefusal,
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
    openRun: (run) => openLangfuseRun(connection, run, settleMs),
    close: async () => undefined,
  };
}

const metadata = z.record(z.string(), z.unknown());

const experimentsAnswer = z.object({
  data: z.array(z.object({ name: z.string(), metadata: metadata.nullish() })),
});

/** The metadata of the run of this name; null if absent. Newer servers are asked first. */
async function runMetadata(
  connection: Connection,
  dataset: DatasetRecord,
  name: string,
): Promise<Readonly<Record<string, unknown>> | null> {
  const { api, calls, generation } = connection;
  if (generation !== 3) {
    const found = await calls.find('list experiments', experimentsAnswer, (options) =>
      api.experiments.list(
        { fromStartTime: EARLIEST, name, datasetId: dataset.id, fields: 'core,metadata', limit: 1 },
        options,
      ),
    );
    if (found !== null && (found.data.length > 0 || generation === 4)) return found.data[0]?.metadata ?? null;
  }
  return olderRunMetadata(connection, dataset, name);
}
