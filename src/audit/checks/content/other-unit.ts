import type { Side } from '../../../data/item.ts';
import { hasSurrogates } from '../../../text/characters.ts';
import { offsetMap, type OffsetUnit } from '../../../text/offsets.ts';
import { UNIT_NAMES } from '../../../text/span-fit.ts';
import { EXACT, type NearPlaces } from './near-places.ts';

const SURROGATE = /[\ud800-\udfff]/;
const BEYOND_ASCII = /[^\0-\x7f]/;
const UNITS = ['codepoint', 'utf16', 'byte'] as const;

/** A side whose places were counted in another unit, and the predictions that are at the place of gold with that. */
export interface OtherUnit {
  readonly side: Side;
  readonly unit: OffsetUnit;
  /** Whether the unit and the one that was read differ behind any character beyond ASCII, or only behind some. */
  readonly gap: UnitGap;
  readonly when: string;
  readonly places: readonly number[];
}

/** Characters that bytes count differently from other units, and those that UTF-16 units count differently from code points. */
export type UnitGap = 'byte' | 'utf16';

/** The kinds of such characters behind which a prediction of a case is in the place of gold as things are. */
export function gapsPassed(text: string, near: NearPlaces): UnitGap[] {
  let lastExact = -1;
  for (let at = 0; at < near.predictions; at += 1) if (near.moveAt(at) === EXACT) lastExact = near.endAt(at);
  if (lastExact < 0 || firstBeyondAscii(text, lastExact) < 0) return [];
  const wide = hasSurrogates(text) ? text.search(SURROGATE) : -1;
  return wide >= 0 && wide < lastExact ? ['byte', 'utf16'] : ['byte'];
}

/**
 * The unit in which one side of a case was counted if predictions behind the first character that it counts differently
 * are at the place of gold with it, and none is as things are; null if there is no such unit.
 */
export function otherUnit(text: string, units: Readonly<Record<Side, OffsetUnit>>, near: NearPlaces): OtherUnit | null {
  let [lastExact, lastOther] = [-1, -1];
  for (let at = 0; at < near.predictions; at += 1)
    if (near.moveAt(at) === EXACT) lastExact = near.endAt(at);
    else lastOther = Math.max(lastOther, near.endAt(at));
  if (lastOther < 0) return null;
  const beyondAscii = firstBeyondAscii(text, lastOther);
  const wide = hasSurrogates(text) ? text.search(SURROGATE) : -1;
  // Mostly something is at its place behind a character that units count differently: then all is.
  if ((beyondAscii < 0 || lastExact > beyondAscii) && (wide < 0 || lastExact > wide)) return null;
  let best: OtherUnit | null = null;
  for (const side of ['predicted', 'gold'] as const) {
    for (const unit of UNITS) {
      const own = units[side];
      if (unit === own) continue;
      // Only bytes count the others differently.
      const gap: UnitGap = unit === 'byte' || own === 'byte' ? 'byte' : 'utf16';
      const first = gap === 'byte' ? beyondAscii : wide;
      if (first < 0 || lastExact > first) continue;
      const places = fitting(text, side === 'predicted' ? [own, unit] : [unit, own], first, near);
      if (places.length > (best?.places.length ?? 0))
        best = { side, unit, gap, when: `${side} offsets were ${UNIT_NAMES[unit]}`, places };
    }
  }
  return best;
}

/** Predictions behind a character that are at the place of gold if offsets of one unit are read in the other. */
function fitting(text: string, [from, to]: readonly OffsetUnit[], first: number, near: NearPlaces): number[] {
  const { fromUtf16 } = offsetMap(text, from!);
  const { toUtf16 } = offsetMap(text, to!);
  const places: number[] = [];
  for (let at = 0; at < near.predictions; at += 1) {
    if (near.moveAt(at) === EXACT || near.endAt(at) <= first || isWithBlanks(text, near, at)) continue;
    const [start, end] = [toUtf16(fromUtf16(near.startAt(at))), toUtf16(fromUtf16(near.endAt(at)))];
    if (start >= 0 && near.hasGold(start, end)) places.push(at);
  }
  return places;
}

/** Whether a prediction is its gold with white space, which looks like one more byte: "Köln " has as many as "Köln" in UTF-8. */
function isWithBlanks(text: string, near: NearPlaces, at: number): boolean {
  if (near.moveAt(at) < 0) return false;
  const { start, end } = near.goldAt(at);
  const [before, after] = [text.slice(near.startAt(at), start), text.slice(end, near.endAt(at))];
  return start >= near.startAt(at) && end <= near.endAt(at) && (before + after).trim() === '';
}

/** The first character before a place that is longer than a byte; -1 for ASCII. */
function firstBeyondAscii(text: string, before: number): number {
  const first = text.search(BEYOND_ASCII);
  return first < before ? first : -1;
}
