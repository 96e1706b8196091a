import { type Problem, Problems } from '../../data/problems.ts';
import type { DatasetItemRecord } from '../../store/records.ts';
import { ImportPlan } from './plan-import.ts';
import { type ItemFiles, readItems } from './read-items.ts';
import { Notes } from './record-item.ts';
import { type ItemSchemas, checkEach, makeItemValidator } from './validate-item.ts';

/** One thing wrong with one item of a dataset or of a file. */
export interface Fault {
  readonly file: string | null;
  readonly line: number | null;
  readonly item: string | null;
  readonly field: string | null;
  readonly message: string;
  readonly next: string | null;
}

/** Checks items that are kept; how many there were. */
export async function faultsInDataset(
  items: AsyncIterable<DatasetItemRecord>,
  schemas: ItemSchemas,
  report: (fault: Fault) => void,
): Promise<number> {
  const validate = makeItemValidator(schemas);
  let checked = 0;
  for await (const { item, faults } of checkEach(validate, items)) {
    checked += 1;
    for (const { path, message } of faults)
      report({ file: null, line: null, item: item.id, field: path, message, next: null });
  }
  return checked;
}

/** Checks the items of files, as importing them would; how many could be read. */
export async function faultsInFile(
  files: ItemFiles,
  schemas: ItemSchemas,
  report: (fault: Fault) => void,
): Promise<number> {
  let item: string | null = null;
  const problems = new ReportedProblems((problem) =>
    report({
      file: problem.file,
      line: problem.line,
      item,
      field: problem.field ?? null,
      message: problem.message,
      next: problem.next ?? null,
    }),
  );
  const notes = new Notes();
  const plan = new ImportPlan(
    {
      dataset: '',
      prefix: '',
      prints: new Map(),
      validators: [makeItemValidator(schemas)],
      otherDatasetOf: () => null,
    },
    problems,
    notes,
  );
  let checked = 0;
  for await (const batch of readItems(files, problems, notes)) {
    const faults = plan.faultsOf(batch);
    for (const [at, read] of batch.entries()) {
      checked += 1;
      item = read.item.id ?? null;
      plan.take(read, faults[at]);
      item = null;
    }
  }
  return checked;
}

/** Problems that are told as they are found, however many. */
class ReportedProblems extends Problems {
  readonly #report: (problem: Problem) => void;

  constructor(report: (problem: Problem) => void) {
    super();
    this.#report = report;
  }

  override add(problem: Problem): void {
    super.add(problem);
    this.#report(problem);
  }
}
