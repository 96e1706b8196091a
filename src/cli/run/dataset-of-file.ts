import { statSync } from 'node:fs';
import { basename, isAbsolute, resolve } from 'node:path';

import { sourceOf, UsageError, visible } from '../../plugin.ts';
import { type Backend, importItems, type LoadedExperiment, NO_FIELD_MAP } from '../../experiment.ts';
import { inWordsOfImport } from './words-of-run.ts';

const FILE_NAME = /\.(?:jsonl?|csv)(?:\.gz)?$/i;

export interface DatasetOfFile {
  readonly loaded: LoadedExperiment;
  /** The items of the file: whatever else the dataset has is not run. Null where a dataset was named. */
  readonly onlyItems: ReadonlySet<string> | null;
}

/** The file of items that stands where a dataset's name does; null where it is a name. */
export async function fileOfDataset(
  { experiment, folder }: LoadedExperiment,
  backend: Backend,
): Promise<string | null> {
  const name = experiment.dataset;
  const path = resolve(folder, name);
  const isFile = statSync(path, { throwIfNoEntry: false })?.isFile() === true;
  // What is written as a path is not a name, and a server may refuse to look for it.
  const isPath = isAbsolute(name) || /^\.{1,2}[/\\]/.test(name);
  if (!isPath && !isFile && !FILE_NAME.test(name)) return null;
  if (!isPath && (await backend.dataset(name)) !== null) return null;
  if (isFile) return path;
  throw new UsageError(
    `--dataset ${visible(name)}: there is no such file${isPath ? '' : ', and no dataset of that name'}`,
    'check the path; assay dataset list shows the datasets',
  );
}

/** Brings a file of items into a dataset that is called like the file, and returns which items are meant. */
export async function withDatasetOfFile(loaded: LoadedExperiment, backend: Backend): Promise<DatasetOfFile> {
  const path = await fileOfDataset(loaded, backend);
  if (path === null) return { loaded, onlyItems: null };
  const name = basename(path).replace(/(?:\.(?:jsonl|json|csv|gz))+$/i, '');
  const onlyItems = new Set<string>();
  try {
    await importItems({
      backend,
      dataset: name,
      files: { sources: [sourceOf(path)], gold: null, map: NO_FIELD_MAP, task: loaded.experiment.task ?? null },
      taken: (id) => void onlyItems.add(id),
    });
  } catch (error) {
    throw inWordsOfImport(error, loaded.experiment.dataset);
  }
  return { loaded: { ...loaded, experiment: { ...loaded.experiment, dataset: name } }, onlyItems };
}
