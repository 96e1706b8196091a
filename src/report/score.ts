import type { Case } from '../data/case.ts';
import { noNotices } from '../data/item-check.ts';
import type { CaseReader } from '../data/read-cases.ts';
import { type Source, sourceOf } from '../data/source.ts';
import { type Plan, planRecipe } from '../recipe/plan.ts';
import { caseReader } from '../formats/case-formats.ts';
import type { ScoreResult, ScoreSink } from '../score/score.ts';
import { scoreToFolder } from '../score/score-to-folder.ts';
import { scoreToRun } from '../score/score-to-run.ts';
import type { Texts } from './html/report-data.ts';
import { reportFiles } from './html/watch-report.ts';

/** Files by name or as sources, or cases from anywhere. */
export type ScoreInput = FileInput | Iterable<Case> | AsyncIterable<Case>;

export interface FileInput {
  readonly cases?: string | Source;
  readonly gold?: string | Source;
  readonly predictions?: string | Source;
}

export interface ScoreOptions extends ScoreSink {
  /** Lines laid over the recipe, as `--set` does: `['pair.assign=optimal']`. */
  readonly set?: readonly string[];
  /** Writes a run folder here; without it nothing is written. */
  readonly out?: string;
  /** How much of the texts its report.html holds: `full` unless told otherwise; `off`: no report.html. */
  readonly texts?: Texts | 'off';
}

/**
 * Scores by a preset, a recipe file or a recipe object, as the command line does. Cases stream through; the
 * verdicts of each go to `options.verdicts`, what they add up to goes to `options.case`.
 *
 * @example const { measures } = await score('pii/strict', { gold: 'gold.jsonl', predictions: 'out.jsonl' })
 */
export async function score(
  recipe: string | object,
  input: ScoreInput,
  options: ScoreOptions = {},
): Promise<ScoreResult> {
  const { set = [], out, texts = 'full' } = options;
  const plan = await planRecipe(recipe, set);
  const reader = Symbol.iterator in input || Symbol.asyncIterator in input ? madeCases(input) : fileCases(input, plan);
  const run =
    out === undefined
      ? await scoreToRun(plan, reader, { set, sink: options })
      : await scoreToFolder(plan, reader, { out, set, watch: reportFiles({ texts }), sink: options });
  const { comparable, notices } = run.manifest;
  return { ...run.measures, comparable, worst: run.worst, notices };
}

function fileCases(input: FileInput, plan: Plan): CaseReader {
  const sources = { cases: open(input.cases), gold: open(input.gold), predictions: open(input.predictions) };
  return caseReader(sources, plan);
}

/** Cases that a program made itself: there is no file to name and nothing was let pass in reading. */
function madeCases(cases: Iterable<Case> | AsyncIterable<Case>): CaseReader {
  return {
    async *[Symbol.asyncIterator]() {
      yield* cases;
    },
    files: () => [],
    notices: noNotices(),
  };
}

function open(given: string | Source | undefined): Source | undefined {
  return typeof given === 'string' ? sourceOf(given) : given;
}
