import { z } from 'zod';

import { describe, isRecord } from '../../data/record-fields.ts';
import { nearestNames } from '../../text/nearest.ts';
import { rag, vanilla } from './advice.ts';
import { commandTarget } from './command-target.ts';
import { graphExtractor } from './graph-extractor.ts';
import { httpTarget } from './http-target.ts';
import { journalExtractor } from './journal-extractor.ts';
import { moduleTarget } from './module-target.ts';
import type { NamedPrompt } from './model-target.ts';
import { plainModel } from './plain-model.ts';
import { recordedTarget } from './recorded-target.ts';
import type { Target, TargetContext } from './target.ts';

const KINDS = [
  plainModel,
  httpTarget,
  commandTarget,
  moduleTarget,
  recordedTarget,
  journalExtractor,
  graphExtractor,
  vanilla,
  rag,
] as const;

const NAMES = KINDS.map(({ schema }) => schema.shape.use.value);

/** What others call a target. */
const OTHER_WORDS: Readonly<Record<string, (typeof NAMES)[number]>> = {
  program: 'command',
  process: 'command',
  executable: 'command',
  script: 'command',
  shell: 'command',
  llm: 'model',
  url: 'http',
  api: 'http',
  endpoint: 'http',
  function: 'module',
  file: 'recorded',
};

function unknownTarget({ input }: { readonly input?: unknown }): string {
  const use = isRecord(input) ? input['use'] : undefined;
  const word = typeof use === 'string' ? use : '';
  const meant = Object.hasOwn(OTHER_WORDS, word) ? [OTHER_WORDS[word]] : nearestNames(word, NAMES);
  const found = use === undefined ? '' : `, found ${describe(use)}`;
  return `expected one of ${NAMES.join(', ')}${found}${meant.length === 0 ? '' : `: did you mean ${meant.join(' or ')}?`}`;
}

/** The `target` section of an experiment: what is being evaluated. */
export const targetSchema = z.discriminatedUnion(
  'use',
  [
    plainModel.schema,
    httpTarget.schema,
    commandTarget.schema,
    moduleTarget.schema,
    recordedTarget.schema,
    journalExtractor.schema,
    graphExtractor.schema,
    vanilla.schema,
    rag.schema,
  ],
  { error: unknownTarget },
);

export type TargetSpec = z.infer<typeof targetSchema>;

/** The target that an experiment names, ready to be asked. What is wrong with it is a UsageError or an InputError. */
export async function openTarget(spec: TargetSpec, context: TargetContext): Promise<Target> {
  return kindOf(spec.use)!.open(spec, context);
}

/** The stored prompt that a target needs; null where its words stand in the experiment, in a file, or come with Assay. */
export function promptOf(spec: TargetSpec): NamedPrompt | null {
  const prompt = 'prompt' in spec ? spec.prompt : undefined;
  return typeof prompt === 'object' && 'name' in prompt ? prompt : null;
}

/** What the prompt of such a target is called where only a label or a version is named; null where it has none. */
export function usualPromptName(use: unknown): string | null {
  return kindOf(use)?.promptName ?? null;
}

function kindOf(use: unknown): (typeof KINDS)[number] | undefined {
  return KINDS.find(({ schema }) => schema.shape.use.value === use);
}
