import type { JsonFormat } from '../format.ts';
import { withFields } from '../extra-fields.ts';
import { idOf, textOf, without } from '../record-fields.ts';
import { bioTags } from './tagged-tokens.ts';
import { taggedRow, stringList, caseTokens } from './token-records.ts';

const TAGS = ['ner_tags', 'tags', 'ner', 'labels', 'ner_labels'];
const READ = new Set(['id', 'document', 'tokens', 'words', 'trailing_whitespace', 'full_text', 'text', ...TAGS]);

/**
 * Records of tokens and tags, as in Hugging Face datasets (`tokens`, `ner_tags`) and in Kaggle's PII data (`document`,
 * `full_text`, `trailing_whitespace`, `labels`). Tags that are numbers need their names: `data.tagNames`.
 * https://huggingface.co/docs/datasets
 */
export const taggedRecords: JsonFormat = {
  kind: 'json',
  name: 'tagged-records',
  about: 'records of tokens and tags: Hugging Face datasets (tokens, ner_tags), Kaggle PII data',
  example: '{"id":"d1","tokens":["Ann","met","Bo","."],"ner_tags":["B-PER","O","B-PER","O"]}',
  detects: (record) =>
    (stringList(record['tokens']) ?? stringList(record['words'])) !== null && TAGS.some((name) => isTags(record[name])),
  read(record, line, context) {
    const id = idOf(record, ['id', 'document'], line, context);
    if (id === null) return null;
    const name = TAGS.find((one) => isTags(record[one])) ?? TAGS[0]!;
    const text = textOf(record['full_text'] ?? record['text'], 'full_text', line, context);
    const tokens = record['tokens'] ?? record['words'];
    const given = text ?? spacedText(stringList(tokens), record['trailing_whitespace']);
    const fields = without(record, READ, line, context);
    return taggedRow({ id, tokens, tags: record[name], text: given, fields, name }, line, context);
  },
  writer: {
    extension: '.jsonl',
    offsets: 'utf16',
    layout: 'records',
    holds: ['pieces'],
    needsText: true,
    record(given) {
      const { words, places, isText } = caseTokens(given);
      const tags = bioTags(places, given.items);
      const record = { id: given.id, tokens: words, ner_tags: tags, ...(isText ? {} : { text: given.text }) };
      return withFields(record, given.fields, READ);
    },
  },
};

function isTags(value: unknown): boolean {
  return (
    Array.isArray(value) &&
    value.every((tag) => typeof tag === 'string' || typeof tag === 'number' || typeof tag === 'bigint')
  );
}

function spacedText(tokens: readonly string[] | null, spaces: unknown): string | null {
  if (tokens === null || !Array.isArray(spaces) || spaces.length !== tokens.length) return null;
  return tokens.map((token, at) => token + (spaces[at] === true ? ' ' : '')).join('');
}
