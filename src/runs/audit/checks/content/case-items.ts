import type { Item, ItemKind, Side } from '../../../../data/item.ts';
import type { Verdict } from '../../../../judge/verdict.ts';
import { compareText } from '../../../../text/compare.ts';
import { ContentHash } from '../../../content-hash.ts';
import type { AuditCase } from '../../check.ts';

/** Kinds whose items quote, name or place something, so that two that are the same say something. */
export const TELLING_KINDS: ReadonlySet<ItemKind> = new Set<ItemKind>(['object', 'span', 'entity', 'relationship']);

/** Gathered once for all checks that ask. */
const gathered = { gold: new WeakMap<AuditCase, Item[]>(), predicted: new WeakMap<AuditCase, Item[]>() };

/** The items of one side, each once, in the order in which its file lists them. */
export function itemsOf(given: AuditCase, side: Side, kinds: ReadonlySet<ItemKind>): Item[] {
  let all = gathered[side].get(given);
  if (all === undefined) gathered[side].set(given, (all = allItems(given.verdicts, side)));
  return all.every(({ kind }) => kinds.has(kind)) ? all : all.filter(({ kind }) => kinds.has(kind));
}

function allItems(verdicts: readonly Verdict[], side: Side): Item[] {
  const found: Item[] = [];
  for (const verdict of verdicts) {
    const item = verdict[side];
    if (item !== null) found.push(item);
  }
  found.sort(
    (a, b) => compareText(a.kind, b.kind) || a.index - b.index || a.start - b.start || a.end - b.end || sameName(a, b),
  );
  // An item may be in several verdicts; where tokens are paired, several share the index of their item.
  return found.filter((item, at) => {
    const before = found[at - 1];
    return (
      before === undefined ||
      before.kind !== item.kind ||
      before.index !== item.index ||
      before.start !== item.start ||
      before.end !== item.end ||
      before.annotator !== item.annotator ||
      before.text !== item.text
    );
  });
}

function sameName(a: Item, b: Item): number {
  return compareText(a.annotator ?? '', b.annotator ?? '') || compareText(a.text, b.text);
}

/** What items say, as one number of 53 bits that does not depend on their order; 0 where there are none. */
export function itemsKey(items: readonly Item[], saying: (item: Item) => readonly string[]): number {
  const hash = new ContentHash();
  let [high, low] = [0, 0];
  for (const item of items) {
    hash.reset();
    for (const part of saying(item)) hash.text(part);
    high = (high + hash.high) >>> 0;
    low = (low + hash.low) >>> 0;
  }
  return (high & 0x1fffff) * 0x100000000 + low;
}
