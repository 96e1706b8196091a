import type { Edge } from '../boundaries.ts';
import { isSameStop, type Stop } from './stops.ts';

/** What the person is doing with one thing of a list, beside labelling it. */
export type ItemMode =
  | { readonly kind: 'none' }
  | WordsEdit
  | PlaceEdit
  | { readonly kind: 'split'; readonly field: string; readonly id: string }
  | { readonly kind: 'add'; readonly field: string };

/** The words of one thing while they are changed. What is typed is an answer at once: closing it keeps it. */
export interface WordsEdit {
  readonly kind: 'edit';
  readonly field: string;
  readonly id: string;
  /** The words that it had. */
  readonly before: string;
  /** Distinguishes this edit from others of the same thing: each is undone separately. */
  readonly run: string;
}

/** The boundaries of one thing while they are moved, as above. */
export interface PlaceEdit {
  readonly kind: 'resize';
  readonly field: string;
  readonly id: string;
  readonly run: string;
  /** The boundary that the arrow keys move. */
  readonly edge: Edge;
}

const NO_MODE: ItemMode = { kind: 'none' };

/** Words and boundaries are open only while the person is at them. */
export function modeAt(mode: ItemMode, current: Stop | null): ItemMode {
  if (mode.kind !== 'edit' && mode.kind !== 'resize') return mode;
  return isSameStop(current, { field: mode.field, part: mode.id }) ? mode : NO_MODE;
}

/** The acts of a reviewer on an item: buttons, keys and dialogs call the same ones. */
export interface ItemWork {
  readonly label: (field: string, id: string, label: string | null, goOn: boolean) => void;
  /** Opens its words, or goes back to them where they are open. */
  readonly edit: (field: string, id: string) => void;
  readonly type: (edit: WordsEdit, text: string) => void;
  readonly closeEdit: (edit: WordsEdit | PlaceEdit) => void;
  /** Closes it with the words, or the place, that it had before. */
  readonly dropEdit: (edit: WordsEdit | PlaceEdit) => void;
  /** Null: as it was proposed. */
  readonly relabel: (field: string, id: string, kind: string | null) => void;
  /** To what is selected in the text; otherwise its boundaries open, or the other one of them is moved. */
  readonly resize: (field: string, id: string) => void;
  readonly moveEdge: (edit: PlaceEdit, edge: Edge, by: 'character' | 'word', step: 1 | -1) => void;
  /** Label and place as they were proposed. */
  readonly restore: (field: string, id: string) => void;
  readonly cut: (edit: WordsEdit, text: string, at: number) => void;
  /** What was typed goes out without waiting for more. */
  readonly send: () => void;
  readonly split: (field: string, id: string, at: number) => void;
  readonly merge: (field: string, id: string) => void;
  readonly remove: (field: string, id: string) => void;
  /** Of the words selected in the text; otherwise a dialog asks for them. */
  readonly add: (field: string) => void;
  readonly addWords: (field: string, words: { readonly text: string; readonly start: number | null }) => void;
  readonly setMode: (mode: ItemMode) => void;
  readonly leaveMode: () => void;
  readonly togglePassages: () => void;
}
