import { skipSpace } from '../../text/characters.ts';
import type { Span } from '../../text/span.ts';
import type { ReadContext, Row, WrittenCase } from '../format.ts';
import type { Fields, Item } from '../item.ts';
import { wordSpans } from '../../text/words.ts';
import { wrong } from '../record-fields.ts';
import { sideOfRole } from './mentions.ts';
import { placeTokens, schemeOf, taggedSpans } from './tagged-tokens.ts';

/** A sentence of tokens with a tag each, as records have it. */
export interface TaggedRecord {
  readonly id: string;
  readonly tokens: unknown;
  readonly tags: unknown;
  /** The text that the tokens are of, if it is given. */
  readonly text: string | null;
  readonly fields: Fields;
  /** What messages call the tags. */
  readonly name: string;
}

/** The row of tokens with tags; null, with a problem noted, if they do not go together. */
export function taggedRow(record: TaggedRecord, line: number, context: ReadContext): Row | null {
  const tokens = stringList(record.tokens);
  if (tokens === null) return wrong(context, line, 'tokens', 'a list of texts', record.tokens);
  const tags = tagNames(record.tags, line, record.name, context);
  if (tags === null) return null;
  if (tags.length !== tokens.length)
    return wrong(context, line, record.name, `${tokens.length} tags, one for each token`, tags.length);
  const scheme = schemeOf(tags);
  if (scheme === null)
    return wrong(
      context,
      line,
      record.name,
      'O, or B-, I-, E-, S-, L- or U- with a label',
      tags.find((tag) => schemeOf([tag]) === null),
    );
  const placed = placeTokens(tokens, record.text);
  const items = taggedSpans(
    tags.map((tag) => ({ tag, line })),
    placed,
    scheme,
    context,
  );
  const { id, fields } = record;
  return {
    id,
    line,
    text: placed.text,
    tokens: placed.places,
    fields,
    ...sideOfRole(items, context),
    failed: null,
    unit: 'utf16',
  };
}

/** Data sets keep tags as numbers, and their names somewhere else. */
function tagNames(tags: unknown, line: number, name: string, context: ReadContext): string[] | null {
  const list: readonly unknown[] | null = Array.isArray(tags) ? tags : null;
  const names = context.options.tagNames ?? [];
  const found = list?.map((tag) => (typeof tag === 'number' || typeof tag === 'bigint' ? names[Number(tag)] : tag));
  if (found?.every((tag) => typeof tag === 'string')) return found.map(String);
  const isNumbered = list?.some((tag) => typeof tag === 'number') === true;
  return wrong(
    context,
    line,
    name,
    isNumbered ? 'tags by name, or a list of names for all numbers' : 'a list of tags',
    isNumbered ? list?.find((tag) => typeof tag === 'number' && names[tag] === undefined) : tags,
    isNumbered ? "name them in their order: --set 'data.tagNames=[O,B-PER,I-PER]'" : undefined,
  );
}

export function stringList(value: unknown): string[] | null {
  return Array.isArray(value) && value.every((one) => typeof one === 'string') ? value.map(String) : null;
}

export interface CaseTokens {
  readonly words: readonly string[];
  readonly places: readonly Span[];
  /** They are the text, joined by single spaces. */
  readonly isText: boolean;
}

/**
 * The tokens of a case that is written: those that it was read with, as long as they are found at the same places again, or
 * its words and signs.
 */
export function caseTokens({ text, tokens }: Pick<WrittenCase, 'text' | 'tokens'>): CaseTokens {
  const whole = text ?? '';
  for (const places of [tokens, wordSpans(whole, 'unicode')]) {
    const words = places?.map(({ start, end }) => whole.slice(start, end)) ?? [];
    const isText = words.join(' ') === whole;
    const again = placeTokens(words, isText ? null : whole);
    const isWhole = again.text === whole && skipSpace(whole, again.places.at(-1)?.end ?? 0) === whole.length;
    if (places !== null && isWhole && isSamePlaces(again.places, places)) return { words, places, isText };
  }
  // Signs that belong together without white space between them are one word.
  const places = wordSpans(whole, 'whitespace');
  return { words: places.map(({ start, end }) => whole.slice(start, end)), places, isText: false };
}

function isSamePlaces(a: readonly Span[], b: readonly Span[]): boolean {
  return a.length === b.length && a.every(({ start, end }, at) => start === b[at]!.start && end === b[at]!.end);
}

/** Spans as numbers of their first and last token; one that begins or ends inside a token is left out. */
export function tokenRanges(
  places: readonly Span[],
  items: readonly Item[],
): { item: Item; first: number; last: number }[] {
  const starts = new Map(places.map(({ start }, at) => [start, at]));
  const ends = new Map(places.map(({ end }, at) => [end, at]));
  return items.flatMap((item) => {
    const [first, last] = [starts.get(item.start), ends.get(item.end)];
    return item.kind === 'relationship' || first === undefined || last === undefined ? [] : [{ item, first, last }];
  });
}
