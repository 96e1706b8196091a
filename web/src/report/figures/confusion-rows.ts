import { kindName } from '../../../../src/report/kind-name.ts';
import type { ConfusionCount } from '../../../../src/score/run.ts';

/** The confusion of one kind under one pairing. */
export interface ConfusionTable {
  readonly title: string;
  readonly cells: readonly ConfusionCount[];
  /** Hits whose labels are the same, and all that was counted. */
  readonly right: number;
  readonly n: number;
  /** What was taken for something else, or for nothing; the most frequent first. */
  readonly wrong: readonly WrongCell[];
}

export interface WrongCell {
  readonly gold: string | null;
  readonly predicted: string | null;
  readonly n: number;
  /** All gold of that label, or, where there is no gold, all predictions of that label. */
  readonly of: number;
}

/** One table for each kind and pairing. */
export function confusionTables(counts: readonly ConfusionCount[]): ConfusionTable[] {
  const groups = Map.groupBy(counts, ({ scheme, kind }) => JSON.stringify([scheme, kind]));
  return [...groups.values()].map((cells) => {
    const [gold, predicted] = [totals(cells, 'gold'), totals(cells, 'predicted')];
    const wrong = cells.filter((cell) => cell.gold !== cell.predicted);
    return {
      title: groupLabel(cells[0]?.kind ?? '', cells[0]?.scheme ?? null),
      cells,
      right: sum(cells.filter((cell) => cell.gold === cell.predicted)),
      n: sum(cells),
      wrong: wrong
        .map((cell) => ({
          gold: cell.gold,
          predicted: cell.predicted,
          n: cell.n,
          of: (cell.gold === null ? predicted.get(cell.predicted) : gold.get(cell.gold)) ?? cell.n,
        }))
        .toSorted((a, b) => b.n - a.n),
    };
  });
}

function totals(cells: readonly ConfusionCount[], side: 'gold' | 'predicted'): ReadonlyMap<string | null, number> {
  const found = new Map<string | null, number>();
  for (const cell of cells) found.set(cell[side], (found.get(cell[side]) ?? 0) + cell.n);
  return found;
}

function sum(cells: readonly ConfusionCount[]): number {
  return cells.reduce((total, { n }) => total + n, 0);
}

/** `spans`, and under which pairing where the recipe has several: `spans, strict`. */
function groupLabel(kind: string, scheme: string | null): string {
  return scheme === null ? kindName(kind) : `${kindName(kind)}, ${scheme}`;
}
