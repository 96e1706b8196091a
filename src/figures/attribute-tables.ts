import type { ItemKind } from '../data/item.ts';
import { type Attribute, valueOf } from '../judge/attributes.ts';
import type { Verdict } from '../judge/verdict.ts';
import { compareText } from '../text/compare.ts';
import type { AttributeTable } from './run-figures.ts';

/** Stands for a value that an item does not have. */
const NO_VALUE = '(none)';
/** Stands for the values beyond those that a table shows. */
const OTHERS = '(others)';
/** Different values, and cells of a table, that are kept apart; a field of free text has one for every item. */
const MOST_VALUES = 50;
const MOST_CELLS = 20_000;

type Cell = { readonly gold: string; readonly predicted: string; readonly right: boolean; n: number };
type Cells = Map<string, Cell>;

/** Counts predicted against gold values of attributes. */
export function attributeTables(all: readonly Attribute[]) {
  const tables = new Map<string, { readonly attribute: string; readonly kind: ItemKind; readonly cells: Cells }>();
  return {
    add(verdicts: readonly Verdict[]): void {
      if (all.length === 0) return;
      for (const { verdict, kind, weight, gold, predicted, attributes } of verdicts) {
        if (verdict !== 'hit' || gold === null || predicted === null || attributes === null) continue;
        for (const attribute of all) {
          const { name } = attribute;
          if (!Object.hasOwn(attributes, name)) continue;
          const key = `${name}\u0000${kind}`;
          const { cells } = tables.get(key) ?? { cells: new Map<string, Cell>() };
          tables.set(key, { attribute: name, kind, cells });
          const [from, to] = [valueOf(attribute, gold) ?? NO_VALUE, valueOf(attribute, predicted) ?? NO_VALUE];
          const cell = { gold: from, predicted: to, right: attributes[name] === true, n: weight };
          const isKept = cells.size < MOST_CELLS || cells.has(keyOf(cell));
          addTo(cells, isKept ? cell : { ...cell, gold: OTHERS, predicted: OTHERS });
        }
      }
    },
    list(): AttributeTable[] {
      const place = (name: string): number => all.findIndex((attribute) => attribute.name === name);
      return [...tables.values()]
        .sort((a, b) => place(a.attribute) - place(b.attribute) || compareText(a.kind, b.kind))
        .map(({ attribute, kind, cells }) => tableOf(attribute, kind, [...cells.values()]));
    },
  };
}

function keyOf({ gold, predicted, right }: Cell): string {
  return JSON.stringify([gold, predicted, right]);
}

function addTo(cells: Cells, more: Cell): void {
  const key = keyOf(more);
  const cell = cells.get(key);
  if (cell === undefined) cells.set(key, { ...more });
  else cell.n += more.n;
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
  for (const cell of all) addTo(cells, { ...cell, gold: nameOf(cell.gold), predicted: nameOf(cell.predicted) });
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
