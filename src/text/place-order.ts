import { firstFrom } from './compare.ts';
import type { Span } from './span.ts';

/** A place where a quote may come from. Of equally good orders, the one with the fewest flawed places is chosen. */
export interface PossiblePlace extends Span {
  readonly isFlawed: boolean;
}

/** How many places are ordered at once: 500 quotes with 400 places each. */
export const MOST_PLACES = 200_000;
/** How often the quotes that are left over are ordered again. */
const MOST_ROUNDS = 8;
/** What a quote in order is worth, in flaws: more than all places can have. */
const QUOTE = 2 ** 24;

export function comparePlaces(a: Span, b: Span): number {
  return a.start - b.start || a.end - b.end;
}

/**
 * Chooses one place per quote, null for a quote without places. Each list is sorted by `comparePlaces`, and equal quotes
 * have the same list. As many quotes as possible get ascending places; then as few places as possible are flawed or
 * overlap the place before; then places are as early as possible, starting with the first quote. Quotes left over are
 * ordered among themselves in the same way. Equal quotes get different places while there are any; after that, each
 * shares the place of the equal quote before it, or takes the first place.
 *
 * If there are too many places to order, quotes with few places are ordered first, and the rest take the first free one.
 */
export function choosePlaces<P extends PossiblePlace>(lists: readonly (readonly P[])[]): (P | null)[] {
  const distinct = [...new Set(lists)];
  const entries = distinct.flatMap((list) => list.map((place) => ({ place, list })));
  entries.sort((a, b) => comparePlaces(a.place, b.place));
  // From here on a place is its number in this list.
  const places = entries.map(({ place }) => place);
  const numbers = new Map(distinct.map((list): [readonly P[], number[]] => [list, []]));
  for (const [at, { list }] of entries.entries()) numbers.get(list)!.push(at);
  const chosen = chooseNumbers(
    places,
    lists.map((list) => numbers.get(list)!),
  );
  return chosen.map((at) => places[at] ?? null);
}

/** The same with numbers for places; -1 for a quote without places. */
function chooseNumbers(places: readonly PossiblePlace[], lists: readonly (readonly number[])[]): number[] {
  const chosen = lists.map(() => -1);
  const taken = new Uint8Array(places.length);
  const chains = new ChainFinder(places);
  let left = [...lists.keys()].filter((quote) => lists[quote]!.length > 0);
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const open = affordable(left, lists).flatMap((quote) => {
      const free = lists[quote]!.filter((at) => taken[at] === 0);
      return free.length > 0 ? [{ quote, free }] : [];
    });
    // Nothing to decide if nobody has a choice.
    if (open.every(({ free }) => free.length === 1)) break;
    for (const [index, at] of chains.longest(open.map(({ free }) => free))) {
      chosen[open[index]!.quote] = at;
      taken[at] = 1;
    }
    left = left.filter((quote) => chosen[quote] === -1);
  }
  const progress = new Map<readonly number[], { next: number; last: number }>();
  for (const [quote, list] of lists.entries()) {
    if (list.length === 0) continue;
    const equal = progress.get(list) ?? { next: 0, last: list[0]! };
    progress.set(list, equal);
    while (equal.next < list.length && taken[list[equal.next]!] === 1) equal.next += 1;
    equal.last = chosen[quote]! >= 0 ? chosen[quote]! : (list[equal.next] ?? equal.last);
    chosen[quote] = equal.last;
    taken[equal.last] = 1;
  }
  return chosen;
}

/** The quotes whose places can be ordered at once, in list order. */
function affordable(quotes: readonly number[], lists: readonly (readonly number[])[]): number[] {
  let room = MOST_PLACES;
  return quotes
    .toSorted((a, b) => lists[a]!.length - lists[b]!.length || a - b)
    .filter((quote) => (room -= lists[quote]!.length) >= 0)
    .sort((a, b) => a - b);
}

/** Finds the best chain of ascending places by dynamic programming. */
class ChainFinder {
  readonly #places: readonly PossiblePlace[];
  /** For each place, the first one that can follow it in a chain, and the first one that does so without overlap. */
  readonly #next: Int32Array;
  readonly #behind: Int32Array;

  constructor(places: readonly PossiblePlace[]) {
    this.#places = places;
    const firstAfter = (isAfter: (place: PossiblePlace) => boolean): number =>
      firstFrom(places.length, (at) => isAfter(places[at]!));
    this.#next = Int32Array.from(places, (own) => firstAfter((place) => comparePlaces(own, place) < 0));
    this.#behind = Int32Array.from(places, ({ end }) => firstAfter(({ start }) => start >= end));
  }

  /** The quotes in the best chain, by number, and their places. */
  longest(lists: readonly (readonly number[])[]): [quote: number, at: number][] {
    // From the last quote to the first: what the best chain is worth that begins with each place of the quote.
    const worths = lists.map((list) => new Float64Array(list.length));
    const best = new SuffixMaximum(this.#places.length);
    for (let quote = lists.length - 1; quote >= 0; quote -= 1) {
      const [list, worth] = [lists[quote]!, worths[quote]!];
      for (let index = 0; index < list.length; index += 1) {
        const at = list[index]!;
        worth[index] = this.#worth(at) + Math.max(0, best.from(this.#behind[at]!), best.from(this.#next[at]!) - 1);
      }
      for (let index = 0; index < list.length; index += 1) best.raise(list[index]!, worth[index]!);
    }
    const chain: [number, number][] = [];
    let rest = best.from(0);
    let [next, behind] = [0, 0];
    for (const [quote, list] of lists.entries()) {
      // The earliest place that keeps the rest of the chain at its best worth.
      const index = list.findIndex((at, each) => at >= next && worths[quote]![each]! - Number(at < behind) === rest);
      if (index < 0) continue;
      const at = list[index]!;
      chain.push([quote, at]);
      rest = worths[quote]![index]! - this.#worth(at);
      [next, behind] = [this.#next[at]!, this.#behind[at]!];
    }
    return chain;
  }

  #worth(at: number): number {
    return QUOTE - Number(this.#places[at]!.isFlawed);
  }
}

/** The maximum of the values from an index on; 0 if there are none. A binary indexed tree (Fenwick 1994). */
class SuffixMaximum {
  readonly #most: Float64Array;

  constructor(length: number) {
    this.#most = new Float64Array(length + 1);
  }

  from(place: number): number {
    let most = 0;
    for (let at = this.#most.length - 1 - place; at > 0; at &= at - 1) most = Math.max(most, this.#most[at]!);
    return most;
  }

  raise(place: number, value: number): void {
    for (let at = this.#most.length - 1 - place; at < this.#most.length; at += at & -at)
      this.#most[at] = Math.max(this.#most[at]!, value);
  }
}
