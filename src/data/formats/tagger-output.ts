import type { JsonFormat } from '../format.ts';
import type { Fields } from '../item.ts';
import { isPlaceList, unknownList } from '../record-fields.ts';
import { hasList, mentionRecords } from './mention-records.ts';

const IDS = ['id', 'doc_id', 'document_id'];
const LISTS = ['entities', 'ents', 'spans', 'label', 'labels'];
const PLACED = ['start', 'end', 'label'];

/**
 * Spans as taggers return them: `{start, end, label}` under `entities` or `ents`, or `[start, end, label]`, in a record or as
 * a plain list for each text. GLiNER's `predict_entities` adds text and score. https://github.com/urchade/GLiNER
 */
export const taggerOutput: JsonFormat = mentionRecords({
  name: 'tagger-output',
  about: 'spans under entities or ents, or as a plain list for each text, as GLiNER and other taggers return them',
  example: '[{"start":0,"end":3,"text":"Ann","label":"PERSON","score":0.99}]',
  ids: IDS,
  texts: ['text'],
  mentions: LISTS,
  detects: (record) => hasList(record, ['entities', 'ents'], PLACED) || hasPlaces(record),
  isMention: (record) => isPlaced(record) && !IDS.some((name) => name in record),
  mention: ({ start, end, label, text, ...fields }) => ({ start, end, label, text, fields }),
});

function isPlaced({ start, end, label }: Fields): boolean {
  return typeof start === 'number' && typeof end === 'number' && typeof label === 'string';
}

function hasPlaces(record: Fields): boolean {
  return LISTS.some((name) => isPlaceList(unknownList(record[name])[0]));
}
