import type { JsonFormat } from '../format.ts';
import type { Fields, Item } from '../item.ts';
import { isEmptyList } from '../record-fields.ts';
import { withFields } from '../extra-fields.ts';
import { hasList, mentionRecords } from './mention-records.ts';
import { writtenItems } from './written-items.ts';

const LISTS = ['entities', 'predictions', 'output', 'spans', 'ner'];
const IDS = ['id', 'doc_id', 'document_id'];
const TEXTS = ['text', 'sentence', 'inputs'];
const READ = new Set([...IDS, ...TEXTS, ...LISTS, 'error']);
const TAGGED = new Set(['entity']);

/**
 * What a Hugging Face token-classification pipeline gives: `{entity_group, word, start, end, score}` each, or `entity` of
 * single tokens, in a record or as a plain list for each text. `word` is made of pieces of words and seldom what the text
 * has, so only places count; without places it is a quote.
 * https://huggingface.co/docs/transformers/main_classes/pipelines
 */
export const huggingFace: JsonFormat = mentionRecords({
  name: 'hugging-face',
  about: 'output of a Hugging Face token-classification pipeline, with a record or a plain list for each text',
  example: '[{"entity_group":"PER","score":0.99,"word":"Ann","start":0,"end":3}]',
  unit: 'codepoint',
  ids: IDS,
  texts: TEXTS,
  mentions: LISTS,
  detects: (record) => hasList(record, LISTS, ['entity_group']) || hasList(record, LISTS, ['entity', 'word']),
  mayBe: isBareList,
  isMention: (record) => ('entity_group' in record || ('entity' in record && 'word' in record)) && 'start' in record,
  mention: ({ entity_group, entity, label, word, start, end, ...fields }) => ({
    // Gold beside the output is plain spans.
    label: entity_group ?? withoutTag(entity) ?? label,
    start,
    end,
    text: typeof start === 'number' && typeof end === 'number' ? undefined : word,
    fields: {
      ...fields,
      ...(word === undefined ? {} : { word }),
      ...(entity_group === undefined && typeof entity === 'string' ? { entity } : {}),
    },
  }),
  join: joinedTokens,
  writer: {
    extension: '.jsonl',
    layout: 'records',
    record(given) {
      const entities = writtenItems(given).mentions.map(({ item, fields: { score = 1, word = item.text, ...rest } }) =>
        withFields({ entity_group: item.label, score, word, start: item.start, end: item.end }, rest, TAGGED),
      );
      const record = { id: given.id, ...(given.text === null ? {} : { text: given.text }), entities };
      return withFields(record, given.fields, READ);
    },
  },
});

/** A text in which nothing was found, as a plain list. */
function isBareList({ entities, ...rest }: Fields): boolean {
  return isEmptyList(entities) && Object.keys(rest).length === 0;
}

/** Without aggregation a label is a tag, `B-PER`. */
function withoutTag(entity: unknown): unknown {
  return typeof entity === 'string' ? entity.replace(/^[BIESLU]-(?=.)/, '') : entity;
}

/**
 * Tagged tokens as entities, as `aggregation_strategy="simple"` joins them: a token that is tagged as inside goes to the one
 * before it, if that has the same label and is its neighbour. The score of an entity is the mean of its tokens'.
 */
function joinedTokens(items: readonly Item[]): readonly Item[] {
  const entities: Item[][] = [];
  for (const item of items) {
    const group = entities.at(-1);
    if (group !== undefined && continues(group.at(-1)!, item)) group.push(item);
    else entities.push([item]);
  }
  return entities.map(entityOf);
}

function continues(before: Item, { label, start, fields }: Item): boolean {
  const { entity, index: second } = fields;
  const { entity: tag, index: first } = before.fields;
  if (typeof entity !== 'string' || typeof tag !== 'string' || before.label !== label) return false;
  const hasNumbers = typeof first === 'number' && typeof second === 'number';
  // A bare label goes on too, and only numbers of tokens show that it is a token's.
  if (!/^[IEL]-/.test(entity) && !(entity === label && hasNumbers)) return false;
  return hasNumbers ? second === first + 1 : start >= before.end && start <= before.end + 1;
}

function entityOf(tokens: readonly Item[]): Item {
  const [first, last] = [tokens[0]!, tokens.at(-1)!];
  const { entity: _, ...fields } = first.fields;
  if (tokens.length === 1) return { ...first, fields };
  const scores = tokens.map((token) => token.fields['score']).filter((score) => typeof score === 'number');
  const word = tokens.reduce((words, token, at) => words + joint(tokens[at - 1], token), '');
  const isPlaced = first.start >= 0;
  return {
    ...first,
    ...(isPlaced ? { end: last.end } : { text: word }),
    fields: {
      ...fields,
      word,
      ...(scores.length === tokens.length ? { score: mean(scores) } : {}),
    },
  };
}

/** The word of a token as it goes on after the one before: pieces of words are marked, or have no gap between them. */
function joint(before: Item | undefined, token: Item): string {
  const given = token.fields['word'];
  const word = typeof given === 'string' ? given : '';
  if (word.startsWith('##')) return word.slice(2);
  return before === undefined || (token.start >= 0 && token.start === before.end) ? word : ` ${word}`;
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
