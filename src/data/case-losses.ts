import type { Case } from './case.ts';
import type { Fields, Item, Side } from './item.ts';
import { extraFields } from './extra-fields.ts';
import { sortedJson } from './sorted-json.ts';

/** Something of a case that a file written of it does not give back. */
export interface CaseLoss {
  readonly case: string;
  /** The item; null if it is something of the case itself. */
  readonly item: string | null;
  readonly side: Side | null;
  /** All of it, or which part: a field, its place, its text. */
  readonly what: string;
}

/**
 * What a case lacks once it has been written and read back. Not a loss: another order, another id of an item as long as
 * relations lead to the same items, a number that comes back as text.
 */
export function caseLosses(given: Case, back: Case | null): CaseLoss[] {
  const lost = (what: string): CaseLoss => ({ case: given.id, item: null, side: null, what });
  if (back === null) return [lost('the case')];
  const losses: CaseLoss[] = [];
  if (given.text !== null && given.text !== back.text)
    losses.push(lost(back.text === null ? 'the text' : 'the exact text'));
  if (given.tokens?.length && sortedJson(given.tokens) !== sortedJson(back.tokens ?? null))
    losses.push(lost('the tokens'));
  if (given.failed !== null && back.failed === null) losses.push(lost('the failure'));
  const fields = lostFields(given.fields, back.fields).map((name) => lost(`the field ${name}`));
  return [losses, fields, itemLosses(given, back, 'gold'), itemLosses(given, back, 'predicted')].flat();
}

/** The mention that a relation calls by an id or by its words. */
type MentionNamed = (ref: string | null) => Item | undefined;
type KeyOf = (item: Item, named: MentionNamed) => unknown;

const ENDS = 'the places of its ends';
const words = ({ text }: Item): unknown => text;
const range = ({ start, end }: Item): unknown => [start, end];

/** How an item is found again, the surest way first, and what of it is lost if it is found only so; null: it cannot be. */
const WAYS: readonly (readonly [lost: string | null, keyOf: KeyOf])[] = [
  [null, (item, named) => (isJoin(item) ? joinKey(item, named, placeOf) : placeOf(item))],
  [ENDS, (item, named) => (isJoin(item) ? joinKey(item, named, words) : null)],
  ['the text of its ends', (item, named) => (isJoin(item) ? joinKey(item, named, range) : null)],
  ['the label', (item, named) => (isJoin(item) ? joinKey({ ...item, label: '' }, named, words) : null)],
  ['the label', (item, named) => (isJoin(item) ? joinKey({ ...item, label: '' }, named, range) : null)],
  ['the place', (item) => (isJoin(item) ? null : [item.kind === 'class', item.label, item.text])],
  ['its pieces', ({ start, end, label }) => (start < 0 ? null : [label, start, end])],
  ['the label', ({ start, end }) => (start < 0 ? null : [start, end])],
];

function itemLosses(given: Case, back: Case, side: Side): CaseLoss[] {
  const left = new Set(back[side]);
  const [inGiven, inBack] = [mentionsByName(given[side]), mentionsByName(back[side])];
  const found = new Map<Item, readonly [match: Item, lost: string | null]>();
  for (const [lost, keyOf] of WAYS) {
    const textOf = (item: Item, named: MentionNamed): string | null => {
      const key = keyOf(item, named);
      return key === null ? null : JSON.stringify(key);
    };
    const byKey = Map.groupBy(left, (item) => textOf(item, inBack));
    for (const item of given[side]) {
      const key = found.has(item) ? null : textOf(item, inGiven);
      const same = key === null ? [] : (byKey.get(key) ?? []).filter((one) => left.has(one));
      const own = same.length > 1 ? extraFields(item) : null;
      const [best] =
        own === null
          ? same
          : same.toSorted((a, b) => lostFields(own, a.fields).length - lostFields(own, b.fields).length);
      if (best === undefined) continue;
      left.delete(best);
      found.set(item, [best, lost]);
    }
  }
  return given[side].flatMap((item): CaseLoss[] => {
    const loss = (what: string): CaseLoss => ({ case: given.id, item: itemName(item), side, what });
    const [match, lost] = found.get(item) ?? [null, null];
    if (match === null) return [loss('the item')];
    return [
      ...lostParts(item, match, lost).map(loss),
      ...lostFields(extraFields(item), match.fields).map((name) => loss(`the field ${name}`)),
      ...(item.annotator !== null && match.annotator !== item.annotator ? [loss('the annotator')] : []),
    ];
  });
}

function lostParts(item: Item, match: Item, lost: string | null): string[] {
  // A quote without a place that was found has lost nothing.
  if (lost === null || (lost === 'the place' && item.start < 0)) return [];
  if (lost !== 'its pieces') return [lost];
  const hasPieces = JSON.stringify(item.fragments ?? []) === JSON.stringify(match.fragments ?? []);
  return [hasPieces ? 'the text' : lost];
}

function isJoin({ kind }: Item): boolean {
  return kind === 'relationship';
}

/** Classes of a case are no mentions in it. */
function placeOf({ kind, label, start, end, text, fragments = [] }: Item): unknown {
  return [kind === 'class', label, start, end, text, fragments];
}

/** A relation is its type and what it joins. */
function joinKey({ label, source, target }: Item, named: MentionNamed, nameOf: (end: Item) => unknown): unknown {
  const end = (ref: string | null): unknown => {
    const mention = named(ref);
    return mention === undefined ? ref : nameOf(mention);
  };
  return [label, end(source), end(target)];
}

function mentionsByName(items: readonly Item[]): MentionNamed {
  const [byId, byText] = [new Map<unknown, Item>(), new Map<string, Item>()];
  for (const item of items.filter((one) => !isJoin(one)).toReversed()) {
    const id = item.fields['id'] ?? item.fields['temp_id'];
    byId.set(typeof id === 'number' ? String(id) : id, item);
    byText.set(item.text, item);
  }
  return (ref) => (ref === null ? undefined : (byId.get(ref) ?? byText.get(ref)));
}

function lostFields(given: Fields, back: Fields): string[] {
  return Object.keys(given).filter((name) => {
    const [value, found] = [given[name], Object.hasOwn(back, name) ? back[name] : undefined];
    return value !== undefined && value !== null && !isSame(value, found);
  });
}

/** Tables and XML have no numbers: the same digits are the same. */
function isSame(a: unknown, b: unknown): boolean {
  if (a === b || ((typeof a === 'number' || typeof a === 'boolean') && String(a) === b)) return true;
  return typeof a === typeof b && sortedJson(a) === sortedJson(b);
}

function itemName({ kind, label, text, start, end }: Item): string {
  const place = start < 0 ? '' : ` at ${start}..${end}`;
  return `${kind} ${label} ${JSON.stringify(text.length > 60 ? `${text.slice(0, 59)}…` : text)}${place}`;
}
