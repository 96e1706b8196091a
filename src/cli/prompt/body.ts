import { z } from 'zod';

import { InputError, UsageError } from '../../data/problems.ts';
import { schemaProblems } from '../../prepare/schema-problems.ts';
import { parseYaml } from '../../recipe/yaml-document.ts';
import type { PromptBody } from '../../store/records.ts';
import { wholeText } from '../dataset/json-input.ts';

/** A prompt is written by people and sent with every call. */
const MOST_LENGTH = 1 << 20;

const message = z.union([
  z.strictObject({ role: z.string().min(1), content: z.string() }),
  z.strictObject({ type: z.literal('placeholder'), name: z.string().min(1) }),
]);
const messages = z.array(message).min(1);

/** The prompt in a file: its text as it is, or a list of messages in YAML or JSON. */
export async function promptBody(path: string, isChat: boolean): Promise<PromptBody> {
  const { name, text } = await wholeText(path);
  if (text.trim() === '') throw new UsageError(`${name} is empty`, 'a prompt needs a text');
  if (text.length > MOST_LENGTH) throw new UsageError(`${name} is longer than 1 MiB: this is no prompt`);
  return isChat ? { type: 'chat', prompt: chatIn(text, name) } : { type: 'text', prompt: text };
}

function chatIn(text: string, file: string): Extract<PromptBody, { type: 'chat' }>['prompt'] {
  const document = parseYaml(text, file, 'a list of messages');
  const parsed = messages.safeParse(document.value);
  if (parsed.success) return parsed.data;
  throw new InputError(
    schemaProblems(messages, document.value, parsed.error, []).map(({ path, message: fault, next }) => ({
      file,
      line: document.lineOf(path)?.line ?? null,
      ...(path.length === 0 ? {} : { field: path.join('.') }),
      message: fault,
      next: next ?? 'messages are {role, content}, or {type: placeholder, name}',
    })),
  );
}

/** As `assay prompt create` reads it. */
export function bodyText(body: PromptBody): string {
  return body.type === 'text' ? body.prompt : `${JSON.stringify(body.prompt, null, 2)}\n`;
}
