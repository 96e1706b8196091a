import { kindWord } from './number-words.ts';

/** `spans`, and under which pairing where the recipe has several: `spans, strict`. */
export function groupLabel(kind: string, scheme: string | null): string {
  return scheme === null ? kindWord(kind) : `${kindWord(kind)}, ${scheme}`;
}
