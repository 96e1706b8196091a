import { UsageError } from '../data/problems.ts';
import { isRecord } from '../data/record-fields.ts';
import { visible } from '../data/visible.ts';
import type { ItemOptions } from '../store/dataset-items.ts';
import type { Page, Paged } from '../store/where.ts';
import type { DatasetItemRecord, DatasetRunRecord } from '../store/records.ts';
import { StoreConflict } from '../store/store-conflict.ts';
import { composePrompt } from '../store/prompt-composition.ts';
import { openStore, type Store } from '../store/store.ts';
import { compareText } from '../text/compare.ts';
import type {
  Backend,
  ExpectedTrace,
  FetchedTrace,
  FoundTraces,
  PromptSummary,
  RunSink,
  ScoreInit,
  TraceFields,
  TraceSearch,
  TraceSummary,
} from './backend.ts';
import { correctedOutput, type Correction } from './corrected-output.ts';
import { saveItemTrace, scoreCells } from './local-trace.ts';

const PAGE = 500;

/** Datasets, prompts, traces and scores in the store of a folder. */
export function localBackend(folder: string): Backend {
  const store = openStore(folder);
  return {
    kind: 'local',
    place: folder,
    datasets: async () =>
      [...everyPage((page) => store.datasets.list(page))].sort((a, b) => compareText(a.name, b.name)),
    dataset: async (name) => store.datasets.get(name),
    saveDataset: async (dataset) => asUsage(() => store.datasets.save(dataset)),
    archiveDataset: async (name) => asUsage(() => store.datasets.archive(name)),
    items: (dataset, options) => items(store, dataset, options),
    item: async (id) => store.datasets.item(id),
    saveItems: async (dataset, list) => asUsage(() => store.datasets.saveItems(dataset, list)),
    prompts: async () => [...everyPage((page) => store.prompts.list({}, page))].map(promptSummary),
    prompt: async (name, which) => {
      const found = store.prompts.get(name, which);
      return found === null ? null : asUsage(() => composePrompt(store.prompts, found).prompt);
    },
    savePrompt: async (prompt) => asUsage(() => store.prompts.create(prompt)),
    labelPrompt: async (name, version, labels) => {
      const labelled = asUsage(() => store.prompts.setLabels(name, version, labels));
      if (labelled === null)
        throw new UsageError(`there is no version ${version} of a prompt ${visible(name)} in ${folder}`);
      return labelled;
    },
    trace: async (id) => fetchedTrace(store, id),
    observation: async (id, traceId) => fetchedObservation(store, id, traceId),
    traces: async (search) => foundTraces(store, search),
    runTraces: async function* (dataset, run) {
      yield* everyPage((page) => store.runs.traces({ datasetName: dataset.name, runName: run }, page));
    },
    runMetadata: async (dataset, name) => {
      const run = store.runs.get(dataset.name, name);
      return run === null ? null : isRecord(run.metadata) ? run.metadata : {};
    },
    openRun: async ({ dataset, name, description, metadata, traces = {} }) =>
      localRun(
        store,
        asUsage(() => store.runs.save({ datasetName: dataset.name, name, description, metadata })),
        traces,
      ),
    close: async () => store.close(),
  };
}

async function* items(store: Store, dataset: string, options: ItemOptions = {}): AsyncGenerator<DatasetItemRecord> {
  yield* asUsage(() => store.datasets.items(dataset, options));
}

function* everyPage<T>(list: (page: Page) => Paged<T>): Generator<T> {
  for (let page = 1; ; page += 1) {
    const { rows, total } = list({ page, limit: PAGE });
    yield* rows;
    if (page * PAGE >= total) return;
  }
}

function promptSummary({ name, versions, labels, tags }: PromptSummary): PromptSummary {
  return { name, versions, labels, tags };
}

