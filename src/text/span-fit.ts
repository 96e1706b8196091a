import { offsetMap, type OffsetUnit } from './offsets.ts';
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

/** One way to read the place of a span. */
interface Reading {
  /** What it would be for a span to fit so. */
  readonly fit: SpanFit;
  readonly slice: (start: number, end: number) => string | null;
  /** What is compared of the slice and of what the span says. */
  readonly plain?: (text: string) => string;
}

/**
 * Looks for what makes spans fit, whose places are in `unit`: every other unit, every other way to count line breaks and
 * every shift with which the slice of the text is what a span says that it is. By chance there may be several: only many
 * spans together tell which it is. What a text takes to look is kept until the next comes.
 *
 * @example spanFitter('codepoint')('Anna in Oslo', 'Oslo', { start: 8, end: 11 }) // [{ kind: 'shift', start: 0, end: 1 }]
 */
export function spanFitter(unit: OffsetUnit): (text: string, said: string, place: Span) => SpanFit[] {
  let opened: { text: string; readings: readonly Reading[] } = { text: '', readings: [] };
  return (text, said, { start, end }) => {
    if (text !== opened.text) opened = { text, readings: readingsOf(text, unit) };
    const fitting = opened.readings.filter(({ slice, plain = String }) => {
      const own = slice(start, end);
      return said !== '' && own !== null && plain(own) === plain(said);
    });
    return fitting.map(({ fit }) => fit);
  };
}

function readingsOf(text: string, unit: OffsetUnit): Reading[] {
  const units = UNITS.filter((other) => other !== unit);
  const slice = slicer(text, unit);
  const withBreaks = (other: string, length: 1 | 2): Reading[] =>
    other === text ? [] : [{ fit: { kind: 'breaks', length }, slice: slicer(other, unit), plain: withShortBreaks }];
  return [
    ...units.map((other): Reading => ({ fit: { kind: 'unit', unit: other }, slice: slicer(text, other) })),
    ...withBreaks(text.replace(/(?<!\r)\n/g, '\r\n'), 2),
    ...withBreaks(withShortBreaks(text), 1),
    ...SHIFTS.map(([atStart = 0, atEnd = 0]): Reading => ({
      fit: { kind: 'shift', start: atStart, end: atEnd },
      slice: (start, end) => slice(start + atStart, end + atEnd),
    })),
    { fit: { kind: 'spelling' }, slice, plain: (own) => fold(own.normalize('NFC'), 'white-space').trim() },
  ];
}

function slicer(text: string, unit: OffsetUnit): Reading['slice'] {
  const { toUtf16 } = offsetMap(text, unit);
  return (start, end) => {
    const [first, last] = [toUtf16(start), toUtf16(end)];
    return first < 0 || last < first ? null : text.slice(first, last);
  };
}

function withShortBreaks(text: string): string {
  return text.replaceAll('\r\n', '\n');
}
