import type { Case } from '../data/case.ts';
import { type CaseSources, readCases } from '../data/read-cases.ts';
import { type Source, sourceOf } from '../data/source.ts';
import { type Plan, planRecipe } from '../recipe/plan.ts';
import { scoreCases, type ScoreResult, type ScoreSink } from '../runs/score.ts';
import { scoreToFolder } from '../runs/score-to-folder.ts';
import { scoreToRun } from '../runs/score-to-run.ts';
import { markdownReport } from './markdown.ts';

/** Files by name or as sources, or cases from anywhere. */
export type ScoreInput =
  | { readonly cases?: string | Source; readonly gold?: string | Source; readonly predictions?: string | Source }
  | Iterable<Case>
  | AsyncIterable<Case>;

export interface ScoreOptions extends ScoreSink {
  /** Lines laid over the recipe, as `--set` does: `['pair.assign=optimal']`. */
  readonly set?: readonly string[];
  /** Writes a run folder here; without it nothing is written. Only for files as input. */
  readonly out?: string;
}

/**
 * Scores by a preset, a recipe file, a recipe object or a plan, as the command line does. Cases stream through; the
 * verdicts of each go to `options.verdicts`, what they add up to goes to `options.case`.
 *
 * @example const { measures } = await score('pii/strict', { gold: 'gold.jsonl', predictions: 'out.jsonl' })
 */
export async function score(
  recipe: string | object,
  input: ScoreInput,
  options: ScoreOptions = {},
): Promise<ScoreResult> {
  const plan: Plan = await planRecipe(recipe, options.set ?? []);
  if (Symbol.iterator in input || Symbol.asyncIterator in input) return scoreCases(plan, input, options);
  const sources: CaseSources = {
    cases: open(input.cases),
    gold: open(input.gold),
    predictions: open(input.predictions),
  };
  const run =
    options.out === undefined
      ? await scoreToRun(plan, readCases(sources, plan.data), { set: options.set ?? [], sink: options })
      : await scoreToFolder(plan, sources, {
          out: options.out,
          set: options.set ?? [],
          files: { 'report.md': markdownReport },
          sink: options,
        });
  const { signature, cases, measures, rules, confusion } = run.measures;
  return { signature, comparable: run.manifest.comparable, cases, measures, rules, confusion, worst: run.worst };
}

function open(given: string | Source | undefined): Source | undefined {
  return typeof given === 'string' ? sourceOf(given) : given;
}
