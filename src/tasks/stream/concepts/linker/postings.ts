/**
 * Postings of one trigram in one band: the aliases that have it, counted from the band's first one, in rising order.
 * Each is a step from the one before (from -1 at the beginning), less one, doubled, and one more where the trigram is in
 * the alias several times; then the count, less two, follows. Numbers are varints, seven bits a byte, the lowest first.
 * Steps are short in the long lists that make up most of an index: little more than a byte a posting.
 */
export function writePosting(out: Uint8Array, from: number, step: number, count: number): number {
  const at = writeVarint(out, from, (step - 1) * 2 + (count > 1 ? 1 : 0));
  return count > 1 ? writeVarint(out, at, count - 2) : at;
}

function writeVarint(out: Uint8Array, from: number, value: number): number {
  let at = from;
  let rest = value;
  for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) out[at++] = (rest & 0x7f) | 0x80;
  out[at++] = rest;
  return at;
}

/** What is being added up over the aliases of a band. */
export interface Sums {
  /** What each alias of the band has so far; 0 for those not met, or no longer looked at. */
  readonly values: Float64Array;
  /** Those met, in the order in which they were. */
  readonly met: Uint16Array;
  metCount: number;
}

/**
 * Adds `weight`, times how often the trigram is in it, to every alias of a list. Those not met before are noted, or
 * passed over unless `takesNew`.
 */
export function addPostings(
  bytes: Uint8Array,
  start: number,
  end: number,
  weight: number,
  sums: Sums,
  takesNew: boolean,
): void {
  const { values, met } = sums;
  let metCount = sums.metCount;
  let alias = -1;
  for (let at = start; at < end;) {
    let code = bytes[at++]!;
    if (code >= 0x80) {
      code &= 0x7f;
      for (let shift = 7; ; shift += 7) {
        const byte = bytes[at++]!;
        code |= (byte & 0x7f) << shift;
        if (!(byte >= 0x80)) break;
      }
    }
    alias += (code >> 1) + 1;
    let added = weight;
    if ((code & 1) === 1) {
      let count = 2;
      for (let shift = 0; ; shift += 7) {
        const byte = bytes[at++]!;
        count += (byte & 0x7f) << shift;
        if (!(byte >= 0x80)) break;
      }
      added = weight * count;
    }
    const sum = values[alias]!;
    if (sum === 0) {
      if (!takesNew) continue;
      met[metCount++] = alias;
    }
    values[alias] = sum + added;
  }
  sums.metCount = metCount;
}
