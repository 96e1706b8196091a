import { hash } from 'node:crypto';

import { type Problem, Problems } from '../../data/problems.ts';
import { describe, isRecord } from '../../data/record-fields.ts';
import { sortedJson } from '../../data/sorted-json.ts';
import type { DatasetItemInit, DatasetItemRecord } from '../../store/records.ts';
import { snakeCase } from '../../store/table.ts';
import type { Backend } from '../backend.ts';
import type { RefusalCheck } from './refusal-check.ts';
import { idFault, idFromInput } from './names.ts';
import { type ItemFiles, type ReadItem, readItems } from './read-items.ts';
import { Notes } from './record-item.ts';
import { type ItemSchemas, type ItemValidator, checkEach, makeItemValidator } from './validate-item.ts';

const PARTS = ['status', 'input', 'expectedOutput', 'metadata', 'sourceTraceId', 'sourceObservationId'] as const;

/** What is kept of an item to tell whether another is the same: its status, and a hash for each part. */
export function itemPrint(item: DatasetItemRecord): string {
  return PARTS.map((part) => printOf(item[part])).join(' ');
}

function printOf(value: unknown): string {
  if (value === 'ACTIVE' || value === 'ARCHIVED') return value;
  return value === undefined || value === null ? '' : hash('sha256', sortedJson(value), 'base64').slice(0, 22);
}

export async function itemPrints(backend: Backend, dataset: string): Promise<Map<string, string>> {
  const prints = new Map<string, string>();
  for await (const item of backend.items(dataset, { archived: true })) prints.set(item.id, itemPrint(item));
  return prints;
}

export type Fate = 'made' | 'changed' | 'same';

/** By the print of the item that is there, if any: what an item does not say stays as it was. */
export function fateOf(item: DatasetItemInit, print: string | undefined): Fate {
  if (print === undefined) return 'made';
  return changedParts(item, print).length > 0 ? 'changed' : 'same';
}

/** The parts of an existing item that an import would replace, as files call them. */
export function changedParts(item: DatasetItemInit, print: string): string[] {
  const before = print.split(' ');
  // Servers do not tell an empty object of metadata from none.
  const isEmpty = isRecord(item.metadata) && Object.keys(item.metadata).length === 0;
  return PARTS.filter(
    (part, at) => !(part === 'metadata' && isEmpty) && !['', before[at]].includes(printOf(item[part])),
  ).map(snakeCase);
}

export const STAYS_ARCHIVED = 'archived before, and still so';

export interface PlanSettings {
  readonly dataset: string;
  readonly prefix: string;
  /** Of the items that are there. */
  readonly prints: ReadonlyMap<string, string>;
  readonly validate: ItemValidator;
  /** Finds why the place of the dataset would not keep an item; null for items that were checked before. */
  readonly check: RefusalCheck | null;
}

/** An item with the id that it has from now on; null if there is nothing to be done with it. */
export type PlannedItem = { readonly item: DatasetItemInit & { readonly id: string }; readonly fate: Fate } | null;

/** The items of files with ids and fates, the same on every pass; null for an invalid item or a duplicate. */
export async function* planItems(
  files: ItemFiles,
  { dataset, prefix, prints, validate, check }: PlanSettings,
  problems: Problems,
  notes: Notes,
): AsyncGenerator<PlannedItem> {
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
  const plan = async ({ file, line, item }: ReadItem, faults: ReturnType<ItemValidator>): Promise<PlannedItem> => {
    const before = problems.count;
    const refuse = (message: string, field?: string, next?: string): void =>
      problems.add({ file, line, item: item.id, field, message, next });
    const id = item.id === undefined ? madeId(item) : `${prefix}${item.id}`;
    if (id === null) {
      notes.add('the same as an earlier one, and taken once');
      return null;
    }
    const fault = idFault(id);
    if (fault !== null) refuse(`${describe(id)} cannot be an id: ${fault}`, 'id');
    const place = places.get(id);
    if (place === undefined) places.set(id, `${file}:${line}`);
    else refuse(`the id ${describe(id)} was given before, in ${place}`, 'id', 'each item needs its own id');
    for (const { path, message } of faults) refuse(message, path);
    const print = prints.get(id);
    const planned = { item: { ...item, id }, fate: fateOf(item, print) };
    const isChecked = check === null || planned.fate === 'same' || problems.count > before;
    const refusal = isChecked ? null : await check(planned.item);
    if (refusal !== null) refuse(refusal.message, refusal.field, refusal.next);
    if (problems.count > before) return null;
    if (print?.startsWith('ARCHIVED') === true && item.status !== 'ACTIVE') notes.add(STAYS_ARCHIVED);
    return planned;
  };
  const items = readItems(files, problems, notes);
  for await (const { item, faults } of checkEach(validate, items, (read) => read.item)) yield await plan(item, faults);
}

export type Fault = Pick<Problem, 'line' | 'message'> &
  Readonly<Record<'file' | 'item' | 'field' | 'next', string | null>>;

type Report = (fault: Fault) => void;

/** Checks items that are kept; how many there were. */
export async function faultsInDataset(items: AsyncIterable<DatasetItemRecord>, schemas: ItemSchemas, report: Report) {
  let checked = 0;
  for await (const { item, faults } of checkEach(makeItemValidator(schemas), items, (one) => one)) {
    checked += 1;
    for (const { path, message } of faults)
      report({ file: null, line: null, item: item.id, field: path, message, next: null });
  }
  return checked;
}

/** Checks the items of files, as importing them would; how many could be read. However many problems, each is reported. */
export async function faultsInFile(files: ItemFiles, schemas: ItemSchemas, report: Report) {
  const problems = new (class extends Problems {
    override add(problem: Problem): void {
      super.add(problem);
      const { file, line, item = null, field = null, message, next = null } = problem;
      report({ file, line, item, field, message, next });
    }
  })();
  const validate = makeItemValidator(schemas);
  const settings = { dataset: '', prefix: '', prints: new Map(), validate, check: null };
  return (await Array.fromAsync(planItems(files, settings, problems, new Notes()), () => null)).length;
}
