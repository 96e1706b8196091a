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

/** The verdict on each item, by kind, side and index in one number. */
export type Fates = ReadonlyMap<number, Verdict>;

const SIDES: readonly Side[] = ['gold', 'predicted'];
const KIND_PLACES: ReadonlyMap<ItemKind, number> = new Map(PAIRED_KINDS.map((kind, at) => [kind, at]));
const KINDS = PAIRED_KINDS.length * SIDES.length;

/**
 * The verdict on each item of one case as the files have it: those merged into one share its verdict. Stretches of text
 * that no file names are left out. An item that several verdicts name is a hit where one of them is.
 */
export function fatesOf(verdicts: readonly Verdict[]): Fates {
  const fates = new Map<number, Verdict>();
  for (const verdict of verdicts) {
    const kind = KIND_PLACES.get(verdict.kind);
    if (kind === undefined) continue;
    if (verdict.gold !== null) addTo(fates, kind * SIDES.length, verdict.gold, verdict);
    if (verdict.predicted !== null) addTo(fates, kind * SIDES.length + 1, verdict.predicted, verdict);
  }
  return fates;
}

function addTo(fates: Map<number, Verdict>, of: number, { index, parts }: Item, verdict: Verdict): void {
  if (index < 0) return;
  if (parts === null) set(fates, index * KINDS + of, verdict);
  else for (const part of parts) set(fates, part * KINDS + of, verdict);
}

function set(fates: Map<number, Verdict>, key: number, verdict: Verdict): void {
  const known = fates.get(key);
  if (known === undefined || (known.verdict !== 'hit' && verdict.verdict === 'hit')) fates.set(key, verdict);
}

/** The side of the item that a key stands for. */
export function sideOf(key: number): Side {
  return SIDES[key % SIDES.length]!;
}

/** What a key and the verdict on it say. */
export function fateOf(key: number, verdict: Verdict): Fate {
  const side = sideOf(key);
  return { kind: verdict.kind, side, index: Math.floor(key / KINDS), verdict, item: verdict[side]! };
}

/** By kind, gold before predicted, then as the file lists them. */
export function compareKeys(a: number, b: number): number {
  return (a % KINDS) - (b % KINDS) || a - b;
}
