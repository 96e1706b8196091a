import type { JsonFormat } from '../format.ts';
import type { Fields } from '../item.ts';
import { withFields } from '../extra-fields.ts';
import { isRecord, unknownList } from '../record-fields.ts';
import { mentionRecords } from './mention-records.ts';
import { writtenItems } from './written-items.ts';

const MARKS = ['_task_hash', '_input_hash', 'answer', '_annotator_id'];
const IDS = ['id', '_task_hash', '_input_hash'];
const READ = new Set(['id', 'text', 'spans', 'relations', 'answer', '_annotator_id', 'error']);

/**
 * Tasks of Prodigy: spans with token numbers, relations between spans, and the annotator's answer. A task that was
 * rejected or ignored has no gold: the correct spans are not known. https://prodi.gy/docs/api-interfaces
 */
export const prodigy: JsonFormat = mentionRecords({
  name: 'prodigy',
  about: 'tasks of Prodigy: spans, relations and the answer',
  example: '{"text":"Ann met Bo.","spans":[{"start":0,"end":3,"label":"PERSON"}],"answer":"accept","_task_hash":1}',
  unit: 'codepoint',
  ids: IDS,
  texts: ['text'],
  mentions: ['spans'],
  relations: ['relations'],
  // The answers to a question about the whole text.
  categories: ['accept'],
  detects: (record) => typeof record['text'] === 'string' && MARKS.some((name) => name in record),
  isUnanswered: ({ answer }) => answer === 'reject' || answer === 'ignore',
  mention: ({ start, end, label, text, ...fields }, record) => ({
    start,
    end,
    label,
    text,
    id: spanRef({ start, end, label }, record),
    annotator: record['_annotator_id'],
    fields,
  }),
  relation: ({ head_span: head, child_span: child, label, ...fields }, record) => ({
    label,
    source: spanRef(head, record),
    target: spanRef(child, record),
    annotator: record['_annotator_id'],
    fields,
  }),
  writer: {
    extension: '.jsonl',
    layout: 'records',
    needsText: true,
    record(given) {
      const { mentions, relations } = writtenItems(given);
      const joined = relations.flatMap(({ item, source, target, fields }) =>
        source === null || target === null
          ? []
          : [withFields({ label: item.label, head_span: placeOf(source), child_span: placeOf(target) }, fields)],
      );
      const annotators = new Set(given.items.map(({ annotator }) => annotator));
      const [by = null] = annotators.size === 1 ? annotators : [];
      const record = {
        id: given.id,
        text: given.text ?? '',
        spans: mentions.map((mention) => withFields(placeOf(mention), mention.fields, SPAN_PARTS)),
        ...(relations.length === 0 ? {} : { relations: joined }),
        answer: 'accept',
        ...(by === null ? {} : { _annotator_id: by }),
      };
      return withFields(record, given.fields, READ);
    },
  },
});

const SPAN_PARTS = new Set(['text']);

function placeOf({ item }: { readonly item: { start: number; end: number; label: string } }): Fields {
  return { start: item.start, end: item.end, label: item.label };
}

/** Relations name spans by their places and labels; without a label, the first span there is meant. */
function spanRef(value: unknown, record: Fields): string | undefined {
  if (!isRecord(value)) return undefined;
  const { start, end, label } = value;
  const isThere = (one: unknown): one is Fields => isRecord(one) && one['start'] === start && one['end'] === end;
  const own = label ?? unknownList(record['spans']).find(isThere)?.['label'];
  return `${String(start)}-${String(end)}-${String(own)}`;
}
