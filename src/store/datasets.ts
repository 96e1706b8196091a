import { randomUUID } from 'node:crypto';

import {
  damagedCell,
  isoTime,
  jsonCell,
  justAfter,
  latest,
  maybeText,
  now,
  number,
  type StoreRow,
  text,
} from './cells.ts';
import { DatasetHash, itemHash } from './dataset-version.ts';
import {
  DATASET_ITEMS,
  DATASET_VERSIONS,
  type DatasetInit,
  type DatasetItemInit,
  type DatasetItemRecord,
  type DatasetRecord,
  DATASETS,
  type DatasetVersionRecord,
} from './records.ts';
import { StoreConflict } from './store-conflict.ts';
import { sameTime, upsertInto } from './table.ts';
import { type Page, type Paged, StorePart, Where } from './store-part.ts';
import { visible } from '../data/visible.ts';
import type { ItemFilter } from './filters.ts';

const upsertDataset = upsertInto('datasets', DATASETS, {
  key: 'name',
  fresh: { id: () => randomUUID(), items_changed_at: sameTime },
});

export interface ItemOptions {
  readonly archived?: boolean;
  /** As they were at that time. */
  readonly at?: string;
}

/** An item in one of its states. */
const ITEM_COLUMNS = `i.seq, i.id, i.dataset_id, d.name AS dataset_name, i.created_at, s.seq AS state_seq,
  s.valid_from, s.status, s.hash, s.source_trace_id, s.source_observation_id, s.metadata, s.input, s.expected_output`;

const ITEM_TABLES = `dataset_items i JOIN datasets d ON d.id = i.dataset_id
  JOIN dataset_item_states s ON s.item_seq = i.seq`;

const CHUNK = 500;

/** What changes from state to state, as the columns hold it. */
const STATE_COLUMNS = [
  'status',
  'hash',
  'source_trace_id',
  'source_observation_id',
  'metadata',
  'input',
  'expected_output',
] as const;
type State = Readonly<Record<(typeof STATE_COLUMNS)[number], string | null>>;

/**
 * Datasets and their items. A change ends the state that an item was in and begins another, so that a dataset can be seen
 * as it was at any time.
 */
