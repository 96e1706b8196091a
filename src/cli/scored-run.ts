import { UsageError } from '../data/problems.ts';
import { type Plan, planRecipe } from '../recipe/plan.ts';
import { presetNames } from '../recipe/presets.ts';
import { shellWord } from '../report/shell-word.ts';
import { canonicalJson } from '../score/fingerprint.ts';
import { type RunInput, runInputs } from '../score/run-inputs.ts';
import type { Run } from '../score/run.ts';
import type { SourceFlags } from './scored-sources.ts';

/** Commands that score the files of a run again. */
export type ScoresAgain = 'waterfall' | 'sweep';

const LACKS: Readonly<Record<ScoresAgain, string>> = {
  waterfall: 'has no waterfall',
  sweep: 'cannot be scored again',
};

/** With a run, flags that name files or change how they are scored would go unheard. */
export function refuseSources(flags: SourceFlags): void {
  const { cases, gold, predictions, reviews, review, run, set, format, offsets, columns, system } = flags;
  const sources = { cases, gold, predictions, reviews, review, run, set, format, offsets, columns, system };
  const flag = Object.entries(sources).find(([, value]) => value !== undefined && value.length > 0);
  if (flag !== undefined)
    throw new UsageError(
      `--${flag[0]}: a run already defines what is scored and how`,
      'name the recipe instead of the folder to score something else',
    );
}

/** The recipe of a run, if it is one of ours and has not changed since. */
export async function planOfRun({ folder, manifest }: Run, command: ScoresAgain): Promise<Plan> {
  const { name, set, resolved } = manifest.recipe;
  if (!presetNames().includes(name))
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

/** The files that were scored, where they are as they were. */
export async function inputsOfRun(run: Run, command: ScoresAgain): Promise<SourceFlags> {
  const found = new Map<string, string[]>();
  for (const input of await runInputs(run)) {
    if (input.path === null || input.state !== 'as it was')
      throw new UsageError(
        `${run.folder} ${LACKS[command]}, and ${input.name} that was scored is ${whyNot(input)}`,
        `name the recipe and the files: assay ${command} ${shellWord(run.manifest.recipe.name)} --cases FILE …`,
      );
    found.set(input.role, [...(found.get(input.role) ?? []), input.path]);
  }
  const [cases] = found.get('cases') ?? [];
  const [gold] = found.get('gold') ?? [];
  const predictions = found.get('predictions');
  const reviews = found.get('reviews');
  return {
    ...(cases === undefined ? {} : { cases }),
    ...(gold === undefined ? {} : { gold }),
    ...(predictions === undefined ? {} : { predictions }),
    ...(reviews === undefined ? {} : { reviews }),
  };
}

function whyNot({ path, state, why }: RunInput): string {
  if (path === null) return 'not to be found: timing.json does not say where it is';
  if (state === 'gone') return `gone from ${path}`;
  return state === 'unreadable' ? `not readable at ${path} (${why})` : `another one now at ${path}`;
}
