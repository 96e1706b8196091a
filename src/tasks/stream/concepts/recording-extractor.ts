import { existsSync } from 'node:fs';

import { UsageError } from '../../../data/problems.ts';
import { sortedJson } from '../../../data/sorted-json.ts';
import { compareText } from '../../../text/compare.ts';
import { writeAside } from '../../../data/write-file.ts';
import { sha256Of } from '../../../data/sha256-of.ts';
import type { ConceptExtractor } from './extractor.ts';
import { type RecordedAnswer, readRecording } from './read-recording.ts';

type Answer = Pick<RecordedAnswer, 'concepts' | 'surfaces'>;
type Answers = Map<string, Answer>;

/**
 * Passes questions on and keeps the answers; `close` writes them to the file, by hash of the text, so that the order of
 * the questions does not show. Who has scispaCy once can freeze what it says, and others can measure without it. Surface
 * forms are kept too where the extractor knows them: stoplists are made of them. A file that is there already, from the
 * same extractor, answers what it can and is added to.
 */
export async function recordingExtractor(inner: ConceptExtractor, file: string): Promise<ConceptExtractor> {
  const answers: Answers = existsSync(file) ? await earlierAnswers(inner, file) : new Map();
  const before = answers.size;
  const answerTo = async (text: string): Promise<Answer> => {
    const hash = sha256Of(text);
    const known = answers.get(hash);
    if (known !== undefined) return known;
    const answer = { concepts: await inner.extract(text), surfaces: (await inner.surfaces?.(text)) ?? null };
    answers.set(hash, answer);
    return answer;
  };
  return {
    ...(inner.explain === undefined ? {} : { explain: async (text) => (await inner.explain?.(text)) ?? [] }),
    ...(inner.surfaces === undefined ? {} : { surfaces: async (text) => (await answerTo(text)).surfaces ?? [] }),
    identity: inner.identity,
    extract: async (text) => (await answerTo(text)).concepts,
    close: async () => {
      await inner.close?.();
      if (answers.size > before) writeAside(file, recordingText(inner, answers));
    },
  };
}

async function earlierAnswers(inner: ConceptExtractor, file: string): Promise<Answers> {
  const { extractor, sets } = await readRecording(file);
  if (extractor !== null && sortedJson(extractor) === sortedJson(inner.identity)) return new Map(sets);
  const whose = extractor === null ? 'that it does not name' : 'with other settings, versions or knowledge base';
  throw new UsageError(
    `${file} was recorded from an extractor ${whose}`,
    'record to another file: one file holds the answers of one extractor',
  );
}

function recordingText({ identity }: ConceptExtractor, answers: Answers): string {
  const lines = [...answers]
    .sort(([a], [b]) => compareText(a, b))
    .map(([hash, { concepts, surfaces }]) => ({
      text_hash: hash,
      concepts,
      ...(surfaces === null ? {} : { surfaces }),
    }));
  return [{ extractor: identity }, ...lines].map((line) => `${sortedJson(line)}\n`).join('');
}
