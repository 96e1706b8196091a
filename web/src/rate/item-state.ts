import type { ItemView, Revealed } from '../../../src/review/api.ts';
import type { CellValue, ReviewCell } from '../../../src/store/review-records.ts';
import type { Act } from './acts.ts';
import { valueOf, withCell } from './cells.ts';
import { type Stop, stopKey } from './stops.ts';

/** One person's work on one item, as the screen shows it: ahead of the server by what is not saved yet. */
export interface ItemState {
  readonly cells: readonly ReviewCell[];
  readonly committed: boolean;
  readonly revealed: Revealed | null;
  /** What each change replaced, the last one last. */
  readonly past: readonly ReviewCell[];
  /** What the last change was typed into, where letters that follow belong to it; null after anything else. */
  readonly typing: string | null;
  /** Rows that were without an answer when the person wanted to go on. */
  readonly missing: readonly Stop[];
  /** By row, why the server did not take an answer. */
  readonly faults: Readonly<Record<string, string>>;
  /** Why the item could not be finished or opened again, where it is not for missing answers. */
  readonly trouble: string | null;
}

export type ItemAction =
  | { readonly kind: 'answer'; readonly stop: Stop; readonly value: CellValue; readonly typing: string | null }
  | { readonly kind: 'undo' }
  | { readonly kind: 'missing'; readonly stops: readonly Stop[] }
  | { readonly kind: 'refused'; readonly stop: Stop; readonly message: string }
  | { readonly kind: 'committed'; readonly revealed: Revealed | null }
  | { readonly kind: 'reopened' }
  /** Committing or reopening was refused: the item is as it was. */
  | { readonly kind: 'kept'; readonly committed: boolean; readonly trouble: string };

const MOST_PAST = 200;

/** What the server has, and on top of it what waits to be sent. */
export function openItem(view: ItemView, waiting: readonly Act[]): ItemState {
  let { cells, committed } = view;
  for (const act of waiting) {
    if (act.kind === 'answer') cells = withCell(cells, act.cell);
    else committed = act.kind === 'commit';
  }
  return {
    cells,
    committed,
    revealed: view.revealed,
    past: [],
    typing: null,
    missing: [],
    faults: {},
    trouble: null,
  };
}

export function changeItem(state: ItemState, action: ItemAction): ItemState {
  switch (action.kind) {
    case 'answer': {
      const { field, part } = action.stop;
      const before = { field, part, value: valueOf(state.cells, field, part) };
      // Letters typed one after another into one place are one change.
      const goesOn = action.typing !== null && action.typing === state.typing;
      const past = goesOn ? state.past : [...state.past, before].slice(-MOST_PAST);
      return { ...answered(state, { field, part, value: action.value }, past), typing: action.typing };
    }
    case 'undo': {
      const last = state.past.at(-1);
      return last === undefined ? state : { ...answered(state, last, state.past.slice(0, -1)), typing: null };
    }
    case 'missing':
      return { ...state, missing: action.stops };
    case 'refused':
      return { ...state, faults: { ...state.faults, [stopKey(action.stop)]: action.message } };
    case 'committed':
      return { ...state, committed: true, revealed: action.revealed, missing: [], trouble: null };
    case 'reopened':
      return { ...state, committed: false, revealed: null, trouble: null };
    case 'kept':
      return { ...state, committed: action.committed, trouble: action.trouble };
  }
}

function answered(state: ItemState, cell: ReviewCell, past: readonly ReviewCell[]): ItemState {
  const { [stopKey(cell)]: _, ...faults } = state.faults;
  return { ...state, cells: withCell(state.cells, cell), past, faults };
}
