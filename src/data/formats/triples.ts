import type { JsonFormat, ReadContext, WrittenCase } from '../format.ts';
import type { Fields, Item } from '../item.ts';
import { failureOf, idOf, isRecord, textOf, without, unknownList } from '../record-fields.ts';
import { sideOfRole, relationItem } from './mentions.ts';

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
const IDS = ['id', 'doc_id', 'document_id', 'case'];

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
  isPerItem: () => true,
  detects: (record) => namesIn(record) !== null || listName(record) !== null,
  read(record, line, context) {
    const id = idOf(record, IDS, line, context);
    if (id === null) return null;
    const list = listName(record);
    const texts = { id, line, text: textOf(record['text'] ?? record['sent'], 'text', line, context) };
    const failed = failureOf(record);
    if (list === null) {
      const item = tripleItem(record, 0, '', line, context);
      return { ...texts, fields: {}, ...sideOfRole(item === null ? [] : [item], context), failed };
    }
    const values: readonly unknown[] = Array.isArray(record[list]) ? record[list] : [];
    const items = values.flatMap((raw, index) => tripleItem(raw, index, `${list}[${index}]`, line, context) ?? []);
    const fields = without(record, new Set([...IDS, 'text', 'sent', list, 'error']), line, context);
    return { ...texts, fields, ...sideOfRole(items, context), failed };
  },
  writer: {
    extension: '.jsonl',
    layout: 'records',
    record: (given) => ({
      id: given.id,
      ...(given.text === null ? {} : { text: given.text }),
      triples: tripleRecords(given),
      ...given.fields,
    }),
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

/** Ends by name: those of entities with an id are what the entities are called. */
export function tripleRecords({ items }: Pick<WrittenCase, 'items'>): Fields[] {
  const names = new Map(
    items.flatMap(({ fields, text }) => {
      const id = fields['temp_id'] ?? fields['id'];
      return typeof id === 'string' ? [[id, text] as const] : [];
    }),
  );
  return items
    .filter(({ kind }) => kind === 'relationship')
    .map(({ label, source, target }) => ({
      subject: names.get(source ?? '') ?? source,
      predicate: label,
      object: names.get(target ?? '') ?? target,
    }));
}

function namesIn(record: Fields): readonly string[] | null {
  return TRIPLE_NAMES.find((names) => names.every((name) => isEnd(record[name]))) ?? null;
}

function isEnd(value: unknown): boolean {
  return typeof value === 'string' || typeof value === 'number';
}

function listName(record: Fields): string | null {
  const isTriples = (value: unknown): boolean => {
    const first: unknown = Array.isArray(value) ? value[0] : undefined;
    if (Array.isArray(first)) return first.length === 3 && first.every(isEnd) && typeof first[1] === 'string';
    return isRecord(first) && namesIn(first) !== null;
  };
  const isLone = !('entities' in record) && !('spans' in record);
  return (
    LISTS.find((name) => isTriples(record[name]) || (isLone && name === 'triples' && Array.isArray(record[name]))) ??
    null
  );
}
