import { existsSync } from 'node:fs';

import {
  codePointLength,
  compareText,
  InputError,
  sha256Of,
  shorten,
  sortedJson,
  UsageError,
  visible,
  writeAside,
} from '../../plugin.ts';
import { conceptIds } from './concept-ids.ts';
import type { ConceptExtractor, ExtractorIdentity } from './extractor.ts';
import { type RecordedAnswer, type Recording, readRecording } from './recording.ts';
import { type Stoplist, stoplistHash } from './stoplist-files.ts';

/** The shape of the file: raised when it changes. */
const FORMAT = '1';

/**
 * Answers from a file of recorded concept sets. A text that was not recorded is an error, never an empty set: nothing
 * found and never asked are not the same. A stoplist of concepts is applied to what was recorded.
 */
export async function recordedExtractor(file: string, stoplist: Stoplist | null = null): Promise<ConceptExtractor> {
  const recording = await readRecording(file);
  if (stoplist !== null && stoplist.surfaces.size > 0)
    throw new InputError([
      {
        file,
        line: null,
        message:
          'a stoplist of surface forms cannot be applied to recorded concept sets: which words led to them is lost',
        next: 'use it while recording, or leave stop_entities.txt out',
      },
    ]);
  const answerTo = (text: string): RecordedAnswer => {
    const hash = sha256Of(text);
    const answer = recording.sets.get(hash);
    if (answer === undefined) throw notRecorded(file, hash, text);
    return answer;
  };
  const hasSurfaces = [...recording.sets.values()].every(({ surfaces }) => surfaces !== null);
  return {
    identity: identityOf(recording, stoplist),
    extract: async (text) => {
      const { concepts } = answerTo(text);
      return stoplist === null ? concepts : conceptIds(concepts.filter((id) => !stoplist.concepts.has(id)));
    },
    ...(hasSurfaces ? { surfaces: async (text) => answerTo(text).surfaces ?? [] } : {}),
  };
}

function notRecorded(file: string, hash: string, text: string): InputError {
  return new InputError([
    {
      file,
      line: null,
      message: `no concept set was recorded for the text ${hash} (${codePointLength(text)} characters, ${visible(shorten(text))})`,
      next: 'record it with the extractor that made the file, on the same texts and with the same join',
    },
  ]);
}

function identityOf({ extractor, sha256 }: Recording, stoplist: Stoplist | null): ExtractorIdentity {
  return {
    name: 'recorded',
    version: FORMAT,
    settings: {
      recording: sha256,
      from: extractor === null ? null : `${extractor.name} ${extractor.version}`,
      from_settings: extractor === null ? null : sortedJson(extractor.settings),
      from_stoplist: extractor?.stoplist ?? null,
    },
    knowledgeBase: extractor?.knowledgeBase ?? null,
    stoplist: stoplistHash(stoplist),
  };
}

type Answer = Pick<RecordedAnswer, 'concepts' | 'surfaces'>;
type Answers = Map<string, Answer>;

/**
 * Passes questions on and keeps the answers; `close` writes them to the file, by hash of the text, so that the order of
 * the questions does not show. With a recording of scispaCy's answers, others can measure without it. Surface forms
 * are kept too if the extractor knows them: stoplists are made of them. An existing file of the same extractor answers
 * what it can and is added to.
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
