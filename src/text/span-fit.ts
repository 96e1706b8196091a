import { fold } from './quote.ts';
import { type OffsetMap, offsetMap, type OffsetUnit } from './offsets.ts';
import type { Span } from './span.ts';

/** What would make a span's place agree with its text. */
export type SpanFit =
  | { readonly kind: 'unit'; readonly unit: OffsetUnit }
  | { readonly kind: 'shift'; readonly start: number; readonly end: number }
  /** The place was counted in the same text with other line breaks: of two characters (CR LF), or of one. */
  | { readonly kind: 'breaks'; readonly length: 1 | 2 }
  /** The place is right but for upper and lower case, white space or invisible characters. */
  | { readonly kind: 'spelling' };

const UNITS: readonly OffsetUnit[] = ['codepoint', 'utf16', 'byte'];
/** An end that is the last character, a count from 1, both; then everything a few characters off. */
const SHIFTS: readonly (readonly [start: number, end: number])[] = [
  [0, 1],
  [0, -1],
  [-1, -1],
  [-1, 0],
  [1, 1],
  [1, 0],
  ...[2, 3, 4, 5].flatMap((by): [number, number][] => [
    [by, by],
    [-by, -by],
  ]),
];
const SHORT_BREAK = /(?<!\r)\n/g;
const LONG_BREAK = /\r\n/g;

/** Looks for what makes spans fit, in one text after another: what a text takes to look is kept until the next comes. */
export class SpanFitter {
  readonly #unit: OffsetUnit;
  #text: string | null = null;
  #maps = new Map<OffsetUnit, OffsetMap>();
  /** The text with other line breaks; none where it has no such breaks. */
  #broken: { readonly length: 1 | 2; readonly text: string; readonly map: OffsetMap }[] = [];

  /** Places are in `unit`. */
  constructor(unit: OffsetUnit) {
    this.#unit = unit;
  }

  /**
   * Every unit, every other way to count line breaks and every shift with which the slice of the text is what a span says
   * that it is. By chance there may be several: only many spans together tell which it is.
   *
   * @example new SpanFitter('codepoint').fits('Anna in Oslo', 'Oslo', { start: 8, end: 11 }) // [{ kind: 'shift', start: 0, end: 1 }]
   */
  fits(text: string, said: string, { start, end }: Span): SpanFit[] {
    if (said === '') return [];
    this.#open(text);
    const own = this.#mapOf(text, this.#unit);
    const out: SpanFit[] = [];
    for (const unit of UNITS)
      if (unit !== this.#unit && sliceOf(text, this.#mapOf(text, unit), start, end) === said)
        out.push({ kind: 'unit', unit });
    for (const { length, text: other, map } of this.#broken)
      if (withShortBreaks(sliceOf(other, map, start, end)) === withShortBreaks(said))
        out.push({ kind: 'breaks', length });
    for (const [atStart, atEnd] of SHIFTS)
      if (sliceOf(text, own, start + atStart, end + atEnd) === said)
        out.push({ kind: 'shift', start: atStart, end: atEnd });
    const slice = sliceOf(text, own, start, end);
    if (slice !== null && bare(slice) === bare(said)) out.push({ kind: 'spelling' });
    return out;
  }

  #open(text: string): void {
    if (text === this.#text) return;
    this.#text = text;
    this.#maps = new Map();
    this.#broken = [];
    const longer = text.replace(SHORT_BREAK, '\r\n');
    const shorter = text.replace(LONG_BREAK, '\n');
    if (longer !== text) this.#broken.push({ length: 2, text: longer, map: offsetMap(longer, this.#unit) });
    if (shorter !== text) this.#broken.push({ length: 1, text: shorter, map: offsetMap(shorter, this.#unit) });
  }

  #mapOf(text: string, unit: OffsetUnit): OffsetMap {
    let map = this.#maps.get(unit);
    if (map === undefined) this.#maps.set(unit, (map = offsetMap(text, unit)));
    return map;
  }
}

function sliceOf(text: string, map: OffsetMap, start: number, end: number): string | null {
  const [first, last] = [map.toUtf16(start), map.toUtf16(end)];
  return first < 0 || last < first ? null : text.slice(first, last);
}

function withShortBreaks(text: string | null): string | null {
  return text === null ? null : text.replace(LONG_BREAK, '\n');
}

function bare(text: string): string {
  return fold(text.normalize('NFC'), 'white-space').text.trim();
}
