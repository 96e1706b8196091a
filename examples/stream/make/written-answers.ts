import { readFileSync } from 'node:fs';

import { parse } from 'yaml';
import { z } from 'zod';

import { SUMMARY_FIELDS, type SummaryField } from '../../../src/stream/run-log-records.ts';

/** Short names of a summary's fields, in their order. */
const SHORT_NAMES = ['do', 'find', 'ddx', 'unsure', 'next', 'who'] as const;

const fields = z.strictObject({
  do: z.string().exactOptional(),
  find: z.string().exactOptional(),
  ddx: z.string().exactOptional(),
  unsure: z.string().exactOptional(),
  next: z.string().exactOptional(),
  who: z.string().exactOptional(),
});
type Fields = z.infer<typeof fields>;

const file = z.strictObject({
  texts: z.record(z.string(), fields.extend({ rewrite: fields.exactOptional() })),
  V0: z.array(z.string()),
  V1: z.array(z.string()),
  V2: z.array(z.string()),
  V3: z.array(z.string()),
  V4: z.array(z.string()),
});

/** What answers to one case were written, in the order in which a variant asks. */
export interface WrittenAnswers {
  decision(variant: string, index: number): WrittenDecision;
  summary(variant: string, index: number): WrittenSummary;
  /** Texts that no variant has asked for so far, and answers beyond the last question. */
  unused(): string[];
}

export interface WrittenDecision {
  readonly state: 'SAME_TOPIC_CONTINUING' | 'TOPIC_SHIFT' | 'CRITICAL_ALERT';
  readonly complete: boolean;
  readonly relevant: boolean;
  readonly novel: boolean;
  /** Why there is no answer; null where there is one. */
  readonly failure: string | null;
  /** Name of the text that follows; null where none was written. */
  readonly summary: string | null;
}

export interface WrittenSummary {
  readonly name: string;
  readonly answer: Readonly<Partial<Record<SummaryField, string>>>;
  /** What comes back where the answer was too long. */
  readonly rewrite: Readonly<Partial<Record<SummaryField, string>>>;
}

/** V1 and V2 name a text for each summary; the others a decision each, and after `>` the text that follows it. */
export function readWrittenAnswers(path: string): WrittenAnswers {
  const { texts, ...variants } = file.parse(parse(readFileSync(path, 'utf8')));
  const lines = new Map(Object.entries(variants));
  const left = new Set(Object.keys(texts));
  const asked = new Map<string, number>();
  const named = (name: string): WrittenSummary => {
    const found = texts[name];
    if (found === undefined) throw new Error(`${path}: there is no text ${name}`);
    left.delete(name);
    const { rewrite, ...answer } = found;
    return { name, answer: longNames(answer), rewrite: longNames(rewrite ?? {}) };
  };
  return {
    decision(variant, index) {
      asked.set(variant, index + 1);
      return decisionOf(lineAt(lines, variant, index, path));
    },
    summary(variant, index) {
      const own = lines.get(variant) ?? [];
      const names = own.map((line) => (line.includes(' ') ? decisionOf(line).summary : line));
      if (!own.some((line) => line.includes(' '))) asked.set(variant, index + 1);
      const name = names.filter((one) => one !== null)[index];
      if (name === undefined) throw new Error(`${path}: ${variant} has no summary ${index}`);
      return named(name);
    },
    unused: () => [
      ...left,
      ...[...lines].flatMap(([variant, own]) => own.slice(asked.get(variant)).map((line) => `${variant}: ${line}`)),
    ],
  };
}

function lineAt(lines: ReadonlyMap<string, readonly string[]>, variant: string, index: number, path: string): string {
  const line = lines.get(variant)?.[index];
  if (line === undefined) throw new Error(`${path}: ${variant} has no answer ${index}`);
  return line;
}

const FAILED = 'failed: ';

/** `same complete relevant novel > name`, or `failed: reason`. */
function decisionOf(line: string): WrittenDecision {
  const [said = '', summary = null] = line.split(' > ');
  const words = said.split(' ');
  return {
    state: words.includes('alert')
      ? 'CRITICAL_ALERT'
      : words.includes('shift')
        ? 'TOPIC_SHIFT'
        : 'SAME_TOPIC_CONTINUING',
    complete: words.includes('complete'),
    relevant: words.includes('relevant'),
    novel: words.includes('novel'),
    failure: said.startsWith(FAILED) ? said.slice(FAILED.length) : null,
    summary,
  };
}

function longNames(answer: Fields): Partial<Record<SummaryField, string>> {
  const long: Partial<Record<SummaryField, string>> = {};
  for (const [at, name] of SHORT_NAMES.entries())
    if (answer[name] !== undefined) long[SUMMARY_FIELDS[at]!] = answer[name];
  return long;
}
