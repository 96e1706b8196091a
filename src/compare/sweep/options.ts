import type { CaseSources } from '../../data/read-cases.ts';
import type { Breathe } from '../../stats/resample.ts';

export interface SweepSystem {
  readonly name: string;
  readonly sources: CaseSources;
}

export interface SweepOptions {
  /** A preset, a file, or a recipe object. */
  readonly recipe: string | object;
  /** `path=range`, once or twice: `pair.threshold=0.1..0.9`, `pair.assign=greedy,optimal`. */
  readonly over: readonly string[];
  /** Systems over the same cases; the first is the one that the others are compared with. */
  readonly systems: readonly SweepSystem[];
  readonly set?: readonly string[];
  /** Which measures to show and, of several systems, to test; the first is drawn. */
  readonly measures?: readonly string[];
  /** Told how much of the work after reading is done. */
  readonly breathe?: Breathe;
}
