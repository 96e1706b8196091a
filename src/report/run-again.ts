import { waterfallShape, type Waterfall } from '../compare/waterfall/waterfall.ts';
import { UsageError } from '../data/problems.ts';
import { formatOf } from '../formats/case-formats.ts';
import { type Plan, planRecipe } from '../recipe/plan.ts';
import { presetNamed } from '../recipe/presets.ts';
import { canonicalJson } from '../score/fingerprint.ts';
import { type RunInput, runInputs } from '../score/run-inputs.ts';
import type { Run } from '../score/run.ts';
import { readFigures } from './html/run-parts.ts';
import { shellWord } from './shell-word.ts';

/** Commands that score the files of a run again. */
export type ScoresAgain = 'waterfall' | 'sweep';

const LACKS: Readonly<Record<ScoresAgain, string>> = {
  waterfall: 'has no waterfall',
  sweep: 'cannot be scored again',
};

/** The paths of the files that a run was scored from, by their roles. */
export interface RunPaths {
  readonly cases?: readonly string[];
  readonly gold?: readonly string[];
  readonly predictions?: readonly string[];
  readonly reviews?: readonly string[];
}

/** The recipe of a run, if it is one of ours and has not changed since, and the files, where they are as they were. */
export async function runAgain(
  run: Run,
  command: ScoresAgain,
): Promise<{ readonly plan: Plan; readonly files: RunPaths }> {
  return { files: await inputsOfRun(run, command), plan: await planOfRun(run, command) };
}

async function planOfRun({ folder, manifest }: Run, command: ScoresAgain): Promise<Plan> {
  const { name, set, resolved } = manifest.recipe;
  if (presetNamed(name) === null)
    throw new UsageError(
      `${folder} ${LACKS[command]}, and a run does not say where its recipe ${name} is`,
      `name the file instead of the folder: assay ${command} ${shellWord(name)} --cases FILE …`,
    );
  const plan = await planRecipe(name, [...set]);
  if (scoringOf(plan.resolved) === scoringOf(resolved)) return plan;
  throw new UsageError(
    `${folder}: ${name} is not what it was when this was scored by assay ${manifest.assay}`,
    `score again, then ask for the ${command}`,
  );
}

/** All but the slices: if the recipe has `*`, a run names those of its files, and no overall number depends on them. */
function scoringOf(resolved: Readonly<Record<string, unknown>>): string {
  return canonicalJson(JSON.parse(JSON.stringify({ ...resolved, slice: null })));
}

async function inputsOfRun(run: Run, command: ScoresAgain): Promise<RunPaths> {
  const inputs = (await runInputs(run)).map((input) => {
    if (input.path !== null && input.state === 'as it was') return { role: input.role, path: input.path };
    throw new UsageError(
      `${run.folder} ${LACKS[command]}, and ${input.name} that was scored is ${whyNot(input)}`,
      `name the recipe and the files: assay ${command} ${shellWord(run.manifest.recipe.name)} --cases FILE …`,
    );
  });
  const { cases, gold, predictions, reviews } = Object.groupBy(inputs, ({ role }) => role);
  return {
    ...(cases === undefined ? {} : { cases: cases.map(({ path }) => path) }),
    ...(gold === undefined ? {} : { gold: gold.map(({ path }) => path) }),
    ...(predictions === undefined ? {} : { predictions: oneSystem(predictions) }),
    ...(reviews === undefined ? {} : { reviews: reviews.map(({ path }) => path) }),
  };
}

/** Files of the same name are of one system. */
function oneSystem(files: readonly { readonly path: string }[]): string[] {
  return files.map(({ path }) => (files.length === 1 ? path : `system=${path}`));
}

function whyNot({ path, state, why }: RunInput): string {
  if (path === null) return 'not to be found: timing.json does not say where it is';
  if (state === 'gone') return `gone from ${path}`;
  return state === 'unreadable' ? `not readable at ${path} (${why})` : `another one now at ${path}`;
}

/** The waterfall that was made when a run was scored; null if none was, and it can be made from the files. */
export async function keptWaterfall(run: Run): Promise<Waterfall | null> {
  const figures = await readFigures(run);
  const known = waterfallShape.safeParse(figures?.waterfall);
  if (known.success) return known.data;
  const { isPaired, noWaterfall, refusals } = formatOf(run.manifest);
  if (isPaired) return null;
  throw new UsageError(
    `${run.folder} has no waterfall: ${figures?.noWaterfall ?? noWaterfall ?? 'its items are not paired'}`,
    refusals.waterfall?.[1],
  );
}
