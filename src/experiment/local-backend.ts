import { UsageError } from '../data/problems.ts';
import { isRecord } from '../data/record-fields.ts';
import { visible } from '../data/visible.ts';
import type { Page, Paged } from '../store/page.ts';
import type { DatasetItemRecord } from '../store/records.ts';
import { composePrompt } from '../store/prompt-composition.ts';
import { openStore, type Store } from '../store/store.ts';
import { compareText } from '../text/compare.ts';
import type { Backend, FetchedTrace, PromptSummary } from './backend.ts';
import { asUsage } from './local-conflict.ts';
import { localRun } from './local-run.ts';

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
    items: (dataset, options) => items(store, dataset, options?.archived ?? false),
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

async function* items(store: Store, dataset: string, archived: boolean): AsyncGenerator<DatasetItemRecord> {
  yield* asUsage(() => store.datasets.items(dataset, { archived }));
}

function* everyPage<T>(list: (page: Page) => Paged<T>): Generator<T> {
  for (let page = 1; ; page += 1) {
    const { rows, total } = list({ page, limit: PAGE });
    yield* rows;
    if (page * PAGE >= total) return;
  }
}

function promptSummary({ name, versions, labels }: PromptSummary): PromptSummary {
  return { name, versions, labels };
}

function fetchedTrace(store: Store, id: string): FetchedTrace | null {
  const found = store.traces.get(id);
  if (found === null) return null;
  const { name, input, output, metadata } = found;
  return { id, name, input, output, metadata, url: null };
}
