import { isRecord } from './record-fields.ts';

/**
 * What was gathered over some cases, one after another, so that it can be saved and continued with what was gathered over
 * the cases that follow: the same as if all had been gathered in one pass.
 */
export interface Foldable {
  /** As plain data: objects, lists, maps, sets, typed arrays, texts, numbers. */
  save(): unknown;
  /** Adds what was saved of the cases that follow. */
  merge(saved: unknown): void;
}

/** A saved state that is not one of the same program, recipe and kind. */
export class StateMismatch extends Error {}

/**
 * The state of something that goes through cases, piece by piece: `keep` takes each piece when it is made, always in the
 * same order, and gives it back for use.
 *
 * When states are merged, numbers add up, lists follow each other, maps and sets are joined, and what is true, or not null,
 * stays so. Objects go field by field; what needs another rule is Foldable. Numbers with a fraction add up to the last bit
 * only in an ExactSum.
 *
 * @example
 * const seen = state.keep({ cases: 0, labels: new Set<string>() });
 * const byLabel = state.keep(new Map<string, Evidence>(), () => new Evidence());
 */
export class FoldState implements Foldable {
  readonly #pieces: { readonly own: object; readonly makeEntry: (() => unknown) | undefined }[] = [];

  /** `makeEntry`: what an entry of the map begins as, where its values are Foldable or hold something that is. */
  readonly keep = <T extends object>(own: T, makeEntry?: () => unknown): T => {
    this.#pieces.push({ own, makeEntry });
    return own;
  };

  /** How many pieces are kept. */
  get size(): number {
    return this.#pieces.length;
  }

  save(): unknown {
    return this.#pieces.map(({ own }) => savedForm(own));
  }

  merge(saved: unknown): void {
    if (!Array.isArray(saved) || saved.length !== this.#pieces.length)
      throw new StateMismatch(`expected ${this.#pieces.length} pieces`);
    for (const [at, { own, makeEntry }] of this.#pieces.entries()) joined(own, saved[at], makeEntry);
  }
}

export function isFoldable(value: unknown): value is Foldable {
  return typeof value === 'object' && value !== null && 'save' in value && 'merge' in value;
}

function savedForm(value: unknown): unknown {
  if (isFoldable(value)) return value.save();
  if (value instanceof Map) return new Map([...value].map(([key, entry]) => [key, savedForm(entry)]));
  if (Array.isArray(value)) return value.map(savedForm);
  if (!isPlain(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, savedForm(entry)]));
}

/** An object that is a record of fields and nothing else. */
function isPlain(value: unknown): value is Record<string, unknown> {
  return (
    isRecord(value) && (Object.getPrototypeOf(value) === Object.prototype || Object.getPrototypeOf(value) === null)
  );
}

/** Both together; what is an object is changed in place. */
function joined(own: unknown, more: unknown, makeEntry?: () => unknown): unknown {
  if (isFoldable(own)) {
    own.merge(more);
    return own;
  }
  if (own === null || own === undefined) return more;
  if (more === null || more === undefined) return own;
  if (own instanceof Map && more instanceof Map) {
    for (const [key, entry] of more) {
      const known: unknown = own.has(key) ? own.get(key) : makeEntry?.();
      own.set(key, joined(known, entry));
    }
    return own;
  }
  if (own instanceof Set && more instanceof Set) {
    for (const entry of more) own.add(entry);
    return own;
  }
  if (Array.isArray(own) && Array.isArray(more)) {
    for (const entry of more) own.push(entry);
    return own;
  }
  if (typeof own === 'number' && typeof more === 'number') {
    if (!Number.isFinite(more)) throw new StateMismatch(`expected a number, found ${more}`);
    return own + more;
  }
  if (typeof own === 'boolean' && typeof more === 'boolean') return own || more;
  if (typeof own === 'string' && typeof more === 'string') return own;
  if (isPlain(own) && isPlain(more)) {
    for (const key of new Set([...Object.keys(own), ...Object.keys(more)])) own[key] = joined(own[key], more[key]);
    return own;
  }
  throw new StateMismatch(`expected ${nameOf(own)}, found ${nameOf(more)}`);
}

function nameOf(value: unknown): string {
  return typeof value === 'object' ? (value?.constructor.name ?? 'null') : typeof value;
}

/**
 * A sum of numbers with fractions that does not depend on their order, nor on where it was cut in parts: it is exact and
 * rounded once (Shewchuk 1997; as Python's math.fsum).
 *
 * @example sumOf(0.1, 0.2, 0.3) === sumOf(0.3, 0.1, 0.2)
 */
export class ExactSum implements Foldable {
  /** What is whole is mostly all there is, and adds up exactly by itself. */
  #whole = 0;
  readonly #parts: number[] = [];

  add(value: number, times = 1): void {
    if (times !== 1) {
      // By its powers of two, each of which is exact.
      for (let [part, rest] = [value, times]; rest > 0; part *= 2, rest = Math.floor(rest / 2))
        if (rest % 2 === 1) this.add(part);
      return;
    }
    const whole = this.#whole + value;
    if (Number.isSafeInteger(whole) && Number.isInteger(value)) this.#whole = whole;
    else addPart(this.#parts, value);
  }

  get value(): number {
    if (this.#parts.length === 0) return this.#whole;
    const parts = [...this.#parts];
    addPart(parts, this.#whole);
    return roundedSum(parts);
  }

  save(): unknown {
    return [this.#whole, ...this.#parts];
  }

  merge(saved: unknown): void {
    if (!Array.isArray(saved)) throw new StateMismatch(`expected the parts of a sum, found ${nameOf(saved)}`);
    for (const part of saved) this.add(Number(part));
  }
}

/** Adds to numbers that do not overlap, in rising order of their size, so that they stay so and their sum is exact. */
function addPart(parts: number[], value: number): void {
  let carried = value;
  let kept = 0;
  for (const part of parts) {
    const [large, small] = Math.abs(carried) < Math.abs(part) ? [part, carried] : [carried, part];
    const high = large + small;
    const low = small - (high - large);
    if (low !== 0) parts[kept++] = low;
    carried = high;
  }
  parts.length = kept;
  parts.push(carried);
}

function roundedSum(parts: readonly number[]): number {
  let at = parts.length - 1;
  let high = parts[at] ?? 0;
  let low = 0;
  while (at > 0 && low === 0) {
    at -= 1;
    const before = high;
    high = before + parts[at]!;
    low = parts[at]! - (high - before);
  }
  // Half a unit in the last place: what is left decides to which side it is rounded.
  if (at > 0 && ((low < 0 && parts[at - 1]! < 0) || (low > 0 && parts[at - 1]! > 0))) {
    const twice = low * 2;
    const rounded = high + twice;
    if (twice === rounded - high) high = rounded;
  }
  return high;
}

/** Numbers one after another: of each case one, such as a hash. */
export class NumberLog implements Foldable {
  readonly values: number[] = [];

  save(): unknown {
    return Float64Array.from(this.values);
  }

  merge(saved: unknown): void {
    if (!(saved instanceof Float64Array)) throw new StateMismatch(`expected a list of numbers, found ${nameOf(saved)}`);
    for (const value of saved) this.values.push(value);
  }
}
