import { totals, type UnitColumn, type UnitSums } from '../../measure/unit-sums.ts';

/** Numbers tables by what they hold: neighbouring points of a sweep often count exactly the same. */
export class SameTables {
  readonly #known = new Map<string, { readonly number: number; readonly table: UnitSums }[]>();
  #count = 0;

  /** The first table that holds the same, with its number; `key` says what else must be equal. */
  of(key: string, table: UnitSums): { readonly number: number; readonly table: UnitSums } {
    const whole = `${key} ${table.units.length} ${totals(table).join()}`;
    let alike = this.#known.get(whole);
    if (alike === undefined) this.#known.set(whole, (alike = []));
    const found = alike.find((one) => isSame(one.table, table));
    if (found !== undefined) return found;
    const made = { number: this.#count++, table };
    alike.push(made);
    return made;
  }
}

function isSame(a: UnitSums, b: UnitSums): boolean {
  return (
    a.clustered === b.clustered &&
    a.width === b.width &&
    [...a.keys].every(([key, place]) => b.keys.get(key) === place) &&
    haveSame(a.units, b.units) &&
    haveSame(a.labels, b.labels) &&
    a.columns.every((column, at) => isSameColumn(column, b.columns[at]!))
  );
}

function haveSame(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((name, at) => name === b[at]);
}

function isSameColumn(a: UnitColumn, b: UnitColumn): boolean {
  if (a.units.length !== b.units.length) return false;
  for (let at = 0; at < a.units.length; at += 1)
    if (a.units[at] !== b.units[at] || a.values[at] !== b.values[at]) return false;
  return true;
}
