import { shorten, visible } from '../data/visible.ts';
import { isoTime, now, type Value } from './cells.ts';
import type { ObservationFilter, TraceFilter } from './filters.ts';
import { type ObservationRecord, OBSERVATIONS, type TraceRecord, TRACES } from './records.ts';
import { StoreConflict } from './store-conflict.ts';
import { type Changes, sameTime, upsertInto } from './table.ts';
import { type Page, type Paged, StorePart, Where } from './store-part.ts';

const upsertTrace = upsertInto('traces', TRACES, { fresh: { timestamp: sameTime } });
const upsertObservation = upsertInto('observations', OBSERVATIONS, {
  more: ['experiment_id', 'experiment_name', 'experiment_dataset_id', 'experiment_item_id', 'experiment_root'],
  fresh: { start_time: sameTime },
});

/** Traces and the observations in them. */
export class Traces extends StorePart {
  /** Makes it, or changes what is given. */
  save(trace: Changes<TraceRecord> & { readonly id: string }): void {
    const time = now();
    const { tags } = trace;
    const work = (): void => {
      const given = tags === undefined ? trace : { ...trace, tags: [...new Set(tags)] };
      upsertTrace(this.database, given, time);
      if (tags !== undefined) this.#tag(trace.id, tags);
    };
    if (tags === undefined || tags.length === 0) this.database.write(work);
    else this.database.transaction(work);
  }

  /** Makes it, or changes what is given; a trace that is not there yet is made, unless it is known to be there. */
  saveObservation(
    one: Changes<ObservationRecord> & { readonly id: string; readonly traceId: string },
    isTraceThere = false,
  ): void {
    const time = now();
    const started = one.startTime === undefined ? time : isoTime(one.startTime);
    refuseOddNumbers(one);
    this.database.write(() => {
      if (!isTraceThere)
        this.database.run(
          `INSERT INTO traces (id, timestamp, environment, created_at, updated_at) VALUES (?, ?, ?, ?, ?)
            ON CONFLICT (id) DO NOTHING`,
          [one.traceId, started, one.environment ?? 'default', time, time],
        );
      upsertObservation(this.database, one, time, experimentCells(one.id, one.experiment));
    });
  }

  get(id: string): TraceRecord | null {
    return this.one(TRACES, 'SELECT * FROM traces WHERE id = ?', [id]);
  }

  /** With its observations, its scores and its part in runs. */
  delete(id: string): boolean {
    return this.database.transaction(() => {
      if (this.database.run('DELETE FROM traces WHERE id = ?', [id]) === 0) return false;
      this.database.run('DELETE FROM scores WHERE trace_id = ?', [id]);
      this.database.run('DELETE FROM dataset_run_items WHERE trace_id = ?', [id]);
      return true;
    });
  }

  /** Newest first. */
  list(filter: TraceFilter, page: Page): Paged<TraceRecord> {
    const where = new Where()
      .equal('name', filter.name)
      .equal('user_id', filter.userId)
      .equal('session_id', filter.sessionId)
      .equal('version', filter.version)
      .equal('release', filter.release)
      .oneOf('environment', filter.environment)
      .from('timestamp', filter.fromTimestamp)
      .before('timestamp', filter.toTimestamp);
    for (const tag of filter.tags ?? []) where.add('id IN (SELECT trace_id FROM trace_tags WHERE tag = ?)', tag);
    return this.page(TRACES, { key: 'seq', from: 'traces', where, order: 'timestamp DESC, seq DESC' }, page);
  }

  observation(id: string): ObservationRecord | null {
    return this.one(OBSERVATIONS, 'SELECT * FROM observations WHERE id = ?', [id]);
  }

  /** By their start. */
  observationsOf(traceId: string): ObservationRecord[] {
    const sql = 'SELECT * FROM observations WHERE trace_id = ? ORDER BY start_time, seq';
    return this.readable(OBSERVATIONS, 'observations', sql, [traceId]);
  }

  /** Newest first. */
  listObservations(filter: ObservationFilter, page: Page): Paged<ObservationRecord> {
    const where = new Where()
      .equal('trace_id', filter.traceId)
      .equal('parent_observation_id', filter.parentObservationId)
      .equal('name', filter.name)
      .equal('type', filter.type)
      .equal('level', filter.level)
      .equal('version', filter.version)
      .equal('experiment_id', filter.experimentId)
      .equal('experiment_item_id', filter.experimentItemId)
      .oneOf('environment', filter.environment)
      .from('start_time', filter.fromStartTime)
      .before('start_time', filter.toStartTime);
    if (filter.userId !== undefined) where.add('trace_id IN (SELECT id FROM traces WHERE user_id = ?)', filter.userId);
    const order = 'start_time DESC, seq DESC';
    return this.page(OBSERVATIONS, { key: 'seq', from: 'observations', where, order }, page);
  }

  #tag(id: string, tags: readonly string[]): void {
    this.database.run('DELETE FROM trace_tags WHERE trace_id = ?', [id]);
    for (const tag of new Set(tags)) this.database.insert('trace_tags', { tag, trace_id: id });
  }
}

/** JSON would make null of NaN and Infinity, and SQLite an integer of a version that no number can hold. */
function refuseOddNumbers({ promptVersion, usageDetails = {}, costDetails = {} }: Changes<ObservationRecord>): void {
  if (typeof promptVersion === 'number' && !Number.isSafeInteger(promptVersion))
    throw new StoreConflict(`a version of a prompt is ${promptVersion}, expected a whole number up to 2^53 - 1`);
  for (const [name, value] of [...Object.entries(usageDetails), ...Object.entries(costDetails)])
    if (!Number.isFinite(value)) throw new StoreConflict(`${visible(shorten(name))} is ${value}, expected a number`);
}

/** What is asked for in lists of the link, which is also kept whole in its own column; none of it without a link. */
function experimentCells(id: string, link: ObservationRecord['experiment'] | undefined): Value[] {
  if (link === undefined) return [];
  if (link === null) return [null, null, null, null, false];
  const { experimentId, experimentName, datasetId, itemId, rootObservationId } = link;
  return [experimentId, experimentName, datasetId, itemId, rootObservationId === id];
}
