import { type CaseItems, type CaseLine, lineKey, type VerdictName } from './case-items.ts';
import { VERDICT_ORDER } from './verdict-words.ts';

export const ROW_FILTERS = ['all', 'wrong', 'placeless', 'aside'] as const;
export type RowFilter = (typeof ROW_FILTERS)[number];

export type RowOrder = 'place' | 'verdict' | 'label' | 'kind' | 'run';

/** Kinds that have a place in a text; others never do. */
const PLACED_KINDS: ReadonlySet<string> = new Set(['span', 'object', 'entity']);

/** A line of the ledger as a row of the table. */
export interface ItemRow {
  readonly key: string;
  readonly line: CaseLine;
  /** Its start, gold's if it has one; null without a place. */
  readonly start: number | null;
}

export function itemRows(items: CaseItems): readonly ItemRow[] {
  return items.lines.flatMap((line) => {
    const key = lineKey(line);
    return key === null ? [] : [{ key, line, start: startOf(line) }];
  });
}

function startOf({ gold, predicted }: CaseLine): number | null {
  return gold?.place?.start ?? predicted?.place?.start ?? gold?.item.start ?? predicted?.item.start ?? null;
}

export function filteredRows(rows: readonly ItemRow[], filter: RowFilter): readonly ItemRow[] {
  switch (filter) {
    case 'all':
      return rows;
    case 'wrong':
      return rows.filter(({ line }) => isWrong(line.record.verdict));
    case 'placeless':
      return rows.filter(
        ({ line }) => PLACED_KINDS.has(line.record.kind) && (line.gold ?? line.predicted)?.place === null,
      );
    case 'aside':
      return rows.filter(({ line }) => line.record.setAside === true);
  }
}

export function isWrong(verdict: VerdictName): boolean {
  return verdict === 'missed' || verdict === 'spurious';
}

/** In the order asked for, then by place, then as in the ledger. */
export function sortedRows(rows: readonly ItemRow[], order: RowOrder, reverse: boolean): readonly ItemRow[] {
  const by = (a: ItemRow, b: ItemRow): number => {
    switch (order) {
      case 'place':
        return place(a) - place(b) || 0;
      case 'verdict':
        return VERDICT_ORDER.indexOf(a.line.record.verdict) - VERDICT_ORDER.indexOf(b.line.record.verdict);
      case 'label':
        return compare(a.line.record.label, b.line.record.label);
      case 'kind':
        return compare(a.line.record.kind, b.line.record.kind);
      case 'run':
        return a.line.run - b.line.run;
    }
  };
  const turn = reverse ? -1 : 1;
  return rows.toSorted(
    (a, b) => turn * by(a, b) || compare(place(a), place(b)) || a.line.run - b.line.run || a.line.at - b.line.at,
  );
}

/** After all that stand somewhere. */
function place({ start }: ItemRow): number {
  return start ?? Number.MAX_SAFE_INTEGER;
}

function compare<T>(a: T, b: T): number {
  return a === b ? 0 : a < b ? -1 : 1;
}
