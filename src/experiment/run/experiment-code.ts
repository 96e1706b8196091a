import { recipeModules } from '../../recipe/recipe-modules.ts';
import type { LoadedExperiment } from './load-experiment.ts';
import { recipeOf } from './prepare-run.ts';

/** Targets that run what the user wrote. */
export const PROGRAM_TARGETS: ReadonlySet<string> = new Set(['command', 'module']);

/**
 * Returns why the settings of an earlier run must not be repeated unseen: they start code, or send items to any server;
 * null if they do neither. `recipe` is one that the user named, with its modules.
 */
export function reasonToBeNamed({ experiment, folder }: LoadedExperiment, recipe: string | undefined): string | null {
  const { target, set } = experiment;
  if (PROGRAM_TARGETS.has(target.use)) return `has a ${target.use} target, which runs code`;
  if ('allow' in target && target.allow === 'any') return 'has an http target that may ask any server';
  const used = recipeOf({ experiment, folder });
  if (used === null) return null;
  const named = new Set(recipe === undefined ? [] : recipeModules(recipe));
  const module = recipeModules(used, set).find((path) => !named.has(path));
  return module === undefined ? null : `has a recipe that loads the module ${module}`;
}
