import type { z } from 'zod';

import { schemaProblems } from './schema-problems.ts';
import { SettingError, unknownName } from './setting-error.ts';

/** A named rule of the recipe: what it does in one line, its parameters with their defaults, and the function it becomes. */
export interface Rule<Step> {
  readonly name: string;
  readonly about: string;
  readonly params: z.ZodType;
  /** Whether the order in which a case lists its items can change what it does. */
  readonly readsOrder: boolean;
  /** What it does to spans that have a place and a label and nothing else; null where that has to be tried. */
  readonly onPlainSpans: OnPlainSpans | null;
  /**
   * Set where there is nothing to score without the rule, so that the strictest matching keeps it: those of its
   * parameters that have to be stricter for that. Null for a rule that can be done without.
   */
  readonly needed: Readonly<Record<string, unknown>> | null;
  /** The parameters with defaults filled in, as the manifest shows them, and the step itself. */
  build(params: unknown, instance: string, stage?: string): { readonly params: object; readonly step: Step };
}

/** Leaves them as they are, or links missed and spurious ones that overlap as one error. */
export type OnPlainSpans = 'same' | 'link';

export interface RuleInit<Step, Params extends object> extends Pick<Rule<Step>, 'name' | 'about'> {
  readonly params: z.ZodType<Params>;
  readonly readsOrder?: true;
  readonly onPlainSpans?: OnPlainSpans;
  readonly needed?: Partial<Params>;
  step(params: Params, instance: string): Step;
}

/** Ties a rule's schema to its function, so that the step is built from checked parameters only. */
export function makeRule<Step, Params extends object>(rule: RuleInit<Step, Params>): Rule<Step> {
  const { name, about, params, readsOrder = false, onPlainSpans = null, needed } = rule;
  return {
    name,
    about,
    params,
    readsOrder,
    onPlainSpans,
    needed: needed === undefined ? null : { ...needed },
    build(raw, instance, stage) {
      const parsed = params.safeParse(raw ?? {});
      if (parsed.success) return { params: parsed.data, step: rule.step(parsed.data, instance) };
      const path = stage === undefined ? [instance] : [stage, instance];
      throw new SettingError(schemaProblems(params, raw ?? {}, parsed.error, path));
    },
  };
}

export function findRule<Step>(rules: readonly Rule<Step>[], name: string, stage: string): Rule<Step> {
  const found = rules.find((rule) => rule.name === name);
  if (found !== undefined) return found;
  const names = rules.map((rule) => rule.name);
  throw unknownName([stage, name], 'rule', name, names);
}
