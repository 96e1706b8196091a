import type { Case } from '../data/case.ts';
import { type EndPlace, ENDS, type Item, type Side, SIDES } from '../data/item.ts';
import { UsageError } from '../data/problems.ts';
import { describe } from '../data/record-fields.ts';
import { shorten } from '../data/visible.ts';
import type { OffsetMap } from '../text/offsets.ts';

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
    const refs = ENDS.map((end) => item[end] ?? '');
    const found = refs.map(entitiesOf);
    const at = found.findIndex((entities) => entities.length !== 1 || entities[0]!.start < 0);
    // A prediction pays for its references; gold that nothing can match would only lower recall in silence.
    if (at >= 0 && side === 'gold') throw unplaced(given.id, item, refs[at]!, found[at]!, rule);
    const [source, target] = found.map((entities) => (entities.length === 1 ? entities[0]! : null));
    const lost = refs.filter((_, end) => found[end]!.length === 0);
    const [from, to] = [source, target].map((entity, end) => mentionText(entity, refs[end]!, given.offsets));
    return {
      ...item,
      source: source?.text ?? refs[0]!,
      target: target?.text ?? refs[1]!,
      text: `${from} --${item.label}--> ${to}`,
      ends: { source: placeOf(source), target: placeOf(target) },
      ...(lost.length === 0 ? {} : { unresolved: lost }),
    };
  });
}

/** The entities that a reference may mean: that of the id, or else all of the name, each place and type once. */
function references(items: readonly Item[], ids: readonly string[]): (ref: string) => readonly Item[] {
  const entities = items.filter(({ kind }) => kind === 'entity');
  const byId = Map.groupBy(entities, (entity) => idOfEntity(entity, ids));
  const byName = Map.groupBy(entities, ({ text }) => text);
  return (ref) => {
    const named = byId.get(ref) ?? byName.get(ref) ?? [];
    return [
      ...new Map(named.map((entity) => [JSON.stringify([entity.start, entity.end, entity.label]), entity])).values(),
    ];
  };
}

function placeOf(entity: Item | null | undefined): EndPlace | null {
  return entity == null || entity.start < 0 ? null : { start: entity.start, end: entity.end, label: entity.label };
}

/** A name with its place as the files count it: Ann [0–3]. */
function mentionText(entity: Item | null | undefined, ref: string, offsets: OffsetMap | null): string {
  if (entity == null || entity.start < 0) return entity?.text ?? ref;
  const at = (index: number): number => (offsets === null ? index : offsets.fromUtf16(index));
  return `${entity.text} [${at(entity.start)}–${at(entity.end)}]`;
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
