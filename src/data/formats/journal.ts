import { unwrapped } from '../dataset-item.ts';
import type { JsonFormat, ReadContext, Row } from '../format.ts';
import { type Fields, type Item, makeItem } from '../item.ts';
import { isBareText } from '../closest-shape.ts';
import { extraFields, withFields } from '../extra-fields.ts';
import {
  caseTextOf,
  failureOf,
  hasEmptyList,
  idOf,
  isRecord,
  listOf,
  missingList,
  objectItems,
  without,
  wrong,
} from '../record-fields.ts';
import { sideOfRole } from './mentions.ts';

const IDS = ['journal_id', 'id'];
const READ = new Set([...IDS, 'text', 'items']);
const WRITTEN = new Set([...READ, 'error']);

/** Diary entries and the objects found in them, each anchored by a quote. */
export const journal = {
  kind: 'json',
  name: 'journal',
  about: 'diary entries, and objects with an evidence_span',
  example:
    '{"journal_id":"J1","items":[{"domain":"food","evidence_span":"masala chai","polarity":"present","time_bucket":"today"}]}',
  item: { ids: IDS, answer: { items: 'items' }, input: 'record' },
  kinds: ['object'],
  detects(given) {
    const record = unwrapped(given, 'journal_id');
    return ('journal_id' in given && record === given) || looksLikeObjects(record['items']);
  },
  neededList: 'items',
  mayBe: (record) => hasEmptyList(unwrapped(record, 'journal_id'), ['items']),
  read(wrapped, line, context) {
    const record = unwrapped(wrapped, 'journal_id');
    const id = idOf(record, IDS, line, context);
    if (id === null) return null;
    const failed = context.role === 'predictions' ? failureOf(record) : null;
    const missing = missingList(record, ['items']);
    const isText = record === wrapped && isBareText(record);
    if (missing === 'absent' && context.role !== 'cases' && failed === null && !isText)
      return wrong(context, line, 'items', 'a list of objects (may be empty)', undefined);
    const list = missing === null ? listOf(record['items'], 'items', line, context) : [];
    const items = list === null || (missing !== null && failed !== null) ? null : diaryItems(list, line, context);
    const sides = sideOfRole(items, context, missing);
    const rejected = context.role === 'predictions' ? rejectedItems(record['rejected'], list?.length ?? 0) : [];
    const takenOff = context.role === 'predictions' ? fieldsTakenOff(record['changed']) : 0;
    return {
      id,
      line,
      text: caseTextOf(record, true, line, context),
      fields: without(record, READ, line, context),
      ...sides,
      claim: 'neither',
      failed,
      ...(rejected.length === 0 ? {} : { rejected }),
      ...(takenOff === 0 ? {} : { fieldsTakenOff: takenOff }),
    };
  },
  writer: {
    extension: '.jsonl',
    layout: 'records',
    holds: ['names', 'pieces'],
    record({ id, text, items, fields, failed }) {
      const diary = items.filter(({ kind }) => kind !== 'relationship');
      const record = {
        journal_id: id,
        ...(text === null ? {} : { text }),
        ...(failed === null ? { items: diary.map(diaryRecord) } : { error: failed }),
      };
      return withFields(record, fields, WRITTEN);
    },
  },
  /** The id is the entry's own, where it has one. */
  predictionLine({ id, input, output, error }) {
    const own = isRecord(input) ? input['journal_id'] : undefined;
    const journal_id = typeof own === 'string' ? own : id;
    return error === undefined ? { journal_id, items: isRecord(output) ? output['items'] : [] } : { journal_id, error };
  },
} satisfies JsonFormat;

function diaryRecord(item: Item): Fields {
  const { id } = item.fields;
  const record = { domain: item.label, evidence_span: item.text, ...(id === undefined ? {} : { id }) };
  return withFields(record, extraFields(item));
}

function diaryItems(list: readonly unknown[], line: number, context: ReadContext): Item[] {
  const expected = 'an object with domain and evidence_span';
  return objectItems(list, 'items', expected, line, context, ({ domain, evidence_span: quote }, bad) => {
    if (typeof domain !== 'string' || domain === '') return bad('domain', 'a domain', domain);
    if (typeof quote !== 'string') return bad('evidence_span', 'a quote (text, may be empty)', quote);
    return { kind: 'object', label: domain, text: quote };
  });
}

function looksLikeObjects(value: unknown): boolean {
  if (!Array.isArray(value)) return false;
  const first: unknown = value[0];
  return isRecord(first) && 'evidence_span' in first;
}

/**
 * What an extractor took out of the model's answer, `{item, because}` each. The items need not be whole: that may be why
 * they were taken out. A field of this name that holds anything else is somebody's own.
 */
function rejectedItems(value: unknown, from: number): NonNullable<Row['rejected']> {
  if (!Array.isArray(value)) return [];
  return value.flatMap((one: unknown, at) => {
    if (!isRecord(one) || typeof one['because'] !== 'string') return [];
    const fields = isRecord(one['item']) ? one['item'] : {};
    const { domain, evidence_span: quote } = fields;
    const label = typeof domain === 'string' && domain !== '' ? domain : 'none';
    const text = typeof quote === 'string' ? quote : '';
    return [{ item: makeItem({ kind: 'object', index: from + at, label, text, fields }), because: one['because'] }];
  });
}

/** Of what an extractor changed, `{item, field, from, to}` each, the fields that it took off. */
function fieldsTakenOff(value: unknown): number {
  if (!Array.isArray(value)) return 0;
  return value.filter((one: unknown) => isRecord(one) && one['to'] === null && (one['from'] ?? null) !== null).length;
}
