import { z } from 'zod';

import { FAILED, parseRecord } from '../../data/json-record.ts';
import { InputError, Problems, UsageError } from '../../data/problems.ts';
import { readWhole } from '../../data/read-file.ts';
import { mayKeepAll } from '../../data/record-fields.ts';
import { sourceOf } from '../../data/named-files.ts';
import { memorySource, type Source } from '../../data/source.ts';
import { byteOrderMarkLength, decodeUtf8 } from '../../data/utf8.ts';
import { schemaProblems } from '../../prepare/schema-problems.ts';
import { parseYaml } from '../../recipe/yaml-document.ts';
import type { PromptBody } from '../../store/records.ts';
import { hasExactNumbers } from './exact-records.ts';

/** All of a file or of standard input, as text without its byte order mark. */
async function wholeText(path: string): Promise<{ readonly name: string; readonly text: string }> {
  const source = sourceOf(path);
  const bytes = await readWhole(source);
  const problems = new Problems();
  const text = decodeUtf8(bytes.subarray(byteOrderMarkLength(bytes)), 1, source.name, problems);
  problems.throwIfAny();
  return { name: source.name, text: text ?? '' };
}

/** A file that holds one JSON value. */
export async function jsonFile(path: string): Promise<{ readonly name: string; readonly value: unknown }> {
  const { name, text } = await wholeText(path);
  const problems = new Problems();
  const value = parseRecord({ text, line: 1 }, name, problems);
  if (value !== FAILED && hasExactNumbers(text, 1, { file: name, problems }))
    mayKeepAll({ value }, 'file', 1, { file: name, problems });
  problems.throwIfAny();
  return { name, value };
}

/** Standard input can be read once: it is held, so that it can be read again as files can. */
export async function rereadable(path: string): Promise<Source> {
  const source = sourceOf(path);
  return source.path === null ? memorySource(source.name, await readWhole(source)) : source;
}

/** A prompt is written by people and sent with every call. */
const MOST_LENGTH = 1 << 20;

const message = z.union([
  z.strictObject({ role: z.string().min(1), content: z.string() }),
  z.strictObject({ type: z.literal('placeholder'), name: z.string().min(1) }),
]);
const messages = z.array(message).min(1);
const messageList = z.array(z.union([z.looseObject({ role: z.string() }), message])).min(1);

/** The prompt in a file: its text as it is, or a list of messages in YAML or JSON. */
export async function promptFile(path: string, isChat: boolean): Promise<PromptBody> {
  const { name, text } = await wholeText(path);
  if (text.trim() === '') throw new UsageError(`${name} is empty`, 'a prompt needs a text');
  if (text.length > MOST_LENGTH) throw new UsageError(`${name} is longer than 1 MiB: this is no prompt`);
  return isChat ? { type: 'chat', prompt: chatIn(text, name) } : { type: 'text', prompt: text };
}

/** True if a text reads as a list of messages, which somebody may have meant as a chat. */
export function isMessageList(text: string): boolean {
  try {
    return messageList.safeParse(parseYaml(text, '', 'a list of messages').value).success;
  } catch (error) {
    if (error instanceof InputError) return false;
    throw error;
  }
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
