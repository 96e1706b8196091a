import { randomUUID } from 'node:crypto';

import { visible } from '../data/visible.ts';
import { jsonCell, maybeText, maybeTimeText, number, text } from './cells.ts';
import { listExperimentItems, listExperiments, type ExperimentSummary } from './experiments.ts';
import type { ExperimentFilter, ExperimentItemFilter } from './filters.ts';
import { now } from './iso-time.ts';
import {
  DATASET_RUNS,
  type DatasetRunItemRecord,
  type DatasetRunRecord,
  type ObservationRecord,
  RUN_ITEMS,
} from './records.ts';
import { StoreConflict } from './store-conflict.ts';
import { type Kept, table, under } from './table.ts';
import { type Page, type Paged, paged, readRows, Where } from './where.ts';
import { StorePart } from './store-part.ts';

export type { ExperimentSummary } from './experiments.ts';

export interface RunSave {
  readonly datasetName: string;
  readonly name: string;
  readonly description?: string | null | undefined;
  readonly metadata?: unknown;
  /** For a run that is not there yet; one that is keeps its own. */
  readonly id?: string | undefined;
}

export interface RunLink {
  readonly runId: string;
  readonly itemId: string;
  readonly traceId: string;
  readonly observationId: string | null;
}

export interface ItemTraceFilter {
  readonly datasetName: string;
  readonly runName?: string | undefined;
}

/** The traces of items in runs, without what they hold. */
const ITEM_TRACES = table({
  run: under('run_name', text),
  item: under('item_id', text),
  traceId: text,
  /** Null where the trace is not there, or not yet. */
  time: under('timestamp', maybeTimeText),
  /** What went wrong; null where nothing did. */
  error: (row): string | null =>
    maybeText(row, 'level') === 'ERROR' ? (maybeText(row, 'status_message') ?? 'failed') : null,
});
export type ItemTraceRecord = Kept<typeof ITEM_TRACES>;

const RUN_COLUMNS = 'r.*, d.name AS dataset_name';
const RUN_TABLES = 'dataset_runs r JOIN datasets d ON d.id = r.dataset_id';
const ITEM_COLUMNS = 'l.*, r.name AS run_name';
const ITEM_TABLES = 'dataset_run_items l JOIN dataset_runs r ON r.id = l.run_id';

/** Runs over datasets: a run is one of its name over its dataset. */
export class Runs extends StorePart {
  /** Makes it, or changes what is given. */
  save({ datasetName, name, description, metadata, id }: RunSave): DatasetRunRecord {
    if (name === '') throw new StoreConflict('a run needs a name');
    return this.database.transaction(() => {
      const dataset = this.database.row('SELECT id FROM datasets WHERE name = ?', [datasetName]);
      if (dataset === null) throw new StoreConflict(`there is no dataset ${visible(datasetName)}`);
      const before = this.get(datasetName, name);
      if (before === null && id !== undefined && this.byId(id) !== null)
        throw new StoreConflict(`the id ${visible(id)} belongs to another run`);
      const time = now();
      this.database.run(
        `INSERT INTO dataset_runs (id, dataset_id, name, created_at, updated_at, description, metadata)
          VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (dataset_id, name) DO UPDATE SET
          updated_at = excluded.updated_at, description = excluded.description, metadata = excluded.metadata`,
        [
          before?.id ?? id ?? randomUUID(),
          text(dataset, 'id'),
          name,
          time,
          time,
          description === undefined ? (before?.description ?? null) : description,
          jsonCell(metadata === undefined ? before?.metadata : metadata),
        ],
      );
      const saved = this.get(datasetName, name);
      if (saved === null) throw new Error('a run that was saved is not there');
      return saved;
    });
  }

  get(datasetName: string, name: string): DatasetRunRecord | null {
    const sql = `SELECT ${RUN_COLUMNS} FROM ${RUN_TABLES} WHERE d.name = ? AND r.name = ?`;
    return this.one(DATASET_RUNS, sql, [datasetName, name]);
  }

  byId(id: string): DatasetRunRecord | null {
    return this.one(DATASET_RUNS, `SELECT ${RUN_COLUMNS} FROM ${RUN_TABLES} WHERE r.id = ?`, [id]);
  }

  /** Newest first. */
  list(datasetName: string, page: Page): Paged<DatasetRunRecord> {
    const where = new Where().equal('d.name', datasetName);
    const listing = { columns: RUN_COLUMNS, from: RUN_TABLES, where, order: 'r.seq DESC', record: DATASET_RUNS.record };
    return paged(this.database, listing, page);
  }

