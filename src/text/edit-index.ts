import { EditPattern, levenshtein, mostEdits, readCodePoints } from './levenshtein.ts';

/** Pairs of neighbouring code points are numbered by a hash of so many bits: two with one number only cost time. */
const PAIR_BITS = 13;
/** Stands before and behind every text. */
const END = 0x110000;
/** So many of the pairs that must be in common are looked for beyond the first: with more, fewer texts are compared. */
const MORE_PAIRS = 4;
/** What is closer than this is looked for first, among the few texts that have enough in common. */
const CLOSE = 0.7;

/**
 * Texts by the pairs of neighbouring code points that they have, to find the similar ones (`levenshteinSimilarity`) without
 * comparing all. One edit changes two pairs at most, so that texts a few edits apart have many in common, and only those
 * that have are compared. Ukkonen, E. (1992), Approximate string matching with q-grams and maximal matches.
 */
export class EditIndex {
  /** Each text once, in the order of the list, with the positions where it is. */
  readonly #texts: readonly string[];
  readonly #positions: readonly (readonly number[])[];
  readonly #ids: ReadonlyMap<string, number>;
  /** The code points of all texts, one after another, and where each begins. */
  readonly #codes: Int32Array;
  readonly #starts: Int32Array;
  readonly #longest: number;
  /** The texts that have a pair, pair by pair, and where each pair begins. */
  readonly #having: Int32Array;
  readonly #pairStarts: Int32Array;
  /** How many pairs each text has in common with the one that is looked up; zero between calls. */
  readonly #common: Int32Array;
  readonly #near: Int32Array;
  #query = new Int32Array(64);
  #queryPairs = new Int32Array(65);

  constructor(texts: readonly string[]) {
    const positions: number[][] = [];
    const ids = new Map<string, number>();
    let units = 0;
    for (const [at, text] of texts.entries()) {
      const id = ids.get(text);
      if (id !== undefined) positions[id]!.push(at);
      else {
        ids.set(text, positions.length);
        positions.push([at]);
        units += text.length;
      }
    }
    this.#texts = [...ids.keys()];
    this.#positions = positions;
    this.#ids = ids;
    this.#codes = new Int32Array(units);
    this.#starts = new Int32Array(ids.size + 1);
    this.#common = new Int32Array(ids.size);
    this.#near = new Int32Array(ids.size);
    const pairs = new Int32Array(units + ids.size);
    const counts = new Int32Array((1 << PAIR_BITS) + 1);
    for (const [id, text] of this.#texts.entries()) {
      const start = this.#starts[id]!;
      const own = this.#codes.subarray(start);
      const end = start + readCodePoints(text, own);
      this.#starts[id + 1] = end;
      numberPairs(own, end - start, pairs, start + id);
      for (let at = start + id; at <= end + id; at += 1) counts[pairs[at]! + 1]! += 1;
    }
    this.#longest = this.#texts.reduce((longest, _, id) => Math.max(longest, this.#lengthOf(id)), 0);
    for (let pair = 0; pair < 1 << PAIR_BITS; pair += 1) counts[pair + 1]! += counts[pair]!;
    this.#pairStarts = counts;
    this.#having = new Int32Array(counts.at(-1)!);
    const next = counts.slice();
    for (let id = 0; id < ids.size; id += 1)
      for (let at = this.#starts[id]! + id; at <= this.#starts[id + 1]! + id; at += 1) {
        const place = next[pairs[at]!]!;
        this.#having[place] = id;
        next[pairs[at]!] = place + 1;
      }
  }

