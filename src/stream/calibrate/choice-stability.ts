import { ends, percentile, resampleTimes } from '../../stats.ts';
import { choosePolicy, dominates } from './choose-policy.ts';
import type { ObjectiveName } from './scores.ts';
import { type Candidates, leastSpreads, survivorsOf } from './survivors.ts';

export interface Stability {
  readonly resamples: number;
  readonly seed: number;
  /** Resamples in which no policy keeps to every constraint. */
  readonly noneLeft: number;
  /** By policy: in how many resamples it was chosen. */
  readonly chosen: Int32Array;
  /** For the policies of the front, of those that score alike the first and the chosen: how often they were on it. */
  readonly onFront: ReadonlyMap<number, number>;
  /** By objective: how the chosen policy and the default came out, and by how much they differed. */
  readonly spread: readonly ObjectiveSpread[];
}

/** The middle 95 % of the resamples; null if some resample had no value. */
export interface ObjectiveSpread {
  readonly name: ObjectiveName;
  readonly chosen: Ends | null;
  readonly usual: Ends | null;
  /** Chosen minus default, case by case the same draw. */
  readonly difference: Ends | null;
}

export interface Ends {
  readonly low: number;
  readonly high: number;
}

const LEVEL = 0.95;
const BREATH = 50;

/** Whose fate in the resamples is followed, by place. */
export interface Followed {
  readonly front: readonly number[];
  readonly chosen: number;
  readonly usual: number;
}

/**
 * How sure a choice is: cases are drawn with replacement, as many as there are, and everything is done again, from the
 * bounds that are derived from the cases to the choice. A choice that other cases of the same kind would not have led
 * to is chosen in few of the resamples.
 */
export async function choiceStability(
  candidates: Candidates,
  cases: number,
  followed: Followed,
  progress: (share: number) => Promise<void> | void = () => undefined,
): Promise<Stability> {
  const { grid, reader, policies } = candidates;
  const { resamples, seed, objectives } = grid.selection;
  const chosen = new Int32Array(policies.length);
  const onFront = new Map(followed.front.map((place) => [place, 0]));
  const least = leastSpreads(grid);
  const values = objectives.map(() => ({ chosen: new Float64Array(resamples), usual: new Float64Array(resamples) }));
  let noneLeft = 0;
  let begun = 0;
  for (const times of resampleTimes(cases, { resamples, seed })) {
    const drawn = begun++;
    if (drawn % BREATH === 0) await progress(drawn / resamples);
    for (const [at, name] of objectives.entries()) {
      values[at]!.chosen[drawn] = reader.score(name, followed.chosen, times);
      values[at]!.usual[drawn] = reader.score(name, followed.usual, times);
    }
    const survivors = survivorsOf(candidates, times);
    if (survivors.length === 0) {
      noneLeft += 1;
      continue;
    }
    const points = survivors.map(({ point }) => point);
    chosen[survivors[choosePolicy(points, least).chosen]!.place]! += 1;
    // Policies that do the same share their point.
    const distinct = [...new Set(points)];
    for (const { place, point } of survivors) {
      const count = onFront.get(place);
      if (count !== undefined && !distinct.some((other) => dominates(other, point))) onFront.set(place, count + 1);
    }
  }
  const spread = objectives.map((name, at): ObjectiveSpread => {
    const own = values[at]!;
    const difference = own.chosen.map((value, drawn) => value - own.usual[drawn]!);
    return { name, chosen: middle(own.chosen), usual: middle(own.usual), difference: middle(difference) };
  });
  return { resamples, seed, noneLeft, chosen, onFront, spread };
}

function middle(values: Float64Array): Ends | null {
  if (values.some(Number.isNaN)) return null;
  const sorted = values.toSorted();
  const [low, high] = ends(LEVEL);
  return { low: percentile(sorted, low), high: percentile(sorted, high) };
}
