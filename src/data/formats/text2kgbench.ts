import type { JsonFormat } from '../format.ts';
import { withFields } from '../extra-fields.ts';
import { idOf, textOf, without } from '../record-fields.ts';
import { tripleItem, tripleRecords } from './triples.ts';

const READ = new Set(['id', 'sent', 'gt_triples', 'llm_triples', 'filtered_llm_triples']);

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
  read(record, line, context) {
    const id = idOf(record, ['id'], line, context);
    if (id === null) return null;
    const side = (name: string) => {
      const list: readonly unknown[] | null = Array.isArray(record[name]) ? record[name] : null;
      return list?.flatMap((raw, index) => tripleItem(raw, index, `${name}[${index}]`, line, context) ?? []) ?? null;
    };
    const { role } = context;
    return {
      id,
      line,
      text: textOf(record['sent'], 'sent', line, context),
      fields: without(record, READ, line, context),
      gold: role === 'predictions' ? null : side('gt_triples'),
      predicted: role === 'gold' ? null : side('llm_triples'),
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
