/** What the person is doing with one thing of a list, beside labelling it. */
export type ItemMode =
  | { readonly kind: 'none' }
  | { readonly kind: 'edit'; readonly field: string; readonly id: string }
  | { readonly kind: 'split'; readonly field: string; readonly id: string }
  | { readonly kind: 'add'; readonly field: string };

/** The acts of a reviewer on an item: buttons, keys and dialogs call the same ones. */
export interface ItemWork {
  readonly label: (field: string, id: string, label: string | null, goOn: boolean) => void;
  readonly edit: (field: string, id: string, text: string) => void;
  readonly editAndSplit: (field: string, id: string, text: string, at: number) => void;
  readonly split: (field: string, id: string, at: number) => void;
  readonly merge: (field: string, id: string) => void;
  readonly remove: (field: string, id: string) => void;
  /** Of the words selected in the text; otherwise a dialog asks for them. */
  readonly add: (field: string) => void;
  readonly addWords: (field: string, words: { readonly text: string; readonly start: number | null }) => void;
  readonly setMode: (mode: ItemMode) => void;
  readonly leaveMode: () => void;
  readonly leaveEdit: (field: string, id: string) => void;
  readonly togglePassages: () => void;
}
