import { offsetMap } from '../../text/offsets.ts';
import type { ReadContext, WrittenCase } from '../format.ts';
import { type Fields, type Item, NO_FIELDS } from '../item.ts';
import { isRecord, mayKeepAll, wrong } from '../record-fields.ts';
import type { Span } from '../../text/span.ts';

/** The names under which a shape keeps the parts of a span. */
export interface SpanNames {
  readonly start: string;
  readonly end: string;
  readonly label: string;
  readonly text: string;
  readonly annotator?: string;
}

/** Spans of a JSON list. Whether they lie inside the text is checked once the text is known. */
export function spanItems(
  list: readonly unknown[],
  names: SpanNames,
  where: string,
  line: number,
  context: ReadContext,
): Item[] {
  const items: Item[] = [];
  const known = new Set(Object.values(names));
  for (let index = 0; index < list.length; index += 1) {
    const raw = list[index];
    if (!isRecord(raw)) {
      wrong(context, line, `${where}[${index}]`, 'a span (an object with start, end and label)', raw);
      continue;
    }
    const isQuote = (raw[names.start] ?? -1) === -1 && (raw[names.end] ?? -1) === -1 && isWords(raw[names.text]);
    const start = isQuote ? -1 : raw[names.start];
    const end = isQuote ? -1 : raw[names.end];
    const fragments = isQuote ? undefined : readPieces(raw['fragments'], { start, end });
    const label = raw[names.label];
    const text = raw[names.text];
    if (typeof start !== 'number' || !Number.isSafeInteger(start))
      wrong(context, line, `${where}[${index}].${names.start}`, 'a whole number below 2^53', start);
    else if (typeof end !== 'number' || !Number.isSafeInteger(end))
      wrong(context, line, `${where}[${index}].${names.end}`, 'a whole number below 2^53', end);
    else if (typeof label !== 'string' || label === '')
      wrong(context, line, `${where}[${index}].${names.label}`, 'a label', label);
    else if (text !== undefined && text !== null && typeof text !== 'string')
      wrong(context, line, `${where}[${index}].${names.text}`, 'text', text);
    else if (fragments === null) wrong(context, line, `${where}[${index}].fragments`, PIECES, raw['fragments']);
    else {
      const annotator = names.annotator === undefined ? null : raw[names.annotator];
      const hasMore = hasOtherKey(raw, known);
      if (hasMore && !mayKeepAll(raw, `${where}[${index}]`, line, context)) continue;
      // Written out instead of through makeItem: this is the one place where items are made by the million.
      items.push({
        kind: 'span',
        index,
        label,
        text: text ?? UNGIVEN,
        start,
        end,
        fields: hasMore ? raw : NO_FIELDS,
        line,
        annotator: typeof annotator === 'string' ? annotator : typeof annotator === 'number' ? String(annotator) : null,
        source: null,
        target: null,
        parts: null,
        grounded: null,
        ...(fragments === undefined ? {} : { fragments }),
      });
    }
  }
  return items;
}

/** Places of tokens, `[[0, 3], [4, 7]]` in the unit of the file, as a row has them; undefined if there are none. */
export function tokenPlaces(
  value: unknown,
  text: string | null,
  { options }: ReadContext,
): readonly Span[] | undefined {
  const pieces = text === null ? null : placesOf(value);
  if (pieces === null || pieces.length === 0 || text === null) return undefined;
  const { toUtf16 } = offsetMap(text, options.offsets);
  const places = pieces.map(({ start, end }) => ({ start: toUtf16(start), end: toUtf16(end) }));
  return places.every(({ start, end }) => start >= 0 && end > start) ? places : undefined;
}

/** The same as a record has them. */
export function tokenField({ tokens }: Pick<WrittenCase, 'tokens'>): Fields {
  return tokens === null ? {} : { tokens: tokens.map(({ start, end }) => [start, end]) };
}

export const PIECES = 'pieces of the span, such as [[0, 4], [15, 21]]';

/**
 * The pieces that a record lists for a span, as `[[0, 4], [9, 12]]` or as the ledger has them, `[{ start: 0, end: 4 }, …]`;
 * undefined if the span is in one piece, null if they are anything else.
 */
export function readPieces(
  value: unknown,
  whole: Readonly<Record<keyof Span, unknown>>,
): readonly Span[] | undefined | null {
  if (value === undefined || value === null) return undefined;
  if (!Array.isArray(value)) return null;
  const pieces = placesOf(value.map((piece: unknown) => (isRecord(piece) ? [piece['start'], piece['end']] : piece)));
  if (pieces === null) return null;
  const isWhole = pieces.length === 1 && pieces[0]!.start === whole.start && pieces[0]!.end === whole.end;
  return pieces.length === 0 || isWhole ? undefined : pieces;
}

/** `[[0, 4], [9, 12]]`; null if it is anything else. */
function placesOf(value: unknown): readonly Span[] | null {
  if (!Array.isArray(value)) return null;
  const places = value.flatMap((place: unknown): Span[] => {
    const pair: readonly unknown[] = Array.isArray(place) ? place : [];
    const [start, end] = pair;
    return pair.length === 2 && isWholeNumber(start) && isWholeNumber(end) ? [{ start, end }] : [];
  });
  return places.length === value.length ? places : null;
}

function isWholeNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value);
}

/** A quote without a place is looked for in the text later. */
function isWords(text: unknown): boolean {
  return typeof text === 'string' && text !== '';
}

/** Stands for the text of a span whose record gave none, which takes its slice later; a given empty text is not the same. */
export const UNGIVEN = '\u0000text not given\u0000';

/** Without a list of the keys, since this is asked of every span. */
function hasOtherKey(record: Fields, known: ReadonlySet<string>): boolean {
  for (const key in record) if (!known.has(key)) return true;
  return false;
}
