import { randomUUID } from 'node:crypto';

import { visible } from '../data/visible.ts';
import {
  damagedCell,
  jsonCell,
  maybeText,
  maybeTimeText,
  now,
  number,
  type StoreRow,
  text,
  timeText,
} from './cells.ts';
import type { ExperimentFilter, ExperimentItemFilter } from './filters.ts';
import {
  DATASET_RUNS,
  type DatasetRunItemRecord,
  type DatasetRunRecord,
  experimentLink,
  type ObservationRecord,
  OBSERVATIONS,
  RUN_ITEMS,
} from './records.ts';
import { StoreConflict } from './store-conflict.ts';
import { type Kept, table, under } from './table.ts';
import { offsetOf, type Page, type Paged, placed, StorePart, totalOf, Where } from './store-part.ts';

export interface RunSave {
  readonly datasetName: string;
  readonly name: string;
  readonly description?: string | null | undefined;
  readonly metadata?: unknown;
  /** For a run that is not there yet; one that is keeps its own. */
  readonly id?: string | undefined;
}

/** What the root observations of one experiment say together. */
export interface StoredExperiment {
  readonly id: string;
  readonly name: string;
  readonly description: string | null;
  readonly metadata: unknown;
  readonly datasetId: string | null;
  /** Of its first item. */
  readonly startTime: string;
  /** Of its last item; null while none has ended. */
  readonly endTime: string | null;
  /** Root observations: an item that ran twice counts twice. */
  readonly items: number;
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
      this.database.insert(
        'dataset_runs',
        {
          id: before?.id ?? id ?? randomUUID(),
          dataset_id: text(dataset, 'id'),
          name,
          created_at: time,
          updated_at: time,
          description: description === undefined ? (before?.description ?? null) : description,
          metadata: jsonCell(metadata === undefined ? before?.metadata : metadata),
        },
        `ON CONFLICT (dataset_id, name) DO UPDATE SET updated_at = excluded.updated_at,
          description = excluded.description, metadata = excluded.metadata`,
      );
      return this.get(datasetName, name) ?? damagedCell('name');
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
    return this.page(DATASET_RUNS, { columns: RUN_COLUMNS, from: RUN_TABLES, where, order: 'r.seq DESC' }, page);
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
      const sql = `SELECT ${ITEM_COLUMNS} FROM ${ITEM_TABLES} ${where.sql}`;
      return this.one(RUN_ITEMS, sql, where.values) ?? damagedCell('run_id');
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
    return this.readable(RUN_ITEMS, 'dataset_run_items', sql, [runId]);
  }

  /** Which trace came of which item, the newest run first; of one run only where it is named. */
  traces({ datasetName, runName }: ItemTraceFilter, page: Page): Paged<ItemTraceRecord> {
    const where = new Where().equal('d.name', datasetName).equal('r.name', runName);
    const columns = 'r.name AS run_name, l.item_id, l.trace_id, t.timestamp, o.level, o.status_message';
    const from = `dataset_run_items l JOIN dataset_runs r ON r.id = l.run_id JOIN datasets d ON d.id = r.dataset_id
      LEFT JOIN traces t ON t.id = l.trace_id LEFT JOIN observations o ON o.id = l.observation_id`;
    return this.page(ITEM_TRACES, { columns, from, where, order: 'r.seq DESC, l.seq' }, page);
  }

  /** Newest first. */
  listItems(filter: { readonly datasetId: string; readonly runName: string }, page: Page): Paged<DatasetRunItemRecord> {
    const where = new Where().equal('r.dataset_id', filter.datasetId).equal('r.name', filter.runName);
    return this.page(RUN_ITEMS, { columns: ITEM_COLUMNS, from: ITEM_TABLES, where, order: 'l.seq DESC' }, page);
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
  experiments(filter: ExperimentFilter, page: Page): Paged<StoredExperiment> {
    const where = new Where()
      .add('experiment_id IS NOT NULL AND experiment_root = 1')
      .oneOf('experiment_id', filter.ids)
      .oneOf('experiment_name', filter.names)
      .oneOf('experiment_dataset_id', filter.datasetIds);
    const grouped = `SELECT experiment_id, min(start_time) AS start_time, max(end_time) AS end_time, count(*) AS items
      FROM observations ${where.sql} GROUP BY experiment_id`;
    const times = new Where().from('start_time', filter.fromTime).before('start_time', filter.toTime);
    const values = [...where.values, ...times.values];
    const rows = this.database.rows(
      `SELECT * FROM (${grouped}) ${times.sql} ORDER BY start_time DESC, experiment_id LIMIT ? OFFSET ?`,
      [...values, page.limit, offsetOf(page)],
    );
    const count = this.database.row(`SELECT count(*) AS total FROM (${grouped}) ${times.sql}`, values);
    return { ...placed(this.database, 'observations', rows, (row) => this.#experiment(row)), total: totalOf(count) };
  }

  /** What belongs to the experiment as a whole stands on every item; the newest one has it as it is now. */
  #experiment(row: StoreRow): StoredExperiment {
    const id = text(row, 'experiment_id');
    const newest = this.database.row(
      `SELECT experiment FROM observations WHERE experiment_id = ? AND experiment_root = 1
        ORDER BY start_time DESC, seq DESC LIMIT 1`,
      [id],
    );
    const link = newest === null ? null : experimentLink(newest);
    return {
      id,
      name: link?.experimentName ?? id,
      description: link?.experimentDescription ?? null,
      metadata: link?.experimentMetadata ?? null,
      datasetId: link?.datasetId ?? null,
      startTime: timeText(row, 'start_time'),
      endTime: maybeTimeText(row, 'end_time'),
      items: number(row, 'items'),
    };
  }

  /** The root observation of every item, newest first. */
  experimentItems(filter: ExperimentItemFilter, page: Page): Paged<ObservationRecord> {
    const where = new Where()
      .add('experiment_root = 1')
      .oneOf('experiment_id', filter.experimentIds)
      .oneOf('experiment_name', filter.experimentNames)
      .oneOf('experiment_item_id', filter.itemIds)
      .oneOf('experiment_dataset_id', filter.datasetIds)
      .from('start_time', filter.fromTime)
      .before('start_time', filter.toTime);
    const order = 'start_time DESC, seq DESC';
    return this.page(OBSERVATIONS, { key: 'seq', from: 'observations', where, order }, page);
  }
}
