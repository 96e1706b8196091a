import type { Item, ItemKind, Side } from '../../../data/item.ts';
import type { Verdict } from '../../../judge/verdict.ts';
import { compareText } from '../../../text/compare.ts';
import { ContentHash } from '../../../score/content-hash.ts';
import type { AuditCase } from '../../check.ts';

/** Kinds whose items quote, name or place something, so that two that are the same say something. */
export const TELLING_KINDS: ReadonlySet<ItemKind> = new Set<ItemKind>(['object', 'span', 'entity', 'relationship']);

/** Of the case that was asked about last: all checks look at one before the next comes. */
const last: { of: AuditCase | null; gold: Item[] | null; predicted: Item[] | null } = {
  of: null,
  gold: null,
  predicted: null,
};

/** The items of one side, each once, in the order in which its file lists them. */
export function itemsOf(given: AuditCase, side: Side, kinds: ReadonlySet<ItemKind>): readonly Item[] {
  if (last.of !== given) {
    last.of = given;
    last.gold = null;
    last.predicted = null;
  }
  const all = (last[side] ??= allItems(given.verdicts, side));
  return all.every(({ kind }) => kinds.has(kind)) ? all : all.filter(({ kind }) => kinds.has(kind));
}

function allItems(verdicts: readonly Verdict[], side: Side): Item[] {
  const found: Item[] = [];
  for (const verdict of verdicts) {
    const item = verdict[side];
    if (item !== null) found.push(item);
  }
  found.sort(
    (a, b) =>
      (a.kind === b.kind ? 0 : compareText(a.kind, b.kind)) ||
      a.index - b.index ||
      a.start - b.start ||
      a.end - b.end ||
      sameName(a, b),
  );
  // An item may be in several verdicts; where tokens are paired, several share the index of their item.
  let kept = 1;
  for (let at = 1; at < found.length; at += 1) {
    const [before, item] = [found[at - 1]!, found[at]!];
    if (
      before.kind !== item.kind ||
      before.index !== item.index ||
      before.start !== item.start ||
      before.end !== item.end ||
      before.annotator !== item.annotator ||
      before.text !== item.text
    )
      found[kept++] = item;
  }
  if (found.length > kept) found.length = kept;
  return found;
}

function sameName(a: Item, b: Item): number {
  return compareText(a.annotator ?? '', b.annotator ?? '') || compareText(a.text, b.text);
}

const hash = new ContentHash();

/** What items say, as one number of 53 bits that does not depend on their order; 0 where there are none. */
export function itemsKey(items: readonly Item[], say: (item: Item, to: ContentHash) => void): number {
  let [high, low] = [0, 0];
  for (const item of items) {
    hash.reset();
    say(item, hash);
    high = (high + hash.high) >>> 0;
    low = (low + hash.low) >>> 0;
  }
  return (high & 0x1fffff) * 0x100000000 + low;
}
