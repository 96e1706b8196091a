import type { JsonFormat, ReadContext } from '../format.ts';
import { type Item, makeItem } from '../item.ts';
import { idOf, isRecord, listOf, textOf, without, wrong } from '../record-fields.ts';

const IDS = ['journal_id', 'id'];
const READ = new Set(['journal_id', 'id', 'text', 'items']);

/** Diary entries and the objects found in them, each anchored by a quote. */
export const journal: JsonFormat = {
  kind: 'json',
  name: 'journal',
  about: 'diary entries, and objects with an evidence_span',
  example:
    '{"journal_id":"J1","items":[{"domain":"food","evidence_span":"masala chai","polarity":"present","time_bucket":"today"}]}',
  detects: (record) => 'journal_id' in record,
  read(record, line, context) {
    const id = idOf(record, IDS, line, context);
    if (id === null) return null;
    const list = record['items'] === undefined ? null : listOf(record['items'], 'items', line, context);
    if (list === null && context.role !== 'cases' && record['items'] === undefined && record['error'] === undefined) {
      wrong(context, line, 'items', 'a list of objects', undefined);
      return null;
    }
    const items = list === null ? null : objectItems(list, line, context);
    return {
      id,
      line,
      text: textOf(record['text'], 'text', line, context),
      fields: without(record, READ),
      gold: context.role === 'predictions' ? null : items,
      predicted: context.role === 'predictions' ? (items ?? []) : null,
      failed: typeof record['error'] === 'string' ? record['error'] : null,
    };
  },
};

function objectItems(list: readonly unknown[], line: number, context: ReadContext): Item[] {
  const items: Item[] = [];
  list.forEach((raw, index) => {
    if (!isRecord(raw)) {
      wrong(context, line, `items[${index}]`, 'an object with domain and evidence_span', raw);
      return;
    }
    const domain = raw['domain'];
    const quote = raw['evidence_span'];
    if (typeof domain !== 'string' || domain === '') wrong(context, line, `items[${index}].domain`, 'a domain', domain);
    else if (typeof quote !== 'string')
      wrong(context, line, `items[${index}].evidence_span`, 'a quote (text, may be empty)', quote);
    else items.push(makeItem({ kind: 'object', index, label: domain, text: quote, line, fields: raw }));
  });
  return items;
}
