import type { JsonFormat } from '../format.ts';
import type { Fields } from '../item.ts';
import { isRecord } from '../record-fields.ts';
import { mentionRecords } from './mention-records.ts';
import { writtenItems } from './written-items.ts';

const LISTS = ['entities', 'items', 'extractions', 'spans', 'results', 'output', 'pii'];
const QUOTES = ['text', 'quote', 'value', 'span', 'mention', 'name', 'entity', 'evidence'];
const LABELS = ['type', 'label', 'entity_type', 'category', 'class', 'tag'];

/**
 * What a language model returns under a JSON schema: quotes and labels without places, under whatever names its prompt
 * asked for. Each quote is looked for in the text of its case.
 */
export const modelJson: JsonFormat = mentionRecords({
  name: 'model-json',
  about: 'quotes with labels and no places, as a language model returns them; each is looked for in the text',
  example: '{"id":"d1","entities":[{"text":"Ann","type":"PERSON"}]}',
  ids: ['id', 'doc_id', 'document_id', 'case'],
  texts: ['text', 'document', 'input'],
  mentions: LISTS,
  detects: (record) => LISTS.some((name) => isQuoteList(record[name])) && !('relationships' in record),
  mention(raw) {
    const [quote, label] = [QUOTES.find((name) => isWords(raw[name])), LABELS.find((name) => isWords(raw[name]))];
    const fields = Object.fromEntries(Object.entries(raw).filter(([name]) => name !== quote && name !== label));
    return { text: raw[quote ?? 'text'], label: raw[label ?? 'type'], fields };
  },
  writer: {
    extension: '.jsonl',
    layout: 'records',
    record: (given) => ({
      id: given.id,
      ...(given.text === null ? {} : { text: given.text }),
      entities: writtenItems(given).mentions.map(({ item, fields }) => ({
        text: item.aligned?.quote ?? item.text,
        type: item.label,
        ...fields,
      })),
      ...given.fields,
    }),
  },
});

function isQuoteList(value: unknown): boolean {
  const first: unknown = Array.isArray(value) ? value[0] : undefined;
  return (
    isRecord(first) &&
    !hasPlace(first) &&
    QUOTES.some((name) => isWords(first[name])) &&
    LABELS.some((name) => isWords(first[name]))
  );
}

function hasPlace(raw: Fields): boolean {
  return ['start', 'begin', 'start_offset', 'start_position', 'char_interval', 'evidence_span'].some(
    (name) => raw[name] !== undefined && raw[name] !== null && raw[name] !== -1,
  );
}

function isWords(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}
