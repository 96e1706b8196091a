import { z } from 'zod';

import type { Foldable } from '../data/fold-state.ts';
import { parseSaved } from './saved-shape.ts';

/** Sizes and places up to 2 ** 31, in steps of a twelfth: fine enough for a limit, and few enough to be kept. */
const STEPS = 8;
const SMALLEST = 64;
export const SIZE_STEPS = 208;

const savedCounts = z.instanceof(Float64Array).refine(({ length }) => length === SIZE_STEPS, 'not so many steps');

/** The step of a size: of places up to 64 there are eight, then eight for every doubling. */
export function sizeStep(size: number): number {
  return Math.min(SIZE_STEPS - 1, Math.floor(STEPS * Math.log2(size / SMALLEST + 1)));
}

/** Counts things by their size or place, in steps that grow with it. */
export class SizeCounts implements Foldable {
  readonly counts = new Float64Array(SIZE_STEPS);

  add(size: number): void {
    this.counts[sizeStep(size)]! += 1;
  }

  /** How many there are from one step up to another. */
  between(from: number, to = SIZE_STEPS): number {
    let total = 0;
    for (let step = from; step < to; step += 1) total += this.counts[step]!;
    return total;
  }

  save(): unknown {
    return this.counts.slice();
  }

  merge(saved: unknown): void {
    for (const [step, n] of parseSaved(savedCounts, saved).entries()) this.counts[step]! += n;
  }
}

/** The largest size by the step of another. */
export class LargestByStep implements Foldable {
  readonly #sizes = new Float64Array(SIZE_STEPS);

  add(step: number, size: number): void {
    if (size > this.#sizes[step]!) this.#sizes[step] = size;
  }

  /** Of all steps before one. */
  before(step: number): number {
    return this.#sizes.subarray(0, step).reduce((most, size) => Math.max(most, size), 0);
  }

  save(): unknown {
    return this.#sizes.slice();
  }

  merge(saved: unknown): void {
    for (const [step, size] of parseSaved(savedCounts, saved).entries()) this.add(step, size);
  }
}