  /** The positions of all texts with a similarity of at least `atLeast`, and above 0, in ascending order. */
  similar(text: string, atLeast: number): number[] {
    // An empty text is like no other.
    if (text === '') return [...(this.#positions[this.#ids.get('') ?? -1] ?? [])];
    const found: number[] = [];
    this.#lookUp(text, (length, editsTo) => {
      const count = this.#findNear(length, atLeast);
      for (let at = 0; at < count; at += 1) {
        const id = this.#near[at]!;
        const longer = Math.max(length, this.#lengthOf(id));
        const limit = Math.min(mostEdits(longer, atLeast), longer - 1);
        if (editsTo(id, limit) <= limit) for (const position of this.#positions[id]!) found.push(position);
      }
    });
    return found.sort((a, b) => a - b);
  }

  /** The position of the text with the highest similarity above 0, the first of equally similar ones; -1 if none has one. */
  closest(text: string): number {
    const same = this.#ids.get(text);
    if (same !== undefined) return this.#positions[same]![0]!;
    if (text === '') return -1;
    let best = 0;
    let closest = this.#texts.length;
    this.#lookUp(text, (length, editsTo) => {
      // By the length of the longer text: with how many edits a text is as similar as the best so far, and more similar.
      const equal = Int32Array.from({ length: Math.max(length, this.#longest) + 1 }, (_, longer) => longer - 1);
      const better = equal.slice();
      const compare = (id: number, longer: number, limit: number): void => {
        const edits = editsTo(id, limit);
        if (edits > limit) return;
        closest = id;
        if (1 - edits / longer === best) return;
        best = 1 - edits / longer;
        for (let each = 1; each < equal.length; each += 1) {
          const most = mostEdits(each, best);
          equal[each] = most;
          better[each] = 1 - most / each === best ? most - 1 : most;
        }
      };
      const consider = (id: number): void => {
        const longer = Math.max(length, this.#lengthOf(id));
        const limit = id < closest ? equal[longer]! : better[longer]!;
        if (longer + 1 - this.#common[id]! <= 2 * limit) compare(id, longer, limit);
      };
      const count = this.#findNear(length, CLOSE);
      for (let at = 0; at < count; at += 1) {
        const id = this.#near[at]!;
        const longer = Math.max(length, this.#lengthOf(id));
        compare(id, longer, id < closest ? equal[longer]! : better[longer]!);
      }
      if (best >= CLOSE) return;
      // What has most in common first: the better the best so far, the fewer others are compared.
      this.#countAll(length);
      let most = 0;
      for (let id = 1; id < this.#texts.length; id += 1) if (this.#common[id]! > this.#common[most]!) most = id;
      if (this.#texts.length > 0) consider(most);
      for (let id = 0; id < this.#texts.length; id += 1) consider(id);
      this.#common.fill(0);
    });
    return this.#positions[closest]?.[0] ?? -1;
  }

  /** The similarity of every text, by position. */
  similarities(text: string): Float64Array {
    const all = new Float64Array(this.#positions.reduce((sum, own) => sum + own.length, 0));
    const same = this.#ids.get(text) ?? -1;
    if (text !== '')
      this.#lookUp(text, (length, editsTo) => {
        for (const [id, positions] of this.#positions.entries()) {
          const longer = Math.max(length, this.#lengthOf(id));
          const similarity = 1 - editsTo(id, longer) / longer;
          for (const at of positions) all[at] = similarity;
        }
      });
    for (const at of this.#positions[same] ?? []) all[at] = 1;
    return all;
  }

  #lengthOf(id: number): number {
    return this.#starts[id + 1]! - this.#starts[id]!;
  }

  /** Reads a text that is not empty: hands on its length, and what counts the edits to the text of an id up to a limit. */
  #lookUp(text: string, use: (length: number, editsTo: (id: number, limit: number) => number) => void): void {
    if (text.length > this.#query.length) {
      this.#query = new Int32Array(2 * text.length);
      this.#queryPairs = new Int32Array(2 * text.length + 1);
    }
    const length = readCodePoints(text, this.#query);
    numberPairs(this.#query, length, this.#queryPairs, 0);
    if (length > EditPattern.LONGEST) {
      use(length, (id, limit) => levenshtein(text, this.#texts[id]!, limit));
      return;
    }
    const pattern = new EditPattern(this.#query, length);
    use(length, (id, limit) => {
      const [from, to] = [this.#starts[id]!, this.#starts[id + 1]!];
      return Math.abs(length - to + from) > limit ? limit + 1 : pattern.distanceTo(this.#codes, from, to, limit);
    });
    pattern.release();
  }

  /**
   * Writes the ids that can have this similarity to the text into #near, and returns how many. So many of its pairs must be
   * in common that some of the rarest are among them, and only these are looked up.
   */
  #findNear(length: number, atLeast: number): number {
    const [common, near, having, starts] = [this.#common, this.#near, this.#having, this.#pairStarts];
    const least = leastInCommon(length, atLeast);
    if (least === 0) {
      for (let id = 0; id < near.length; id += 1) near[id] = id;
      return near.length;
    }
    const enough = Math.min(least, 1 + MORE_PAIRS);
    const pairs = this.#rarestFirst(length);
    let count = 0;
    for (let at = 0; at <= length - least + enough; at += 1) {
      const end = starts[pairs[at]! + 1]!;
      for (let place = starts[pairs[at]!]!; place < end; place += 1) {
        const id = having[place]!;
        const now = common[id]! + 1;
        common[id] = now;
        if (now === enough) {
          near[count] = id;
          count += 1;
        }
      }
    }
    common.fill(0);
    return count;
  }

  /** The pairs of the text that is looked up. */
  #rarestFirst(length: number): Int32Array {
    const [pairs, starts] = [this.#queryPairs, this.#pairStarts];
    for (let at = 1; at <= length; at += 1) {
      const pair = pairs[at]!;
      const times = starts[pair + 1]! - starts[pair]!;
      let to = at;
      for (; to > 0 && starts[pairs[to - 1]! + 1]! - starts[pairs[to - 1]!]! > times; to -= 1)
        pairs[to] = pairs[to - 1]!;
      pairs[to] = pair;
    }
    return pairs;
  }

  /** How many pairs every text has in common with the one that is looked up. */
  #countAll(length: number): void {
    const [common, having, starts, pairs] = [this.#common, this.#having, this.#pairStarts, this.#queryPairs];
    for (let at = 0; at <= length; at += 1) {
      const end = starts[pairs[at]! + 1]!;
      for (let place = starts[pairs[at]!]!; place < end; place += 1) common[having[place]!]! += 1;
    }
  }
}

/** How many pairs a text of this length shares at least with any that has this similarity to it; 0 if perhaps none. */
function leastInCommon(length: number, atLeast: number): number {
  let least = Infinity;
  for (let longer = length; ; longer += 1) {
    const edits = mostEdits(longer, atLeast);
    if (longer - length > edits) return least;
    least = Math.min(least, longer + 1 - 2 * edits);
    if (least <= 0) return 0;
  }
}

/** How often each number came up in the text that is being numbered, and in which text it came up last. */
const times = new Uint16Array(1 << PAIR_BITS);
const lastText = new Int32Array(1 << PAIR_BITS);
let numbered = 0;

/**
 * Numbers the pairs of a text with its two ends, one more than it has code points. What comes for the second time has
 * another number, so that as many are in common as both have.
 */
function numberPairs(codes: Int32Array, length: number, into: Int32Array, from: number): void {
  numbered = (numbered + 1) | 0;
  let before = END;
  for (let at = 0; at <= length; at += 1) {
    const code = at < length ? codes[at]! : END;
    const pair = (Math.imul(before, 0x9e3779b1) + Math.imul(code, 0x85ebca6b)) >>> (32 - PAIR_BITS);
    before = code;
    const again = lastText[pair] === numbered ? times[pair]! : 0;
    lastText[pair] = numbered;
    times[pair] = again + 1;
    into[from + at] = again === 0 ? pair : Math.imul(pair + again * 0x2545f491, 0x9e3779b1) >>> (32 - PAIR_BITS);
  }
}
