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

type Cells = Map<string, Cell>;

/** Counts what a system said of attributes against what was right. */
export class AttributeTables {
  readonly #attributes: readonly Attribute[];
  readonly #tables = new Map<string, { readonly attribute: string; readonly kind: ItemKind; readonly cells: Cells }>();

  constructor(attributes: readonly Attribute[]) {
    this.#attributes = attributes;
  }

  add(verdicts: readonly Verdict[]): void {
    if (this.#attributes.length === 0) return;
    for (const { verdict, kind, weight, gold, predicted, attributes } of verdicts) {
      if (verdict !== 'hit' || gold === null || predicted === null || attributes === null) continue;
      for (const attribute of this.#attributes) {
        const { name } = attribute;
        if (!Object.hasOwn(attributes, name)) continue;
        const values = [valueOf(attribute, gold) ?? NO_VALUE, valueOf(attribute, predicted) ?? NO_VALUE] as const;
        const key = `${name}\u0000${kind}`;
        const { cells } = this.#tables.get(key) ?? { cells: new Map<string, Cell>() };
        this.#tables.set(key, { attribute: name, kind, cells });
        const right = attributes[name] === true;
        const isKept = cells.size < MOST_CELLS || cells.has(keyOf(...values, right));
        addTo(cells, isKept ? values : [OTHERS, OTHERS], right, weight);
      }
    }
  }

  list(): AttributeTable[] {
    const place = new Map(this.#attributes.map(({ name }, at) => [name, at]));
    return [...this.#tables.values()]
      .toSorted((a, b) => (place.get(a.attribute) ?? 0) - (place.get(b.attribute) ?? 0) || compareText(a.kind, b.kind))
      .map(({ attribute, kind, cells }) => tableOf(attribute, kind, [...cells.values()]));
  }
}

function keyOf(gold: string, predicted: string, right: boolean): string {
  return JSON.stringify([gold, predicted, right]);
}

function addTo(cells: Cells, [gold, predicted]: readonly [string, string], right: boolean, n: number): void {
  const key = keyOf(gold, predicted, right);
  const cell = cells.get(key);
  if (cell === undefined) cells.set(key, { gold, predicted, right, n });
  else cell.n += n;
}

function tableOf(attribute: string, kind: ItemKind, all: readonly Cell[]): AttributeTable {
  const [inGold, inPredicted] = [totals(all, 'gold'), totals(all, 'predicted')];
  const order = [...new Set([...inGold.keys(), ...inPredicted.keys()])].sort(
    (a, b) =>
      Number(a === OTHERS) - Number(b === OTHERS) ||
      (inGold.get(b) ?? 0) - (inGold.get(a) ?? 0) ||
      (inPredicted.get(b) ?? 0) - (inPredicted.get(a) ?? 0) ||
      compareText(a, b),
  );
  const shown = new Set(order.slice(0, MOST_VALUES));
  const nameOf = (value: string): string => (shown.has(value) ? value : OTHERS);
  const cells: Cells = new Map();
  for (const { gold, predicted, right, n } of all) addTo(cells, [nameOf(gold), nameOf(predicted)], right, n);
  const values = order.length > shown.size ? [...shown].filter((value) => value !== OTHERS).concat(OTHERS) : order;
  const place = new Map(values.map((value, at) => [value, at]));
  const sorted = [...cells.values()].sort(
    (a, b) =>
      place.get(a.gold)! - place.get(b.gold)! ||
      place.get(a.predicted)! - place.get(b.predicted)! ||
      Number(b.right) - Number(a.right),
  );
  return { attribute, kind, n: sum(all), right: sum(all.filter(({ right }) => right)), values, cells: sorted };
}

function totals(cells: readonly Cell[], side: 'gold' | 'predicted'): ReadonlyMap<string, number> {
  return new Map([...Map.groupBy(cells, (cell) => cell[side])].map(([value, own]) => [value, sum(own)]));
}

function sum(cells: readonly Cell[]): number {
  return cells.reduce((total, { n }) => total + n, 0);
}
