import { z } from 'zod';

import { UsageError } from '../data/problems.ts';
import { nearestNames } from '../text/nearest.ts';

/** A named rule of the recipe: what it does in one line, its parameters with their defaults, and the function it becomes. */
export interface Rule<Step> {
  readonly name: string;
  readonly about: string;
  readonly params: z.ZodType;
  /** The parameters with defaults filled in, as the manifest shows them, and the step itself. */
  build(params: unknown, instance: string): { readonly params: unknown; readonly step: Step };
}

/** Ties a rule's schema to its function, so that the step is built from checked parameters only. */
export function defineRule<Step, Params>(rule: {
  readonly name: string;
  readonly about: string;
  readonly params: z.ZodType<Params>;
  step(params: Params, instance: string): Step;
}): Rule<Step> {
  return {
    name: rule.name,
    about: rule.about,
    params: rule.params,
    build(raw, instance) {
      const parsed = rule.params.safeParse(raw ?? {});
      if (!parsed.success) throw new UsageError(paramsMessage(instance, parsed.error));
      return { params: parsed.data, step: rule.step(parsed.data, instance) };
    },
  };
}

/** Schema problems as one sentence each, with the path a user would write after --set. */
export function paramsMessage(path: string, error: z.ZodError): string {
  return error.issues
    .map((issue) => {
      const at = [path, ...issue.path.map(String)].filter((part) => part !== '').join('.');
      if (issue.code === 'unrecognized_keys') return `${at}: there is no setting called ${issue.keys.join(', ')}`;
      return `${at}: ${issue.message.charAt(0).toLowerCase()}${issue.message.slice(1)}`;
    })
    .join('; ');
}

export function findRule<Step>(rules: readonly Rule<Step>[], name: string, stage: string): Rule<Step> {
  const found = rules.find((rule) => rule.name === name);
  if (found !== undefined) return found;
  const names = rules.map((rule) => rule.name);
  const near = nearestNames(name, names);
  throw new UsageError(
    `${stage}: there is no rule called ${name}`,
    near.length > 0 ? `did you mean ${near.join(' or ')}?` : `rules of ${stage}: ${names.join(', ')}`,
  );
}
