import { existsSync } from 'node:fs';
import { z } from 'zod';

import {
  codePointLength,
  compareText,
  describe,
  fileSource,
  InputError,
  isRecord,
  type Problem,
  Problems,
  Records,
  sha256Of,
  shorten,
  sortedJson,
  UsageError,
  visible,
  writeAside,
} from '../../plugin.ts';
import { checkedRecord } from '../record-lines.ts';
import { SHA256 } from '../trace-records.ts';
import { conceptId, conceptIds, MOST_CONCEPTS, TOO_MANY } from './concept-ids.ts';
import type { ConceptExtractor, ExtractorIdentity } from './extractor.ts';
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

const identity = z.strictObject({
  name: z.string(),
  version: z.string(),
  settings: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
  knowledgeBase: z.string().nullable(),
  stoplist: z.string().nullable(),
});

/** Which extractor gave the answers; at most one such line in a file of recorded concept sets. */
const recordingHead = z.strictObject({ extractor: identity });

/** What an extractor found in one text, named by its hash or itself. */
const recordedSet = z.looseObject({
  text_hash: SHA256.exactOptional().meta({ description: 'sha256: and the hash of the UTF-8 of the text' }),
  text: z.string().exactOptional().meta({ description: 'the text itself, in place of its hash' }),
  concepts: z
    .array(conceptId)
    .max(MOST_CONCEPTS, TOO_MANY)
    .meta({ description: `the ids found, at most ${MOST_CONCEPTS}; may be empty` }),
  surfaces: z
    .array(z.string())
    .exactOptional()
    .meta({ description: 'the surface forms that were looked at, lower case; needed to make stoplists' }),
});

interface Recording {
  /** By hash of the text. */
  readonly sets: ReadonlyMap<string, RecordedAnswer>;
  readonly extractor: ExtractorIdentity | null;
  readonly sha256: string;
}

interface RecordedAnswer {
  readonly concepts: readonly string[];
  /** Null if they were not recorded. */
  readonly surfaces: readonly string[] | null;
  readonly line: number;
}

/** Reads a file of recorded concept sets, compressed or not. Everything that is wrong is reported at once. */
async function readRecording(file: string): Promise<Recording> {
  const problems = new Problems();
  const records = new Records(fileSource(file), { problems });
  const sets = new Map<string, RecordedAnswer>();
  let extractor: ExtractorIdentity | null = null;
  for await (const batch of records.values()) {
    for (const { value, line } of batch) {
      if (!isRecord(value)) {
        problems.add({ file, line, message: `expected a JSON object, found ${describe(value)}` });
      } else if ('extractor' in value) {
        const head = checkedRecord(recordingHead, value, file, line, problems);
        if (head !== null && extractor !== null) {
          const message = 'a second line that names the extractor';
          problems.add({ file, line, message, next: 'one file, one extractor' });
        }
        extractor = head?.extractor ?? extractor;
      } else {
        const set = checkedRecord(recordedSet, value, file, line, problems);
        const wrong = set === null ? null : enter(set, line, sets);
        if (wrong !== null) problems.add({ file, line, ...wrong });
      }
    }
  }
  if (sets.size === 0 && problems.count === 0)
    problems.add({ file, line: null, message: 'no recorded concept set in this file', next: EXPECTED });
  problems.throwIfAny();
  return { sets, extractor, sha256: `sha256:${records.digest().sha256}` };
}

const EXPECTED = 'expected lines such as {"text_hash":"sha256:…","concepts":["C0004134"]}';

/** Enters the answer to one text, of which a second one has to be the same; returns what is wrong with it, if anything. */
function enter(
  { text, text_hash: named, concepts, surfaces }: z.infer<typeof recordedSet>,
  line: number,
  sets: Map<string, RecordedAnswer>,
): Pick<Problem, 'field' | 'message' | 'next'> | null {
  const hash = text === undefined ? named : sha256Of(text);
  if (hash === undefined)
    return { field: 'text_hash', message: 'expected text_hash or text, found neither', next: EXPECTED };
  if (named !== undefined && named !== hash)
    return { field: 'text_hash', message: 'it is not the hash of the text beside it', next: `that hash is ${hash}` };
  const answer: RecordedAnswer = {
    concepts: conceptIds(concepts),
    surfaces: surfaces === undefined ? null : [...new Set(surfaces)].sort(compareText),
    line,
  };
  const known = sets.get(hash);
  sets.set(hash, known ?? answer);
  if (known === undefined || sortedJson({ ...known, line }) === sortedJson(answer)) return null;
  return {
    message: `another answer to the text of line ${known.line} (${hash})`,
    next: 'keep one of the two: a text has one concept set',
  };
}