export class Datasets extends StorePart {
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
      const id = this.#idOf(dataset);
      const all = new DatasetHash();
      for (const hash of this.#hashes(id)) all.addHash(hash);
      const { hash, items } = all.result();
      const last = this.#versions(id, 1)[0];
      if (last?.hash === hash) return last;
      const version = { hash, items, at: this.#changedAt(id) };
      this.database.insert('dataset_versions', { dataset_id: id, ...version });
      return version;
    });
  }

  /** Newest first. One that came back is there twice. */
  versions(dataset: string): DatasetVersionRecord[] {
    return this.#versions(this.#idOf(dataset), -1);
  }

  #versions(datasetId: string, most: number): DatasetVersionRecord[] {
    const sql = 'SELECT * FROM dataset_versions WHERE dataset_id = ? ORDER BY seq DESC LIMIT ?';
    return this.readable(DATASET_VERSIONS, 'dataset_versions', sql, [datasetId, most]);
  }

  /** Makes items, or changes those of the same id; what is undefined stays as it was. All of them or none. */
  saveItems(dataset: string, items: readonly DatasetItemInit[]): DatasetItemRecord[] {
    return this.database.transaction(() => this.#save(this.#idOf(dataset), items));
  }

  #save(datasetId: string, items: readonly DatasetItemInit[]): DatasetItemRecord[] {
    const time = this.#timeOfChange(datasetId);
    let changed = false;
    const saved = items.map((item) => {
      const before = item.id === undefined ? null : this.#now(item.id);
      if (before !== null && text(before, 'dataset_id') !== datasetId)
        throw new StoreConflict(`the item ${visible(text(before, 'id'))} belongs to another dataset`);
      const id = item.id ?? randomUUID();
      const state = stateOf(id, item, before);
      if (before !== null && isSame(state, before)) return DATASET_ITEMS.record(before);
      changed = true;
      const seq = before === null ? this.#make(id, datasetId, time) : number(before, 'seq');
      this.#change(seq, before, state, time);
      return this.item(id) ?? damagedCell('id');
    });
    if (changed) this.#note(datasetId, time);
    return saved;
  }

  item(id: string): DatasetItemRecord | null {
    const row = this.#now(id);
    return row === null ? null : DATASET_ITEMS.record(row);
  }

  /** It leaves the dataset, with its part in runs; earlier states of the dataset still have it. */
  deleteItem(id: string): boolean {
    return this.database.transaction(() => {
      const row = this.#now(id);
      if (row === null) return false;
      const datasetId = text(row, 'dataset_id');
      const time = this.#timeOfChange(datasetId);
      const gone = [time, number(row, 'seq')];
      this.database.run('UPDATE dataset_items SET deleted_at = ? WHERE seq = ?', gone);
      this.database.run('UPDATE dataset_item_states SET valid_to = ? WHERE item_seq = ? AND valid_to IS NULL', gone);
      this.database.run('DELETE FROM dataset_run_items WHERE item_id = ?', [id]);
      this.#note(datasetId, time);
      return true;
    });
  }

  /** In the order in which they were made, a few at a time, all as they were at one moment: now, or `at`. */
  items(dataset: string, options: ItemOptions = {}): IterableIterator<DatasetItemRecord> {
    return this.#each(this.#idOf(dataset), options);
  }

  *#each(datasetId: string, { archived = false, at }: ItemOptions): Generator<DatasetItemRecord> {
    const time = at === undefined ? latest(now(), this.#changedAt(datasetId)) : isoTime(at);
    const sql = `SELECT ${ITEM_COLUMNS} FROM ${ITEM_TABLES} WHERE i.dataset_id = ? AND i.seq > ?
      AND s.valid_from <= ? AND (s.valid_to IS NULL OR s.valid_to > ?) AND (s.status = 'ACTIVE' OR ?)
      ORDER BY i.seq LIMIT ?`;
    let after = 0;
    for (;;) {
      const rows = this.database.rows(sql, [datasetId, after, time, time, archived, CHUNK]);
      for (const row of rows) yield DATASET_ITEMS.record(row);
      const last = rows.at(-1);
      if (last === undefined || rows.length < CHUNK) return;
      after = number(last, 'seq');
    }
  }

  /** Active ones, newest first. */
  listItems({ datasetId, sourceTraceId, sourceObservationId, at }: ItemFilter, page: Page): Paged<DatasetItemRecord> {
    const where = new Where()
      .equal('i.dataset_id', datasetId)
      .equal('s.source_trace_id', sourceTraceId)
      .equal('s.source_observation_id', sourceObservationId)
      .add("s.status = 'ACTIVE'");
    if (at === undefined) where.add('s.valid_to IS NULL');
    else where.add('s.valid_from <= ? AND (s.valid_to IS NULL OR s.valid_to > ?)', isoTime(at), isoTime(at));
    return this.page(DATASET_ITEMS, { columns: ITEM_COLUMNS, from: ITEM_TABLES, where, order: 'i.seq DESC' }, page);
  }

  #idOf(dataset: string): string {
    const row = this.database.row('SELECT id FROM datasets WHERE name = ?', [dataset]);
    if (row === null) throw noDataset(dataset);
    return text(row, 'id');
  }

  /** Of the active ones now. */
  #hashes(datasetId: string): string[] {
    const sql = `SELECT s.hash FROM ${ITEM_TABLES} WHERE i.dataset_id = ? AND s.valid_to IS NULL AND s.status = 'ACTIVE'`;
    return this.database.rows(sql, [datasetId]).map((row) => text(row, 'hash'));
  }

  #changedAt(datasetId: string): string {
    const row = this.database.row('SELECT items_changed_at FROM datasets WHERE id = ?', [datasetId]);
    return row === null ? '' : text(row, 'items_changed_at');
  }

  /** Never before an earlier change, whatever the clock shows, and never at the moment of a version that was named. */
  #timeOfChange(datasetId: string): string {
    const sql = 'SELECT at FROM dataset_versions WHERE dataset_id = ? ORDER BY seq DESC LIMIT 1';
    const row = this.database.row(sql, [datasetId]);
    return latest(now(), this.#changedAt(datasetId), row === null ? null : justAfter(text(row, 'at')));
  }

  #note(datasetId: string, time: string): void {
    this.database.run('UPDATE datasets SET items_changed_at = ? WHERE id = ?', [time, datasetId]);
  }

  #now(id: string): StoreRow | null {
    const sql = `SELECT ${ITEM_COLUMNS} FROM ${ITEM_TABLES} WHERE i.id = ? AND i.deleted_at IS NULL AND s.valid_to IS NULL`;
    return this.database.row(sql, [id]);
  }

  #make(id: string, datasetId: string, time: string): number {
    const sql = 'INSERT INTO dataset_items (id, dataset_id, created_at) VALUES (?, ?, ?) RETURNING seq';
    const row = this.database.row(sql, [id, datasetId, time]);
    if (row === null) throw new Error('a row that was made is not there');
    return number(row, 'seq');
  }

  #change(seq: number, before: StoreRow | null, state: State, time: string): void {
    if (before !== null) {
      const old = number(before, 'state_seq');
      // A state that began at this very moment was never to be seen.
      if (text(before, 'valid_from') === time)
        this.database.run('DELETE FROM dataset_item_states WHERE seq = ?', [old]);
      else this.database.run('UPDATE dataset_item_states SET valid_to = ? WHERE seq = ?', [time, old]);
    }
    this.database.insert('dataset_item_states', { item_seq: seq, valid_from: time, ...state });
  }
}

function noDataset(name: string): StoreConflict {
  return new StoreConflict(`there is no dataset ${visible(name)}`);
}

function stateOf(id: string, item: DatasetItemInit, before: StoreRow | null): State {
  const kept = (column: string): string | null => (before === null ? null : maybeText(before, column));
  const cell = (value: unknown, column: string): string | null =>
    value === undefined ? kept(column) : jsonCell(value);
  const input = cell(item.input, 'input');
  const expectedOutput = cell(item.expectedOutput, 'expected_output');
  const metadata = cell(item.metadata, 'metadata');
  return {
    status: item.status ?? kept('status') ?? 'ACTIVE',
    hash: itemHash({ id, input: parsed(input), expectedOutput: parsed(expectedOutput), metadata: parsed(metadata) }),
    source_trace_id: item.sourceTraceId === undefined ? kept('source_trace_id') : item.sourceTraceId,
    source_observation_id:
      item.sourceObservationId === undefined ? kept('source_observation_id') : item.sourceObservationId,
    metadata,
    input,
    expected_output: expectedOutput,
  };
}

/** The hash is of what will be read back, so it is made from the text. */
function parsed(cell: string | null): unknown {
  return cell === null ? null : JSON.parse(cell);
}

function isSame(state: State, before: StoreRow): boolean {
  return STATE_COLUMNS.every((column) => state[column] === maybeText(before, column));
}
