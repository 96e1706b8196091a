import { type Fields, type Item, NO_FIELDS } from './item.ts';

/** What tools call the label of an item, and its words. */
const WORDS = new Set(
  'label type entity_type relationship_type domain text name word span_text evidence_span'.split(' '),
);
const PLACES = new Set(['start', 'end', 'start_offset', 'end_offset', 'fragments']);
const ENDS = new Set(['source', 'target', 'source_ref', 'target_ref', 'source_name', 'target_name']);

/**
 * What an item carries beyond its name, place, label and words. Records are often kept whole: what they say of those under
 * their own names is left out here.
 *
 * @example extraFields({ label: 'PER', fields: { id: 'T1', entity_type: 'PER', score: 0.9 }, … }) // { score: 0.9 }
 */
export function extraFields(item: Item): Fields {
  const entries = Object.entries(item.fields);
  if (entries.length === 0) return NO_FIELDS;
  return Object.fromEntries(
    entries.filter(([name, value]) => value !== undefined && value !== null && !isRepeated(name, value, item)),
  );
}

function isRepeated(name: string, value: unknown, { kind, label, text, start, annotator }: Item): boolean {
  if (name === 'id' || name === 'temp_id') return typeof value === 'string' || typeof value === 'number';
  if (name === 'annotator') return String(value) === annotator;
  if (PLACES.has(name)) return start >= 0 && (typeof value === 'number' || Array.isArray(value));
  if (ENDS.has(name)) return kind === 'relationship' && typeof value === 'string';
  return WORDS.has(name) && (value === label || value === text);
}

/** A record with what else is known, as far as the record does not have that name already or for something else. */
export function withFields(record: Fields, fields: Fields, reserved: ReadonlySet<string> = NONE): Fields {
  const free = Object.entries(fields).filter(([name]) => !Object.hasOwn(record, name) && !reserved.has(name));
  return free.length === 0 ? record : { ...record, ...Object.fromEntries(free) };
}

const NONE: ReadonlySet<string> = new Set();
