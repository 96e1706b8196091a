import { resolve } from 'node:path';

import { z } from 'zod';

import { InputError, UsageError } from '../../data/problems.ts';
import { readText } from '../../data/read-text.ts';
import type { PromptBody } from '../../store/records.ts';
import { parseJson } from './json-text.ts';
import { promptOf } from './named-prompt.ts';
import type { TargetContext } from './target-context.ts';
import type { ModelSpec } from './target-schema.ts';

const MOST_BYTES = 1 << 20;

const chat = z.array(
  z.union([
    z.object({ role: z.string(), content: z.string() }),
    z.object({ type: z.literal('placeholder'), name: z.string() }),
  ]),
);

/** The words for a model: as resolved, as they stand in the experiment or its files, else those that come with Assay. */
export async function promptBody(spec: ModelSpec, context: TargetContext, builtIn: PromptBody): Promise<PromptBody> {
  if (context.prompt !== null) return context.prompt.body;
  const named = promptOf(spec);
  if (named !== null) throw new UsageError(`the prompt ${named.name} has not been looked up`);
  const { prompt } = spec;
  if (prompt === undefined) return builtIn;
  if (typeof prompt === 'string') return { type: 'text', prompt };
  if ('text' in prompt) return { type: 'text', prompt: prompt.text };
  return 'file' in prompt ? fromFile(resolve(context.folder, prompt.file)) : builtIn;
}

async function fromFile(file: string): Promise<PromptBody> {
  const { text } = await readText(file, MOST_BYTES);
  if (!file.endsWith('.json')) return { type: 'text', prompt: text };
  const { value, fault } = parseJson(text);
  if (fault !== undefined) throw new InputError([{ file, line: null, message: fault }]);
  const parsed = chat.safeParse(value);
  if (parsed.success) return { type: 'chat', prompt: parsed.data };
  throw new InputError([
    {
      file,
      line: null,
      message: 'a prompt in a .json file is a list of messages {role, content}',
      next: 'a prompt that is one text goes into a .txt or .md file',
    },
  ]);
}
