import { compareText } from '../../../plugin.ts';

/** One concept of a knowledge base, as far as linking needs it. */
export interface KbConcept {
  readonly id: string;
  readonly name: string;
  /** Other names; those that repeat, or repeat the name, count once. */
  readonly aliases: readonly string[];
  /** Semantic types, such as T047. */
  readonly types: readonly string[];
  /** A concept without a definition needs a higher score to be linked. */
  readonly hasDefinition: boolean;
}

/** No name of UMLS has half as many characters; a longer one is a fault of the file. */
export const MOST_NAME = 10_000;

/** Lists of semantic types: a few thousand different ones for millions of concepts. Number 0 is the empty list. */
export class TypeLists {
  readonly lists: string[][] = [[]];
  readonly #numbers = new Map<string, number>([['[]', 0]]);

  /** The number of a known list with more types added, in text order, so that the order they came in does not matter. */
  joined(list: number, types: readonly string[]): number {
    const all = [...new Set([...this.lists[list]!, ...types])].sort(compareText);
    const key = JSON.stringify(all);
    const known = this.#numbers.get(key);
    if (known !== undefined) return known;
    this.#numbers.set(key, this.lists.length);
    return this.lists.push(all) - 1;
  }
}
