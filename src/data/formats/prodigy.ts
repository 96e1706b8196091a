import type { JsonFormat } from '../format.ts';
import type { Fields } from '../item.ts';
import { isRecord } from '../record-fields.ts';
import { mentionRecords } from './mention-records.ts';
import { writtenItems } from './written-items.ts';

const MARKS = ['_task_hash', '_input_hash', 'answer', '_annotator_id'];

/**
 * Tasks of Prodigy: spans with token numbers, relations between spans, and the annotator's answer. A task that was
 * rejected or ignored has no gold. https://prodi.gy/docs/api-interfaces
 */
export const prodigy: JsonFormat = {
  ...mentionRecords({
    name: 'prodigy',
    about: 'tasks of Prodigy: spans, relations and the answer',
    example: '{"text":"Ann met Bo.","spans":[{"start":0,"end":3,"label":"PERSON"}],"answer":"accept","_task_hash":1}',
    unit: 'codepoint',
    ids: ['id', '_task_hash', '_input_hash'],
    texts: ['text'],
    mentions: ['spans'],
    relations: ['relations'],
    detects: (record) => typeof record['text'] === 'string' && MARKS.some((name) => name in record),
    mention: ({ start, end, label, text, ...fields }, record) => ({
      start,
      end,
      label,
      text,
      id: spanRef({ start, end }),
      annotator: record['_annotator_id'],
      fields,
    }),
    relation: ({ head_span: head, child_span: child, label, ...fields }, record) => ({
      label,
      source: spanRef(head),
      target: spanRef(child),
      annotator: record['_annotator_id'],
      fields,
    }),
    writer: {
      extension: '.jsonl',
      layout: 'records',
      record(given) {
        const { mentions, relations } = writtenItems(given);
        const placed = mentions.filter(({ item }) => item.start >= 0);
        return {
          id: given.id,
          text: given.text ?? '',
          spans: placed.map(({ item, fields }) => ({ start: item.start, end: item.end, label: item.label, ...fields })),
          ...(relations.length === 0
            ? {}
            : {
                relations: relations.flatMap(({ item, source, target, fields }) =>
                  source === null || target === null
                    ? []
                    : [{ label: item.label, head_span: place(source), child_span: place(target), ...fields }],
                ),
              }),
          answer: 'accept',
          ...given.fields,
        };
      },
    },
  }),
};

function place({ item }: { readonly item: { start: number; end: number; label: string } }): Fields {
  return { start: item.start, end: item.end, label: item.label };
}

/** Relations name spans by their places. */
function spanRef(value: unknown): string | undefined {
  return isRecord(value) ? `${String(value['start'])}-${String(value['end'])}` : undefined;
}
