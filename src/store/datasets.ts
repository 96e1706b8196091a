import { randomUUID } from 'node:crypto';

import { damagedCell, now } from './cells.ts';
import { DatasetItems, noDataset } from './dataset-items.ts';
import { DatasetHash } from './dataset-version.ts';
import {
  DATASET_VERSIONS,
  type DatasetInit,
  type DatasetRecord,
  DATASETS,
  type DatasetVersionRecord,
} from './records.ts';
import { StoreConflict } from './store-conflict.ts';
import { sameTime, upsertInto } from './table.ts';
import { type Page, type Paged, Where } from './store-part.ts';

const upsertDataset = upsertInto('datasets', DATASETS, {
  key: 'name',
  fresh: { id: () => randomUUID(), items_changed_at: sameTime },
});

export class Datasets extends DatasetItems {
  /** Makes it, or changes the one of that name; what is undefined stays as it was. */
  save(init: DatasetInit): DatasetRecord {
    if (init.name === '') throw new StoreConflict('a dataset needs a name');
    const { name, description, metadata, inputSchema, expectedOutputSchema } = init;
    const given = { name, description, metadata, inputSchema, expectedOutputSchema };
    return this.database.transaction(() => {
      upsertDataset(this.database, given, now());
      return this.get(init.name) ?? damagedCell('name');
    });
  }

  /** Also an archived one. */
  get(name: string): DatasetRecord | null {
    return this.one(DATASETS, 'SELECT * FROM datasets WHERE name = ?', [name]);
  }

  byId(id: string): DatasetRecord | null {
    return this.one(DATASETS, 'SELECT * FROM datasets WHERE id = ?', [id]);
  }

  /** Newest first; archived ones only when asked for. */
  list(page: Page, { archived = false }: { readonly archived?: boolean } = {}): Paged<DatasetRecord> {
    const where = new Where();
    if (!archived) where.equal('archived', 0);
    return this.page(DATASETS, { from: 'datasets', where, order: 'seq DESC' }, page);
  }

  archive(name: string, archived = true): void {
    const changed = this.database.write(() =>
      this.database.run('UPDATE datasets SET archived = ?, updated_at = ? WHERE name = ?', [archived, now(), name]),
    );
    if (changed === 0) throw noDataset(name);
  }

  /** Of the active items now. One that differs from the last is remembered. */
  version(dataset: string): DatasetVersionRecord {
    return this.database.transaction(() => {
      const id = this.idOf(dataset);
      const all = new DatasetHash();
      for (const hash of this.hashes(id)) all.addHash(hash);
      const { hash, items } = all.result();
      const last = this.#versions(id, 1)[0];
      if (last?.hash === hash) return last;
      const version = { hash, items, at: this.changedAt(id) };
      this.database.insert('dataset_versions', { dataset_id: id, ...version });
      return version;
    });
  }

  /** Newest first. One that came back is there twice. */
  versions(dataset: string): DatasetVersionRecord[] {
    return this.#versions(this.idOf(dataset), -1);
  }

  #versions(datasetId: string, most: number): DatasetVersionRecord[] {
    const sql = 'SELECT * FROM dataset_versions WHERE dataset_id = ? ORDER BY seq DESC LIMIT ?';
    return this.readable(DATASET_VERSIONS, 'dataset_versions', sql, [datasetId, most]);
  }
}
