import { type Item, type ItemKind, LOGGED_KINDS } from '../data/item.ts';
import type { Verdict } from './verdict.ts';
import { nearSpans } from '../pair/places.ts';
import { compareText } from '../text/compare.ts';
import { byPieces } from '../text/pieces.ts';
import { ErrorPairs, type Errors } from './error-pairs.ts';
import type { ErrorType } from './error-type.ts';
import { compareOf, type Likeness, nearItems } from './likeness.ts';

const LOGGED: ReadonlySet<ItemKind> = new Set(LOGGED_KINDS);
/** What the unit `cover` calls a prediction that is inside gold. */
const INSIDE = 'inside';
/** Rules that say of a missed and a spurious item that the one was taken for the other. */
export const LINKING: ReadonlySet<string> = new Set(['incorrect', 'wrong-class']);

/**
 * The type of every error of one case under the recipe's own pairing: of each missed and spurious verdict, and of hits
 * that lack credit. Each has one, whatever the order of the verdicts; excused items have none and explain none.
 * In this order:
 *
 * 1. ungrounded: a prediction whose quote or place is not in the text, or with an end that is no entity
 * 2. the same place and label, and yet not paired: type (a gate on another field), or boundary (spelled differently)
 * 3. split: a gold item with two predictions of its label or more in it, apart from each other; merged: the other way
 *    round. The largest group first; pieces that are hits of something else count, and stay hits
 * 4. what is left, one to one, the largest overlap first: type (same place), boundary (same label), both (neither)
 * 5. duplicate: what lies where something was found already (same place, or same label and one in the other); a further
 *    piece beside the one that was found is split, a further gold item that a hit covers is merged
 * 6. boundary: tokens or characters beside found ones of their label; gold that is masked in part
 * 7. missed and spurious: near nothing
 */
export function errorTypes(verdicts: readonly Verdict[]): ReadonlyMap<Verdict, ErrorType> {
  return typed(verdicts).types;
}

/**
 * Missed items that were taken for something of another label, and the spurious prediction of each, which is in one pair:
 * under the recipe's own pairing types type and both, and everywhere those that rules have linked.
 */
export function mistakenLabels(verdicts: readonly Verdict[]): ReadonlyMap<Verdict, Verdict> {
  const found = new Map(verdicts[0]?.scheme === null ? typed(verdicts).mistaken : []);
  const linked = verdicts.filter((own) => own.verdict === 'missed' && LINKING.has(own.rule) && !found.has(own));
  if (linked.length === 0) return found;
  const taken = new Set(found.values());
  const spurious = new Map(verdicts.flatMap((own) => (own.verdict === 'spurious' ? [[own.predicted, own]] : [])));
  for (const own of linked) {
    const other = spurious.get(own.rejected?.item ?? null);
    if (other === undefined || taken.has(other)) continue;
    found.set(own, other);
    taken.add(other);
  }
  return found;
}

interface TypedErrors {
  readonly types: ReadonlyMap<Verdict, ErrorType>;
  readonly mistaken: ReadonlyMap<Verdict, Verdict>;
}

const NO_ERRORS: TypedErrors = { types: new Map(), mistaken: new Map() };

/** Several who watch a run ask for the same case, one after the other. */
let last: TypedErrors & { readonly verdicts: readonly Verdict[] } = { verdicts: [], ...NO_ERRORS };

function typed(verdicts: readonly Verdict[]): TypedErrors {
  if (last.verdicts !== verdicts) last = { verdicts, ...(verdicts.every(isRight) ? NO_ERRORS : typesOf(verdicts)) };
  return last;
}

function isRight({ verdict, credit }: Verdict): boolean {
  return verdict === 'excused' || (verdict === 'hit' && credit >= 1);
}

function typesOf(verdicts: readonly Verdict[]): TypedErrors {
  const types = new Map<Verdict, ErrorType>();
  const mistaken = new Map<Verdict, Verdict>();
  const { kind } = verdicts[0]!;
  if (verdicts.every((own) => own.kind === kind)) typeKind(kind, verdicts, types, mistaken);
  else
    for (const [own, some] of Map.groupBy(verdicts, (verdict) => verdict.kind))
      if (!some.every(isRight)) typeKind(own, some, types, mistaken);
  return { types, mistaken };
}

