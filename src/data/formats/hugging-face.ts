import type { JsonFormat } from '../format.ts';
import type { Fields } from '../item.ts';
import { withFields } from '../extra-fields.ts';
import { hasList, mentionRecords } from './mention-records.ts';
import { writtenItems } from './written-items.ts';

const LISTS = ['entities', 'predictions', 'output', 'spans', 'ner'];
const IDS = ['id', 'doc_id', 'document_id'];
const TEXTS = ['text', 'sentence', 'inputs'];
const READ = new Set([...IDS, ...TEXTS, ...LISTS, 'error']);
const TAGGED = new Set(['entity']);

/**
 * What a Hugging Face token-classification pipeline gives: `{entity_group, word, start, end, score}` each, or `entity` of
 * single tokens, in a record or as a plain list for each text. `word` is made of pieces of words and seldom what the text
 * has, so only places count; without places it is a quote.
 * https://huggingface.co/docs/transformers/main_classes/pipelines
 */
export const huggingFace: JsonFormat = mentionRecords({
  name: 'hugging-face',
  about: 'output of a Hugging Face token-classification pipeline, with a record or a plain list for each text',
  example: '[{"entity_group":"PER","score":0.99,"word":"Ann","start":0,"end":3}]',
  unit: 'codepoint',
  ids: IDS,
  texts: TEXTS,
  mentions: LISTS,
  detects: (record) =>
    hasList(record, LISTS, ['entity_group', 'word']) ||
    hasList(record, LISTS, ['entity', 'word']) ||
    isEmptyList(record),
  isMention: (record) => ('entity_group' in record || 'entity' in record) && 'word' in record && 'start' in record,
  mention: ({ entity_group, entity, word, start, end, ...fields }) => ({
    label: entity_group ?? withoutTag(entity),
    start,
    end,
    text: typeof start === 'number' && typeof end === 'number' ? undefined : word,
    fields: { ...fields, ...(word === undefined ? {} : { word }) },
  }),
  writer: {
    extension: '.jsonl',
    layout: 'records',
    record(given) {
      const entities = writtenItems(given).mentions.map(({ item, fields: { score = 1, word = item.text, ...rest } }) =>
        withFields({ entity_group: item.label, score, word, start: item.start, end: item.end }, rest, TAGGED),
      );
      const record = { id: given.id, ...(given.text === null ? {} : { text: given.text }), entities };
      return withFields(record, given.fields, READ);
    },
  },
});

/** A text in which nothing was found, as a plain list. */
function isEmptyList(record: Fields): boolean {
  const { entities, ...rest } = record;
  return Array.isArray(entities) && entities.length === 0 && Object.keys(rest).length === 0;
}

/** Without aggregation a label is a tag, `B-PER`. */
function withoutTag(entity: unknown): unknown {
  return typeof entity === 'string' ? entity.replace(/^[BIESLU]-(?=.)/, '') : entity;
}
