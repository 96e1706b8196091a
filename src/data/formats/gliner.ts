import type { JsonFormat } from '../format.ts';
import { withFields } from '../extra-fields.ts';
import { annotationList, idOf, without, wrong, unknownList } from '../record-fields.ts';
import { mentionItem, sideOfRole } from './mentions.ts';
import { placeTokens } from './tagged-tokens.ts';
import { stringList, tokenRanges, caseTokens } from './token-records.ts';

const READ = new Set(['id', 'tokenized_text', 'ner', 'text']);

/**
 * Training data of GLiNER: tokens, and mentions as `[first token, last token, label]`, both counted from 0. What its
 * `predict_entities` gives are plain spans. https://github.com/urchade/GLiNER
 */
export const gliner: JsonFormat = {
  kind: 'json',
  name: 'gliner',
  about: 'training data of GLiNER: tokenized_text and ner as [first, last, label]',
  example: '{"tokenized_text":["Ann","met","Bo","."],"ner":[[0,0,"person"],[2,2,"person"]]}',
  detects: (record) => stringList(record['tokenized_text']) !== null,
  read(record, line, context) {
    const id = idOf(record, ['id'], line, context);
    const tokens = stringList(record['tokenized_text']);
    if (id === null || tokens === null) return null;
    const placed = placeTokens(tokens, typeof record['text'] === 'string' ? record['text'] : null);
    const ner = annotationList(record, ['ner'], line, context);
    const items = ner?.list.flatMap((raw, index) => {
      const [first, last, label] = unknownList(raw);
      const field = `ner[${index}]`;
      const [from, to] = [placed.places[Number(first)], placed.places[Number(last)]];
      if (from === undefined || to === undefined || Number(last) < Number(first))
        return (
          wrong(
            context,
            line,
            field,
            `[first, last, label] with tokens from 0 to ${tokens.length - 1}`,
            JSON.stringify(raw),
          ) ?? []
        );
      return mentionItem({ start: from.start, end: to.end, label }, { index, line, field, context }) ?? [];
    });
    const fields = without(record, READ, line, context);
    return {
      id,
      line,
      text: placed.text,
      tokens: placed.places,
      fields,
      ...sideOfRole(items ?? null, context, ner?.missing),
      failed: null,
      unit: 'utf16',
    };
  },
  writer: {
    extension: '.json',
    offsets: 'utf16',
    layout: 'records',
    isArray: true,
    needsText: true,
    record(given) {
      const { words, places, isText } = caseTokens(given);
      const ner = tokenRanges(places, given.items).map(({ item, first, last }) => [first, last, item.label]);
      const record = { id: given.id, tokenized_text: words, ner, ...(isText ? {} : { text: given.text }) };
      return withFields(record, given.fields, READ);
    },
  },
};
