import { closestNames, describe, UsageError } from '../../plugin.ts';
import { type Backend, checkName, type PromptRecord } from '../../experiment.ts';
import { FIRST_PROMPT } from '../backend-of.ts';
import * as flag from '../flags.ts';

export const VERSIONS = { from: 1, to: 2_147_483_647 };

/** Flags that choose a version of a prompt. */
export const WHICH_FLAGS = {
  label: flag.text('<label>', 'label of the version (default: production)'),
  version: flag.integer('<number>', 'number of the version', VERSIONS),
};

export function whichOf({ label, version }: flag.FlagValues<typeof WHICH_FLAGS>): {
  readonly label?: string;
  readonly version?: number;
} {
  if (label !== undefined && version !== undefined)
    throw new UsageError('--label and --version both choose a version', 'give one of them');
  return flag.defined({ label, version });
}

/** The version that was asked for; if it does not exist, the error lists those that do. */
export async function findPrompt(
  backend: Backend,
  name: string,
  which: { readonly label?: string; readonly version?: number },
): Promise<PromptRecord> {
  checkName('prompt', name);
  const found = await backend.prompt(name, which);
  if (found !== null) return found;
  const all = await backend.prompts();
  const summary = all.find((prompt) => prompt.name === name);
  if (summary === undefined) {
    const near = closestNames(
      name,
      all.map((prompt) => prompt.name),
    );
    throw new UsageError(
      `there is no prompt ${describe(name)} in ${backend.place}`,
      near.length > 0
        ? `did you mean ${near.join(' or ')}?`
        : all.length > 0
          ? 'assay prompt list shows them'
          : FIRST_PROMPT,
    );
  }
  const versions = summary.versions.toSorted((a, b) => a - b);
  throw new UsageError(
    which.version === undefined
      ? `no version of the prompt ${name} is labelled ${which.label ?? 'production'}`
      : `the prompt ${name} has no version ${which.version}`,
    `versions: ${versions.join(', ')}; labels: ${summary.labels.join(', ')}; --label or --version chooses`,
  );
}
