import { createHash } from 'node:crypto';

import { Problems, UsageError } from '../../data/problems.ts';
import { describe, isRecord } from '../../data/record-fields.ts';
import type { DatasetItemInit, DatasetRecord } from '../../store/records.ts';
import { count, plural } from '../../text/figures.ts';
import type { Backend } from '../backend.ts';
import { inBatches } from '../limits/side-by-side.ts';
import { refusalCheck } from './refusal-check.ts';
import { ITEM_SCHEMAS } from './item-schemas.ts';
import { datasetNotes, withDatasetNotes } from './named-version.ts';
import { checkName } from './names.ts';
import {
  changedParts,
  type Fate,
  fateOf,
  itemPrint,
  itemPrints,
  type PlannedItem,
  planItems,
  type PlanSettings,
  STAYS_ARCHIVED,
} from './plan-import.ts';
import type { ItemFiles } from './read-items.ts';
import { Notes } from './record-item.ts';
import { makeItemValidator, type SchemaFault, schemasOf } from './validate-item.ts';

const CHANGES_SHOWN = 3;

/** In a dataset's metadata while items are saved: the number of items of each import, by a hash of their ids. */
const UNFINISHED = 'assay_unfinished_imports';

/** A sentence for a dataset that has only a part of what was imported; null if every import is whole. */
export function unfinishedNotice({ name, metadata }: Pick<DatasetRecord, 'name' | 'metadata'>): string | null {
  const sizes = Object.values(datasetNotes(metadata, UNFINISHED));
  if (sizes.length === 0) return null;
  const items = sizes
    .map((size) => (typeof size === 'number' ? plural(size, 'item') : 'some items'))
    .join(' and one of ');
  return `${name} is incomplete: an import of ${items} is under way or was interrupted; import the same files again to complete it`;
}

export const ITEMS_A_BATCH = 500;

export interface ImportOptions extends Partial<Pick<PlanSettings, 'prefix'>> {
  readonly backend: Backend;
  readonly dataset: string;
  /** Read twice: all is checked before anything is saved. */
  readonly files: ItemFiles;
  readonly dryRun?: boolean;
  /** False refuses files that change items of the dataset, or that share none with it. Default: true. */
  readonly update?: boolean;
  /** Told every item's id, once it is known to be right. */
  readonly taken?: (id: string) => void;
  /** How much of the saving is done. */
  readonly saved?: (share: number) => void;
}

export type Imported = Awaited<ReturnType<typeof importItems>>;

/** Brings the items of files into a dataset, which is made where it is not there. Nothing is saved if anything is wrong. */
export async function importItems(options: ImportOptions) {
  const { backend, dataset: name, files, prefix = '' } = options;
  checkName('dataset', name);
  const dataset = await backend.dataset(name);
  if (dataset?.archived === true)
    throw new UsageError(`the dataset ${name} is archived`, `assay dataset restore ${name} brings it back`);
  const created = dataset === null;
  const task = files.task === null ? null : ITEM_SCHEMAS[files.task];
  const [byDataset, byTask] = [dataset === null ? {} : schemasOf(dataset), task ?? {}].map(makeItemValidator);
  const prints = dataset === null ? new Map<string, string>() : await itemPrints(backend, name);
  const settings: PlanSettings = {
    dataset: name,
    prefix,
    prints,
    validate: (item) => {
      const isFree = files.mayLackExpected === true && (item.expectedOutput ?? null) === null;
      // An item that is there keeps its expected output.
      const faults = neededFaults(byDataset!(item), isFree && prints.has(`${prefix}${item.id ?? ''}`));
      // A dataset made for the task has the task's schemas: one fault is reported once.
      return faults.length > 0 ? faults : neededFaults(byTask!(item), isFree);
    },
    check: refusalCheck(backend, name, created),
  };

  const counts: Record<Fate, number> = { made: 0, changed: 0, same: 0 };
  /** The first changed items, each with its changed parts. */
  const changes: string[] = [];
  /** Without an expected output. */
  let unanswered = 0;
  const ids = createHash('sha256');
  const problems = new Problems();
  const notes = new Notes();
  for await (const planned of planItems(files, settings, problems, notes)) {
    if (planned === null) continue;
    const { item } = planned;
    const fate = await fateNow(options, dataset, prints, planned, notes);
    counts[fate] += 1;
    ids.update(`${item.id}\0`);
    options.taken?.(item.id);
    if (fate === 'changed' && changes.length < CHANGES_SHOWN)
      changes.push(`${describe(item.id)} (${changedParts(item, settings.prints.get(item.id) ?? '').join(', ')})`);
    if (item.expectedOutput === undefined) unanswered += 1;
  }
  problems.throwIfAny();
  if (options.update === false && dataset !== null) refuseUpdate(options, settings.prints.size, counts, changes);

  const toSave = counts.made + counts.changed;
  const items = toSave + counts.same;
  if (options.dryRun !== true) {
    // An import killed halfway is marked, and whole once the same items are imported again. Metadata that are no object
    // have no room for it.
    const print = ids.digest('hex').slice(0, 16);
    const before = dataset?.metadata ?? null;
    const marked =
      items === 0 || (before !== null && !isRecord(before))
        ? null
        : withDatasetNotes(before, UNFINISHED, { ...datasetNotes(before, UNFINISHED), [print]: items });
    const isUnfinished = JSON.stringify(marked) === JSON.stringify(dataset?.metadata);
    if (created || (toSave > 0 && marked !== null && !isUnfinished))
      await backend.saveDataset({
        name,
        ...(marked === null || toSave === 0 ? {} : { metadata: marked }),
        ...(task === null || !created ? {} : { inputSchema: task.input }),
        // A dataset would refuse items without an expected output by it.
        ...(task === null || !created || (files.mayLackExpected === true && unanswered > 0)
          ? {}
          : { expectedOutputSchema: task.expectedOutput }),
      });
    if (toSave > 0) await save(options, settings, { created, toSave }, notes);
    if (marked !== null && (toSave > 0 || isUnfinished)) {
      const { [print]: _, ...others } = datasetNotes(marked, UNFINISHED);
      await backend.saveDataset({ name, metadata: withDatasetNotes(marked, UNFINISHED, others) });
    }
  }
  return { created, items, ...counts, unanswered, notes: [...notes].map(([note, times]) => ({ note, times })) };
}

