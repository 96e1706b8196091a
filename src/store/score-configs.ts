import { z } from 'zod';

import {
  damagedCell,
  flag,
  json,
  maybeNumber,
  maybeText,
  now,
  enumCell,
  type StoreRow,
  text,
  timeText,
} from './cells.ts';
import { type Changes, type Kept, table, upsertInto } from './table.ts';
import { type Page, type Paged, StorePart } from './store-part.ts';

const category = z.object({ label: z.string(), value: z.number() });
const categoryList = z.array(category).nullable();
export type ScoreCategory = Readonly<z.infer<typeof category>>;

/** What the scores of a name may be. Several may have one name. A corrected output has no config. */
const SCORE_CONFIGS = table({
  id: text,
  name: text,
  dataType: enumCell('NUMERIC', 'CATEGORICAL', 'BOOLEAN', 'TEXT'),
  isArchived: flag,
  minValue: maybeNumber,
  maxValue: maybeNumber,
  /** Null for numbers and texts. */
  categories: categoriesOf,
  description: maybeText,
  createdAt: timeText,
  updatedAt: timeText,
});
export type ScoreConfigRecord = Kept<typeof SCORE_CONFIGS>;

export type ScoreConfigSave = Changes<ScoreConfigRecord> & Pick<ScoreConfigRecord, 'id' | 'name' | 'dataType'>;

const upsertConfig = upsertInto('score_configs', SCORE_CONFIGS);

export class ScoreConfigs extends StorePart {
  /** Makes it, or changes what is given. */
  save(config: ScoreConfigSave): ScoreConfigRecord {
    return this.database.write(() => {
      upsertConfig(this.database, config, now());
      return this.get(config.id) ?? damagedCell('id');
    });
  }

  get(id: string): ScoreConfigRecord | null {
    return this.one(SCORE_CONFIGS, 'SELECT * FROM score_configs WHERE id = ?', [id]);
  }

  /** Newest first. */
  list(page: Page): Paged<ScoreConfigRecord> {
    return this.page(SCORE_CONFIGS, { from: 'score_configs', order: 'created_at DESC, seq DESC' }, page);
  }
}

function categoriesOf(row: StoreRow): readonly ScoreCategory[] | null {
  const { data } = categoryList.safeParse(json(row, 'categories'));
  return data === undefined ? damagedCell('categories') : data;
}
