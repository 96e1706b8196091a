import type { JsonFormat, ReadContext, WrittenCase } from '../format.ts';
import type { Fields, Item } from '../item.ts';
import { extraFields, withFields } from '../extra-fields.ts';
import {
  annotationList,
  failureOf,
  hasEmptyList,
  idOf,
  isEmptyList,
  isRecord,
  textOf,
  without,
  unknownList,
} from '../record-fields.ts';
import { isBareText } from '../closest-shape.ts';
import { sideOfRole, relationItem } from './mentions.ts';
import { writtenItems } from './written-items.ts';

/** What tools call the two ends and the type of a triple. */
export const TRIPLE_NAMES: readonly (readonly [source: string, type: string, target: string])[] = [
  ['subject', 'predicate', 'object'],
  ['subject', 'relation', 'object'],
  ['head', 'relation', 'tail'],
  ['head', 'type', 'tail'],
  ['source', 'type', 'target'],
  ['source', 'relation', 'target'],
  ['sub', 'rel', 'obj'],
];
const LISTS = ['triples', 'relations', 'triplets', 'facts'];
const IDS = ['id', 'doc_id', 'document_id', 'docId', 'documentId', 'case'];
const READ = new Set([...IDS, ...LISTS, 'text', 'sent', 'error']);
/** Lists of records that are more than triples. */
const OTHERS = ['entities', 'spans'];
/** Also those of triples under other names: a record is read by the first that are all there. */
const NAMES = new Set([...TRIPLE_NAMES.flat(), ...IDS, 'text']);

/**
 * Plain triples: a record for each (`{"subject", "predicate", "object"}`, `{"head", "relation", "tail"}`, …), with the id of
 * its case, or a record for each case with a list of them, as objects or as `[subject, predicate, object]`.
 */
export const triples: JsonFormat = {
  kind: 'json',
  name: 'triples',
  about:
    'triples, one a record or in a list for each case: subject/predicate/object, head/relation/tail, source/type/target',
  example: '{"id":"d1","subject":"Ann","predicate":"met","object":"Bo"}',
  kinds: ['relationship'],
  isPerItem: () => true,
  detects(record) {
    const list = listName(record);
    if (namesIn(record) !== null || (list !== null && isTriples(record[list]))) return true;
    return list !== null && !isEmptyList(record[list]) && !OTHERS.some((name) => name in record);
  },
  mayBe: (record) => hasEmptyList(record, LISTS) && !OTHERS.some((name) => name in record),
  read(record, line, context) {
    const id = idOf(record, IDS, line, context);
    if (id === null) return null;
    const list = listName(record) ?? (namesIn(record) === null ? emptyListName(record) : undefined);
    const texts = { id, line, text: textOf(record['text'] ?? record['sent'], 'text', line, context) };
    const failed = failureOf(record);
    if (list === undefined) {
      const item = tripleItem(record, 0, '', line, context);
      return { ...texts, fields: {}, ...sideOfRole(item === null ? [] : [item], context), failed };
    }
    const facts =
      failed !== null && !Array.isArray(record[list]) ? null : annotationList(record, [list], line, context);
    const items = facts?.list.flatMap((raw, index) => tripleItem(raw, index, `${list}[${index}]`, line, context) ?? []);
    const fields = without(record, READ, line, context);
    return { ...texts, fields, ...sideOfRole(items ?? null, context, facts?.missing), failed };
  },
  writer: {
    extension: '.jsonl',
    layout: 'records',
    holds: ['names', 'pieces'],
    record(given) {
      const record = {
        id: given.id,
        ...(given.text === null ? {} : { text: given.text }),
        triples: tripleRecords(given).map(({ item, triple }) => withFields(triple, extraFields(item), NAMES)),
      };
      return withFields(record, given.fields, new Set([...READ, ...OTHERS]));
    },
  },
};

/** One triple, as an object or as a list of three. */
export function tripleItem(
  raw: unknown,
  index: number,
  field: string,
  line: number,
  context: ReadContext,
): Item | null {
  const place = { index, line, field, context };
  if (Array.isArray(raw)) {
    const [source, label, target] = unknownList(raw);
    return relationItem({ source, label, target }, place);
  }
  const record = isRecord(raw) ? raw : {};
  const [source = 'subject', type = 'predicate', target = 'object'] = namesIn(record) ?? [];
  const fields = Object.fromEntries(
    Object.entries(record).filter(([name]) => ![source, type, target, ...IDS, 'text'].includes(name)),
  );
  return relationItem({ source: record[source], label: record[type], target: record[target], fields }, place);
}

export interface WrittenTriple {
  readonly item: Item;
  readonly triple: Readonly<Record<'subject' | 'predicate' | 'object', string>>;
}

/** Ends by name: those of entities with an id are what the entities are called. */
export function tripleRecords({ items }: Pick<WrittenCase, 'items'>): WrittenTriple[] {
  return writtenItems({ items }).relations.flatMap(({ item, source, target }) => {
    const [subject, object] = [source?.item.text ?? item.source, target?.item.text ?? item.target];
    if (item.label === '' || subject === null || object === null) return [];
    return [{ item, triple: { subject, predicate: item.label, object } }];
  });
}

function namesIn(record: Fields): readonly string[] | null {
  return TRIPLE_NAMES.find((names) => names.every((name) => isEnd(record[name]))) ?? null;
}

function isEnd(value: unknown): boolean {
  return typeof value === 'string' || typeof value === 'number';
}

function listName(record: Fields): string | null {
  return LISTS.find((name) => isTriples(record[name]) || (name === 'triples' && Array.isArray(record[name]))) ?? null;
}

/** The list of a record that is not a triple itself; a text without any list has none of them. */
function emptyListName(record: Fields): string | undefined {
  return LISTS.find((name) => name in record) ?? (isBareText(record) ? LISTS[0] : undefined);
}

function isTriples(value: unknown): boolean {
  const first: unknown = Array.isArray(value) ? value[0] : undefined;
  if (Array.isArray(first)) return first.length === 3 && first.every(isEnd) && typeof first[1] === 'string';
  return isRecord(first) && namesIn(first) !== null;
}
