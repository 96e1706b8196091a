import type { WrittenCase } from '../format.ts';
import type { Fields, Item } from '../item.ts';
import { extraFields } from '../extra-fields.ts';

/** A mention as a format writes it: a span, an entity or an object, with a name that is unique in its case. */
export interface WrittenMention {
  /** What relations call it; unique in its case. */
  readonly ref: string;
  readonly item: Item;
  /** Its fields without those that only name or place it. */
  readonly fields: Fields;
}

export interface WrittenRelation {
  /** Unique among the relations of its case. */
  readonly ref: string;
  readonly item: Item;
  /** Null for an end that is no mention of the case. */
  readonly source: WrittenMention | null;
  readonly target: WrittenMention | null;
  readonly fields: Fields;
}

export interface WrittenItems {
  readonly mentions: readonly WrittenMention[];
  readonly relations: readonly WrittenRelation[];
}

/** The forms of ids that a format takes as they are. */
interface WantedRefs {
  readonly mention?: RegExp;
  readonly relation?: RegExp;
}

/**
 * The mentions of a case, each with a name, and its relations with the mentions that they join. A mention keeps its own id
 * if no other has it and it is of the `wanted` form; others are numbered, `T1`.
 */
export function writtenItems(
  { items }: Pick<WrittenCase, 'items'>,
  prefix = 'T',
  { mention: own = /./s, relation = own }: WantedRefs = {},
): WrittenItems {
  const mentioned = items.filter(({ kind }) => kind !== 'relationship');
  const refs = uniqueRefs(mentioned, prefix, own);
  const mentions = mentioned.map((item, at): WrittenMention => ({ ref: refs[at]!, item, fields: extraFields(item) }));
  // Relations name the first of several that share an id or words.
  const byId = new Map(mentions.toReversed().map((mention) => [idOf(mention.item), mention]));
  const byText = new Map(mentions.toReversed().map((mention) => [mention.item.text, mention]));
  const end = (ref: string | null): WrittenMention | null =>
    ref === null ? null : (byId.get(ref) ?? byText.get(ref) ?? null);
  const joins = items.filter(({ kind }) => kind === 'relationship');
  const joinRefs = uniqueRefs(joins, 'R', relation);
  const relations = joins.map((item, at): WrittenRelation => ({
    ref: joinRefs[at]!,
    item,
    source: end(item.source),
    target: end(item.target),
    fields: extraFields(item),
  }));
  return { mentions, relations };
}

/** Their own ids, if they are unique and of the wanted form; others are numbered. */
function uniqueRefs(items: readonly Item[], prefix: string, wanted: RegExp): string[] {
  const taken = new Set<string>();
  const named = items.map((item) => {
    const ref = idOf(item);
    if (ref === null || taken.has(ref) || !wanted.test(ref)) return null;
    taken.add(ref);
    return ref;
  });
  let next = 1;
  return named.map((ref) => {
    if (ref !== null) return ref;
    while (taken.has(`${prefix}${next}`)) next += 1;
    taken.add(`${prefix}${next}`);
    return `${prefix}${next}`;
  });
}

function idOf({ fields }: Item): string | null {
  const id = fields['id'] ?? fields['temp_id'];
  return (typeof id === 'string' && id !== '') || typeof id === 'number' ? String(id) : null;
}
