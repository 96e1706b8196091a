import type { PairedKind } from '../../data/item.ts';
import { type Attribute, attributeJudge } from '../../judge/attributes.ts';
import type { JudgeStep } from '../../judge/step.ts';
import type { PairSettings } from '../../pair/criterion.ts';
import type { PrepareStep } from '../../prepare/step.ts';
import type { NamedStep, Plan } from '../../recipe/plan.ts';

/** What of a recipe decides verdicts, made ready: the parts that a waterfall takes away and puts back. */
export interface Mix {
  readonly prepare: readonly PreparedRule[];
  readonly pair: ReadonlyMap<PairedKind, PairSettings>;
  readonly attributes: readonly Attribute[];
  readonly judge: readonly NamedStep<JudgeStep>[];
}

export interface PreparedRule extends NamedStep<PrepareStep> {
  /** As the manifest shows them. */
  readonly params: unknown;
}

/** One part of the recipe that can be taken away. */
export interface Rung {
  readonly path: string;
  readonly setting: string;
  readonly without: (mix: Mix) => Mix;
}

/** The plan with this mix in place of its own; other schemes are no part of a waterfall. */
export function planWith(plan: Plan, { prepare, pair, attributes, judge }: Mix): Plan {
  return {
    ...plan,
    prepare,
    schemes: [{ name: null, pair }],
    attributes,
    judgeAttributes: attributeJudge(attributes),
    judge,
    resolved: { ...plan.resolved, prepare: Object.fromEntries(prepare.map(({ name, params }) => [name, params])) },
  };
}

/** Mixes with one key are the same: the last rule taken away is the row before the last. */
export function mixKey({ prepare, pair, attributes, judge }: Mix): string {
  return JSON.stringify([
    prepare.map(({ name, params }) => [name, params]),
    [...pair],
    attributes,
    judge.map(({ name }) => name),
  ]);
}
