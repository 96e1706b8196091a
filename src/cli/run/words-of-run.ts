import { InputError, type Problem, UsageError } from '../../plugin.ts';

/** Flags of other commands that readers of files advise. */
const FLAGS_OF_OTHERS = /--(?:gold|predictions|cases|rules|force)\b/;
const NO_GOLD = /^no gold items in this file\b/;
const LONGER_RECORDS = /(?:; )?if it is meant to be so long: --set data\.maxRecordMiB=N/i;

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
  if (error instanceof UsageError && error.next?.includes('--prefix') === true)
    return new UsageError(error.message.split('\n'), next(error.next));
  if (!(error instanceof InputError)) return error;
  return new InputError(
    error.problems.map((problem) => withNext(problem, next(problem.next ?? ''))),
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