/** Faults without those of an expected output, if that is not needed. */
function neededFaults(faults: readonly SchemaFault[], isFree: boolean): readonly SchemaFault[] {
  return isFree ? faults.filter(({ path }) => !path.startsWith('expected_output')) : faults;
}

/** Langfuse does not list items that were archived there: without `update`, those that seem new are looked up. */
async function fateNow(
  { backend, update }: ImportOptions,
  dataset: DatasetRecord | null,
  prints: Map<string, string>,
  { item, fate }: NonNullable<PlannedItem>,
  notes: Notes,
): Promise<Fate> {
  if (fate !== 'made' || update !== false || dataset === null || backend.kind === 'local') return fate;
  const existing = await backend.item(item.id);
  if (existing === null || existing.datasetName !== dataset.name) return fate;
  prints.set(item.id, itemPrint(existing));
  if (existing.status === 'ARCHIVED' && item.status !== 'ACTIVE') notes.add(STAYS_ARCHIVED);
  return fateOf(item, prints.get(item.id));
}

/** Refuses to overwrite items, and to add to a dataset that shares no item with the files. */
function refuseUpdate(
  { backend, dataset, files }: ImportOptions,
  existing: number,
  { made, changed, same }: Readonly<Record<Fate, number>>,
  changes: readonly string[],
): void {
  const isUnrelated = existing > 0 && made > 0 && changed + same === 0;
  if (changed === 0 && !isUnrelated) return;
  const file = files.sources.map(({ name }) => name).join(', ');
  const place = `the dataset ${dataset} in ${backend.place}`;
  if (isUnrelated)
    throw new UsageError(
      `${place} shares no item with ${file}: it has ${plural(existing, 'item')}, the file ${count(made)}. Nothing was written`,
      '--update-dataset adds the items of the file; rename the file to make another dataset',
    );
  const rest = changed > changes.length ? [`${count(changed - changes.length)} more`] : [];
  throw new UsageError(
    `${file} would overwrite ${plural(changed, 'item')} of ${place}: ${[...changes, ...rest].join(', ')}. ` +
      `${count(made)} would be added, ${count(same)} are unchanged. Nothing was written`,
    `--update-dataset overwrites them; assay dataset import NAME ${file} --prefix TEXT makes another dataset`,
  );
}

async function save(
  options: ImportOptions,
  settings: PlanSettings,
  { created, toSave }: { readonly created: boolean; readonly toSave: number },
  told: Notes,
): Promise<void> {
  const { backend, dataset, files } = options;
  const problems = new Problems();
  const items = async function* (): AsyncGenerator<DatasetItemInit> {
    for await (const planned of planItems(files, { ...settings, check: null }, problems, new Notes()))
      if (planned !== null && planned.fate !== 'same') yield planned.item;
  };
  let done = 0;
  const halfway = (error: unknown): never => {
    if (!(error instanceof UsageError)) throw error;
    const lines = [`${error.message} (${done} of ${plural(toSave, 'item')} saved before)`];
    const deletion = backend.kind === 'langfuse' ? '; only the pages of Langfuse can delete it' : '';
    if (created && done === 0) lines.push(`The new dataset ${dataset} is empty${deletion}.`);
    throw new UsageError(
      lines.flatMap((line) => line.split('\n')),
      error.next,
    );
  };
  // Langfuse saves one at a time, and may refuse any of them.
  for await (const batch of inBatches(items(), backend.kind === 'local' ? ITEMS_A_BATCH : 1)) {
    const kept = await backend.saveItems(dataset, batch).catch(halfway);
    // A server that does not list archived items reports them only now.
    for (const [at, { id, status }] of kept.entries())
      if (status === 'ARCHIVED' && batch[at]?.status === undefined && !settings.prints.has(id))
        told.add(STAYS_ARCHIVED);
    done += batch.length;
    options.saved?.(done / toSave);
  }
  if (done !== toSave || problems.count > 0)
    throw new UsageError(
      `a file changed while it was read: ${done} of ${plural(toSave, 'item')} saved`,
      'import it again: what is there already stays as it is',
    );
}