function fetchedTrace(store: Store, id: string): FetchedTrace | null {
  const found = store.traces.get(id);
  if (found === null) return null;
  const { name, input, output, metadata } = found;
  const root = store.traces.observationsOf(id).find(({ parentObservationId }) => parentObservationId === null);
  const corrected = correctedOutput(correctionsOf(store, id), [null, root?.id ?? null], output);
  return { id, observationId: null, name, input, output, corrected, metadata, url: null };
}

function fetchedObservation(store: Store, id: string, traceId?: string): FetchedTrace | null {
  const found = store.traces.observation(id);
  if (found === null || (traceId !== undefined && found.traceId !== traceId)) return null;
  const { name, input, output, metadata } = found;
  const corrected = correctedOutput(correctionsOf(store, found.traceId), [id], output);
  return { id: found.traceId, observationId: id, name, input, output, corrected, metadata, url: null };
}

function correctionsOf(store: Store, traceId: string): Correction[] {
  return store.scores
    .ofTrace(traceId)
    .filter(({ dataType }) => dataType === 'CORRECTION')
    .map(({ stringValue, observationId, timestamp }) => ({ text: stringValue ?? '', observationId, time: timestamp }));
}

function foundTraces(store: Store, { from, to, limit, environment, ...search }: TraceSearch): TraceSummary[] {
  const filter = {
    ...search,
    fromTimestamp: from,
    toTimestamp: to,
    ...(environment === undefined ? {} : { environment: [environment] }),
  };
  return store.traces.list(filter, { page: 1, limit }).rows.map((trace): TraceSummary => {
    const { id, timestamp, name, userId, sessionId, tags } = trace;
    const root = store.traces.observationsOf(id).find(({ parentObservationId }) => parentObservationId === null);
    const error = root?.level === 'ERROR' ? (root.statusMessage ?? 'ERROR') : null;
    return { id, time: timestamp, name, userId, sessionId, environment: trace.environment, tags, error };
  });
}

/** A run in the local store. */
function localRun(store: Store, run: DatasetRunRecord, fields: TraceFields): RunSink {
  return {
    publish: async (traces) => {
      for (const { scores } of traces) refuseNoNumbers(scores);
      asUsage(() =>
        store.transaction(() => {
          for (const trace of traces) saveItemTrace(store, run, trace, fields);
        }),
      );
    },
    scoreRun: async (scores) => {
      refuseNoNumbers(scores);
      asUsage(() =>
        store.transaction(() => {
          for (const score of scores) store.scores.put({ ...scoreCells(score, fields), datasetRunId: run.id });
        }),
      );
    },
    counts: async (traces) => countsOf(store, run.id, traces),
    url: async () => null,
  };
}

function refuseNoNumbers(scores: readonly ScoreInit[]): void {
  for (const { id, name, value } of scores)
    if (!Number.isFinite(value))
      throw new UsageError(`the score ${visible(name)} (${visible(id)}) is ${value}, and only numbers are published`);
}

function countsOf(store: Store, runId: string, wanted: Iterable<ExpectedTrace>): FoundTraces {
  const expected = [...wanted];
  let traces = 0;
  let scores = 0;
  const short: string[] = [];
  for (let from = 0; from < expected.length; from += PAGE) {
    const chunk = expected.slice(from, from + PAGE);
    const ids = chunk.map(({ traceId }) => traceId);
    const found = store.runs.count(runId, ids);
    traces += found.traces;
    scores += found.scores;
    if (found.traces === chunk.length && found.scores >= chunk.reduce((sum, one) => sum + one.scores, 0)) continue;
    for (const { traceId, scores: most } of chunk) {
      const own = store.runs.count(runId, [traceId]);
      if (own.traces === 0 || own.scores < most) short.push(traceId);
    }
  }
  return { traces, scores, short };
}

/** What contradicts the store is the user's to mend when it is the user who asked. */
export function asUsage<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw error instanceof StoreConflict ? new UsageError(error.message) : error;
  }
}
