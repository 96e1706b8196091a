import type { JsonFormat } from '../format.ts';
import { withFields } from '../extra-fields.ts';
import { type AnnotationList, annotationList, hasEmptyList, idOf, textOf, without } from '../record-fields.ts';
import { tripleItem, tripleRecords } from './triples.ts';

const SIDES = ['gt_triples', 'llm_triples'];
const READ = new Set(['id', 'sent', 'filtered_llm_triples', ...SIDES]);

/**
 * Evaluation files of Text2KGBench: the gold triples of a sentence beside those of a model, and the figures that the
 * benchmark worked out, which are kept as fields. https://github.com/cenguix/Text2KGBench
 */
export const text2kgbench: JsonFormat = {
  kind: 'json',
  name: 'text2kgbench',
  about: 'evaluation files of Text2KGBench: gt_triples and llm_triples of each sentence',
  example: '{"id":"s1","sent":"Ann met Bo.","gt_triples":[["Ann","met","Bo"]],"llm_triples":[["Ann","met","Bo"]]}',
  kinds: ['relationship'],
  detects: (record) => Array.isArray(record['gt_triples']) || Array.isArray(record['llm_triples']),
  mayBe: (record) => hasEmptyList(record, SIDES),
  read(record, line, context) {
    const id = idOf(record, ['id'], line, context);
    if (id === null) return null;
    const { role } = context;
    const side = (name: string): AnnotationList | null => {
      // A case may have no gold, or no answer, and so may a record of the other side.
      const isOther = !(name in record) && SIDES.some((other) => other in record);
      if (isOther || (role === 'cases' && (record[name] ?? null) === null)) return null;
      return annotationList(record, [name], line, context);
    };
    const triples = (list: AnnotationList | null) =>
      list?.list.flatMap((raw, index) => tripleItem(raw, index, `${list.name}[${index}]`, line, context) ?? []) ?? null;
    const gold = role === 'predictions' ? null : side('gt_triples');
    const predicted = role === 'gold' ? null : side('llm_triples');
    return {
      id,
      line,
      text: textOf(record['sent'], 'sent', line, context),
      fields: without(record, READ, line, context),
      gold: triples(gold),
      predicted: triples(predicted),
      missingList: (gold ?? predicted)?.missing ?? null,
      failed: null,
    };
  },
  writer: {
    extension: '.jsonl',
    layout: 'records',
    holds: ['both', 'names', 'pieces'],
    record({ id, text, side, items, predicted, fields }) {
      const lists = (given: typeof items) => tripleRecords({ items: given }).map(({ triple }) => Object.values(triple));
      const found = side === 'predicted' ? items : predicted;
      const record = {
        id,
        ...(text === null ? {} : { sent: text }),
        ...(side === 'gold' ? { gt_triples: lists(items) } : {}),
        ...(found === null ? {} : { llm_triples: lists(found) }),
      };
      return withFields(record, fields, READ);
    },
  },
};
