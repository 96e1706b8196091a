const MOST_BITS = 12;
/** More are left to `sort`, which is as quick by then. */
const MOST = 1 << 14;

const ends = new Int32Array((1 << MOST_BITS) + 1);
const room = new Uint32Array(MOST);

/**
 * Puts hashes into rising order, in a third of the time that `sort` takes: they are spread evenly, so that by its first
 * bits each is nearly in its place. Numbers that are not spread so come into order too, only slower.
 */
export function sortHashes(hashes: Uint32Array): void {
  const { length } = hashes;
  if (length < 2) return;
  if (length > MOST) {
    hashes.sort();
    return;
  }
  const bits = Math.min(MOST_BITS, 32 - Math.clz32(length - 1));
  const shift = 32 - bits;
  ends.fill(0, 0, (1 << bits) + 1);
  for (let at = 0; at < length; at += 1) ends[(hashes[at]! >>> shift) + 1]! += 1;
  for (let bucket = 1; bucket <= 1 << bits; bucket += 1) ends[bucket]! += ends[bucket - 1]!;
  for (let at = 0; at < length; at += 1) {
    const hash = hashes[at]!;
    const bucket = hash >>> shift;
    room[ends[bucket]!] = hash;
    ends[bucket]! += 1;
  }
  // What is left to do lies within the buckets.
  for (let at = 0; at < length; at += 1) {
    const hash = room[at]!;
    let to = at;
    for (; to > 0 && hashes[to - 1]! > hash; to -= 1) hashes[to] = hashes[to - 1]!;
    hashes[to] = hash;
  }
}
