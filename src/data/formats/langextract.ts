import type { JsonFormat } from '../format.ts';
import { hasEmptyList, isRecord } from '../record-fields.ts';
import { withFields } from '../extra-fields.ts';
import { hasList, mentionRecords } from './mention-records.ts';
import { writtenItems } from './written-items.ts';

const READ = new Set(['document_id', 'id', 'text', 'extractions', 'error']);

/**
 * Annotated documents of LangExtract: extractions with a class, a quote and the place it was aligned to. One that was not
 * aligned is looked for here. https://github.com/google/langextract
 */
export const langextract: JsonFormat = mentionRecords({
  name: 'langextract',
  about: 'annotated documents of LangExtract',
  example:
    '{"document_id":"d1","text":"Ann met Bo.","extractions":[{"extraction_class":"person","extraction_text":"Ann","char_interval":{"start_pos":0,"end_pos":3}}]}',
  unit: 'codepoint',
  ids: ['document_id', 'id'],
  texts: ['text'],
  mentions: ['extractions'],
  isOutput: true,
  detects: (record) =>
    hasList(record, ['extractions'], ['extraction_class', 'extraction_text']) ||
    ('document_id' in record && Array.isArray(record['extractions']) && record['extractions'].length > 0),
  mayBe: (record) => 'document_id' in record && hasEmptyList(record, ['extractions']),
  mention({ extraction_class: label, extraction_text: quote, char_interval: interval, ...fields }) {
    const { start_pos: start = null, end_pos: end = null } = isRecord(interval) ? interval : {};
    // Words that LangExtract did not find in the text have no interval, or half of one.
    const isPlaced = start !== null && end !== null;
    // What was aligned loosely has other words than the text at its place.
    const isExact = fields['alignment_status'] === undefined || fields['alignment_status'] === 'match_exact';
    return {
      label,
      ...(isPlaced ? { start, end } : {}),
      text: isPlaced && !isExact ? undefined : quote,
      fields: isPlaced && !isExact ? { ...fields, extraction_text: quote } : fields,
    };
  },
  writer: {
    extension: '.jsonl',
    layout: 'records',
    holds: ['quotes'],
    record(given) {
      const extractions = writtenItems(given).mentions.map(({ item, fields }) => {
        const { extraction_text: quote, alignment_status: status, ...rest } = fields;
        // The words of what was aligned loosely are its own.
        const isLoose = typeof quote === 'string' && typeof status === 'string' && status !== 'match_exact';
        const record = {
          extraction_class: item.label,
          extraction_text: isLoose ? quote : item.text,
          char_interval: item.start < 0 ? null : { start_pos: item.start, end_pos: item.end },
          alignment_status: item.start < 0 ? null : isLoose ? status : 'match_exact',
        };
        return withFields(record, rest);
      });
      const text = given.text === null ? {} : { text: given.text };
      return withFields({ document_id: given.id, ...text, extractions }, given.fields, READ);
    },
  },
});
