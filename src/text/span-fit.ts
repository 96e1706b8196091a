import { fold } from './fold.ts';
import { type OffsetMap, offsetMap, type OffsetUnit } from './offsets.ts';
import type { Span } from './span.ts';

/** What would make a span's place agree with its text. */
export type SpanFit =
  | { readonly kind: 'unit'; readonly unit: OffsetUnit }
  | { readonly kind: 'shift'; readonly start: number; readonly end: number }
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

/**
 * Looks for the unit or the shift with which the slice of a text is what a span says that it is; null where none does.
 * The place is in `unit`.
 *
 * @example fitOfSpan('Anna in Oslo', 'Oslo', { start: 8, end: 11 }, 'codepoint') // { kind: 'shift', start: 0, end: 1 }
 */
export function fitOfSpan(text: string, said: string, { start, end }: Span, unit: OffsetUnit): SpanFit | null {
  if (said === '') return null;
  const maps = new Map<OffsetUnit, OffsetMap>();
  const sliceIn = (own: OffsetUnit, from: number, to: number): string | null => {
    let map = maps.get(own);
    if (map === undefined) maps.set(own, (map = offsetMap(text, own)));
    const [first, last] = [map.toUtf16(from), map.toUtf16(to)];
    return first < 0 || last < first ? null : text.slice(first, last);
  };
  for (const other of UNITS)
    if (other !== unit && sliceIn(other, start, end) === said) return { kind: 'unit', unit: other };
  for (const [atStart, atEnd] of SHIFTS)
    if (sliceIn(unit, start + atStart, end + atEnd) === said) return { kind: 'shift', start: atStart, end: atEnd };
  const slice = sliceIn(unit, start, end);
  if (slice !== null && bare(slice) === bare(said)) return { kind: 'spelling' };
  return null;
}

function bare(text: string): string {
  return fold(text.normalize('NFC'), 'white-space').text.trim();
}
