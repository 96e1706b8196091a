import { hash } from 'node:crypto';

import type { Problems } from '../../data/problems.ts';
import { describe, isRecord } from '../../data/record-fields.ts';
import { sortedJson } from '../../data/sorted-json.ts';
import type { DatasetItemInit, DatasetItemRecord } from '../../store/records.ts';
import type { SchemaFault } from './compile-schema.ts';
import { idFault, idFromInput } from './names.ts';
import type { ReadItem } from './read-items.ts';
import type { Notes } from './record-item.ts';
import { type ItemValidator, checkMany } from './validate-item.ts';

/** What is kept of an item to tell whether another is the same: a hash for each part. */
export interface ItemPrint {
  readonly parts: Readonly<Record<Part, string>>;
  readonly archived: boolean;
}

const PARTS = ['input', 'expectedOutput', 'metadata', 'sourceTraceId', 'sourceObservationId'] as const;
type Part = (typeof PARTS)[number];

export function itemPrint(item: DatasetItemRecord): ItemPrint {
  return {
    parts: {
      input: hashOf(item.input),
      expectedOutput: hashOf(item.expectedOutput),
      metadata: hashOf(item.metadata),
      sourceTraceId: hashOf(item.sourceTraceId),
      sourceObservationId: hashOf(item.sourceObservationId),
    },
    archived: item.status === 'ARCHIVED',
  };
}

/** Whether saving an item would change the one that is there: what it does not say stays as it was. */
export function wouldChange(item: DatasetItemInit, before: ItemPrint): boolean {
  if (item.status !== undefined && (item.status === 'ARCHIVED') !== before.archived) return true;
  return PARTS.some((part) => isSaid(item[part]) && hashOf(item[part]) !== before.parts[part]);
}

function isSaid(value: unknown): boolean {
  return value !== undefined && value !== null && !isEmpty(value);
}

/** Servers do not tell an empty object of metadata from none. */
function isEmpty(value: unknown): boolean {
  return isRecord(value) && Object.keys(value).length === 0;
}

function hashOf(value: unknown): string {
  return isSaid(value) ? hash('sha256', sortedJson(value), 'base64').slice(0, 22) : '';
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
  readonly prints: ReadonlyMap<string, ItemPrint>;
  readonly validators: readonly ItemValidator[];
  /** Which other dataset has an id, where that can be told. */
  readonly otherDatasetOf: (id: string) => string | null;
}

/** Gives each item its id and its fate, one after the other. The same items in the same order give the same plan. */
export class ImportPlan {
  readonly #settings: PlanSettings;
  readonly #problems: Problems;
  readonly #notes: Notes;
  /** Where each id was given. */
  readonly #places = new Map<string, { readonly file: string; readonly line: number }>();
  /** Of items without an id: the contents that came with an input. */
  readonly #contents = new Map<string, string[]>();

  constructor(settings: PlanSettings, problems: Problems, notes: Notes) {
    this.#settings = settings;
    this.#problems = problems;
    this.#notes = notes;
  }

  /** What the schemas find wrong with each item, to be taken with it. */
  faultsOf(batch: readonly ReadItem[]): (readonly SchemaFault[])[] {
    const { validators } = this.#settings;
    if (validators.length === 0) return [];
    return checkMany(
      (item) => validators.flatMap((validate) => validate(item)),
      batch.map(({ item }) => item),
    );
  }

  /** Null where there is nothing to be done with it: something is wrong, which is noted, or it came before. */
  take({ file, line, item }: ReadItem, faults: readonly SchemaFault[] = []): PlannedItem | null {
    const before = this.#problems.count;
    const id = item.id === undefined ? this.#madeId(item) : `${this.#settings.prefix}${item.id}`;
    if (id === null) {
      this.#notes.add('the same as an earlier one, and taken once');
      return null;
    }
    this.#check(id, file, line, faults);
    if (this.#problems.count > before) return null;
    const print = this.#settings.prints.get(id);
    if (print === undefined) {
      const other = this.#settings.otherDatasetOf(id);
      if (other !== null) {
        this.#problems.add({
          file,
          line,
          message: `the id ${describe(id)} belongs to the dataset ${describe(other)}`,
          next: 'ids are unique across datasets: --prefix TEXT puts something before each',
        });
        return null;
      }
    } else if (print.archived && item.status !== 'ACTIVE') this.#notes.add(STAYS_ARCHIVED);
    const fate = print === undefined ? 'made' : wouldChange(item, print) ? 'changed' : 'same';
    return { item: { ...item, id }, fate };
  }

  #check(id: string, file: string, line: number, faults: readonly SchemaFault[]): void {
    const fault = idFault(id);
    if (fault !== null)
      this.#problems.add({ file, line, field: 'id', message: `${describe(id)} cannot be an id: ${fault}` });
    const place = this.#places.get(id);
    if (place === undefined) this.#places.set(id, { file, line });
    else
      this.#problems.add({
        file,
        line,
        field: 'id',
        message: `the id ${describe(id)} was given before, in ${place.file}:${place.line}`,
        next: 'each item needs an id of its own',
      });
    for (const { path, message } of faults) this.#problems.add({ file, line, field: path, message });
  }

  #madeId(item: DatasetItemInit): string | null {
    const input = hash('sha256', sortedJson(item.input));
    const content = hash('sha256', sortedJson([item.expectedOutput ?? null, item.metadata ?? null]));
    const earlier = this.#contents.get(input) ?? [];
    if (earlier.includes(content)) return null;
    this.#contents.set(input, [...earlier, content]);
    if (earlier.length > 0) this.#notes.add('the input of an earlier one, with another answer or other metadata');
    return idFromInput(this.#settings.dataset, item.input, earlier.length + 1);
  }
}
