import { FORMATS } from '../data/formats.ts';
import { Problems } from '../data/problems.ts';
import { readSide } from '../data/read-cases.ts';
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
  const checkAs = (role: FileLook['role']): Promise<DataCheck> => {
    const problems = new Problems(null, MOST_PROBLEMS);
    return checkCases(plan, readSide(source, role, plan.data, problems), problems);
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
