import { hash } from 'node:crypto';

import type { Problems } from '../../data/problems.ts';
import { describe } from '../../data/record-fields.ts';
import { sortedJson } from '../../data/sorted-json.ts';
import type { DatasetItemInit } from '../../store/records.ts';
import { checkMany } from './check-many.ts';
import { idFromInput } from './item-ids.ts';
import { type ItemPrint, wouldChange } from './item-print.ts';
import { idFault } from './names.ts';
import type { Notes, ReadItem } from './reading.ts';
import type { SchemaFault } from './schema-fault.ts';
import type { ItemValidator } from './validate-item.ts';

export const STAYS_ARCHIVED = 'archived before, and still so';

/** What becomes of an item that is imported. */
export type Fate = 'made' | 'changed' | 'same';

/** An item with the id that it has from now on. */
export interface PlannedItem {
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
