import { hash } from 'node:crypto';

import type { Problems } from '../../data/problems.ts';
import { describe, isRecord } from '../../data/record-fields.ts';
import { sortedJson } from '../../data/sorted-json.ts';
import type { DatasetItemInit, DatasetItemRecord } from '../../store/records.ts';
import type { Backend } from '../backend.ts';
import { idFault, idFromInput } from './names.ts';
import { type ItemFiles, readItems } from './read-items.ts';
import type { Notes } from './record-item.ts';
import { type ItemValidator, checkEach } from './validate-item.ts';

const PARTS = ['status', 'input', 'expectedOutput', 'metadata', 'sourceTraceId', 'sourceObservationId'] as const;

/** What is kept of an item to tell whether another is the same: its status, and a hash for each part. */
export function itemPrint(item: DatasetItemRecord): string {
  return PARTS.map((part) => printOf(item[part])).join(' ');
}

function printOf(value: unknown): string {
  if (value === 'ACTIVE' || value === 'ARCHIVED') return value;
  return value === undefined || value === null ? '' : hash('sha256', sortedJson(value), 'base64').slice(0, 22);
}

/** Of the items that are there, by id. */
export async function itemPrints(backend: Backend, dataset: string): Promise<Map<string, string>> {
  const prints = new Map<string, string>();
  for await (const item of backend.items(dataset, { archived: true })) prints.set(item.id, itemPrint(item));
  return prints;
}

/** Whether saving an item would change the one that is there: what it does not say stays as it was. */
export function wouldChange(item: DatasetItemInit, before: string): boolean {
  const prints = before.split(' ');
  // Servers do not tell an empty object of metadata from none.
  const isEmpty = (value: unknown): boolean => isRecord(value) && Object.keys(value).length === 0;
  return PARTS.some((part, at) => !isEmpty(item[part]) && !['', prints[at]].includes(printOf(item[part])));
}

export const STAYS_ARCHIVED = 'archived before, and still so';

/** What becomes of an item that is imported. */
export type Fate = 'made' | 'changed' | 'same';

/** An item with the id that it has from now on. */
interface PlannedItem {
  readonly item: DatasetItemInit & { readonly id: string };
  readonly fate: Fate;
}

export interface PlanSettings {
  readonly dataset: string;
  /** Put before every id that a file gives. */
  readonly prefix: string;
  /** Of the items that are there. */
  readonly prints: ReadonlyMap<string, string>;
  readonly validate: ItemValidator;
  /** Which other dataset has an id, where that can be told. */
  readonly otherDatasetOf: (id: string) => string | null;
}

/**
 * The items of files, each with its id and its fate; null where there is nothing to be done with one: something is wrong,
 * which is noted, or it came before. The same items in the same order give the same plan.
 */
export async function* planItems(
  files: ItemFiles,
  settings: PlanSettings,
  problems: Problems,
  notes: Notes,
): AsyncGenerator<PlannedItem | null> {
  const { dataset, prefix, prints, validate, otherDatasetOf } = settings;
  /** Where each id was given. */
  const places = new Map<string, string>();
  /** Of items without an id: the contents that came with an input. */
  const contents = new Map<string, string[]>();
  const madeId = ({ input, expectedOutput, metadata }: DatasetItemInit): string | null => {
    const key = hash('sha256', sortedJson(input));
    const content = hash('sha256', sortedJson([expectedOutput ?? null, metadata ?? null]));
    const earlier = contents.get(key) ?? [];
    if (earlier.includes(content)) return null;
    contents.set(key, [...earlier, content]);
    if (earlier.length > 0) notes.add('the input of an earlier one, with another answer or other metadata');
    return idFromInput(dataset, input, earlier.length + 1);
  };
  const items = readItems(files, problems, notes);
  for await (const { item: read, faults } of checkEach(validate, items, ({ item }) => item)) {
    const { file, line, item } = read;
    const before = problems.count;
    const refuse = (message: string, field?: string, next?: string): void =>
      problems.add({ file, line, item: item.id, field, message, next });
    const id = item.id === undefined ? madeId(item) : `${prefix}${item.id}`;
    if (id === null) {
      notes.add('the same as an earlier one, and taken once');
      yield null;
      continue;
    }
    const fault = idFault(id);
    if (fault !== null) refuse(`${describe(id)} cannot be an id: ${fault}`, 'id');
    const place = places.get(id);
    if (place === undefined) places.set(id, `${file}:${line}`);
    else refuse(`the id ${describe(id)} was given before, in ${place}`, 'id', 'each item needs an id of its own');
    for (const { path, message } of faults) refuse(message, path);
    const print = prints.get(id);
    const other = print === undefined && problems.count === before ? otherDatasetOf(id) : null;
    if (other !== null)
      refuse(
        `the id ${describe(id)} belongs to the dataset ${describe(other)}`,
        undefined,
        'ids are unique across datasets: --prefix TEXT puts something before each',
      );
    if (problems.count > before) {
      yield null;
      continue;
    }
    if (print?.startsWith('ARCHIVED') === true && item.status !== 'ACTIVE') notes.add(STAYS_ARCHIVED);
    const fate = print === undefined ? 'made' : wouldChange(item, print) ? 'changed' : 'same';
    yield { item: { ...item, id }, fate };
  }
}
