import { offsetMap, type OffsetUnit } from './offsets.ts';
import { fold } from './quote.ts';
import type { Span } from './span.ts';

export const UNIT_NAMES: Readonly<Record<OffsetUnit, string>> = {
  codepoint: 'characters (code points)',
  utf16: 'UTF-16 units',
  byte: 'UTF-8 bytes',
};
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
  /** What would have to be so: "it would fit if …". */
  readonly when: string;
  readonly slice: (start: number, end: number) => string | null;
  /** What is compared of the slice and of the span's own text. */
  readonly plain?: (text: string) => string;
}

/**
 * Looks for what would make spans fit, whose places are in `unit`: every other unit, every other way to count line breaks
 * and every shift with which the slice of the text equals the span's own text. By chance there may be several: only
 * many spans together show which it is. What a text takes to look is kept until the next comes.
 *
 * @example spanFitter('codepoint')('Anna in Oslo', 'Oslo', { start: 9, end: 13 }) // ['offsets were counted from 1']
 */
export function spanFitter(unit: OffsetUnit): (text: string, said: string, place: Span) => string[] {
  let opened: { text: string; readings: readonly Reading[] } = { text: '', readings: [] };
  return (text, said, { start, end }) => {
    if (text !== opened.text) opened = { text, readings: readingsOf(text, unit) };
    return opened.readings.flatMap(({ when, slice, plain = String }) => {
      const own = slice(start, end);
      return said !== '' && own !== null && plain(own) === plain(said) ? [when] : [];
    });
  };
}

/** Another way to read the place of a span: null where the text has none. */
interface OtherPlace {
  readonly when: string;
  readonly place: (start: number, end: number) => Span | null;
}

/** Places that were counted in another unit, or are off by a few: where they are in the text, in UTF-16. */
export function otherPlaces(text: string, unit: OffsetUnit): { units: OtherPlace[]; shifts: OtherPlace[] } {
  const units = (['codepoint', 'utf16', 'byte'] as const).filter((other) => other !== unit);
  const place = placer(text, unit);
  return {
    units: units.map((other) => ({ when: `offsets were ${UNIT_NAMES[other]}`, place: placer(text, other) })),
    shifts: SHIFTS.map(([atStart = 0, atEnd = 0]) => ({
      when: shiftWords(atStart, atEnd),
      place: (start, end) => place(start + atStart, end + atEnd),
    })),
  };
}

function readingsOf(text: string, unit: OffsetUnit): Reading[] {
  const { units, shifts } = otherPlaces(text, unit);
  const sliced = ({ when, place }: OtherPlace): Reading => ({ when, slice: sliceOf(text, place) });
  const breaks = [
    ['line breaks counted as two characters (CR LF) instead of one', text.replace(/(?<!\r)\n/g, '\r\n')],
    ['line breaks counted as one character instead of two (CR LF)', withShortBreaks(text)],
  ] as const;
  return [
    ...units.map(sliced),
    ...breaks
      .filter(([, other]) => other !== text)
      .map(([when, other]) => ({ when, slice: sliceOf(other, placer(other, unit)), plain: withShortBreaks })),
    ...composedForms(text).map(([when, other]) => ({
      when,
      slice: sliceOf(other, placer(other, unit)),
      plain: composed,
    })),
    ...shifts.map(sliced),
    {
      when: 'upper and lower case and white space did not count',
      slice: sliceOf(text, placer(text, unit)),
      plain: withoutSpelling,
    },
  ];
}

/** The text with its letters composed, or apart from their accents, if that makes other places of it. */
function composedForms(text: string): (readonly [when: string, other: string])[] {
  const forms = [
    ['letters and accents counted as one character (NFC)', composed(text)],
    ['letters and accents counted apart (NFD)', text.normalize('NFD')],
  ] as const;
  return forms.filter(([, other]) => other !== text);
}

function composed(text: string): string {
  return text.normalize('NFC');
}

function placer(text: string, unit: OffsetUnit): OtherPlace['place'] {
  const { toUtf16 } = offsetMap(text, unit);
  return (start, end) => {
    const [first, last] = [toUtf16(start), toUtf16(end)];
    return first < 0 || last < first ? null : { start: first, end: last };
  };
}

function sliceOf(text: string, place: OtherPlace['place']): Reading['slice'] {
  return (start, end) => {
    const found = place(start, end);
    return found === null ? null : text.slice(found.start, found.end);
  };
}

function withShortBreaks(text: string): string {
  return text.replaceAll('\r\n', '\n');
}

function withoutSpelling(text: string): string {
  return fold(composed(text), 'white-space').trim();
}

/** When a span whose offsets are moved by so much is right. */
export function shiftWords(start: number, end: number): string {
  if (start === 0 && end === 1) return 'the end were the last character instead of the one after it';
  if (start === -1 && end === -1) return 'offsets were counted from 1';
  if (start === -1 && end === 0) return 'offsets were counted from 1 and the end were the last character';
  if (start === end) return `both offsets were ${Math.abs(start)} ${start > 0 ? 'more' : 'less'}`;
  const one = (by: number, name: string): string[] =>
    by === 0 ? [] : [`the ${name} were ${Math.abs(by)} ${by > 0 ? 'more' : 'less'}`];
  return [...one(start, 'start'), ...one(end, 'end')].join(' and ');
}
