import { createHash } from 'node:crypto';

import { Problems, UsageError } from '../../data/problems.ts';
import { isRecord } from '../../data/record-fields.ts';
import type { DatasetItemInit, DatasetRecord } from '../../store/records.ts';
import type { Backend } from '../backend.ts';
import { ITEM_SCHEMAS } from './item-schemas.ts';
import { checkName } from './names.ts';
import { type Fate, ImportPlan, type ItemPrint, type PlanSettings, STAYS_ARCHIVED, itemPrint } from './plan-import.ts';
import { type ItemFiles, readItems } from './read-items.ts';
import { Notes } from './record-item.ts';
import { type ItemValidator, makeItemValidator, schemasOf } from './validate-item.ts';

/** In a dataset's metadata while items are saved: the number of items of each import, by a hash of their ids. */
const UNFINISHED = 'assay_unfinished_imports';

/** A sentence for a dataset that has only a part of what was imported; null where every import is whole. */
export function unfinishedNotice({ name, metadata }: Pick<DatasetRecord, 'name' | 'metadata'>): string | null {
  const sizes = Object.values(unfinishedOf(metadata));
  if (sizes.length === 0) return null;
  const items = sizes.map((size) => (typeof size === 'number' ? `${size} items` : 'some items')).join(' and one of ');
  return `${name} is incomplete: an import of ${items} is under way or was interrupted; import the same files again to complete it`;
}

/** Metadata that say that an import has begun; null where they have no room for it, since they are no object. */
function withUnfinished(metadata: unknown, print: string, items: number): Record<string, unknown> | null {
  if (metadata !== null && metadata !== undefined && !isRecord(metadata)) return null;
  return { ...metadata, [UNFINISHED]: { ...unfinishedOf(metadata), [print]: items } };
}

/** The same metadata once this import is whole: as they were before it, unless another one is still unfinished. */
function withoutUnfinished(metadata: Readonly<Record<string, unknown>>, print: string): unknown {
  const { [UNFINISHED]: _, ...own } = metadata;
  const { [print]: __, ...others } = unfinishedOf(metadata);
  if (Object.keys(others).length > 0) return { ...own, [UNFINISHED]: others };
  return Object.keys(own).length === 0 ? null : own;
}

function unfinishedOf(metadata: unknown): Readonly<Record<string, unknown>> {
  const found = isRecord(metadata) ? metadata[UNFINISHED] : undefined;
  return isRecord(found) ? found : {};
}

export const ITEMS_A_BATCH = 500;

export interface ImportOptions {
  readonly backend: Backend;
  readonly dataset: string;
  /** Read twice: all is checked before anything is saved. */
  readonly files: ItemFiles;
  readonly prefix?: string;
  readonly dryRun?: boolean;
  readonly otherDatasetOf?: (id: string) => string | null;
  /** Told every item's id, once it is known to be right. */
  readonly taken?: (id: string) => void;
  /** How much of the saving is done. */
  readonly saved?: (share: number) => void;
}

export interface Imported {
  /** Whether the dataset is new. */
  readonly created: boolean;
  readonly items: number;
  readonly made: number;
  readonly changed: number;
  readonly same: number;
  /** How many of the items have no expected output. */
  readonly unanswered: number;
  readonly notes: readonly { readonly note: string; readonly times: number }[];
}