function typeKind(
  kind: ItemKind,
  verdicts: readonly Verdict[],
  types: Map<Verdict, ErrorType>,
  mistaken: Map<Verdict, Verdict>,
): void {
  if (LOGGED.has(kind)) {
    // They have no gold: a claim that no source supports is ungrounded, and a spurious one of another kind just that.
    for (const own of verdicts)
      if (own.verdict === 'spurious') types.set(own, kind === 'claim' ? 'ungrounded' : 'spurious');
    return;
  }
  const compare = compareOf(kind);
  const [hits, missed, spurious]: [Verdict[], Verdict[], Verdict[]] = [[], [], []];
  for (const own of verdicts) {
    const { verdict, gold, predicted } = own;
    const isPair = gold !== null && predicted !== null;
    if (verdict === 'hit') {
      if (isPair) hits.push(own);
      if (own.credit < 1) types.set(own, isPair ? difference(gold, predicted, compare(gold, predicted)) : 'boundary');
    } else if (verdict === 'missed') {
      if (gold === null) types.set(own, 'missed');
      else missed.push(own);
    } else if (verdict === 'spurious') {
      if (isUngrounded(own)) types.set(own, 'ungrounded');
      else if (predicted === null) types.set(own, 'spurious');
      else spurious.push(own);
    }
  }
  putInOrder(missed);
  putInOrder(spurious);
  // Spans are found by their places, whatever order they come in.
  if (kind !== 'span') putInOrder(hits);
  const errors = {
    missed: missed.map(({ gold }) => gold!),
    spurious: spurious.map(({ predicted }) => predicted!),
    foundGold: hits.map(({ gold }) => gold!),
    foundPredicted: hits.map(({ predicted }) => predicted!),
    compare,
  };
  const pairs = new ErrorPairs(errors, (gold, predicted) => nearItems(gold, predicted, compare));
  pairs.oneToOne(({ like, sameLabel }) => like.same && sameLabel, difference);
  if (kind !== 'relationship' && kind !== 'class') pairs.markPieces();
  pairs.oneToOne(() => true, difference);
  pairs.markRepeats();
  markBeside(pairs, errors, verdicts);
  for (let at = 0; at < missed.length; at += 1) {
    const own = missed[at]!;
    types.set(own, pairs.types.missed[at] ?? 'missed');
    const other = spurious[pairs.partners[at] ?? -1];
    if (other !== undefined && other.label !== own.label) mistaken.set(own, other);
  }
  for (let at = 0; at < spurious.length; at += 1) types.set(spurious[at]!, pairs.types.spurious[at] ?? 'spurious');
}

/** What keeps two items from being the same. */
function difference(gold: Item, predicted: Item, like: Likeness | null): ErrorType {
  if (gold.label !== predicted.label) return like?.same === true ? 'type' : 'both';
  if (like?.same !== true) return 'boundary';
  return gold.start >= 0 || gold.text === predicted.text ? 'type' : 'boundary';
}

function isUngrounded({ predicted, rule }: Verdict): boolean {
  if (predicted === null) return false;
  const { grounded, unresolved, refused } = predicted;
  const isLost = unresolved !== undefined || refused !== undefined;
  return grounded === false || isLost || rule === 'unresolved' || rule === 'bad-span';
}

/** By content, so that the order of the verdicts does not show. Mostly they are in that order already. */
function putInOrder(verdicts: Verdict[]): void {
  for (let at = 1; at < verdicts.length; at += 1)
    if (byItems(verdicts[at - 1]!, verdicts[at]!) > 0) {
      verdicts.sort(byItems);
      return;
    }
}

function byItems(a: Verdict, b: Verdict): number {
  return byContent(a.gold, b.gold) || byContent(a.predicted, b.predicted) || a.weight - b.weight;
}

function byContent(a: Item | null, b: Item | null): number {
  if (a === null || b === null) return Number(b === null) - Number(a === null);
  return (
    byPieces(a, b) ||
    compareText(a.label, b.label) ||
    compareText(a.text, b.text) ||
    compareText(a.source ?? '', b.source ?? '') ||
    compareText(a.target ?? '', b.target ?? '') ||
    a.index - b.index
  );
}

/** Stretches of tokens or characters that touch found ones, and gold that predictions cover in part. */
function markBeside(pairs: ErrorPairs, errors: Errors, verdicts: readonly Verdict[]): void {
  const { missed, spurious, foundGold } = errors;
  const stretches = foundGold.filter(({ index }) => index < 0);
  for (const side of stretches.length === 0 ? [] : (['missed', 'spurious'] as const)) {
    const near = nearSpans(errors[side], stretches, 1);
    near.gold.forEach((at, place) => {
      const [own, other] = [errors[side][at]!, stretches[near.predicted[place]!]!];
      if (own.index < 0 && own.label === other.label) pairs.mark(side, at, 'boundary');
    });
  }
  // Gold that is masked without a prediction inside it: what masks it is wider.
  const [helpers, masked]: [Item[], Item[]] = [[], []];
  for (const { verdict, rule, gold, predicted } of verdicts)
    if (verdict === 'excused' && rule === INSIDE && predicted !== null) helpers.push(predicted);
    else if (verdict === 'hit' && gold !== null && predicted === null) masked.push(gold);
  if (helpers.length > 0) for (const at of nearSpans(missed, helpers, 0).gold) pairs.mark('missed', at, 'boundary');
  if (masked.length > 0) for (const at of nearSpans(spurious, masked, 0).gold) pairs.mark('spurious', at, 'boundary');
}
