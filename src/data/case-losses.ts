import type { Case } from './case.ts';
import type { Fields, Item, Side } from './item.ts';
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

/** What a case lacks once it has been written and read back; an order that changed is no loss. */
export function caseLosses(given: Case, back: Case | null): CaseLoss[] {
  const lost = (what: string): CaseLoss => ({ case: given.id, item: null, side: null, what });
  if (back === null) return [lost('the case')];
  const losses: CaseLoss[] = [];
  if (given.text !== null && given.text !== back.text)
    losses.push(lost(back.text === null ? 'the text' : 'the exact text'));
  if (given.tokens && sortedJson(given.tokens) !== sortedJson(back.tokens ?? null)) losses.push(lost('the tokens'));
  losses.push(...lostFields({ fields: given.fields }, back.fields).map((name) => lost(`the field ${name}`)));
  for (const side of ['gold', 'predicted'] as const) losses.push(...itemLosses(given, back, side));
  return losses;
}

/** An item is found again by its place, label and words; else by its label and words, or by its place: then the rest is lost. */
function itemLosses(given: Case, back: Case, side: Side): CaseLoss[] {
  const left = new Set(back[side]);
  const found = new Map<Item, readonly [match: Item, lost: string | null]>();
  const ways = [
    [null, (item: Item, among: readonly Item[]) => signature(item, among)],
    ['the place', ({ kind, label, text }: Item) => (kind === 'relationship' ? null : JSON.stringify([label, text]))],
    ['the label', ({ start, end }: Item) => (start < 0 ? null : JSON.stringify([start, end]))],
  ] as const;
  for (const [lost, keyOf] of ways) {
    const byKey = Map.groupBy(left, (item) => keyOf(item, back[side]));
    for (const item of given[side]) {
      const key = found.has(item) ? null : keyOf(item, given[side]);
      const same = key === null ? [] : (byKey.get(key) ?? []).filter((one) => left.has(one));
      const [best] = same.toSorted((a, b) => lostFields(item, a.fields).length - lostFields(item, b.fields).length);
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
      ...(lost === null ? [] : [loss(lost)]),
      ...lostFields(item, match.fields).map((name) => loss(`the field ${name}`)),
      ...(item.annotator !== null && match.annotator !== item.annotator ? [loss('the annotator')] : []),
    ];
  });
}

/** What makes it the same item: its place, label and words; of a relation its type and ends. */
function signature(item: Item, among: readonly Item[]): string {
  const place = ({ label, start, end, text, fragments = [] }: Item): unknown[] => [label, start, end, text, fragments];
  if (item.kind !== 'relationship') return JSON.stringify(place(item));
  const end = (ref: string | null): unknown => {
    const named = among.find(
      ({ kind, fields, text }) => kind !== 'relationship' && [fields['id'], fields['temp_id'], text].includes(ref),
    );
    return named === undefined ? ref : place(named);
  };
  return JSON.stringify([item.label, end(item.source), end(item.target)]);
}

/** Fields that only repeat what an item has anyway, under the names of one format or another. */
const STRUCTURE = new Set(
  'id temp_id start end label text name type source target source_ref target_ref source_name target_name relationship_type'.split(
    ' ',
  ),
);

function lostFields(
  { fields: given, label, text, start, end }: Pick<Item, 'fields'> & Partial<Item>,
  back: Fields,
): string[] {
  // A record that is kept whole repeats label, text and place under its own names.
  const own: readonly unknown[] = [label, text, start, end, undefined, null];
  return Object.keys(given).filter(
    (name) => !STRUCTURE.has(name) && !own.includes(given[name]) && !isSame(given[name], back[name]),
  );
}

function isSame(a: unknown, b: unknown): boolean {
  return a === b || sortedJson(a) === sortedJson(b);
}

function itemName({ kind, label, text, start, end }: Item): string {
  const place = start < 0 ? '' : ` at ${start}..${end}`;
  return `${kind} ${label} ${JSON.stringify(text.length > 60 ? `${text.slice(0, 59)}…` : text)}${place}`;
}
