import { z } from 'zod';

import { describe, isRecord } from '../../data/record-fields.ts';
import { closestNames } from '../../text/closest-names.ts';
import { commandTarget } from './command-target.ts';
import { httpTarget } from './http-target.ts';
import { moduleTarget } from './module-target.ts';
import { plainModel } from './model-target.ts';
import { passageTarget, questionTarget } from './question-targets.ts';
import { quoteTarget } from './quote-target.ts';
import { recordedTarget } from './recorded-target.ts';
import { relationTarget } from './relation-target.ts';
import type { Target, TargetContext, TargetKind } from './target.ts';

const KINDS: readonly TargetKind[] = [
  plainModel,
  httpTarget,
  commandTarget,
  moduleTarget,
  recordedTarget,
  quoteTarget,
  relationTarget,
  questionTarget,
  passageTarget,
];

export function targetKind(use: unknown): TargetKind | undefined {
  return KINDS.find(({ schema }) => schema.shape.use.value === use);
}

/** What others call a target. */
const OTHER_WORDS: Readonly<Record<string, readonly unknown[]>> = {
  command: ['program', 'process', 'executable', 'script', 'shell'],
  model: ['llm'],
  http: ['url', 'api', 'endpoint'],
  module: ['function'],
  recorded: ['file'],
};

function unknownTarget({ input }: { readonly input?: unknown }): string {
  const names = KINDS.map(({ schema }) => schema.shape.use.value);
  const use = isRecord(input) ? input['use'] : undefined;
  const called = Object.keys(OTHER_WORDS).filter((name) => OTHER_WORDS[name]!.includes(use));
  const meant = called.length > 0 ? called : closestNames(typeof use === 'string' ? use : '', names);
  const found = use === undefined ? '' : `, found ${describe(use)}`;
  return `expected one of ${names.join(', ')}${found}${meant.length === 0 ? '' : `: did you mean ${meant.join(' or ')}?`}`;
}

const [first = plainModel.schema, ...rest] = KINDS.map(({ schema }) => schema);

/** The `target` section of an experiment: what is being evaluated. */
export const targetSchema = z.discriminatedUnion('use', [first, ...rest], { error: unknownTarget });
export type TargetSpec = z.infer<typeof targetSchema>;

/** The target that an experiment names, ready to be asked. What is wrong with it is a UsageError or an InputError. */
export async function openTarget(spec: TargetSpec, context: TargetContext): Promise<Target> {
  return targetKind(spec.use)!.open(spec, context);
}
