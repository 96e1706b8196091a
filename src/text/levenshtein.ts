import { bandedDistance } from './levenshtein-band.ts';
import { bitParallelDistance } from './levenshtein-bits.ts';

// Both texts as code points. Kept between calls: a run compares millions of pairs of names.
let left = new Int32Array(64);
let right = new Int32Array(64);

/**
 * Levenshtein distance: the least number of code points to insert, delete or replace to turn `a` into `b`.
 * Always defined; 0 means equal, lower is nearer. Levenshtein, V. I. (1966).
 *
 * With a `limit`, a distance above it is returned as limit + 1, mostly long before it is worked out.
 *
 * @example levenshtein('kitten', 'sitting') // 3
 * @example levenshtein('kitten', 'sitting', 1) // 2
 */
export function levenshtein(a: string, b: string, limit = Infinity): number {
  if (a === b) return 0;
  const aLength = readLeft(a);
  const bLength = readRight(b);
  return distance(aLength, bLength, Math.max(0, Math.floor(limit)));
}

/**
 * Similarity of two texts: 1 - distance / length of the longer, in code points, from 0 to 1 (equal).
 *
 * 0/0 does not come up: two empty texts are equal, so 1; one empty text is 0.
 * A similarity below `atLeast` is returned as 0, mostly long before it is worked out; one equal to it never is.
 *
 * @example levenshteinSimilarity('bethlehem', 'bethleham') // 1 - 1 / 9
 * @example levenshteinSimilarity('john d. smith', 'john smith', 0.85) // 0, for 1 - 3 / 13 is less than 0.85
 */
export function levenshteinSimilarity(a: string, b: string, atLeast = 0): number {
  if (a === b) return 1;
  if (a === '' || b === '') return 0;
  const aLength = readLeft(a);
  const bLength = readRight(b);
  const longer = Math.max(aLength, bLength);
  const limit = greatestDistance(longer, atLeast);
  if (limit < 1) return 0;
  const found = distance(aLength, bLength, limit);
  return found > limit ? 0 : 1 - found / longer;
}

// Starts one too high and steps down with the very expression of the result, so that no rounding loses an equality.
function greatestDistance(longer: number, atLeast: number): number {
  if (!(atLeast > 0)) return longer;
  let limit = Math.floor((1 - atLeast) * longer) + 1;
  while (limit > 0 && 1 - limit / longer < atLeast) limit -= 1;
  return limit;
}

function distance(aLength: number, bLength: number, limit: number): number {
  if (Math.abs(aLength - bLength) > limit) return limit + 1;

  // A common start or end costs nothing.
  let from = 0;
  let aEnd = aLength;
  let bEnd = bLength;
  while (from < aEnd && from < bEnd && left[from] === right[from]) from += 1;
  while (aEnd > from && bEnd > from && left[aEnd - 1] === right[bEnd - 1]) {
    aEnd -= 1;
    bEnd -= 1;
  }
  if (aEnd === from) return bEnd - from;
  if (bEnd === from) return aEnd - from;

  const aRest = aEnd - from;
  const bRest = bEnd - from;
  const reachable = Math.min(limit, Math.max(aRest, bRest));
  return aRest <= bRest
    ? distanceOfRests(left, aRest, right, bRest, from, reachable)
    : distanceOfRests(right, bRest, left, aRest, from, reachable);
}

function distanceOfRests(
  short: Int32Array,
  shortLength: number,
  long: Int32Array,
  longLength: number,
  from: number,
  limit: number,
): number {
  return shortLength <= 32
    ? bitParallelDistance(short, shortLength, long, longLength, from, limit)
    : bandedDistance(short, shortLength, long, longLength, from, limit);
}

function readLeft(text: string): number {
  if (text.length > left.length) left = new Int32Array(2 * text.length);
  return read(text, left);
}

function readRight(text: string): number {
  if (text.length > right.length) right = new Int32Array(2 * text.length);
  return read(text, right);
}

/** Writes the code points into a buffer that is long enough, and says how many there are. */
function read(text: string, into: Int32Array): number {
  let length = 0;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if ((unit & 0xfc00) === 0xd800) {
      const codePoint = text.codePointAt(at) ?? unit;
      into[length] = codePoint;
      if (codePoint > 0xffff) at += 1;
    } else {
      into[length] = unit;
    }
    length += 1;
  }
  return length;
}
