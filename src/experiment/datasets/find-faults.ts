import { type Problem, Problems } from '../../data/problems.ts';
import type { DatasetItemRecord } from '../../store/records.ts';
import { planItems } from './plan-import.ts';
import type { ItemFiles } from './read-items.ts';
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
  let checked = 0;
  for await (const { item, faults } of checkEach(makeItemValidator(schemas), items, (one) => one)) {
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
  const validate = makeItemValidator(schemas);
  const settings = { dataset: '', prefix: '', prints: new Map(), validate, otherDatasetOf: () => null };
  const checked = planItems(files, settings, new ReportedProblems(report), new Notes());
  return (await Array.fromAsync(checked, () => null)).length;
}

/** Problems that are told as they are found, however many. */
class ReportedProblems extends Problems {
  readonly #report: (fault: Fault) => void;

  constructor(report: (fault: Fault) => void) {
    super();
    this.#report = report;
  }

  override add(problem: Problem): void {
    super.add(problem);
    const { file, line, item = null, field = null, message, next = null } = problem;
    this.#report({ file, line, item, field, message, next });
  }
}
