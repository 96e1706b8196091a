import { UsageError } from '../../data/problems.ts';
import { describe } from '../../data/record-fields.ts';
import { sortedJson } from '../../data/sorted-json.ts';
import { visible } from '../../data/visible.ts';
import type { PromptRecord } from '../../store/records.ts';
import type { Backend } from '../backend.ts';

export type CopiedPrompt = Awaited<ReturnType<typeof copyPrompt>>;

/** Copies a version of a prompt unless the target has it; `version` and `labels` are those of the copy. */
export async function copyPrompt(
  from: Backend,
  to: Backend,
  name: string,
  which: { readonly label?: string; readonly version?: number } = {},
) {
  const source = await from.prompt(name, which);
  if (source === null) {
    const { version, label = 'production' } = which;
    const asked = version === undefined ? `with the label ${visible(label)}` : `of version ${version}`;
    throw new UsageError(`there is no prompt ${describe(name)} ${asked} in ${from.place}`, 'see: assay prompt list');
  }
  const wanted = givenLabels(source);
  const there = await sameVersion(to, source);
  if (there === null) {
    const { createdAt: _created, updatedAt: _updated, version: _version, ...init } = source;
    const { version } = await to.savePrompt({ ...init, labels: wanted });
    return { name, from: source.version, version, made: true, labels: wanted };
  }
  const labels = wanted.filter((label) => !there.labels.includes(label));
  if (labels.length > 0) await to.labelPrompt(name, there.version, [...givenLabels(there), ...labels]);
  return { name, from: source.version, version: there.version, made: false, labels };
}

/** The newest version with the same content; null if absent. */
async function sameVersion(to: Backend, source: PromptRecord): Promise<PromptRecord | null> {
  // Not the tags: they belong to all versions of a prompt.
  const content = ({ type, prompt, config }: PromptRecord): string =>
    sortedJson({ type, prompt, config: config ?? {} });
  const summary = (await to.prompts()).find(({ name }) => name === source.name);
  for (const version of (summary?.versions ?? []).toSorted((a, b) => b - a)) {
    const found = await to.prompt(source.name, { version });
    if (found !== null && content(found) === content(source)) return found;
  }
  return null;
}

/** Without `latest`, which is put by itself on the newest version, wherever that is. */
function givenLabels({ labels }: PromptRecord): string[] {
  return labels.filter((label) => label !== 'latest');
}
