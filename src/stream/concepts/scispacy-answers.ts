import { z } from 'zod';

import { shorten, visible } from '../../plugin.ts';
import { conceptId, MOST_CONCEPTS, TOO_MANY } from './concept-ids.ts';
import type { ScoredMention } from './scored-mentions.ts';

/** The answers of a process or a server that finds concepts, checked. */

const facts = z.looseObject({
  model: z.string().exactOptional(),
  model_version: z.string().exactOptional(),
  scispacy: z.string().exactOptional(),
  spacy: z.string().exactOptional(),
  linker: z.string().exactOptional(),
  kb_version: z.string().exactOptional(),
  kb_concepts: z.number().exactOptional(),
  kb_sha256: z.string().exactOptional(),
  packages: z.string().exactOptional(),
});

export type ExtractorFacts = z.infer<typeof facts>;

const ready = z.union([
  facts.extend({ ready: z.literal(true) }),
  z.looseObject({ ready: z.literal(false), error: z.string() }),
]);

const score = z.number().min(0).max(1.0001);

const mention = z
  .looseObject({
    surface: z.string(),
    start: z.int().min(0).nullish(),
    end: z.int().min(0).nullish(),
    candidates: z.array(z.tuple([conceptId, score])),
  })
  .transform(({ surface, start, end, candidates }): ScoredMention => ({
    surface,
    start: start ?? null,
    end: end ?? null,
    candidates: candidates.map(([id, own]) => ({ id, score: own })),
  }));

const answer = z
  .looseObject({
    id: z.union([z.int(), z.null()]).exactOptional(),
    mentions: z.array(mention).exactOptional(),
    concepts: z.array(conceptId).max(MOST_CONCEPTS, TOO_MANY).exactOptional(),
    error: z.string().exactOptional(),
    extractor: facts.exactOptional(),
  })
  .refine(
    (value) => value.mentions !== undefined || value.concepts !== undefined || value.error !== undefined,
    'expected mentions, concepts or an error',
  );

export type ExtractorAnswer = z.infer<typeof answer>;

/** The line that reports that a process is ready, or why it is not. */
export function readyLine(line: string): { readonly facts: ExtractorFacts } | { readonly problem: string } {
  const parsed = ready.safeParse(jsonOf(line));
  if (!parsed.success) return { problem: `expected {"ready":true,…} as its first line, found ${shown(line)}` };
  return parsed.data.ready ? { facts: parsed.data } : { problem: `cannot start: ${shorten(parsed.data.error, 300)}` };
}

export function answerOf(text: string): { readonly answer: ExtractorAnswer } | { readonly problem: string } {
  const value = jsonOf(text);
  const parsed = answer.safeParse(value);
  if (parsed.success) return { answer: parsed.data };
  const { path, message } = parsed.error.issues[0]!;
  const what =
    value === undefined ? 'it is not JSON' : [path.join('.'), message].filter((part) => part !== '').join(': ');
  return { problem: `a bad answer: ${what}; found ${shown(text)}` };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function shown(text: string): string {
  return visible(shorten(text, 120));
}
