import type { JsonFormat, Row } from './format.ts';
import type { Item } from './item.ts';

/** A row that the items of others are added to. */
type GrowingRow = { -readonly [Name in keyof Row]: Row[Name] } & Record<'gold' | 'predicted', Item[] | null>;

/** Rows of files with an item a record, put together by case. */
export class GatheredRows {
  readonly #rows = new Map<string, GrowingRow>();

  get size(): number {
    return this.#rows.size;
  }

  /** Adds the items of a row to those of its case. */
  add(row: Row): void {
    const { gold, predicted } = row;
    const before = this.#rows.get(row.id);
    if (before === undefined) {
      this.#rows.set(row.id, { ...row, gold: gold && [...gold], predicted: predicted && [...predicted] });
      return;
    }
    for (const side of ['gold', 'predicted'] as const) {
      const [items, more] = [before[side], row[side]];
      if (items === null) before[side] = more && [...more];
      const first = items?.length ?? 0;
      for (const item of more ?? []) items?.push({ ...item, index: first + item.index });
    }
    before.text ??= row.text;
    // Its lines are then of several files.
    if (before.file !== row.file) delete before.file;
  }

  /** All rows, with items that are pieces of one joined as the format has them. */
  rows(join: JsonFormat['join'] = (items) => items): Row[] {
    return [...this.#rows.values()].map((row) => ({
      ...row,
      gold: row.gold === null ? null : join(row.gold),
      predicted: row.predicted === null ? null : join(row.predicted),
    }));
  }
}
