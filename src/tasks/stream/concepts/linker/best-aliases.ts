import { aliasText, type LinkerIndex } from './linker-index.ts';

export interface AliasScore {
  readonly alias: number;
  readonly score: number;
}

/**
 * The best k of the aliases that are offered. Of equal scores the alias that comes first by its text is the better one,
 * so that the order of the knowledge base does not decide what is linked.
 */
export class BestAliases {
  readonly #index: LinkerIndex;
  readonly #k: number;
  readonly #floor: number;
  readonly #best: AliasScore[] = [];

  constructor(index: LinkerIndex, k: number, floor: number) {
    this.#index = index;
    this.#k = k;
    this.#floor = floor;
  }

  /** No lower score can come in. */
  get floor(): number {
    return this.#best.length < this.#k ? this.#floor : Math.max(this.#floor, this.#best.at(-1)!.score);
  }

  offer(alias: number, score: number): void {
    if (score < this.floor || score <= 0) return;
    let at = this.#best.length;
    while (at > 0 && this.#isBetter(alias, score, this.#best[at - 1]!)) at -= 1;
    this.#best.splice(at, 0, { alias, score });
    if (this.#best.length > this.#k) this.#best.pop();
  }

  list(): AliasScore[] {
    return [...this.#best];
  }

  #isBetter(alias: number, score: number, other: AliasScore): boolean {
    if (score !== other.score) return score > other.score;
    return aliasText(this.#index, alias) < aliasText(this.#index, other.alias);
  }
}
