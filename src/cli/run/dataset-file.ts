import { basename, isAbsolute, relative, resolve } from 'node:path';

import { entryAt, InputError, type Problem, sourceOf, UsageError, visible } from '../../plugin.ts';
import {
  type Backend,
  goldOf,
  type Imported,
  importItems,
  type LoadedExperiment,
  NO_FIELD_MAP,
} from '../../experiment.ts';

const UPDATE_FLAG = '--update-dataset';
/** Names that are meant as files, unless a dataset has the name. */
export const FILE_NAME = /\.(?:jsonl?|csv)(?:\.gz|\.zst)?$/i;

export interface DatasetOfFile {
  readonly loaded: LoadedExperiment;
  /** The items of the file: whatever else the dataset has is not run. Null where a dataset was named. */
  readonly onlyItems: ReadonlySet<string> | null;
  /** Counts of the items that were added and changed; null where a dataset was named. */
  readonly imported: Imported | null;
}

/** The name of the dataset of a file. */
export function datasetNameOf(path: string): string {
  return basename(path).replace(/(?:\.(?:jsonl|json|csv|gz|zst))+$/i, '');
}

/** The file of items that stands where a dataset's name does; null where it is a name. */
export async function fileOfDataset(
  { experiment, folder }: LoadedExperiment,
  backend: Backend,
): Promise<string | null> {
  const name = experiment.dataset;
  const path = resolve(folder, name);
  const isFile = entryAt(path)?.isFile() === true;
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

/**
 * Imports a file of items into a dataset named after the file. Items that exist with other content are only changed with
 * `update`.
 */
export async function withDatasetOfFile(
  loaded: LoadedExperiment,
  backend: Backend,
  update: boolean,
): Promise<DatasetOfFile> {
  const { dataset, gold, task = null } = loaded.experiment;
  const path = await fileOfDataset(loaded, backend);
  if (path === null && gold !== undefined)
    throw new UsageError(
      `--gold ${visible(gold)}: the dataset ${visible(dataset)} is not a file and has its own expected outputs`,
      `leave --gold out, or import both: assay dataset import NAME FILE --gold ${gold}`,
    );
  if (path === null) return { loaded, onlyItems: null, imported: null };
  const file = sourceOf(relative('.', path));
  const goldFiles = await goldOf(loaded, file);
  const name = datasetNameOf(path);
  const onlyItems = new Set<string>();
  let imported: Imported;
  try {
    imported = await importItems({
      backend,
      dataset: name,
      update,
      files: { sources: [file], ...goldFiles, map: NO_FIELD_MAP, task },
      taken: (id) => void onlyItems.add(id),
    });
  } catch (error) {
    throw inWordsOfImport(error, dataset);
  }
  return { loaded: { ...loaded, experiment: { ...loaded.experiment, dataset: name } }, onlyItems, imported };
}

/** Flags of other commands that readers of files advise. */
const FLAGS_OF_OTHERS = /--(?:predictions|cases|rules|force)\b/;
const NO_GOLD = /^no gold items in this file\b/;
const LONGER_RECORDS = /(?:; )?if it is meant to be so long: --set data\.maxRecordMiB=N/i;

const NO_OUTPUT = /^expected an output, found nothing$/;

const OWN_COLUMNS = '--input COLUMN --expected COLUMN';

/** The same problems in words that help a user of `assay run`: files are read by code that other commands share. */
export function inWordsOfRun(error: unknown): unknown {
  return error instanceof InputError ? new InputError(error.problems.map(reworded), error.total) : error;
}

/** When a file of items is imported, there is no recipe yet whose settings could be changed, and no --prefix. */
export function inWordsOfImport(error: unknown, file: string): unknown {
  const next = (given: string): string =>
    given.includes('--prefix')
      ? `an id belongs to one dataset: assay dataset import NAME ${file} --prefix TEXT, then run with --dataset NAME`
      : given.includes('--input')
        ? `--task TASK reads the files of a task; others: assay dataset import NAME ${file} ${OWN_COLUMNS}, then run with --dataset NAME`
        : given.replace(LONGER_RECORDS, '').trim();
  if (error instanceof UsageError && error.next?.includes('--prefix') === true && !error.next.includes(UPDATE_FLAG))
    return new UsageError(error.message.split('\n'), next(error.next));
  if (!(error instanceof InputError)) return error;
  return new InputError(
    error.problems.map((problem) =>
      withNext(
        problem,
        NO_OUTPUT.test(problem.message)
          ? 'give expected outputs with --gold FILE, or keep outputs only with --recipe none'
          : next(problem.next ?? ''),
      ),
    ),
    error.total,
  );
}

function reworded(problem: Problem): Problem {
  // What is wrong with a dataset as a whole has no item.
  const plain = { ...problem, file: problem.file.replace(/, item $/, '') };
  if (NO_GOLD.test(problem.message))
    return {
      ...plain,
      message: 'no item has an expected output: there is nothing to score answers by',
      next: 'add it to the items, or keep outputs only with --recipe none',
    };
  if (!FLAGS_OF_OTHERS.test(problem.next ?? '')) return plain;
  return withNext(plain, 'assay dataset validate shows what an item has to hold');
}

function withNext({ next: _, ...problem }: Problem, next: string): Problem {
  return next === '' ? problem : { ...problem, next };
}
