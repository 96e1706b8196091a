import type { Case } from '../../data/case.ts';
import { type Item, type ItemKind, PAIRED_KINDS, type Side } from '../../data/item.ts';
import { type Verdict, type VerdictKind, VERDICTS } from '../../judge/verdict.ts';
import type { Move, Moves } from './waterfall.ts';

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

const MOST_SHOWN = 50;
const LONGEST_TEXT = 200;

/** What one step did to the items, added up case by case. */
export class StepMoves {
  readonly #by = new Map<string, { side: Side; from: VerdictKind | null; to: VerdictKind | null; n: number }>();
  readonly #shown: Move[] = [];
  #total = 0;

  add(id: string, given: Case, before: Fates, after: Fates): void {
    let moved: number[] | null = null;
    for (const [key, { verdict }] of before) if (after.get(key)?.verdict !== verdict) (moved ??= []).push(key);
    // As many and none of them gone: then none is new either.
    if (moved === null && before.size === after.size) return;
    moved ??= [];
    for (const key of after.keys()) if (!before.has(key)) moved.push(key);
    for (const key of moved.sort(compareKeys)) this.#count(id, given, key, before.get(key), after.get(key));
  }

  result(): Moves {
    const place = (kind: VerdictKind | null): number => (kind === null ? -1 : VERDICTS.indexOf(kind));
    const by = [...this.#by.values()].sort(
      (a, b) =>
        (a.side === b.side ? 0 : a.side === 'gold' ? -1 : 1) ||
        place(a.from) - place(b.from) ||
        place(a.to) - place(b.to),
    );
    return { total: this.#total, by, shown: this.#shown };
  }

  #count(id: string, given: Case, key: number, before: Verdict | undefined, after: Verdict | undefined): void {
    const last = after ?? before;
    if (last === undefined) return;
    const [side, from, to] = [sideOf(key), before?.verdict ?? null, after?.verdict ?? null];
    const way = `${side} ${from ?? ''} ${to ?? ''}`;
    const known = this.#by.get(way);
    if (known === undefined) this.#by.set(way, { side, from, to, n: 1 });
    else known.n += 1;
    this.#total += 1;
    if (this.#shown.length >= MOST_SHOWN) return;
    const fate = fateOf(key, last);
    const { kind, index } = fate;
    const { label, text } = shownItem(fate, given);
    this.#shown.push({ case: id, kind, side, index, label, text: cut(text), from, to, rule: after?.rule ?? null });
  }
}

/** Of one that was merged with others its own words, under the label of the whole. */
function shownItem({ kind, side, index, item }: Fate, given: Case): Pick<Item, 'label' | 'text'> {
  if (item.parts === null) return item;
  const own = given[side].find((one) => one.kind === kind && one.index === index);
  return { label: item.label, text: own?.text ?? item.text };
}

function cut(text: string): string {
  if (text.length <= LONGEST_TEXT) return text;
  return `${text.slice(0, LONGEST_TEXT).replace(/[\uD800-\uDBFF]$/, '')}…`;
}
