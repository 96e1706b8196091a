import type { JsonFormat, ReadContext, WrittenCase } from '../format.ts';
import type { Fields, Item } from '../item.ts';
import type { Span } from '../../text/span.ts';
import { withFields } from '../extra-fields.ts';
import { annotationList, idOf, missingList, without, wrong, unknownList } from '../record-fields.ts';
import { mentionItem, sideOfRole, relationItem } from './mentions.ts';
import { placeTokens } from './tagged-tokens.ts';
import { stringList, tokenRanges, caseTokens } from './token-records.ts';
import { writtenItems } from './written-items.ts';

const IDS = ['doc_key', 'doc_id', 'id'];
const READ = new Set([...IDS, 'sentences', 'text', 'ner', 'relations', 'predicted_ner', 'predicted_relations']);

/**
 * Documents of DyGIE++ and SciERC: sentences of tokens; mentions `[first, last, type]` and relations `[first, last, first,
 * last, type]` of each sentence, with tokens counted through the document. What a model predicted is under `predicted_ner`
 * and `predicted_relations`. https://github.com/dwadden/dygiepp/blob/master/doc/data.md
 */
export const dygie: JsonFormat = {
  kind: 'json',
  name: 'dygie',
  about: 'documents of DyGIE++ and SciERC: sentences, ner and relations by token numbers',
  example:
    '{"doc_key":"d1","sentences":[["Ann","met","Bo","."]],"ner":[[[0,0,"PER"],[2,2,"PER"]]],"relations":[[[0,0,2,2,"MET"]]]}',
  detects: (record) =>
    Array.isArray(record['sentences']) &&
    record['sentences'].every((sentence) => stringList(sentence) !== null) &&
    ['ner', 'relations', 'predicted_ner', 'doc_key'].some((name) => name in record),
  read(record, line, context) {
    const id = idOf(record, IDS, line, context);
    if (id === null) return null;
    const sentences = (Array.isArray(record['sentences']) ? record['sentences'] : []).map(
      (one) => stringList(one) ?? [],
    );
    const placed = placeTokens(sentences.flat(), typeof record['text'] === 'string' ? record['text'] : null);
    const role = context.role === 'predictions' && 'predicted_ner' in record ? 'predicted_' : '';
    const itemsOf = (prefix: string): Item[] => documentItems(record, prefix, placed.places, line, context);
    const fields = {
      ...without(record, READ, line, context),
      sentence_lengths: sentences.map((tokens) => tokens.length),
    };
    const row = { id, line, text: placed.text, tokens: placed.places, fields, failed: null, unit: 'utf16' as const };
    const missing = missingList(record, [`${role}ner`, `${role}relations`]);
    // Without its own lists, a document with predicted ones has no gold.
    const hasGold = !('predicted_ner' in record) || missing !== 'absent';
    const goldOf = (own: ReadContext) => (hasGold ? sideOfRole(itemsOf(''), own, missing) : { gold: null });
    if (context.role === 'cases' && 'predicted_ner' in record)
      return {
        ...row,
        ...goldOf({ ...context, role: 'gold' }),
        predicted: sideOfRole(itemsOf('predicted_'), { ...context, role: 'predictions' }).predicted,
      };
    const side = role === '' ? goldOf(context) : sideOfRole(itemsOf(role), context, missing);
    return { ...row, predicted: null, ...side, claim: role === '' ? 'neither' : 'side' };
  },
  writer: {
    extension: '.jsonl',
    offsets: 'utf16',
    layout: 'records',
    holds: ['both'],
    needsText: true,
    record: documentRecord,
  },
};

function documentItems(
  record: Fields,
  prefix: string,
  places: readonly { start: number; end: number }[],
  line: number,
  context: ReadContext,
): Item[] {
  const flat = (name: string): unknown[] =>
    annotationList(record, [name], line, context)?.list.flatMap(unknownList) ?? [];
  const at = (first: unknown, last: unknown): { start: number; end: number } | null => {
    const [from, to] = [places[Number(first)], places[Number(last)]];
    return from === undefined || to === undefined ? null : { start: from.start, end: to.end };
  };
  const items: Item[] = [];
  const add = (item: Item | null): void => void (item !== null && items.push(item));
  flat(`${prefix}ner`).forEach((raw, index) => {
    const [first, last, label, ...scores] = unknownList(raw);
    const place = at(first, last);
    const field = `${prefix}ner[${index}]`;
    if (place === null) return void wrong(context, line, field, '[first token, last token, type]', JSON.stringify(raw));
    const fields = scores.length === 0 ? {} : { fields: { scores } };
    add(
      mentionItem(
        { ...place, label, id: `${String(first)}-${String(last)}`, ...fields },
        { index, line, field, context },
      ),
    );
  });
  flat(`${prefix}relations`).forEach((raw, index) => {
    const [a, b, c, d, label, ...scores] = unknownList(raw);
    const fields = scores.length === 0 ? {} : { fields: { scores } };
    const ends = { source: `${String(a)}-${String(b)}`, target: `${String(c)}-${String(d)}` };
    add(relationItem({ ...ends, label, ...fields }, { index, line, field: `${prefix}relations[${index}]`, context }));
  });
  return items;
}

/** Sentences as they were read, or all tokens as one. */
function documentRecord(given: WrittenCase): Fields {
  const { words, places, isText } = caseTokens(given);
  const { sentence_lengths: kept, ...fields } = given.fields;
  const isKept =
    Array.isArray(kept) &&
    kept.every((one) => Number.isSafeInteger(one) && Number(one) >= 0) &&
    sum(kept) === words.length;
  const lengths: readonly number[] = isKept ? kept : [words.length];
  const firsts = lengths.map((_, at) => sum(lengths.slice(0, at)));
  const sentenceOf = (token: number): number => firsts.findLastIndex((first) => first <= token);
  const inSentences = (rows: readonly TokenRow[]): unknown[][] => {
    const bySentence = Map.groupBy(rows, ([first]) => sentenceOf(first));
    return lengths.map((_, at) => bySentence.get(at) ?? []);
  };
  const lists = (items: readonly Item[], prefix: string): Fields => {
    const { ner, relations } = tokenRows(items, places);
    return { [`${prefix}ner`]: inSentences(ner), [`${prefix}relations`]: inSentences(relations) };
  };
  const record = {
    doc_key: given.id,
    sentences: lengths.map((length, at) => words.slice(firsts[at], firsts[at]! + length)),
    ...(isText ? {} : { text: given.text }),
    ...lists(given.items, ''),
    ...(given.predicted === null ? {} : lists(given.predicted, 'predicted_')),
  };
  return withFields(record, fields, READ);
}

type TokenRow = readonly [first: number, ...unknown[]];

function tokenRows(items: readonly Item[], places: readonly Span[]): Record<'ner' | 'relations', TokenRow[]> {
  const ranges = new Map(tokenRanges(places, items).map((range) => [range.item, range]));
  const scoresOf = ({ fields }: Item): unknown[] => (Array.isArray(fields['scores']) ? fields['scores'] : []);
  return {
    ner: [...ranges.values()].map(({ item, first, last }) => [first, last, item.label, ...scoresOf(item)]),
    relations: writtenItems({ items }).relations.flatMap(({ item, source, target }): TokenRow[] => {
      const [from, to] = [source && ranges.get(source.item), target && ranges.get(target.item)];
      return from && to ? [[from.first, from.last, to.first, to.last, item.label, ...scoresOf(item)]] : [];
    }),
  };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}
