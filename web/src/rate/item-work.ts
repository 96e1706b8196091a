import { isSameStop, type Stop } from './stops.ts';

/** What the person is doing with one thing of a list, beside labelling it. */
export type ItemMode =
  | { readonly kind: 'none' }
  | WordsEdit
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

const NO_MODE: ItemMode = { kind: 'none' };

/** Words are open only while the person is at them. */
export function modeAt(mode: ItemMode, current: Stop | null): ItemMode {
  if (mode.kind !== 'edit') return mode;
  return isSameStop(current, { field: mode.field, part: mode.id }) ? mode : NO_MODE;
}

/** The acts of a reviewer on an item: buttons, keys and dialogs call the same ones. */
export interface ItemWork {
  readonly label: (field: string, id: string, label: string | null, goOn: boolean) => void;
  /** Opens its words, or goes back to them where they are open. */
  readonly edit: (field: string, id: string) => void;
  readonly type: (edit: WordsEdit, text: string) => void;
  readonly closeEdit: (edit: WordsEdit) => void;
  /** Closes it with the words that it had before. */
  readonly dropEdit: (edit: WordsEdit) => void;
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
