import type { Case } from '../data/case.ts';
import { noNotices } from '../data/item-check.ts';
import { type Problems, UsageError } from '../data/problems.ts';
import { type CaseReader, type CaseSources, readCases } from '../data/read-cases.ts';
import type { ReadFile } from '../data/read-rows.ts';
import type { Plan } from '../recipe/plan.ts';
import { consultReader, readConsultFiles } from '../formats/consult/consult-reader.ts';
import { EVERY_COLUMN, withSliceColumns } from '../formats/consult/slice-columns.ts';

/** The cases of some files as the recipe's task reads them; `checked` is where problems go that are not to be thrown. */
export function caseReader(sources: CaseSources, plan: Plan, checked: Problems | null = null): CaseReader {
  return plan.task === 'consult' ? consultations(sources, plan) : readCases(sources, plan.data, checked);
}

/** The plan with `*` among its slices replaced by the columns that group these cases; any other plan as it is. */
export async function planOfCases({ cases, gold, predictions }: CaseSources, plan: Plan): Promise<Plan> {
  const driver = cases ?? gold;
  if (driver === undefined || predictions === undefined || !plan.slices.includes(EVERY_COLUMN)) return plan;
  const answers = [{ system: predictions.name, source: predictions }];
  return withSliceColumns(plan, await readConsultFiles(driver, answers, plan)).plan;
}

/** One system's consultations, without anybody's reviews. */
function consultations({ cases, gold, predictions }: CaseSources, plan: Plan): CaseReader {
  const notices = noNotices();
  let files: readonly ReadFile[] = [];
  async function* read(): AsyncGenerator<Case> {
    const driver = cases ?? gold;
    if (driver === undefined || predictions === undefined)
      throw new UsageError('consultations need the cases and the answers', 'give --cases FILE and --predictions FILE');
    const [own] = await readConsultFiles(driver, [{ system: predictions.name, source: predictions }], plan);
    const reader = consultReader(own!, plan);
    yield* reader;
    files = reader.files();
    Object.assign(notices, reader.notices);
  }
  return { [Symbol.asyncIterator]: read, files: () => files, notices };
}
