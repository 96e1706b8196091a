import { type OffsetMap, offsetMap, type OffsetUnit } from './offsets.ts';
import { fold } from './quote.ts';
import type { Span } from './span.ts';

/** What would make a span's place agree with its text. */
export type SpanFit =
  | { readonly kind: 'unit'; readonly unit: OffsetUnit }
  | { readonly kind: 'shift'; readonly start: number; readonly end: number }
  /** The place was counted in the same text with other line breaks: of two characters (CR LF), or of one. */
  | { readonly kind: 'breaks'; readonly length: 1 | 2 }
  /** The place is right but for upper and lower case, white space or invisible characters. */
  | { readonly kind: 'spelling' };

const UNITS = ['codepoint', 'utf16', 'byte'] as const;
/** An end that is the last character, a count from 1, both; then everything a few characters off. */
const SHIFTS = [
  [0, 1],
  [0, -1],
  [-1, -1],
  [-1, 0],
  [1, 1],
  [1, 0],
  ...[2, -2, 3, -3, 4, -4, 5, -5].map((by) => [by, by]),
];
/** A text, as it is or with other line breaks, and how its places are counted. */
interface Counted {
  readonly text: string;
  readonly map: OffsetMap;
  /** What it would be for a span to fit here. */
  readonly fit: SpanFit;
}

/**
 * Looks for what makes spans fit, whose places are in `unit`: every other unit, every other way to count line breaks and
 * every shift with which the slice of the text is what a span says that it is. By chance there may be several: only many
 * spans together tell which it is. What a text takes to look is kept until the next comes.
 *
 * @example spanFitter('codepoint')('Anna in Oslo', 'Oslo', { start: 8, end: 11 }) // [{ kind: 'shift', start: 0, end: 1 }]
 */
export function spanFitter(unit: OffsetUnit): (text: string, said: string, place: Span) => SpanFit[] {
  const counted = (text: string, own: OffsetUnit, fit: SpanFit): Counted => ({ text, map: offsetMap(text, own), fit });
  const open = (text: string) => {
    const units = UNITS.filter((one) => one !== unit).map((one) => counted(text, one, { kind: 'unit', unit: one }));
    const breaks = [
      counted(text.replace(/(?<!\r)\n/g, '\r\n'), unit, { kind: 'breaks', length: 2 }),
      counted(withShortBreaks(text), unit, { kind: 'breaks', length: 1 }),
    ];
    const own = counted(text, unit, { kind: 'spelling' });
    return { text, own, units, breaks: breaks.filter((other) => other.text !== text) };
  };
  let opened = open('');
  return (text, said, { start, end }) => {
    if (said === '') return [];
    if (text !== opened.text) opened = open(text);
    const { own, units, breaks } = opened;
    const shifts = SHIFTS.filter(([atStart = 0, atEnd = 0]) => sliceOf(own, start + atStart, end + atEnd) === said);
    return [
      ...units.filter((other) => sliceOf(other, start, end) === said).map(({ fit }) => fit),
      ...breaks
        .filter((other) => withShortBreaks(sliceOf(other, start, end) ?? '') === withShortBreaks(said))
        .map(({ fit }) => fit),
      ...shifts.map(([atStart = 0, atEnd = 0]): SpanFit => ({ kind: 'shift', start: atStart, end: atEnd })),
      ...(bare(sliceOf(own, start, end)) === bare(said) ? [own.fit] : []),
    ];
  };
}

function sliceOf({ text, map }: Counted, start: number, end: number): string | null {
  const [first, last] = [map.toUtf16(start), map.toUtf16(end)];
  return first < 0 || last < first ? null : text.slice(first, last);
}

function withShortBreaks(text: string): string {
  return text.replaceAll('\r\n', '\n');
}

function bare(text: string | null): string | null {
  return text === null ? null : fold(text.normalize('NFC'), 'white-space').trim();
}
