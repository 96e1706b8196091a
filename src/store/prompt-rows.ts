import { z } from 'zod';

import { damaged, json, maybeText, number, oneOf, type Row, text, texts, timeText } from './cells.ts';
import type { PromptBody, StoredPrompt } from './records.ts';

const MESSAGES = z.array(
  z.union([
    z.looseObject({ type: z.literal('placeholder'), name: z.string() }),
    z.looseObject({ role: z.string(), content: z.string() }),
  ]),
);

/** A version with the name, the type and the tags of its prompt. */
export function promptRecord(row: Row, labels: readonly string[]): StoredPrompt {
  return {
    ...promptBody(row),
    id: text(row, 'id'),
    name: text(row, 'name'),
    version: number(row, 'version'),
    config: json(row, 'config') ?? {},
    labels,
    tags: texts(row, 'tags'),
    commitMessage: maybeText(row, 'commit_message'),
    createdAt: timeText(row, 'created_at'),
    updatedAt: timeText(row, 'updated_at'),
  };
}

function promptBody(row: Row): PromptBody {
  const prompt = json(row, 'prompt');
  if (promptType(row) === 'text') return typeof prompt === 'string' ? { type: 'text', prompt } : damaged('prompt');
  const messages = MESSAGES.safeParse(prompt);
  return messages.success ? { type: 'chat', prompt: messages.data } : damaged('prompt');
}

export const promptType = (row: Row): PromptBody['type'] => oneOf('text', 'chat')(row, 'type');
