import { UsageError } from '../../data/problems.ts';
import { sortedJson } from '../../data/sorted-json.ts';
import { shorten, visible } from '../../data/visible.ts';
import { DatasetHash, itemHash } from '../../store/dataset-version.ts';
import type { DatasetItemInit, DatasetItemRecord, DatasetRecord } from '../../store/records.ts';
import type { Backend } from '../backend.ts';
import { copiedVersions } from './named-version.ts';

export interface CopyOptions {
  /** The name of the copy; without it, the same. */
  readonly as?: string;
  /** Hears how many items are done. */
  readonly told?: (done: number) => void;
}

export interface CopiedDataset {
  /** Active items of the source. */
  readonly items: number;
  /** Of these: not there before, there with other content, there as they are. */
  readonly made: number;
  readonly changed: number;
  readonly same: number;
  /** Archived items of the source, which are archived in the copy too. */
  readonly archived: number;
  /** Items that only the copy has; they are left alone. */
  readonly extra: number;
  /** The hash of the source's active items, which the copy was found to have as well. */
  readonly version: string;
}

const ITEMS_PER_SAVE = 100;

/**
 * Brings a dataset to another place: its items keep their ids, metadata, status and the traces they were made from.
 * Again, it changes nothing. The copy is read back and compared.
 */
export async function copyDataset(
  from: Backend,
  to: Backend,
  name: string,
  { as = name, told = () => undefined }: CopyOptions = {},
): Promise<CopiedDataset> {
  const source = await from.dataset(name);
  if (source === null)
    throw new UsageError(`there is no dataset ${shown(name)} in ${from.place}`, 'see: assay dataset list');
  const target = await to.dataset(as);
  const wantedFrame = frameOf(source, target, as);
  if (target === null || sortedJson(wantedFrame) !== sortedJson(frameOf(target, null, as)))
    await to.saveDataset(wantedFrame);
  const before = target === null ? new Map<string, string>() : await prints(to, as);

  const counts = { items: 0, made: 0, changed: 0, same: 0, archived: 0 };
  const wanted = new DatasetHash();
  const copied = new Map<string, string>();
  let waiting: DatasetItemInit[] = [];
  const save = async (): Promise<void> => {
    await to.saveItems(as, waiting);
    waiting = [];
  };
  for await (const item of from.items(name, { archived: true })) {
    const known = before.get(item.id);
    const isSame = known === print(item);
    if (item.status === 'ARCHIVED') counts.archived += 1;
    else {
      wanted.add(item);
      copied.set(item.id, itemHash(item));
      counts.items += 1;
      counts[isSame ? 'same' : known === undefined ? 'made' : 'changed'] += 1;
    }
    if (!isSame) waiting.push(initOf(item));
    before.delete(item.id);
    if (waiting.length >= ITEMS_PER_SAVE) await save();
    told(counts.items + counts.archived);
  }
  await save();
  const { hash: version } = wanted.result();
  const extra = await verify(to, as, copied, version);
  return { ...counts, extra, version };
}

/** Reads the copy back. Answers with how many items are only there. */
async function verify(
  to: Backend,
  name: string,
  copied: ReadonlyMap<string, string>,
  version: string,
): Promise<number> {
  const found = new DatasetHash();
  let extra = 0;
  let differs: string | null = null;
  const missing = new Set(copied.keys());
  for await (const item of to.items(name)) {
    const expected = copied.get(item.id);
    if (expected === undefined) {
      extra += 1;
      continue;
    }
    missing.delete(item.id);
    found.add(item);
    if (expected !== itemHash(item)) differs ??= item.id;
  }
  if (found.result().hash === version) return extra;
  const [absent] = missing;
  const why =
    absent === undefined
      ? `the item ${shown(differs ?? '')} was kept with other content`
      : `${missing.size} of ${copied.size} items are not there, such as ${shown(absent)}`;
  throw new UsageError(
    `the copy of ${shown(name)} in ${to.place} is not what was copied: ${why}`,
    'run the same command again; if it stays so, that place changes what it is given',
  );
}

/** What tells whether an item has to be saved again. */
async function prints(backend: Backend, name: string): Promise<Map<string, string>> {
  const all = new Map<string, string>();
  for await (const item of backend.items(name, { archived: true })) all.set(item.id, print(item));
  return all;
}

function print(item: DatasetItemRecord): string {
  const { status, sourceTraceId, sourceObservationId } = item;
  return [itemHash(item), status, sourceTraceId ?? '', sourceObservationId ?? ''].join(' ');
}

function initOf(item: DatasetItemRecord): DatasetItemInit {
  const { id, input, expectedOutput, metadata, sourceTraceId, sourceObservationId, status } = item;
  return { id, input, expectedOutput, metadata, sourceTraceId, sourceObservationId, status };
}

/** What is said of a dataset as a whole. What the source does not say stays as it is there: a schema is not taken away. */
function frameOf(source: DatasetRecord, there: DatasetRecord | null, name: string) {
  return {
    name,
    description: source.description ?? there?.description ?? null,
    metadata: copiedVersions(source.metadata ?? there?.metadata ?? null, there?.metadata),
    inputSchema: source.inputSchema ?? there?.inputSchema ?? null,
    expectedOutputSchema: source.expectedOutputSchema ?? there?.expectedOutputSchema ?? null,
  };
}

function shown(name: string): string {
  return visible(shorten(name));
}
