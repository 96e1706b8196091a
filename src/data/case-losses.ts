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
  losses.push(...lostFields(given.fields, back.fields).map((name) => lost(`the field ${name}`)));
  for (const side of ['gold', 'predicted'] as const) losses.push(...itemLosses(given, back, side));
  return losses;
}

function itemLosses(given: Case, back: Case, side: Side): CaseLoss[] {
  const left = [...back[side]];
  return given[side].flatMap((item): CaseLoss[] => {
    const lost = (what: string): CaseLoss => ({ case: given.id, item: itemName(item), side, what });
    const place = signature(item, given[side]);
    // The same place and label first, then the fields that are most alike.
    const same = left.filter((other) => signature(other, back[side]) === place);
    if (same.length === 0) return [lost('the item')];
    const [best] = same
      .map((other) => ({ other, missing: lostFields(item.fields, other.fields) }))
      .sort((a, b) => a.missing.length - b.missing.length);
    left.splice(left.indexOf(best!.other), 1);
    const missing = best!.missing.map((name) => lost(`the field ${name}`));
    if (item.annotator !== null && best!.other.annotator !== item.annotator) missing.push(lost('the annotator'));
    return missing;
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
const STRUCTURE = new Set([
  ...['id', 'temp_id', 'start', 'end', 'label', 'text', 'name', 'type', 'source', 'target'],
  ...['source_ref', 'target_ref', 'source_name', 'target_name', 'relationship_type'],
]);

function lostFields(given: Fields, back: Fields): string[] {
  return Object.keys(given).filter(
    (name) =>
      !STRUCTURE.has(name) && given[name] !== undefined && given[name] !== null && !isSame(given[name], back[name]),
  );
}

function isSame(a: unknown, b: unknown): boolean {
  return a === b || sortedJson(a) === sortedJson(b);
}

function itemName({ kind, label, text, start, end }: Item): string {
  const place = start < 0 ? '' : ` at ${start}..${end}`;
  return `${kind} ${label} ${JSON.stringify(text.length > 60 ? `${text.slice(0, 59)}…` : text)}${place}`;
}
