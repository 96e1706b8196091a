import { Problems, UsageError } from '../../data/problems.ts';
import { describe } from '../../data/record-fields.ts';
import { sortedJson } from '../../data/sorted-json.ts';
import { DatasetHash, itemHash } from '../../store/dataset-version.ts';
import type { DatasetItemRecord, DatasetRecord, PromptRecord } from '../../store/records.ts';
import type { Backend } from '../backend.ts';
import { inBatches } from '../limits/side-by-side.ts';
import { findDataset } from './find-dataset.ts';
import { refusalCheck } from './refusal-check.ts';
import { copiedVersions } from './named-version.ts';
import { itemPrint, itemPrints } from './plan-import.ts';
import { visible } from '../../data/visible.ts';
import { plural } from '../../text/figures.ts';

export interface CopyOptions {
  /** The name of the copy (default: the same). */
  readonly as?: string;
  /** Hears how many items are done. */
  readonly told?: (done: number) => void;
}

export type CopiedDataset = Awaited<ReturnType<typeof copyDataset>>;

const ITEMS_PER_SAVE = 100;

/** Copies a dataset with everything its items have, and reads the copy back. Running it again changes nothing. */
export async function copyDataset(from: Backend, to: Backend, name: string, options: CopyOptions = {}) {
  const { as = name, told } = options;
  const source = await findDataset(from, name);
  const target = await to.dataset(as);
  const frame = frameOf(source, target, as);
  const before = target === null ? new Map<string, string>() : await itemPrints(to, as);
  // A server is not read twice for it: the local store refuses a batch as a whole.
  if (from.kind === 'local') await refuseItems(from, to, { name, as, before: target === null ? null : before });
  if (target === null || sortedJson(frame) !== sortedJson(frameOf(target, null, as))) await to.saveDataset(frame);

  /** Items of the source; of the active ones, those not there before, there with other content, there as they are. */
  const counts = { items: 0, made: 0, changed: 0, same: 0, archived: 0 };
  const hash = new DatasetHash();
  const copied = new Map<string, string>();
  const toSave = async function* (): AsyncGenerator<DatasetItemRecord> {
    for await (const item of from.items(name, { archived: true })) {
      const known = before.get(item.id);
      const isSame = known === itemPrint(item);
      if (item.status === 'ARCHIVED') counts.archived += 1;
      else {
        const content = itemHash(item);
        hash.addHash(content);
        copied.set(item.id, content);
        counts.items += 1;
        counts[isSame ? 'same' : known === undefined ? 'made' : 'changed'] += 1;
      }
      if (!isSame) yield item;
      told?.(counts.items + counts.archived);
    }
  };
  for await (const batch of inBatches(toSave(), ITEMS_PER_SAVE)) await to.saveItems(as, batch);
  return { ...counts, extra: await verify(to, as, copied), version: hash.result().hash };
}

interface Copy {
  readonly name: string;
  readonly as: string;
  /** Prints of the items of the target; null if there is no such dataset yet. */
  readonly before: ReadonlyMap<string, string> | null;
}

/** Throws if the target would not keep some of the items, before anything is saved. */
async function refuseItems(from: Backend, to: Backend, { name, as, before }: Copy): Promise<void> {
  const problems = new Problems();
  const check = refusalCheck(to, as, before === null);
  for await (const item of from.items(name, { archived: true })) {
    const refusal = before?.get(item.id) === itemPrint(item) ? null : await check(item);
    if (refusal !== null) problems.add({ file: `${name}, item ${item.id}`, line: null, ...refusal });
  }
  problems.throwIfAny();
}

/** Reads the copy back. Answers with how many items are only there; they are left alone. */
async function verify(to: Backend, name: string, copied: ReadonlyMap<string, string>): Promise<number> {
  let extra = 0;
  const differing: string[] = [];
  const missing = new Set(copied.keys());
  for await (const item of to.items(name)) {
    if (!missing.delete(item.id)) extra += 1;
    else if (copied.get(item.id) !== itemHash(item)) differing.push(item.id);
  }
  if (missing.size === 0 && differing.length === 0) return extra;
  const why =
    missing.size === 0
      ? `the item ${describe(differing[0])} was kept with other content`
      : `${missing.size} of ${plural(copied.size, 'item')} missing, such as ${describe([...missing][0])}`;
  throw new UsageError(
    `the copy of ${describe(name)} in ${to.place} is not what was copied: ${why}`,
    'run the same command again; if it stays so, that place changes what it is given',
  );
}

/** The fields of a dataset as a whole. What the source lacks stays as it is there: a schema is not taken away. */
function frameOf(source: DatasetRecord, there: DatasetRecord | null, name: string) {
  return {
    name,
    description: source.description ?? there?.description ?? null,
    metadata: copiedVersions(source.metadata ?? there?.metadata ?? null, there?.metadata),
    inputSchema: source.inputSchema ?? there?.inputSchema ?? null,
    expectedOutputSchema: source.expectedOutputSchema ?? there?.expectedOutputSchema ?? null,
  };
}

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
