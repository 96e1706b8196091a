import type { Item, Side } from '../data/item.ts';
import { EditIndex } from '../text/edit-index.ts';
import { type Criterion, thresholdFor } from './criterion.ts';
import { comparesPlaces, PlaceIndex, placeKeys } from './end-places.ts';
import type { ItemSearch } from './matcher.ts';
import { normaliserOf } from './similarity.ts';

/** Similarities that are kept, at 8 bytes each. */
const MOST_KEPT = 4_000_000;

/** Finds relationships whose ends are alike: each name is compared once, however many relationships it is an end of. */
export function endsSearch(criterion: Criterion, gold: readonly Item[], predicted: readonly Item[]): ItemSearch {
  const [endsOf, indexOf] = comparedBy(criterion);
  const ends = { gold: new EndNames(gold, endsOf, indexOf), predicted: new EndNames(predicted, endsOf, indexOf) };
  const near: Record<Side, number[]> = { gold: [], predicted: [] };
  for (const [g, { label }] of gold.entries())
    for (const p of ends.predicted.withEnds(ends.gold.namesAt(g), thresholdFor(criterion.threshold, label))) {
      near.gold.push(g);
      near.predicted.push(p);
    }
  return {
    near,
    closest: (side, at, accepted) =>
      ends[side === 'gold' ? 'predicted' : 'gold'].closest(ends[side].namesAt(at), accepted),
  };
}

/** What ends are compared by, as texts, and how many of them are looked through. */
function comparedBy(criterion: Criterion): [endsOf: EndsOf, indexOf: (ends: readonly string[]) => EndIndex] {
  if (comparesPlaces(criterion)) return [placeKeys, (places) => new PlaceIndex(places, criterion.tolerance)];
  const plain = normaliserOf(criterion.normalise);
  const namesOf: EndsOf = ({ source, target }) =>
    source === null || target === null ? [null, null] : [plain(source), plain(target)];
  return [namesOf, (names) => new EditIndex(names)];
}

type EndsOf = (item: Item) => Ends;

/** Finds the ends that are like one, by their numbers. */
export interface EndIndex {
  similar(end: string, atLeast: number): readonly number[];
  similarities(end: string): Float64Array;
}

/** Null for an end that is like no other. */
type Ends = readonly [source: string | null, target: string | null];

/** The ends of the relationships of one side. */
class EndNames {
  readonly #names: readonly string[];
  readonly #index: EndIndex;
  /** The numbers of the names of each relationship; -1 for an end that is like no other. */
  readonly #sources: Int32Array;
  readonly #targets: Int32Array;
  readonly #byEnds = new Map<number, number[]>();
  readonly #similar = new Map<string, readonly number[]>();
  readonly #similarities = new Map<string, Float64Array>();

  constructor(items: readonly Item[], endsOf: EndsOf, indexOf: (ends: readonly string[]) => EndIndex) {
    const numbers = new Map<string, number>();
    const numberOf = (end: string | null): number => {
      if (end === null) return -1;
      const number = numbers.get(end) ?? numbers.size;
      numbers.set(end, number);
      return number;
    };
    const ends = items.map(endsOf);
    this.#sources = Int32Array.from(ends, ([source]) => numberOf(source));
    this.#targets = Int32Array.from(ends, ([, target]) => numberOf(target));
    this.#names = [...numbers.keys()];
    this.#index = indexOf(this.#names);
    for (let at = 0; at < items.length; at += 1) {
      if (this.#sources[at]! < 0 || this.#targets[at]! < 0) continue;
      const key = this.#keyOf(this.#sources[at]!, this.#targets[at]!);
      const held = this.#byEnds.get(key);
      if (held === undefined) this.#byEnds.set(key, [at]);
      else held.push(at);
    }
  }

  /** The names at the ends of a relationship, as they are compared. */
  namesAt(at: number): Ends {
    return [this.#names[this.#sources[at]!] ?? null, this.#names[this.#targets[at]!] ?? null];
  }

  /** The relationships whose ends are both at least so similar, as they are or swapped, in ascending order. */
  withEnds([source, target]: Ends, atLeast: number): readonly number[] {
    if (source === null || target === null) return [];
    // Without a threshold, ends that have nothing in common are similar enough.
    if (atLeast <= 0) return [...this.#sources.keys()];
    const [sources, targets] = [this.#similarTo(source, atLeast), this.#similarTo(target, atLeast)];
    const found = new Set<number>();
    for (const one of sources)
      for (const other of targets) {
        for (const at of this.#byEnds.get(this.#keyOf(one, other)) ?? []) found.add(at);
        for (const at of this.#byEnds.get(this.#keyOf(other, one)) ?? []) found.add(at);
      }
    return [...found].sort((a, b) => a - b);
  }

  /** The relationship with the most similar ends, by their mean, as they are or swapped; the first of equals. */
  closest(names: Ends, except: ReadonlySet<number>): number {
    const [source, target] = names.map((name) => (name === null ? null : this.#similaritiesTo(name)));
    const to = (similarities: Float64Array | null | undefined, number: number): number => similarities?.[number] ?? 0;
    let [best, closest] = [0, -1];
    for (let at = 0; at < this.#sources.length; at += 1) {
      const [s, t] = [this.#sources[at]!, this.#targets[at]!];
      const similarity = Math.max((to(source, s) + to(target, t)) / 2, (to(source, t) + to(target, s)) / 2);
      if (similarity > best && !except.has(at)) [best, closest] = [similarity, at];
    }
    return closest;
  }

  #keyOf(source: number, target: number): number {
    return source * this.#names.length + target;
  }

  #similarTo(name: string, atLeast: number): readonly number[] {
    const key = `${atLeast} ${name}`;
    let similar = this.#similar.get(key);
    if (similar === undefined) this.#similar.set(key, (similar = this.#index.similar(name, atLeast)));
    return similar;
  }

  #similaritiesTo(name: string): Float64Array {
    let similarities = this.#similarities.get(name);
    if (similarities !== undefined) return similarities;
    if (this.#similarities.size * this.#names.length > MOST_KEPT) this.#similarities.clear();
    this.#similarities.set(name, (similarities = this.#index.similarities(name)));
    return similarities;
  }
}
