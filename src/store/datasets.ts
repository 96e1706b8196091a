import { randomUUID } from 'node:crypto';

import { visible } from '../data/visible.ts';
import { DatasetItems, type ItemOptions } from './dataset-items.ts';
import { DatasetHash } from './dataset-version.ts';
import type { Database } from './database.ts';
import type { ItemFilter } from './filters.ts';
import { now } from './iso-time.ts';
import {
  DATASET_VERSIONS,
  type DatasetInit,
  type DatasetItemInit,
  type DatasetItemRecord,
  type DatasetRecord,
  DATASETS,
  type DatasetVersionRecord,
} from './records.ts';
import { StoreConflict } from './store-conflict.ts';
import { upsert } from './upsert.ts';
import { type Page, type Paged, paged, readRows, Where } from './where.ts';

export class Datasets {
  readonly #database: Database;
  readonly #items: DatasetItems;

  constructor(database: Database) {
    this.#database = database;
    this.#items = new DatasetItems(database);
  }

  /** Makes it, or changes the one of that name; what is undefined stays as it was. */
  save(init: DatasetInit): DatasetRecord {
    if (init.name === '') throw new StoreConflict('a dataset needs a name');
    const time = now();
    const { name, description, metadata, inputSchema, expectedOutputSchema } = init;
    const cells = DATASETS.cells({ name, description, metadata, inputSchema, expectedOutputSchema });
    return this.#database.transaction(() => {
      upsert(this.#database, {
        table: 'datasets',
        key: 'name',
        given: { ...cells, updated_at: time },
        fresh: { id: randomUUID(), created_at: time, items_changed_at: time },
      });
      return this.#named(init.name);
    });
  }

  /** Also an archived one. */
  get(name: string): DatasetRecord | null {
    const row = this.#database.row('SELECT * FROM datasets WHERE name = ?', [name]);
    return row === null ? null : DATASETS.record(row);
  }

  byId(id: string): DatasetRecord | null {
    const row = this.#database.row('SELECT * FROM datasets WHERE id = ?', [id]);
    return row === null ? null : DATASETS.record(row);
  }

  /** Newest first; archived ones only when asked for. */
  list(page: Page, { archived = false }: { readonly archived?: boolean } = {}): Paged<DatasetRecord> {
    const where = new Where();
    if (!archived) where.equal('archived', 0);
    const listing = { columns: '*', from: 'datasets', where, order: 'seq DESC', record: DATASETS.record };
    return paged(this.#database, listing, page);
  }

  archive(name: string, archived = true): void {
    const changed = this.#database.write(() =>
      this.#database.run('UPDATE datasets SET archived = ?, updated_at = ? WHERE name = ?', [archived, now(), name]),
    );
    if (changed === 0) throw noDataset(name);
  }

  /** Makes items, or changes those of the same id; what is undefined stays as it was. All of them or none. */
  saveItems(dataset: string, items: readonly DatasetItemInit[]): DatasetItemRecord[] {
    return this.#database.transaction(() => this.#items.save(this.#named(dataset).id, items));
  }

  item(id: string): DatasetItemRecord | null {
    return this.#items.get(id);
  }

  /** It leaves the dataset, with its part in runs; earlier states of the dataset still have it. */
  deleteItem(id: string): boolean {
    return this.#database.transaction(() => this.#items.delete(id));
  }

  /** In the order in which they were made, a few at a time, all as they were at one moment: now, or `at`. */
  items(dataset: string, options: ItemOptions = {}): IterableIterator<DatasetItemRecord> {
    return this.#items.each(this.#named(dataset).id, options);
  }

  /** Active ones, newest first. */
  listItems(filter: ItemFilter, page: Page): Paged<DatasetItemRecord> {
    return this.#items.list(filter, page);
  }

  /** Of the active items now. One that differs from the last is remembered. */
  version(dataset: string): DatasetVersionRecord {
    return this.#database.transaction(() => {
      const { id } = this.#named(dataset);
      const all = new DatasetHash();
      for (const hash of this.#items.hashes(id)) all.addHash(hash);
      const { hash, items } = all.result();
      const last = this.#versions(id, 1)[0];
      if (last?.hash === hash) return last;
      const at = this.#items.changedAt(id);
      this.#database.run('INSERT INTO dataset_versions (dataset_id, hash, items, at) VALUES (?, ?, ?, ?)', [
        id,
        hash,
        items,
        at,
      ]);
      return { hash, items, at };
    });
  }

  /** Newest first. One that came back is there twice. */
  versions(dataset: string): DatasetVersionRecord[] {
    return this.#versions(this.#named(dataset).id, -1);
  }

  #versions(datasetId: string, most: number): DatasetVersionRecord[] {
    const sql = 'SELECT * FROM dataset_versions WHERE dataset_id = ? ORDER BY seq DESC LIMIT ?';
    return readRows(
      this.#database,
      'dataset_versions',
      this.#database.rows(sql, [datasetId, most]),
      DATASET_VERSIONS.record,
    );
  }

  #named(name: string): DatasetRecord {
    const found = this.get(name);
    if (found === null) throw noDataset(name);
    return found;
  }
}

function noDataset(name: string): StoreConflict {
  return new StoreConflict(`there is no dataset ${visible(name)}`);
}
