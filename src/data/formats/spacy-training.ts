import type { JsonFormat, ReadContext, Row } from '../format.ts';
import type { Fields } from '../item.ts';
import { idOf, isRecord } from '../record-fields.ts';
import { categoriesOf } from './categories.ts';
import { bioTags } from './tagged-tokens.ts';
import { taggedRow, caseTokens } from './token-records.ts';

/**
 * spaCy's training JSON (version 2): documents of paragraphs of sentences of tokens with BILUO tags. Each paragraph is a
 * case: that is what has a text. https://v2.spacy.io/api/annotation#json-input
 */
export const spacyTraining: JsonFormat = {
  kind: 'json',
  name: 'spacy-training',
  about: 'spaCy training JSON: documents of paragraphs, sentences and tokens with BILUO tags',
  example:
    '{"id":0,"paragraphs":[{"sentences":[{"tokens":[{"orth":"Ann","ner":"U-PER"},{"orth":"left","ner":"O"}]}]}]}',
  detects: (record) => Array.isArray(record['paragraphs']),
  read(record, line, context) {
    const id = idOf(record, ['id'], line, context);
    if (id === null) return null;
    const paragraphs = recordsIn(record['paragraphs']);
    return paragraphs.flatMap((paragraph, at): Row[] => {
      const name = paragraphs.length === 1 ? id : `${id}.${at + 1}`;
      const row = paragraphRow(paragraph, name, line, context);
      return row === null ? [] : [row];
    });
  },
  writer: {
    extension: '.json',
    offsets: 'utf16',
    layout: 'records',
    isArray: true,
    holds: ['pieces'],
    needsText: true,
    record(given) {
      const { words, places, isText } = caseTokens(given);
      const tags = biluo(bioTags(places, given.items));
      const tokens = words.map((orth, at) => ({ id: at, orth, ner: tags[at] }));
      return { id: given.id, paragraphs: [{ ...(isText ? {} : { raw: given.text }), sentences: [{ tokens }] }] };
    },
  },
};

function paragraphRow(paragraph: Fields, id: string, line: number, context: ReadContext): Row | null {
  const tokens = recordsIn(paragraph['sentences']).flatMap((sentence) => recordsIn(sentence['tokens']));
  // A dash stands for a tag that is not known.
  const tags = tokens.map(({ ner }) => (ner === undefined || ner === '-' || ner === null ? 'O' : ner));
  const text = typeof paragraph['raw'] === 'string' ? paragraph['raw'] : null;
  const words = tokens.map(({ orth }) => orth);
  const row = taggedRow({ id, tokens: words, tags, text, fields: {}, name: 'ner' }, line, context);
  const scored = recordsIn(paragraph['cats']).map(({ label, value }) => [String(label), value]);
  return row === null ? null : { ...row, ...categoriesOf({ cats: Object.fromEntries(scored) }) };
}

function recordsIn(value: unknown): Fields[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

function biluo(tags: readonly string[]): string[] {
  return tags.map((tag, at) => {
    const goesOn = tags[at + 1]?.startsWith('I-') === true;
    if (tag === 'O' || (goesOn && tag.startsWith('I-')) || (goesOn && tag.startsWith('B-'))) return tag;
    return (tag.startsWith('B-') ? 'U-' : 'L-') + tag.slice(2);
  });
}
