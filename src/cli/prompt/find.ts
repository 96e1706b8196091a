import { UsageError } from '../../data/problems.ts';
import { describe } from '../../data/record-fields.ts';
import type { Backend } from '../../experiment/backend.ts';
import { checkName } from '../../experiment/datasets/names.ts';
import type { PromptRecord } from '../../store/records.ts';
import { nearestNames } from '../../text/nearest.ts';
import { wholeNumber } from '../whole-number.ts';

export const BEGIN = 'assay prompt create NAME FILE makes one';

export interface WhichFlags {
  readonly label?: string;
  readonly version?: string;
}

export function whichOf({ label, version }: WhichFlags): { readonly label?: string; readonly version?: number } {
  if (label !== undefined && version !== undefined)
    throw new UsageError('--label and --version both say which', 'give one of them');
  if (version !== undefined) return { version: versionNumber('--version', version) };
  return label === undefined ? {} : { label };
}

export function versionNumber(what: string, text: string): number {
  return wholeNumber(what, text, 1, 2_147_483_647);
}

/** The version that was asked for; where there is none, what there is instead. */
export async function findPrompt(
  backend: Backend,
  name: string,
  which: { readonly label?: string; readonly version?: number },
): Promise<PromptRecord> {
  checkName('prompt', name);
  const found = await backend.prompt(name, which);
  if (found !== null) return found;
  const all = await backend.prompts();
  const summary = all.find((one) => one.name === name);
  if (summary === undefined) {
    const near = nearestNames(
      name,
      all.map((one) => one.name),
    );
    throw new UsageError(
      `there is no prompt ${describe(name)} in ${backend.place}`,
      near.length > 0
        ? `did you mean ${near.join(' or ')}?`
        : all.length > 0
          ? 'assay prompt list shows what there is'
          : `there is none yet: ${BEGIN}`,
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
