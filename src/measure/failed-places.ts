import { z } from 'zod';

import { type Foldable, StateMismatch } from '../data/fold-state.ts';

const savedPlaces = z.tuple([z.set(z.int()), z.set(z.int())]);

/** Places of failed cases among all; those of a part that is merged come after all there were, of which there are `before`. */
export class FailedPlaces implements Foldable {
  readonly empty = new Set<number>();
  readonly leftOut = new Set<number>();
  readonly #before: () => number;

  constructor(before: () => number) {
    this.#before = before;
  }

  save(): unknown {
    return [this.empty, this.leftOut];
  }

  merge(saved: unknown): void {
    const { data } = savedPlaces.safeParse(saved);
    if (data === undefined) throw new StateMismatch('expected places of failed cases');
    const [empty, leftOut] = data;
    for (const place of empty) this.empty.add(this.#before() + place);
    for (const place of leftOut) this.leftOut.add(this.#before() + place);
  }
}