  /** With its links and its own scores; the traces stay. */
  delete(datasetName: string, name: string): boolean {
    return this.database.transaction(() => {
      const run = this.get(datasetName, name);
      if (run === null) return false;
      this.database.run('DELETE FROM scores WHERE dataset_run_id = ?', [run.id]);
      return this.database.run('DELETE FROM dataset_runs WHERE id = ?', [run.id]) > 0;
    });
  }

  /** Records that a trace came from an item in this run. Again with the same three changes the observation only. */
  link(link: RunLink): DatasetRunItemRecord {
    return this.database.write(() => {
      this.put(link);
      const where = new Where()
        .equal('run_id', link.runId)
        .equal('item_id', link.itemId)
        .equal('trace_id', link.traceId);
      const row = this.database.row(`SELECT ${ITEM_COLUMNS} FROM ${ITEM_TABLES} ${where.sql}`, where.values);
      if (row === null) throw new Error('a link that was saved is not there');
      return RUN_ITEMS.record(row);
    });
  }

  /** As `link`, for many: nothing is read back. */
  put({ runId, itemId, traceId, observationId }: RunLink): void {
    const time = now();
    const linked = this.database.write(() =>
      this.database.run(
        `INSERT INTO dataset_run_items (id, run_id, item_id, trace_id, observation_id, created_at, updated_at)
          SELECT ?, id, ?, ?, ?, ?, ? FROM dataset_runs WHERE id = ?
          ON CONFLICT (run_id, item_id, trace_id) DO UPDATE SET
          observation_id = excluded.observation_id, updated_at = excluded.updated_at`,
        [randomUUID(), itemId, traceId, observationId, time, time, runId],
      ),
    );
    if (linked === 0) throw new StoreConflict(`run not found: ${visible(runId)}`);
  }

  /** In the order in which they were linked. */
  items(runId: string): DatasetRunItemRecord[] {
    const sql = `SELECT ${ITEM_COLUMNS} FROM ${ITEM_TABLES} WHERE l.run_id = ? ORDER BY l.seq`;
    return readRows(this.database, 'dataset_run_items', this.database.rows(sql, [runId]), RUN_ITEMS.record);
  }

  /** Which trace came of which item, the newest run first; of one run only where it is named. */
  traces({ datasetName, runName }: ItemTraceFilter, page: Page): Paged<ItemTraceRecord> {
    const where = new Where().equal('d.name', datasetName).equal('r.name', runName);
    const columns = 'r.name AS run_name, l.item_id, l.trace_id, t.timestamp, o.level, o.status_message';
    const from = `dataset_run_items l JOIN dataset_runs r ON r.id = l.run_id JOIN datasets d ON d.id = r.dataset_id
      LEFT JOIN traces t ON t.id = l.trace_id LEFT JOIN observations o ON o.id = l.observation_id`;
    return paged(this.database, { columns, from, where, order: 'r.seq DESC, l.seq', record: ITEM_TRACES.record }, page);
  }

  /** Newest first. */
  listItems(filter: { readonly datasetId: string; readonly runName: string }, page: Page): Paged<DatasetRunItemRecord> {
    const where = new Where().equal('r.dataset_id', filter.datasetId).equal('r.name', filter.runName);
    const listing = { columns: ITEM_COLUMNS, from: ITEM_TABLES, where, order: 'l.seq DESC', record: RUN_ITEMS.record };
    return paged(this.database, listing, page);
  }

  /** How many of these traces are there and linked to the run, and how many scores are on those. */
  count(runId: string, traceIds: readonly string[]): { readonly traces: number; readonly scores: number } {
    // The plus keeps SQLite from going through the whole run for every few traces.
    const where = new Where().equal('+run_id', runId).oneOf('trace_id', traceIds);
    const linked = `SELECT trace_id FROM dataset_run_items ${where.sql}`;
    const row = this.database.row(
      `WITH found AS (SELECT id FROM traces WHERE id IN (${linked}))
        SELECT (SELECT count(*) FROM found) AS traces,
          (SELECT count(*) FROM scores WHERE trace_id IN (SELECT id FROM found)) AS scores`,
      where.values,
    );
    return row === null ? { traces: 0, scores: 0 } : { traces: number(row, 'traces'), scores: number(row, 'scores') };
  }

  /** Newest first. */
  experiments(filter: ExperimentFilter, page: Page): Paged<ExperimentSummary> {
    return listExperiments(this.database, filter, page);
  }

  /** The root observation of every item, newest first. */
  experimentItems(filter: ExperimentItemFilter, page: Page): Paged<ObservationRecord> {
    return listExperimentItems(this.database, filter, page);
  }
}
