import type { ReadOptions, Role } from '../data/format.ts';
import { FORMATS } from '../data/formats.ts';
import { noNotices } from '../data/item-check.ts';
import { joinCase } from '../data/join-case.ts';
import { reportFits, sideFits } from '../data/offset-fits.ts';
import { Problems } from '../data/problems.ts';
import type { CaseReader } from '../data/read-cases.ts';
import { rowReader } from '../data/read-rows.ts';
import { reopenable, type Source } from '../data/source.ts';
import { type Plan, planRecipe } from '../recipe/plan.ts';
import { checkCases, type DataCheck, MOST_PROBLEMS } from './check-data.ts';
import { type FileContents, type FileLook, fittingPreset, lookAtFile } from './file-look.ts';

/** What is in one file, and what is wrong with it. */
export interface DataFileCheck extends DataCheck {
  /** Annotations: one side, which may be gold or what a system predicted. */
  readonly contents: FileContents;
  /** Whether its records have the texts. */
  readonly hasTexts: boolean;
}

/** Reads a file by itself, as scoring would, and reports what it is, what is wrong with it and what is odd. */
export async function checkFile(given: Source, set: readonly string[] = []): Promise<DataFileCheck> {
  const source = await reopenable(given);
  const look = await lookAtFile(source, set);
  const plan = await plainestPlan(look, set);
  const checkAs = (role: Role): Promise<DataCheck> => {
    const problems = new Problems(null, MOST_PROBLEMS);
    return checkCases(plan, fileReader(source, role, plan.data, problems), problems);
  };
  let { contents } = look;
  let check = await checkAs(look.role);
  // Quotes that are not in the text are a fault of gold, but not of a file of predictions.
  const isOutput = FORMATS.some((format) => format.kind === 'json' && format.isOutput && format.name === look.format);
  const asOutput =
    contents === 'annotations' && check.problems.total > 0 && isOutput ? await checkAs('predictions') : null;
  if (asOutput !== null && asOutput.problems.total < check.problems.total)
    [check, contents] = [asOutput, 'predictions'];
  // One side is all that a file of annotations has, and without a custom recipe there is no list of labels.
  const skipped = check.skipped.filter((what) => !/^(?:no (?:gold|predictions)|labels against a list):/.test(what));
  return { ...check, skipped, contents, hasTexts: look.hasTexts };
}

/** The preset that fits. Those of the five documents are read without their lists of labels and values. */
async function plainestPlan(look: FileLook, set: readonly string[]): Promise<Plan> {
  const plan = await planRecipe(fittingPreset([look]) ?? 'spans/strict', set);
  return look.kinds.has('object') && look.format !== 'journal'
    ? { ...(await planRecipe({ task: plan.task }, set)), name: plan.name }
    : plan;
}

/** The cases of one file, whichever side it has. */
function fileReader(source: Source, role: Role, options: ReadOptions, problems: Problems): CaseReader {
  const reader = rowReader(source, role, options, problems);
  const names = { driver: source.name, gold: source.name, predictions: source.name };
  const notices = noNotices();
  const fits = sideFits();
  return {
    async *[Symbol.asyncIterator]() {
      for await (const batch of reader.rows())
        for (const row of batch) {
          const [gold, predicted] = [
            row.gold === null ? null : row,
            row.predicted === null && row.failed === null ? null : row,
          ];
          yield joinCase(row, gold, predicted, { names, options, problems, notices, fits });
        }
      reportFits(fits, options, problems);
    },
    files: () => [reader.done()],
    notices,
  };
}
