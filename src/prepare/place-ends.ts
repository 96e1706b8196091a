import type { Case } from '../data/case.ts';
import { type EndPlace, type Item, type Side, SIDES } from '../data/item.ts';
import { UsageError } from '../data/problems.ts';
import { describe } from '../data/record-fields.ts';
import { shorten } from '../data/visible.ts';
import type { OffsetMap } from '../text/offsets.ts';
import { placeKey, offsetsText } from '../text/pieces.ts';

/** The id of an entity: the first of these fields that is a text. */
export function idOfEntity({ kind, fields }: Item, ids: readonly string[]): string | null {
  if (kind !== 'entity') return null;
  const own = ids.map((id) => fields[id]).find((value) => typeof value === 'string');
  return typeof own === 'string' ? own : null;
}

/**
 * The relationships of a case with the place and the type of both ends, which the text shows too: what they join are
 * mentions, and two mentions of one name are two. A reference is an id, or a name that one entity has.
 */
export function placedRelationships(given: Case, ids: readonly string[], rule: string): Case {
  const sides = Object.fromEntries(SIDES.map((side) => [side, placedSide(given, side, ids, rule)]));
  return { ...given, ...sides };
}

function placedSide(given: Case, side: Side, ids: readonly string[], rule: string): readonly Item[] {
  const entitiesOf = references(given[side], ids);
  return given[side].map((item) => {
    if (item.kind !== 'relationship') return item;
    const resolved = (ref: string): Reference => {
      const found = entitiesOf(ref);
      const [entity = null] = found.length === 1 ? found : [];
      // A prediction pays for its references; gold that nothing can match would only lower recall in silence.
      if (side === 'gold' && (entity === null || entity.start < 0)) throw unplaced(given.id, item, ref, found, rule);
      return { ref, entity, isLost: found.length === 0 };
    };
    const [source, target] = [resolved(item.source ?? ''), resolved(item.target ?? '')];
    const unresolved = [source, target].filter(({ isLost }) => isLost).map(({ ref }) => ref);
    const mention = (end: Reference): string => mentionText(end, given.offsets);
    return {
      ...item,
      source: source.entity?.text ?? source.ref,
      target: target.entity?.text ?? target.ref,
      text: `${mention(source)} --${item.label}--> ${mention(target)}`,
      ends: { source: placeOf(source), target: placeOf(target) },
      ...(unresolved.length === 0 ? {} : { unresolved }),
    };
  });
}

/** An end of a relationship: what it is called, and the one entity that it means, if it means one. */
interface Reference {
  readonly ref: string;
  readonly entity: Item | null;
  /** No entity answers to it. */
  readonly isLost: boolean;
}

/** The entities that a reference may mean: that of the id, or else all of the name, each place and type once. */
function references(items: readonly Item[], ids: readonly string[]): (ref: string) => readonly Item[] {
  const entities = items.filter(({ kind }) => kind === 'entity');
  const byId = Map.groupBy(entities, (entity) => idOfEntity(entity, ids));
  const byName = Map.groupBy(entities, ({ text }) => text);
  return (ref) => {
    const named = byId.get(ref) ?? byName.get(ref) ?? [];
    return [...new Map(named.map((entity) => [JSON.stringify([placeKey(entity), entity.label]), entity])).values()];
  };
}

function placeOf({ entity }: Reference): EndPlace | null {
  if (entity === null || entity.start < 0) return null;
  const { start, end, label, fragments } = entity;
  return { start, end, label, ...(fragments === undefined ? {} : { fragments }) };
}

/** A name with its place as the files count it: Ann [0–3]. */
function mentionText({ ref, entity }: Reference, offsets: OffsetMap | null): string {
  if (entity === null || entity.start < 0) return entity?.text ?? ref;
  return `${entity.text} [${offsetsText(entity, offsets?.fromUtf16)}]`;
}

function unplaced(id: string, { label, index }: Item, ref: string, found: readonly Item[], rule: string): UsageError {
  const what = `case ${shorten(id)}: ${rule} cannot place an end of gold relationship ${index} (${describe(label)})`;
  const name = describe(ref);
  if (found.length === 0)
    return new UsageError(`${what}: no gold entity answers to ${name}`, 'list the entity, with its start and end');
  if (found.length > 1)
    return new UsageError(
      `${what}: ${found.length} gold entities answer to ${name}`,
      'give entities an id, and refer to them by it',
    );
  return new UsageError(`${what}: ${name} has no place in the text`, 'read places with --set data.places=required');
}
