import { describe } from '../data/record-fields.ts';
import { shorten, visible } from '../data/visible.ts';
import { damagedCell, isoTime, jsonCell, now } from './cells.ts';
import type { ScoreFilter, ScoreOperator } from './filters.ts';
import { type ScoreRecord, SCORES, type ScoreType } from './records.ts';
import { MERGE_ORDER, mergeFields, readFields, SAVED_BEFORE, type ScoreSending } from './score-events.ts';
import { StoreConflict } from './store-conflict.ts';
import { type Changes, sameTime, upsertInto } from './table.ts';
import { type Page, type Paged, StorePart, Where } from './store-part.ts';

export type ScoreSave = Changes<Omit<ScoreRecord, 'value'>> & {
  readonly id: string;
  readonly name: string;
  /** A text is the name of a category, unless the type is another. */
  readonly value?: number | string | boolean | null | undefined;
};

/** They are SQL as they are, and nothing else gets into a statement. */
const OPERATORS: readonly ScoreOperator[] = ['<', '>', '<=', '>=', '!=', '='];

const SEQ = '(SELECT seq FROM scores WHERE id = ?)';

const upsertScore = upsertInto('scores', SCORES, { fresh: { timestamp: sameTime } });

export class Scores extends StorePart {
  /** Makes it, or changes what is given, and answers with it as it is kept. */
  save(score: ScoreSave): ScoreRecord {
    return this.database.write(() => {
      this.put(score);
      return this.get(score.id) ?? damagedCell('id');
    });
  }

  /** As `save`, for many: nothing is read back. Events that come later change what is saved here. */
  put(score: ScoreSave): void {
    this.database.write(() => {
      this.database.run(`DELETE FROM score_events WHERE score_seq = ${SEQ}`, [score.id]);
      const isValueGiven = score.value !== undefined || score.stringValue !== undefined || score.dataType !== undefined;
      const before = isValueGiven ? null : this.get(score.id);
      const { dataType, value, stringValue } = before ?? scoreValue(score);
      upsertScore(this.database, { ...score, dataType, value, stringValue }, now());
    });
  }

  /** Keeps an event and makes the score of all its events, in whatever order they arrive. */
  merge({ id, ...score }: ScoreSave, { id: event, sentAt }: ScoreSending): void {
    this.database.write(() => {
      const before = this.get(id);
      const timestamp = isoTime(sentAt);
      const fields = { ...score, ...scoreValue(score), timestamp };
      if (before === null) upsertScore(this.database, { ...fields, id }, now());
      else if (this.#events(id).length === 0) this.#keepEvent(id, SAVED_BEFORE, before);
      this.#keepEvent(id, { id: event, sentAt: timestamp }, fields);
      if (before !== null) upsertScore(this.database, { ...mergeFields(this.#events(id)), id }, now());
    });
  }

  #events(score: string): ReturnType<typeof readFields>[] {
    const sql = `SELECT fields FROM score_events WHERE score_seq = ${SEQ} ORDER BY ${MERGE_ORDER}`;
    return this.database.rows(sql, [score]).map(readFields);
  }

  #keepEvent(score: string, { id, sentAt }: ScoreSending, fields: Changes<ScoreRecord>): void {
    const sql = `INSERT INTO score_events (score_seq, id, sent_at, fields) VALUES (${SEQ}, ?, ?, ?)
      ON CONFLICT (score_seq, id) DO UPDATE SET sent_at = excluded.sent_at, fields = excluded.fields`;
    this.database.run(sql, [score, id, sentAt, jsonCell(fields)]);
  }

  get(id: string): ScoreRecord | null {
    return this.one(SCORES, 'SELECT * FROM scores WHERE id = ?', [id]);
  }

  delete(id: string): boolean {
    return this.database.write(() => this.database.run('DELETE FROM scores WHERE id = ?', [id])) > 0;
  }

  /** Newest first. */
  list(filter: ScoreFilter, page: Page): Paged<ScoreRecord> {
    const where = new Where()
      .oneOf('id', filter.ids)
      .oneOf('trace_id', filter.traceIds)
      .oneOf('observation_id', filter.observationIds)
      .oneOf('session_id', filter.sessionIds)
      .oneOf('dataset_run_id', filter.datasetRunIds)
      .oneOf('name', filter.names)
      .equal('data_type', filter.dataType)
      .equal('source', filter.source)
      .equal('config_id', filter.configId)
      .oneOf('environment', filter.environment)
      .from('timestamp', filter.fromTimestamp)
      .before('timestamp', filter.toTimestamp);
    if (filter.value !== undefined) {
      const operator = OPERATORS.find((one) => one === filter.operator) ?? '=';
      where.add(`value ${operator} ?`, filter.value);
    }
    if (filter.userId !== undefined) where.add('trace_id IN (SELECT id FROM traces WHERE user_id = ?)', filter.userId);
    return this.page(SCORES, { from: 'scores', where, order: 'timestamp DESC, seq DESC' }, page);
  }

  /** In the order in which they were made. */
  ofTrace(traceId: string): ScoreRecord[] {
    return this.readable(SCORES, 'scores', 'SELECT * FROM scores WHERE trace_id = ? ORDER BY seq', [traceId]);
  }
}

type GivenValue = Pick<ScoreSave, 'name' | 'dataType' | 'value' | 'stringValue'>;
type ScoreValue = Pick<ScoreRecord, 'dataType' | 'value' | 'stringValue'>;

/**
 * A score's value by its type, which follows from the value if it is not given. A boolean is 0 or 1, with its name
 * beside it. What is not a number, or no value at all, is refused: it would come back as one.
 */
function scoreValue({ name, dataType, value, stringValue }: GivenValue): ScoreValue {
  if (typeof value === 'number' && !Number.isFinite(value)) throw refused(name, 'a number', value);
  const type = dataType ?? typeOf(value, stringValue);
  const words = typeof value === 'string' ? value : (stringValue ?? null);
  switch (type) {
    case 'NUMERIC':
      if (typeof value !== 'number') throw refused(name, 'a number', value ?? stringValue);
      return { dataType: type, value, stringValue: null };
    case 'BOOLEAN': {
      const truth = typeof value === 'boolean' ? Number(value) : value;
      if (truth !== 0 && truth !== 1) throw refused(name, 'true or false, as 1 or 0', value ?? stringValue);
      return { dataType: type, value: truth, stringValue: truth === 1 ? 'True' : 'False' };
    }
    case 'CATEGORICAL':
    case 'TEXT':
    case 'CORRECTION':
      if (words === null) throw refused(name, type === 'CATEGORICAL' ? 'the name of a category' : 'a text', value);
      return { dataType: type, value: typeof value === 'number' ? value : null, stringValue: words };
  }
}

function typeOf(value: GivenValue['value'], stringValue: GivenValue['stringValue']): ScoreType {
  if (typeof value === 'boolean') return 'BOOLEAN';
  if (typeof value === 'string' || typeof stringValue === 'string') return 'CATEGORICAL';
  return 'NUMERIC';
}

function refused(name: string, expected: string, found: unknown): StoreConflict {
  return new StoreConflict(`the score ${visible(shorten(name))} has to be ${expected}, found ${describe(found)}`);
}
