import { relative, resolve, sep } from 'node:path';

import { z } from 'zod';

import { sha256Of } from '../../data/sha256-of.ts';
import { sortedJson } from '../../data/sorted-json.ts';
import { presetNamed } from '../../recipe/presets.ts';
import { experimentSchema } from '../run/experiment-schema.ts';
import type { LoadedExperiment } from '../run/load-experiment.ts';
import { experimentPlan, type PreparedRun } from '../run/prepare-run.ts';
import { readRecord } from '../run/run-folder.ts';
import { PROGRAM_TARGETS } from '../run/experiment-code.ts';
import { openTarget } from '../targets/target-kinds.ts';
import { type JobKind, pathUnderRoot, RefusedJob } from './jobs.ts';
import { questionJobs, type QueueFile } from './question-jobs.ts';

export const EXPERIMENT_JOBS = 'experiment';

const asked = z.object({
  /** What of the experiment decides how its target is opened. */
  experiment: experimentSchema.pick({ task: true, target: true, recipe: true, set: true }),
  /** Of the experiment's file, from the shared root; null if it is outside. */
  folder: z.string().nullable(),
});

/** What workers need to know of a run. */
export function experimentAsks(
  { experiment, folder }: LoadedExperiment,
  { settings }: Pick<PreparedRun, 'settings'>,
  root: string,
): Omit<QueueFile, 'format' | 'session'> {
  const { task, target, recipe, set, prices = null } = experiment;
  const path = relative(root, resolve(folder));
  const isOutside = path === '..' || path.startsWith(`..${sep}`);
  const asks: z.input<typeof asked> = {
    experiment: { task, target, recipe, set },
    folder: isOutside ? null : path.split(sep).join('/') || '.',
  };
  return { policy: settings.policy, prices, rates: settings.rates, asks };
}

/** Jobs of `assay run`: items of a run folder, asked as the run itself would. */
export const experimentJobs: JobKind = questionJobs(
  EXPERIMENT_JOBS,
  async (asks, timeoutMs, folder, { root, environment, allowPrograms }) => {
    const { data } = asked.safeParse(asks);
    const record = readRecord(folder);
    if (data === undefined || record === null)
      throw new RefusedJob(`${folder} holds no run that this version of assay can work on`, 'use the same version');
    const { experiment } = data;
    const { use } = experiment.target;
    if (PROGRAM_TARGETS.has(use) && !allowPrograms)
      throw new RefusedJob(
        `the target of ${folder} is a ${use}, which runs code of the user's`,
        'start the worker with --allow-programs if the queue and the folder can be trusted',
      );
    const own = data.folder === null ? folder : pathUnderRoot(root, data.folder);
    // A recipe file may load modules.
    const mayPlan = allowPrograms || experiment.recipe === undefined || isPreset(experiment.recipe);
    const plan = mayPlan ? await experimentPlan({ experiment, folder: own }) : null;
    const target = await openTarget(experiment.target, {
      folder: own,
      environment,
      prompt: record.prompt,
      plan,
      timeoutMs,
    });
    const { server: _, ...identity } = target.identity;
    if (sha256Of(sortedJson(identity)) !== record.target) {
      await target.close();
      throw new RefusedJob(
        `${folder}: this worker would ask something else than the run does`,
        'use the same version of assay and the same files; a recipe file needs --allow-programs',
      );
    }
    return {
      question: ({ id, input, metadata = null }, [, repeat]) => ({ target, given: { id, input, metadata, repeat } }),
      close: () => target.close(),
    };
  },
);

function isPreset(recipe: string): boolean {
  return recipe === 'none' || presetNamed(recipe) !== null;
}
