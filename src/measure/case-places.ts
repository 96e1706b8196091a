import type { Case } from '../data/case.ts';
import type { FailedOtherwise } from './results.ts';

/** A case's value of a column, also nested (`metadata.difficulty`); null when it has none. */
export function fieldValue(given: Case, path: string): string | null {
  let value: unknown = given.fields;
  for (const part of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, part)) return null;
    value = Reflect.get(value, part);
  }
  if (value === null || value === undefined) return null;
  return typeof value === 'string' ? value : JSON.stringify(value);
}

type Overall = FailedOtherwise['measures'];

/** Where failed cases are among those that were added up: as empty answers that count, or that are only kept beside. */
export class FailedPlaces {
  readonly #empty = new Set<number>();
  readonly #leftOut = new Set<number>();

  addEmpty(place: number): void {
    this.#empty.add(place);
  }

  addLeftOut(place: number): void {
    this.#leftOut.add(place);
  }

  isLeftOut(place: number): boolean {
    return this.#leftOut.has(place);
  }

  /** The places that count, of so many cases; undefined: all. */
  counted(cases: number): number[] | undefined {
    return without(this.#leftOut, cases);
  }

  /** What the overall values would be if failed cases counted the other way; null where that changes nothing. */
  otherwise(cases: number, overall: (places: number[] | undefined) => Overall): FailedOtherwise | null {
    const isEmpty = this.#empty.size > 0;
    if (!isEmpty && this.#leftOut.size === 0) return null;
    const own = overall(this.counted(cases));
    const measures = overall(isEmpty ? without(this.#empty, cases) : undefined);
    if (measures.every(({ value }, at) => value === own[at]!.value)) return null;
    return { failed: isEmpty ? 'leave-out' : 'empty', measures };
  }
}

function without(places: ReadonlySet<number>, cases: number): number[] | undefined {
  if (places.size === 0) return undefined;
  return [...Array(cases).keys()].filter((place) => !places.has(place));
}
