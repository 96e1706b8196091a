import { type Item, type ItemKind, PAIRED_KINDS, type Side } from '../../data/item.ts';
import type { Verdict } from '../../judge/verdict.ts';

/** What became of one item of the files. */
export interface Fate {
  readonly kind: ItemKind;
  readonly side: Side;
  readonly index: number;
  readonly verdict: Verdict;
  readonly item: Item;
}

/** Fates by kind, side and index in one number. */
export type Fates = ReadonlyMap<number, Fate>;

const SIDES: readonly Side[] = ['gold', 'predicted'];
const KINDS = PAIRED_KINDS.length * SIDES.length;

/**
 * The verdict on each item of one case as the files have it: those merged into one share its verdict. Stretches of text
 * that no file names are left out. An item that several verdicts name is a hit where one of them is.
 */
export function fatesOf(verdicts: readonly Verdict[]): Fates {
  const fates = new Map<number, Fate>();
  for (const verdict of verdicts) {
    const kind = PAIRED_KINDS.findIndex((known) => known === verdict.kind);
    if (kind < 0) continue;
    for (let of = 0; of < SIDES.length; of += 1) {
      const side = SIDES[of]!;
      const item = verdict[side];
      if (item === null || item.index < 0) continue;
      for (const index of item.parts ?? [item.index]) {
        const key = index * KINDS + kind * SIDES.length + of;
        const known = fates.get(key);
        if (known === undefined || (known.verdict.verdict !== 'hit' && verdict.verdict === 'hit'))
          fates.set(key, { kind: verdict.kind, side, index, verdict, item });
      }
    }
  }
  return fates;
}

/** By kind, gold before predicted, then as the file lists them. */
export function compareKeys(a: number, b: number): number {
  return (a % KINDS) - (b % KINDS) || a - b;
}
