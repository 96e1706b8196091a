import { jaccard } from './words.ts';

/** Sets of words by the words that they have, to find similar ones (`jaccard`) among many without comparing all. */
export class WordIndex {
  readonly #wordsOf: (text: string) => ReadonlySet<string>;
  readonly #sets: readonly ReadonlySet<string>[];
  readonly #having = new Map<string, number[]>();
  readonly #empty: number[] = [];

  constructor(texts: readonly string[], wordsOf: (text: string) => ReadonlySet<string>) {
    this.#wordsOf = wordsOf;
    this.#sets = texts.map(wordsOf);
    for (const [at, set] of this.#sets.entries()) {
      if (set.size === 0) this.#empty.push(at);
      for (const word of set) {
        const held = this.#having.get(word);
        if (held === undefined) this.#having.set(word, [at]);
        else held.push(at);
      }
    }
  }

  /** The positions of all texts with a similarity of at least `atLeast`, and above 0, in ascending order. */
  similar(text: string, atLeast: number): number[] {
    const own = this.#wordsOf(text);
    return this.#sharing(own).filter((at) => jaccard(own, this.#sets[at]!) >= atLeast);
  }

  /** The position of the text with the highest similarity above 0, the first of equally similar ones; -1 if none has one. */
  closest(text: string): number {
    const own = this.#wordsOf(text);
    let [best, closest] = [0, -1];
    for (const at of this.#sharing(own)) {
      const similarity = jaccard(own, this.#sets[at]!);
      if (similarity > best) [best, closest] = [similarity, at];
    }
    return closest;
  }

  /** Positions of texts that share a word; two texts without a word are equal. */
  #sharing(words: ReadonlySet<string>): number[] {
    if (words.size === 0) return this.#empty;
    const sharing = new Set<number>();
    for (const word of words) for (const at of this.#having.get(word) ?? []) sharing.add(at);
    return [...sharing].sort((a, b) => a - b);
  }
}
