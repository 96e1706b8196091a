import { UsageError } from '../data/problems.ts';
import { isRecord } from '../data/record-fields.ts';
import { visible } from '../data/visible.ts';
import type { Page, Paged } from '../store/store-part.ts';
import type { DatasetRunRecord, ObservationRecord, TraceRecord } from '../store/records.ts';
import { StoreConflict } from '../store/store-conflict.ts';
import { composePrompt } from '../store/prompt-composition.ts';
import { openStore, type Store } from '../store/store.ts';
import { compareText } from '../text/compare.ts';
import type { Backend, ExpectedTrace, RunSink, ScoreInit, TraceFields, TraceSearch } from './backend.ts';
import { correctedOutput } from './corrected-output.ts';
import { idOfOther } from './datasets/names.ts';
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
    items: async function* (dataset, options = {}) {
      yield* asUsage(() => store.datasets.items(dataset, options));
    },
    item: async (id) => store.datasets.item(id),
    itemRefusal: (dataset, { id = '' }) => {
      const owner = store.datasets.item(id)?.datasetName ?? dataset;
      return owner === dataset ? null : idOfOther(id, owner);
    },
    saveItems: async (dataset, list) => asUsage(() => store.datasets.saveItems(dataset, list)),
    prompts: async () =>
      everyPage((page) => store.prompts.list({}, page))
        .map(({ name, versions, labels, tags }) => ({ name, versions, labels, tags }))
        .toArray(),
    prompt: async (name, which) => {
      const found = store.prompts.get(name, which);
      return found && asUsage(() => composePrompt(store.prompts, found).prompt);
    },
    savePrompt: async (prompt) => asUsage(() => store.prompts.create(prompt)),
    labelPrompt: async (name, version, labels) => {
      const labelled = asUsage(() => store.prompts.setLabels(name, version, labels));
      if (labelled === null)
        throw new UsageError(`there is no version ${version} of a prompt ${visible(name)} in ${folder}`);
      return labelled;
    },
    trace: async (id) => {
      const found = store.traces.get(id);
      return found && fetched(store, found, id, null);
    },
    observation: async (id, traceId) => {
      const found = store.traces.observation(id);
      const isMeant = found !== null && found.traceId === (traceId ?? found.traceId);
      return isMeant ? fetched(store, found, found.traceId, id) : null;
    },
    traces: async (search) => foundTraces(store, search),
    runTraces: async function* (dataset, run) {
      yield* everyPage((page) => store.runs.traces({ datasetName: dataset.name, runName: run }, page));
    },
    runMetadata: async (dataset, name) => {
      const run = store.runs.get(dataset.name, name);
      return run === null ? null : isRecord(run.metadata) ? run.metadata : {};
    },
    openRun: async ({ dataset, name, description, metadata, traces = {} }) => {
      const run = asUsage(() => store.runs.save({ datasetName: dataset.name, name, description, metadata }));
      return localRun(store, run, traces);
    },
    close: async () => store.close(),
  };
}

function* everyPage<T>(list: (page: Page) => Paged<T>): Generator<T> {
  for (let page = 1; ; page += 1) {
    const { rows, total } = list({ page, limit: PAGE });
    yield* rows;
    if (page * PAGE >= total) return;
  }
}

/** Of a trace as a whole, what corrects its root corrects it too. */
function fetched(store: Store, found: TraceRecord | ObservationRecord, id: string, observationId: string | null) {
  const { name, input, output, metadata } = found;
  const subjects = observationId === null ? [null, rootOf(store, id)?.id ?? null] : [observationId];
  const corrections = store.scores
    .ofTrace(id)
    .filter(({ dataType }) => dataType === 'CORRECTION')
    .map((score) => ({ text: score.stringValue ?? '', observationId: score.observationId, time: score.timestamp }));
  const corrected = correctedOutput(corrections, subjects, output);
  return { id, observationId, name, input, output, corrected, metadata, url: null };
}

function rootOf(store: Store, traceId: string): ObservationRecord | undefined {
  return store.traces.observationsOf(traceId).find(({ parentObservationId }) => parentObservationId === null);
}

function foundTraces(store: Store, { from, to, limit, environment: wanted, ...search }: TraceSearch) {
  const own = wanted === undefined ? {} : { environment: [wanted] };
  const filter = { ...search, fromTimestamp: from, toTimestamp: to, ...own };
  const { rows } = store.traces.list(filter, { page: 1, limit });
  return rows.map(({ id, timestamp: time, name, userId, sessionId, environment, tags }) => {
    const root = rootOf(store, id);
    const error = root?.level === 'ERROR' ? (root.statusMessage ?? 'ERROR') : null;
    return { id, time, name, userId, sessionId, environment, tags, error };
  });
}

/** A run in the local store. */
function localRun(store: Store, run: DatasetRunRecord, fields: TraceFields): RunSink {
  const saveAll = <T>(all: readonly T[], scores: readonly ScoreInit[], save: (one: T) => void): void => {
    for (const { id, name, value } of scores)
      if (!Number.isFinite(value))
        throw new UsageError(`the score ${visible(name)} (${visible(id)}) is ${value}, and only numbers are published`);
    asUsage(() => store.transaction(() => all.forEach(save)));
  };
  return {
    async publish(traces) {
      const scores = traces.flatMap((trace) => trace.scores);
      saveAll(traces, scores, (trace) => saveItemTrace(store, run, trace, fields));
    },
    scoreRun: async (scores) =>
      saveAll(scores, scores, (score) => store.scores.put({ ...scoreCells(score, fields), datasetRunId: run.id })),
    counts: async (traces) => countsOf(store, run.id, traces),
    url: async () => null,
  };
}

function countsOf(store: Store, runId: string, wanted: Iterable<ExpectedTrace>) {
  const expected = [...wanted];
  const counts = { traces: 0, scores: 0 };
  const short: string[] = [];
  const countOf = (some: readonly ExpectedTrace[]) => {
    const ids = some.map(({ traceId }) => traceId);
    const found = store.runs.count(runId, ids);
    const scores = some.reduce((sum, one) => sum + one.scores, 0);
    return { ...found, isShort: found.traces < some.length || found.scores < scores };
  };
  for (let from = 0; from < expected.length; from += PAGE) {
    const chunk = expected.slice(from, from + PAGE);
    const { traces, scores, isShort } = countOf(chunk);
    counts.traces += traces;
    counts.scores += scores;
    if (isShort) short.push(...chunk.filter((one) => countOf([one]).isShort).map(({ traceId }) => traceId));
  }
  return { ...counts, short };
}

/** What contradicts the store is the user's to fix if the user asked for it. */
export function asUsage<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw error instanceof StoreConflict ? new UsageError(error.message) : error;
  }
}
