import type { JsonFormat, Row } from './format.ts';

/** Rows of files with an item a record, put together by case. */
export class GatheredRows {
  readonly #rows = new Map<string, Row>();

  get size(): number {
    return this.#rows.size;
  }

  /** Adds the items of a row to those of its case. */
  add(row: Row): void {
    const before = this.#rows.get(row.id);
    if (before === undefined) {
      this.#rows.set(row.id, row);
      return;
    }
    const joined = (side: 'gold' | 'predicted') => {
      const [first, more] = [before[side], row[side]];
      if (first === null || more === null) return first ?? more;
      return [...first, ...more.map((item) => ({ ...item, index: first.length + item.index }))];
    };
    const sides = { gold: joined('gold'), predicted: joined('predicted') };
    // Its lines are then of several files.
    const { file, ...joinedRow } = { ...before, text: before.text ?? row.text, ...sides };
    this.#rows.set(row.id, file === row.file && file !== undefined ? { ...joinedRow, file } : joinedRow);
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
