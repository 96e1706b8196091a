import type { Plan } from '../../recipe/plan.ts';
import { type Mix, mixKey, planWith } from './mix.ts';
import { rungsOf } from './rungs.ts';

/** A row of the waterfall: what it is called, and which variant it is. */
export interface LadderRow {
  readonly path: string;
  readonly setting: string;
  /** Its place among the plans. */
  readonly at: number;
}

export interface Ladder {
  /** Every variant once. */
  readonly plans: readonly Plan[];
  /** From strict matching to the whole recipe. */
  readonly steps: readonly LadderRow[];
  /** The whole recipe less one part each. */
  readonly without: readonly LadderRow[];
  readonly kept: readonly string[];
}

/** The way from strict matching to the recipe, part by part, and the recipe less each part. */
export async function ladderOf(plan: Plan): Promise<Ladder> {
  const { whole, rungs, kept } = await rungsOf(plan);
  const plans: Plan[] = [];
  const known = new Map<string, number>();
  const placeOf = (mix: Mix): number => {
    const key = mixKey(mix);
    let at = known.get(key);
    if (at === undefined) {
      known.set(key, (at = plans.length));
      plans.push(planWith(plan, mix));
    }
    return at;
  };
  const upTo = (count: number): number =>
    placeOf(rungs.slice(count).reduce<Mix>((mix, rung) => rung.without(mix), whole));
  const steps = [
    { path: 'strict', setting: strictText(plan), at: upTo(0) },
    ...rungs.map(({ path, setting }, at) => ({ path, setting, at: upTo(at + 1) })),
  ];
  const without = rungs.map(({ path, setting, without: takenAway }) => ({
    path,
    setting,
    at: placeOf(takenAway(whole)),
  }));
  return { plans, steps, without, kept };
}

const SAME: Readonly<Record<Plan['task'], string>> = {
  journal: 'same label and text',
  pii: 'same label and boundaries',
  graph: 'same names and types',
  stream: 'same concepts',
  consult: 'same labels',
};

function strictText({ task }: Plan): string {
  return SAME[task];
}
