import { alignQuotes } from '../../text/align-quotes.ts';
import type { JsonFormat } from '../format.ts';
import type { Fields } from '../item.ts';
import { hasEmptyList, isRecord } from '../record-fields.ts';
import { withFields } from '../extra-fields.ts';
import { mentionRecords } from './mention-records.ts';
import { writtenItems } from './written-items.ts';

const LISTS = ['entities', 'items', 'extractions', 'spans', 'results', 'output', 'pii'];
/** Lists of records that are more than quotes. */
const OTHERS = ['relationships', 'spans'];
const QUOTES = ['text', 'quote', 'value', 'span', 'mention', 'name', 'entity', 'evidence'];
const IDS = ['id', 'doc_id', 'document_id', 'case'];
const TEXTS = ['text', 'document', 'input'];
const READ = new Set([...IDS, ...TEXTS, ...LISTS, 'error']);
const LABELS = ['type', 'label', 'entity_type', 'category', 'class', 'tag'];

/**
 * What a language model returns under a JSON schema: quotes and labels without places, under whatever names its prompt
 * asked for. Each quote is looked for in the text of its case.
 */
export const modelJson: JsonFormat = mentionRecords({
  name: 'model-json',
  about: 'quotes with labels and no places, as a language model returns them; each is looked for in the text',
  example: '{"id":"d1","entities":[{"text":"Ann","type":"PERSON"}]}',
  ids: IDS,
  texts: TEXTS,
  mentions: LISTS,
  isOutput: true,
  detects: (record) => LISTS.some((name) => isQuoteList(record[name])) && !OTHERS.some((name) => name in record),
  // No output at all is not an answer.
  mayBe: (record) => hasEmptyList(record, LISTS) && record['output'] !== null && !OTHERS.some((name) => name in record),
  mention(raw) {
    const [quote, label] = [QUOTES.find((name) => isWords(raw[name])), LABELS.find((name) => isWords(raw[name]))];
    const { start, end } = raw;
    // If only some quotes have places, those are not looked for.
    const place = Number.isSafeInteger(start) && Number.isSafeInteger(end) ? { start, end } : {};
    const read = [quote, label, ...Object.keys(place)];
    const fields = Object.fromEntries(Object.entries(raw).filter(([name]) => !read.includes(name)));
    return { text: raw[quote ?? 'text'], label: raw[label ?? 'type'], ...place, fields };
  },
  writer: {
    extension: '.jsonl',
    layout: 'records',
    holds: ['quotes'],
    record(given) {
      const { mentions } = writtenItems(given);
      const quotes = mentions.map(({ item }) => item.aligned?.quote ?? item.text);
      // Gold that quotes what cannot be found, such as white space, would be refused.
      const found = given.text === null || given.side === 'predicted' ? [] : alignQuotes(given.text, quotes);
      const entities = mentions.flatMap(({ item, fields }, at) =>
        found[at]?.status === 'missing' ? [] : [withFields({ text: quotes[at], type: item.label }, fields)],
      );
      const record = { id: given.id, ...(given.text === null ? {} : { text: given.text }), entities };
      return withFields(record, given.fields, READ);
    },
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
