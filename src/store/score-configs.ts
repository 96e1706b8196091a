import { damaged, flag, json, jsonCell, maybeNumber, maybeText, type Row, text, timeText } from './cells.ts';
import { isRecord } from '../data/record-fields.ts';
import type { Database } from './database.ts';
import { now } from './iso-time.ts';
import type { Given, ScoreType } from './records.ts';
import { upsert } from './upsert.ts';
import { type Page, type Paged, paged, Where } from './where.ts';

export interface ScoreCategory {
  readonly label: string;
  readonly value: number;
}

/** A corrected output has no config. */
type ConfiguredType = Exclude<ScoreType, 'CORRECTION'>;

/** What the scores of a name may be. Several may have one name. */
export interface ScoreConfigRecord {
  readonly id: string;
  readonly name: string;
  readonly dataType: ConfiguredType;
  readonly isArchived: boolean;
  readonly minValue: number | null;
  readonly maxValue: number | null;
  /** Null for numbers and texts. */
  readonly categories: readonly ScoreCategory[] | null;
  readonly description: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
}

export type ScoreConfigSave = Given<ScoreConfigRecord> & Pick<ScoreConfigRecord, 'id' | 'name' | 'dataType'>;

export class ScoreConfigs {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Makes it, or changes what is given. */
  save(config: ScoreConfigSave): ScoreConfigRecord {
    return this.#database.write(() => {
      const time = now();
      const { isArchived, categories } = config;
      upsert(this.#database, {
        table: 'score_configs',
        key: 'id',
        given: {
          id: config.id,
          name: config.name,
          data_type: config.dataType,
          is_archived: isArchived === undefined ? undefined : Number(isArchived),
          min_value: config.minValue,
          max_value: config.maxValue,
          categories: categories === undefined ? undefined : categories === null ? null : jsonCell(categories),
          description: config.description,
          updated_at: time,
        },
        fresh: { created_at: time },
      });
      const saved = this.get(config.id);
      if (saved === null) throw new Error('a score config that was saved is not there');
      return saved;
    });
  }

  get(id: string): ScoreConfigRecord | null {
    const row = this.#database.row('SELECT * FROM score_configs WHERE id = ?', [id]);
    return row === null ? null : configRecord(row);
  }

  /** Newest first. */
  list(page: Page): Paged<ScoreConfigRecord> {
    const where = new Where();
    const order = 'created_at DESC, seq DESC';
    return paged(this.#database, { columns: '*', from: 'score_configs', where, order, record: configRecord }, page);
  }
}

function configRecord(row: Row): ScoreConfigRecord {
  return {
    id: text(row, 'id'),
    name: text(row, 'name'),
    dataType: typeOf(row),
    isArchived: flag(row, 'is_archived'),
    minValue: maybeNumber(row, 'min_value'),
    maxValue: maybeNumber(row, 'max_value'),
    categories: categoriesOf(row),
    description: maybeText(row, 'description'),
    createdAt: timeText(row, 'created_at'),
    updatedAt: timeText(row, 'updated_at'),
  };
}

function typeOf(row: Row): ConfiguredType {
  const type = text(row, 'data_type');
  return type === 'NUMERIC' || type === 'CATEGORICAL' || type === 'BOOLEAN' || type === 'TEXT'
    ? type
    : damaged('data_type');
}

function categoriesOf(row: Row): readonly ScoreCategory[] | null {
  const given = json(row, 'categories');
  if (given === null) return null;
  if (!Array.isArray(given)) return damaged('categories');
  return given.map((one: unknown) => {
    const { label, value } = isRecord(one) ? one : {};
    return typeof label === 'string' && typeof value === 'number' ? { label, value } : damaged('categories');
  });
}
