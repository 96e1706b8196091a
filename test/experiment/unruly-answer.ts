import { hash } from 'node:crypto';

import { isRecord } from '../../src/data/record-fields.ts';
import { sortedJson } from '../../src/data/sorted-json.ts';

/** What a call asks for: two calls of the same content are the same question. */
export interface Content {
  /** By the marker in the prompt, `[item i0042]`; else the beginning of the hash. */
  readonly id: string;
  readonly hash: string;
  readonly prompt: string;
  /** JSON Schema of the answer; null where none was sent. */
  readonly schema: unknown;
  readonly model: string;
}

const MARKER = /\[item ([^\]\s]+)\]/;
const WORDS = ['amber', 'birch', 'cedar', 'delta', 'ember', 'fjord', 'grove', 'heron', 'inlet', 'jade'];
const DEEPEST = 8;

export function contentOf(body: unknown): Content {
  const request = isRecord(body) ? body : {};
  const digest = hash('sha256', sortedJson(request));
  const messages = Array.isArray(request['messages']) ? request['messages'] : [];
  const prompt = messages.map((message) => (isRecord(message) ? textOf(message['content']) : '')).join('\n');
  const format = isRecord(request['response_format']) ? request['response_format'] : {};
  const named = isRecord(format['json_schema']) ? format['json_schema'] : {};
  return {
    id: MARKER.exec(prompt)?.[1] ?? digest.slice(0, 12),
    hash: digest,
    prompt,
    schema: named['schema'] ?? null,
    model: String(request['model']),
  };
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  return Array.isArray(content) ? content.map((part) => (isRecord(part) ? textOf(part['text']) : '')).join('') : '';
}

/** From 0 to below 1, the same for the same words. */
export function chance(...words: readonly (string | number)[]): number {
  return Number.parseInt(hash('sha256', words.join('\u0000')).slice(0, 12), 16) / 2 ** 48;
}

/** A text that is a function of the question: JSON that fits the schema where there is one. */
export function answerText(content: Content): string {
  return content.schema === null
    ? `The answer to ${content.id} is ${content.hash.slice(0, 16)}.`
    : JSON.stringify(fitting(content.schema, content.hash, 0));
}

function fitting(schema: unknown, seed: string, depth: number): unknown {
  if (!isRecord(schema)) return null;
  if ('const' in schema) return schema['const'];
  const choices = schema['enum'] ?? schema['anyOf'] ?? schema['oneOf'];
  if (Array.isArray(choices)) {
    const choice: unknown = choices[Math.floor(chance(seed) * choices.length)];
    return schema['enum'] === undefined ? fitting(choice, seed, depth + 1) : choice;
  }
  const type: unknown = Array.isArray(schema['type']) ? schema['type'][0] : schema['type'];
  switch (type) {
    case 'object': {
      const properties = isRecord(schema['properties']) ? schema['properties'] : {};
      return Object.fromEntries(
        Object.entries(properties).map(([name, own]) => [name, fitting(own, `${seed}.${name}`, depth + 1)]),
      );
    }
    case 'array': {
      const least = Number(schema['minItems'] ?? 0);
      const length = depth > DEEPEST ? least : Math.max(least, Math.floor(chance(seed, 'length') * 3));
      return Array.from({ length }, (_, at) => fitting(schema['items'], `${seed}[${at}]`, depth + 1));
    }
    case 'number':
    case 'integer': {
      const [low, high] = [Number(schema['minimum'] ?? 0), Number(schema['maximum'] ?? 100)];
      const value = low + chance(seed) * (high - low);
      return type === 'integer' ? Math.round(value) : Number(value.toFixed(3));
    }
    case 'boolean':
      return chance(seed) < 0.5;
    case 'null':
      return null;
    default:
      return WORDS[Math.floor(chance(seed) * WORDS.length)]!;
  }
}
