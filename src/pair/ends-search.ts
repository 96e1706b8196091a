import type { Item, Side } from '../data/item.ts';
import { EditIndex } from '../text/edit-index.ts';
import { type Criterion, thresholdFor } from './criterion.ts';
import type { ItemSearch } from './matcher.ts';
import { normaliserOf } from './similarity.ts';

/** Similarities that are kept, at 8 bytes each. */
const MOST_KEPT = 4_000_000;

/** Finds relationships whose ends are alike: each name is compared once, however many relationships it is an end of. */
export function endsSearch(criterion: Criterion, gold: readonly Item[], predicted: readonly Item[]): ItemSearch {
  const ends = { gold: new EndNames(gold, criterion), predicted: new EndNames(predicted, criterion) };
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

type Ends = readonly [source: string, target: string];

/** The ends of the relationships of one side. */
class EndNames {
  readonly #names: readonly string[];
  readonly #index: EditIndex;
  /** The numbers of the names of each relationship; -1 for both if one of its ends resolved to nothing. */
  readonly #sources: Int32Array;
  readonly #targets: Int32Array;
  readonly #byEnds = new Map<number, number[]>();
  readonly #similar = new Map<string, readonly number[]>();
  readonly #similarities = new Map<string, Float64Array>();

  constructor(items: readonly Item[], { normalise: steps }: Criterion) {
    const numbers = new Map<string, number>();
    const plain = normaliserOf(steps);
    const numberOf = (name: string): number => {
      const text = plain(name);
      const number = numbers.get(text) ?? numbers.size;
      numbers.set(text, number);
      return number;
    };
    const isWhole = ({ source, target }: Item): boolean => source !== null && target !== null;
    this.#sources = Int32Array.from(items, (item) => (isWhole(item) ? numberOf(item.source!) : -1));
    this.#targets = Int32Array.from(items, (item) => (isWhole(item) ? numberOf(item.target!) : -1));
    this.#names = [...numbers.keys()];
    this.#index = new EditIndex(this.#names);
    for (let at = 0; at < items.length; at += 1) {
      if (this.#sources[at]! < 0) continue;
      const key = this.#keyOf(this.#sources[at]!, this.#targets[at]!);
      const held = this.#byEnds.get(key);
      if (held === undefined) this.#byEnds.set(key, [at]);
      else held.push(at);
    }
  }

  /** The names at the ends of a relationship, as they are compared; null if one resolved to nothing. */
  namesAt(at: number): Ends | null {
    const [source, target] = [this.#sources[at]!, this.#targets[at]!];
    return source < 0 ? null : [this.#names[source]!, this.#names[target]!];
  }

  /** The relationships whose ends are both at least so similar, as they are or swapped, in ascending order. */
  withEnds(names: Ends | null, atLeast: number): readonly number[] {
    if (names === null) return [];
    // Without a threshold, ends that have nothing in common are similar enough.
    if (atLeast <= 0) return [...this.#sources.keys()];
    const [sources, targets] = [this.#similarTo(names[0], atLeast), this.#similarTo(names[1], atLeast)];
    const found = new Set<number>();
    for (const source of sources)
      for (const target of targets) {
        for (const at of this.#byEnds.get(this.#keyOf(source, target)) ?? []) found.add(at);
        for (const at of this.#byEnds.get(this.#keyOf(target, source)) ?? []) found.add(at);
      }
    return [...found].sort((a, b) => a - b);
  }

  /** The relationship with the most similar ends, by their mean, as they are or swapped; the first of equals. */
  closest(names: Ends | null, except: ReadonlySet<number>): number {
    if (names === null) return -1;
    const [source, target] = [this.#similaritiesTo(names[0]), this.#similaritiesTo(names[1])];
    let [best, closest] = [0, -1];
    for (let at = 0; at < this.#sources.length; at += 1) {
      const [s, t] = [this.#sources[at]!, this.#targets[at]!];
      if (s < 0) continue;
      const similarity = Math.max((source[s]! + target[t]!) / 2, (source[t]! + target[s]!) / 2);
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
