import type { JsonFormat, ReadContext, Row } from '../format.ts';
import { withFields } from '../extra-fields.ts';
import type { Fields } from '../item.ts';
import { hasEmptyList, idOf, missingList, textOf, unknownList, without } from '../record-fields.ts';
import { PREDICTED_NAME } from '../unread-side.ts';
import { areChunks, bioTags, tagLabels, schemeOf } from './tagged-tokens.ts';
import { sideOfRole } from './mentions.ts';
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
    tokensOf(record) !== null && [...TAGS.filter((name) => isTags(record[name])), ...predictedTags(record)].length > 0,
  mayBe: (record) => tokensOf(record) !== null && hasEmptyList(record, ['ner_tags']),
  read(record, line, context) {
    const id = idOf(record, ['id', 'document'], line, context);
    if (id === null) return null;
    const text = textOf(record['full_text'] ?? record['text'], 'full_text', line, context);
    const tokens = record['tokens'] ?? record['words'];
    const given = text ?? spacedText(stringList(tokens), record['trailing_whitespace']);
    const predicted = predictedTags(record)[0] ?? Object.keys(record).find((name) => isNoAnswer(name, record));
    const fields = without(record, predicted === undefined ? READ : new Set([...READ, predicted]), line, context);
    const rowOf = (name: string, role: ReadContext['role']): Row | null => {
      const missing = predicted === undefined || name in record ? missingList(record, [...TAGS, name]) : null;
      const tags = missing === null ? record[name] : tokensOf(record)?.map(() => 'O');
      const of = { ...context, role };
      const row = taggedRow({ id, tokens, tags, text: given, fields, name }, line, of);
      return row === null || missing === null ? row : { ...row, ...sideOfRole([], of, missing) };
    };
    const name = context.role === 'predictions' ? predicted : undefined;
    const plain = name ?? plainTags(record, line, context);
    const found = plain === null ? null : rowOf(plain, context.role);
    const row = found && { ...found, claim: name === undefined ? ('neither' as const) : ('side' as const) };
    if (context.role !== 'cases' || predicted === undefined || row === null) return row;
    const answer = rowOf(predicted, 'predictions');
    if (answer?.missingList === 'null') return row;
    return answer === null ? null : { ...row, predicted: answer.predicted };
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

function tokensOf(record: Fields): string[] | null {
  return stringList(record['tokens']) ?? stringList(record['words']);
}

function predictedTags(record: Fields): string[] {
  const length = tokensOf(record)?.length;
  return Object.keys(record).filter((name) => {
    const value = record[name];
    return PREDICTED_NAME.test(name) && isTags(value) && unknownList(value).length === length;
  });
}

/** Whether a model's list is null: it found nothing, or was not asked. */
function isNoAnswer(name: string, record: Fields): boolean {
  return PREDICTED_NAME.test(name) && record[name] === null;
}

/** The name of the list with the tags of one side, by default `ner_tags`; null, with a problem noted, if two lists differ. */
function plainTags(record: Fields, line: number, context: ReadContext): string | null {
  const names = TAGS.filter((name) => isTags(record[name]));
  const name = names[0] ?? TAGS[0]!;
  const length = tokensOf(record)?.length;
  const tags = String(record[name]);
  const rival = names.find((candidate) => {
    const list = stringList(record[candidate]);
    if (list?.length !== length || String(list) === tags) return false;
    const scheme = schemeOf(list ?? []);
    return scheme !== null && !areChunks(tagLabels(list ?? [], scheme));
  });
  if (rival === undefined) return name;
  context.problems.add({
    file: context.file,
    line,
    field: name,
    message: `expected one list of tags, found others under ${rival}`,
    next: 'leave one of them out, or call the predicted one predicted_tags',
  });
  return null;
}

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
