import { maybeTimeText, number, text, timeText, type Row } from './cells.ts';
import type { Database } from './database.ts';
import type { ExperimentFilter, ExperimentItemFilter } from './filters.ts';
import { experimentLink, type ObservationRecord, OBSERVATIONS } from './records.ts';
import { type Page, type Paged, offsetOf, paged, placed, totalOf, Where } from './where.ts';

/** What the root observations of one experiment say together. */
export interface ExperimentSummary {
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

export function listExperiments(database: Database, filter: ExperimentFilter, page: Page): Paged<ExperimentSummary> {
  const where = new Where()
    .add('experiment_id IS NOT NULL AND experiment_root = 1')
    .oneOf('experiment_id', filter.ids)
    .oneOf('experiment_name', filter.names)
    .oneOf('experiment_dataset_id', filter.datasetIds);
  const grouped = `SELECT experiment_id, min(start_time) AS start_time, max(end_time) AS end_time, count(*) AS items
    FROM observations ${where.sql} GROUP BY experiment_id`;
  const times = new Where().from('start_time', filter.fromTime).before('start_time', filter.toTime);
  const values = [...where.values, ...times.values];
  const rows = database.rows(
    `SELECT * FROM (${grouped}) ${times.sql} ORDER BY start_time DESC, experiment_id LIMIT ? OFFSET ?`,
    [...values, page.limit, offsetOf(page)],
  );
  const count = database.row(`SELECT count(*) AS total FROM (${grouped}) ${times.sql}`, values);
  return { ...placed(database, 'observations', rows, (row) => summary(database, row)), total: totalOf(count) };
}

/** What belongs to the experiment as a whole stands on every item; the newest one has it as it is now. */
function summary(database: Database, row: Row): ExperimentSummary {
  const id = text(row, 'experiment_id');
  const newest = database.row(
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

export function listExperimentItems(
  database: Database,
  filter: ExperimentItemFilter,
  page: Page,
): Paged<ObservationRecord> {
  const where = new Where()
    .add('experiment_root = 1')
    .oneOf('experiment_id', filter.experimentIds)
    .oneOf('experiment_name', filter.experimentNames)
    .oneOf('experiment_item_id', filter.itemIds)
    .oneOf('experiment_dataset_id', filter.datasetIds)
    .from('start_time', filter.fromTime)
    .before('start_time', filter.toTime);
  const order = 'start_time DESC, seq DESC';
  return paged(
    database,
    { columns: '*', key: 'seq', from: 'observations', where, order, record: OBSERVATIONS.record },
    page,
  );
}
