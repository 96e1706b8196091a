import { FoldState } from '../data/fold-state.ts';
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

type Table = Readonly<{ attribute: string; kind: ItemKind; cells: Cells }>;

/**
 * Counts predicted against gold values of attributes. `mergeable` keeps all cells: which ones are among the first depends
 * on the cases before.
 */
export function attributeTables(all: readonly Attribute[], { mergeable = false } = {}) {
  const state = new FoldState();
  const tables = state.keep(new Map<string, Table>());
  const most = mergeable ? Infinity : MOST_CELLS;
  return {
    save: () => state.save(),
    merge: (saved: unknown) => state.merge(saved),
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
          addFirst(cells, cell, most);
        }
      }
    },
    list(): AttributeTable[] {
      const place = (name: string): number => all.findIndex((attribute) => attribute.name === name);
      return [...tables.values()]
        .sort((a, b) => place(a.attribute) - place(b.attribute) || compareText(a.kind, b.kind))
        .map(({ attribute, kind, cells }) => {
          const first: Cells = new Map();
          for (const cell of cells.values()) addFirst(first, cell, MOST_CELLS);
          return tableOf(attribute, kind, [...first.values()]);
        });
    },
  };
}

function keyOf({ gold, predicted, right }: Cell): string {
  return JSON.stringify([gold, predicted, right]);
}

/** Keeps a cell apart if it is known or among the first. */
function addFirst(cells: Cells, cell: Cell, most: number): void {
  const isKept = cells.size < most || cells.has(keyOf(cell));
  addTo(cells, isKept ? cell : { ...cell, gold: OTHERS, predicted: OTHERS });
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
