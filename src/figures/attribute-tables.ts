import type { ItemKind } from '../data/item.ts';
import { type Attribute, valueOf } from '../judge/attributes.ts';
import type { Verdict } from '../judge/verdict.ts';
import { compareText } from '../text/compare.ts';
import type { AttributeTable } from './run-figures.ts';

/** Stands for a value that an item does not have. */
const NO_VALUE = '(none)';
/** Stands for the values beyond those that a table shows. */
const OTHERS = '(others)';
/** Different values, and cells of a table, that are told apart; a field of free text has one for every item. */
const MOST_VALUES = 50;
const MOST_CELLS = 20_000;

interface Cell {
  readonly gold: string;
  readonly predicted: string;
  readonly right: boolean;
  n: number;
}

/** Counts what a system said of attributes against what was right. */
export class AttributeTables {
  readonly #attributes: readonly Attribute[];
  readonly #tables = new Map<string, { attribute: string; kind: ItemKind; cells: Map<string, Cell> }>();

  constructor(attributes: readonly Attribute[]) {
    this.#attributes = attributes;
  }

  add(verdicts: readonly Verdict[]): void {
    if (this.#attributes.length === 0) return;
    for (const verdict of verdicts) {
      const { gold, predicted, attributes } = verdict;
      if (verdict.verdict !== 'hit' || gold === null || predicted === null || attributes === null) continue;
      for (const attribute of this.#attributes) {
        if (!Object.hasOwn(attributes, attribute.name)) continue;
        const values = [valueOf(attribute, gold) ?? NO_VALUE, valueOf(attribute, predicted) ?? NO_VALUE] as const;
        this.#count(attribute.name, verdict, values, attributes[attribute.name] === true);
      }
    }
  }

  list(): AttributeTable[] {
    const place = new Map(this.#attributes.map(({ name }, at) => [name, at]));
    return [...this.#tables.values()]
      .toSorted((a, b) => (place.get(a.attribute) ?? 0) - (place.get(b.attribute) ?? 0) || compareText(a.kind, b.kind))
      .map(({ attribute, kind, cells }) => tableOf(attribute, kind, [...cells.values()]));
  }

  #count(
    attribute: string,
    { kind, weight }: Verdict,
    [gold, predicted]: readonly [string, string],
    right: boolean,
  ): void {
    const name = `${attribute}\u0000${kind}`;
    let table = this.#tables.get(name);
    if (table === undefined) this.#tables.set(name, (table = { attribute, kind, cells: new Map<string, Cell>() }));
    const { cells } = table;
    const add = (one: string, other: string): void => {
      const key = keyOf(one, other, right);
      const cell = cells.get(key);
      if (cell === undefined) cells.set(key, { gold: one, predicted: other, right, n: weight });
      else cell.n += weight;
    };
    if (cells.size < MOST_CELLS || cells.has(keyOf(gold, predicted, right))) add(gold, predicted);
    else add(OTHERS, OTHERS);
  }
}

function keyOf(gold: string, predicted: string, right: boolean): string {
  return JSON.stringify([gold, predicted, right]);
}

function tableOf(attribute: string, kind: ItemKind, all: readonly Cell[]): AttributeTable {
  const inGold = totals(all, 'gold');
  const inPredicted = totals(all, 'predicted');
  const order = [...new Set([...inGold.keys(), ...inPredicted.keys()])].sort(
    (a, b) =>
      Number(a === OTHERS) - Number(b === OTHERS) ||
      (inGold.get(b) ?? 0) - (inGold.get(a) ?? 0) ||
      (inPredicted.get(b) ?? 0) - (inPredicted.get(a) ?? 0) ||
      compareText(a, b),
  );
  const shown = new Set(order.slice(0, MOST_VALUES));
  const nameOf = (value: string): string => (shown.has(value) ? value : OTHERS);
  const cells = new Map<string, Cell>();
  for (const cell of all) {
    const [gold, predicted] = [nameOf(cell.gold), nameOf(cell.predicted)];
    const key = keyOf(gold, predicted, cell.right);
    const held = cells.get(key);
    if (held === undefined) cells.set(key, { ...cell, gold, predicted });
    else held.n += cell.n;
  }
  const values = order.length > shown.size ? [...shown].filter((value) => value !== OTHERS).concat(OTHERS) : order;
  const place = new Map(values.map((value, at) => [value, at]));
  return {
    attribute,
    kind,
    n: sum(all),
    right: sum(all.filter(({ right }) => right)),
    values,
    cells: [...cells.values()].toSorted(
      (a, b) =>
        place.get(a.gold)! - place.get(b.gold)! ||
        place.get(a.predicted)! - place.get(b.predicted)! ||
        Number(b.right) - Number(a.right),
    ),
  };
}

function totals(cells: readonly Cell[], side: 'gold' | 'predicted'): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  for (const cell of cells) found.set(cell[side], (found.get(cell[side]) ?? 0) + cell.n);
  return found;
}

function sum(cells: readonly Cell[]): number {
  return cells.reduce((total, { n }) => total + n, 0);
}