/** Brings the items of files into a dataset, which is made where it is not there. Nothing is saved if anything is wrong. */
export async function importItems(options: ImportOptions): Promise<Imported> {
  const { backend, dataset: name, files } = options;
  checkName('dataset', name);
  const dataset = await backend.dataset(name);
  if (dataset?.archived === true)
    throw new UsageError(`the dataset ${name} is archived`, `assay dataset restore ${name} brings it back`);
  const task = files.task === null ? null : ITEM_SCHEMAS[files.task];
  const validators: ItemValidator[] = [
    ...(dataset === null ? [] : [makeItemValidator(schemasOf(dataset))]),
    ...(task === null ? [] : [makeItemValidator(task)]),
  ];
  const settings: PlanSettings = {
    dataset: name,
    prefix: options.prefix ?? '',
    prints: dataset === null ? new Map() : await printsOf(backend, name),
    validators: distinct(validators),
    otherDatasetOf: options.otherDatasetOf ?? (() => null),
  };

  const counts: Record<Fate, number> = { made: 0, changed: 0, same: 0 };
  let unanswered = 0;
  const ids = createHash('sha256');
  const problems = new Problems();
  const notes = new Notes();
  const plan = new ImportPlan(settings, problems, notes);
  for await (const batch of readItems(files, problems, notes)) {
    const faults = plan.faultsOf(batch);
    for (const [at, read] of batch.entries()) {
      const planned = plan.take(read, faults[at]);
      if (planned === null) continue;
      counts[planned.fate] += 1;
      ids.update(`${planned.item.id}\0`);
      options.taken?.(planned.item.id);
      if (planned.item.expectedOutput === undefined) unanswered += 1;
    }
  }
  problems.throwIfAny();

  const created = dataset === null;
  const toSave = counts.made + counts.changed;
  if (options.dryRun !== true) {
    // What is killed halfway says so, and is whole once the same items are imported again.
    const print = ids.digest('hex').slice(0, 16);
    const items = toSave + counts.same;
    const marked = items === 0 ? null : withUnfinished(dataset?.metadata, print, items);
    const isUnfinished = JSON.stringify(marked) === JSON.stringify(dataset?.metadata);
    if (created || (toSave > 0 && marked !== null && !isUnfinished))
      await backend.saveDataset({
        name,
        ...(marked === null || toSave === 0 ? {} : { metadata: marked }),
        ...(task === null || !created ? {} : { inputSchema: task.input, expectedOutputSchema: task.expectedOutput }),
      });
    if (toSave > 0) await save(options, settings, toSave, notes);
    if (marked !== null && (toSave > 0 || isUnfinished))
      await backend.saveDataset({ name, metadata: withoutUnfinished(marked, print) });
  }
  return { created, items: toSave + counts.same, ...counts, unanswered, notes: notes.all() };
}

async function save(options: ImportOptions, settings: PlanSettings, toSave: number, told: Notes): Promise<void> {
  const { backend, dataset, files } = options;
  const problems = new Problems();
  const notes = new Notes();
  const plan = new ImportPlan(settings, problems, notes);
  let held: DatasetItemInit[] = [];
  let done = 0;
  const flush = async (): Promise<void> => {
    const kept =
      held.length === 0 ? [] : await backend.saveItems(dataset, held).catch((error: unknown) => halfway(error));
    // A server that does not list archived items tells of them only now.
    for (const [at, { id, status }] of kept.entries())
      if (status === 'ARCHIVED' && held[at]?.status === undefined && !settings.prints.has(id)) told.add(STAYS_ARCHIVED);
    done += held.length;
    held = [];
    options.saved?.(done / toSave);
  };
  const halfway = (error: unknown): never => {
    if (!(error instanceof UsageError)) throw error;
    const next = error.next ?? 'where an id belongs to another dataset, --prefix TEXT puts something before each';
    throw new UsageError(`${error.message} (${done} of ${toSave} items were saved before)`.split('\n'), next);
  };
  for await (const batch of readItems(files, problems, notes)) {
    const faults = plan.faultsOf(batch);
    for (const [at, read] of batch.entries()) {
      const planned = plan.take(read, faults[at]);
      if (planned === null || planned.fate === 'same') continue;
      held.push(planned.item);
      if (held.length >= ITEMS_A_BATCH) await flush();
    }
  }
  await flush();
  if (done !== toSave || problems.count > 0)
    throw new UsageError(
      `a file changed while it was read: ${toSave} items were to be saved, ${done} were`,
      'import it again: what is there already stays as it is',
    );
}

async function printsOf(backend: Backend, dataset: string): Promise<Map<string, ItemPrint>> {
  const prints = new Map<string, ItemPrint>();
  for await (const item of backend.items(dataset, { archived: true })) prints.set(item.id, itemPrint(item));
  return prints;
}

/** A dataset made for the task has the task's schemas: one fault is told once. */
function distinct(validators: readonly ItemValidator[]): readonly ItemValidator[] {
  if (validators.length < 2) return validators;
  const [own, tasks] = validators;
  return [
    (item) => {
      const faults = own!(item);
      return faults.length > 0 ? faults : tasks!(item);
    },
  ];
}
