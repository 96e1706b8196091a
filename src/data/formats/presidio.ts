import { closestColumns } from '../closest-shape.ts';
import type { JsonFormat } from '../format.ts';
import { hasEmptyList, isUnfilled } from '../record-fields.ts';
import { withFields } from '../extra-fields.ts';
import { hasList, mentionRecords } from './mention-records.ts';
import { writtenItems } from './written-items.ts';

/** Where a record may have what the analyzer found. */
const RESULTS = ['results', 'spans', 'recognizer_results', 'analyzer_results', 'entities', 'items'];
const IDS = ['id', 'doc_id', 'document_id', 'sample_id'];
const QUOTED = new Set(['text']);
const READ = new Set([...IDS, 'text', 'full_text', ...RESULTS, 'error']);

/**
 * Results of Presidio's analyzer, `{entity_type, start, end, score}` each, beside an id or a text, or as a plain list for
 * each text. https://microsoft.github.io/presidio
 */
export const presidio: JsonFormat = mentionRecords({
  name: 'presidio',
  about: 'results of Presidio’s analyzer, with a record or a plain list for each text',
  example: '{"id":"d1","text":"Ann met Bo.","results":[{"entity_type":"PERSON","start":0,"end":3,"score":0.85}]}',
  unit: 'codepoint',
  ids: ['id', 'doc_id', 'document_id'],
  texts: ['text'],
  mentions: RESULTS,
  // A span with a label is a plain one, whatever else it has.
  detects: (record) =>
    hasList(record, RESULTS, ['entity_type', 'start', 'end']) && !hasList(record, RESULTS, ['entity_type', 'label']),
  mayBe: (record) => hasEmptyList(record, ['results', 'recognizer_results', 'analyzer_results']),
  isMention: (record) => 'entity_type' in record && typeof record['start'] === 'number' && 'score' in record,
  mention: ({ entity_type: label, start, end, text, ...fields }) => ({ label, start, end, text, fields }),
  writer: {
    extension: '.jsonl',
    layout: 'records',
    record(given) {
      const results = writtenItems(given).mentions.map(({ item, fields: { score = 1, ...rest } }) =>
        withFields({ entity_type: item.label, start: item.start, end: item.end, score }, rest, QUOTED),
      );
      const record = { id: given.id, ...(given.text === null ? {} : { text: given.text }), results };
      return withFields(record, given.fields, READ);
    },
  },
});

/** Samples of presidio-research: generated sentences with the spans that were put into them. */
export const presidioResearch: JsonFormat = mentionRecords({
  name: 'presidio-research',
  about: 'samples of presidio-research: full_text with spans',
  example:
    '{"full_text":"Ann met Bo.","spans":[{"entity_type":"PERSON","entity_value":"Ann","start_position":0,"end_position":3}]}',
  unit: 'codepoint',
  ids: ['sample_id', 'id'],
  texts: ['full_text'],
  mentions: ['spans'],
  detects: (record) => 'full_text' in record && hasList(record, ['spans'], ['entity_type', 'start_position'], true),
  mayBe: (record) =>
    typeof record['full_text'] === 'string' &&
    ('spans' in record ? isUnfilled(record['spans']) : closestColumns(record) === null),
  mention: ({ entity_type: label, entity_value: text, start_position: start, end_position: end, ...fields }) => ({
    label,
    text,
    start,
    end,
    fields,
  }),
  writer: {
    extension: '.json',
    layout: 'records',
    isArray: true,
    needsText: true,
    record(given) {
      const spans = writtenItems(given).mentions.map(({ item, fields }) =>
        withFields(
          {
            entity_type: item.label,
            entity_value: item.text,
            start_position: item.start,
            end_position: item.end,
          },
          fields,
        ),
      );
      return withFields({ sample_id: given.id, full_text: given.text ?? '', spans }, given.fields, READ);
    },
  },
});
