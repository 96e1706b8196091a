import { z } from 'zod';

import {
  compareText,
  describe,
  fileSource,
  isRecord,
  type Problem,
  Problems,
  Records,
  sha256Of,
  sortedJson,
} from '../../plugin.ts';
import { checkedRecord } from '../checked-record.ts';
import { SHA256 } from '../trace-records.ts';
import { conceptId, conceptIds, MOST_CONCEPTS, TOO_MANY } from './concept-ids.ts';
import type { ExtractorIdentity } from './extractor.ts';

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

export interface Recording {
  /** By hash of the text. */
  readonly sets: ReadonlyMap<string, RecordedAnswer>;
  readonly extractor: ExtractorIdentity | null;
  /** `sha256:…` of the file as it is stored. */
  readonly sha256: string;
}

export interface RecordedAnswer {
  readonly concepts: readonly string[];
  /** Null if they were not recorded. */
  readonly surfaces: readonly string[] | null;
  readonly line: number;
}

/** Reads a file of recorded concept sets, compressed or not. Everything that is wrong is reported at once. */
export async function readRecording(file: string): Promise<Recording> {
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
