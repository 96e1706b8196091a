import type { z } from 'zod';

import { Problems } from '../../../data/problems.ts';
import { describe, isRecord } from '../../../data/record-fields.ts';
import { Records } from '../../../data/records.ts';
import { fileSource } from '../../../data/source.ts';
import { sha256Of } from '../../../data/sha256-of.ts';
import { schemaProblems } from '../../../prepare/schema-problems.ts';
import { compareText } from '../../../text/compare.ts';
import { conceptIds } from './concept-ids.ts';
import type { ExtractorIdentity } from './extractor.ts';
import { recordedSet, type RecordedSet, recordingHead } from './recording.ts';

export interface Recording {
  /** By hash of the text. */
  readonly sets: ReadonlyMap<string, RecordedAnswer>;
  readonly extractor: ExtractorIdentity | null;
  /** `sha256:…` of the file as it is stored. */
  readonly sha256: string;
}

export interface RecordedAnswer {
  readonly concepts: readonly string[];
  /** Null where they were not recorded. */
  readonly surfaces: readonly string[] | null;
  readonly line: number;
}

/** Reads a file of recorded concept sets, packed or not. All that is wrong with it is said at once. */
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
        const head = checked(recordingHead, value, line, file, problems);
        if (head !== null && extractor !== null)
          problems.add({
            file,
            line,
            message: 'a second line that names the extractor',
            next: 'one file, one extractor',
          });
        extractor = head?.extractor ?? extractor;
      } else {
        const set = checked(recordedSet, value, line, file, problems);
        if (set !== null) keep(set, line, file, sets, problems);
      }
    }
  }
  if (sets.size === 0 && problems.count === 0)
    problems.add({ file, line: null, message: 'no recorded concept set in this file', next: EXPECTED });
  problems.throwIfAny();
  return { sets, extractor, sha256: `sha256:${records.digest().sha256}` };
}

const EXPECTED = 'expected lines such as {"text_hash":"sha256:…","concepts":["C0004134"]}';

function checked<T>(schema: z.ZodType<T>, value: unknown, line: number, file: string, problems: Problems): T | null {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  for (const { path, message, next } of schemaProblems(schema, value, parsed.error, []))
    problems.add({ file, line, field: path.join('.'), message, ...(next === null ? {} : { next }) });
  return null;
}

/** One answer to one text: given again it has to be the same. */
function keep(
  set: RecordedSet,
  line: number,
  file: string,
  sets: Map<string, RecordedAnswer>,
  problems: Problems,
): void {
  const { text, text_hash: named } = set;
  const hash = text === undefined ? named : sha256Of(text);
  if (hash === undefined) {
    problems.add({
      file,
      line,
      field: 'text_hash',
      message: 'expected text_hash or text, found neither',
      next: EXPECTED,
    });
    return;
  }
  if (named !== undefined && named !== hash) {
    const next = `the text's own is ${hash}`;
    problems.add({ file, line, field: 'text_hash', message: 'it is not the hash of the text beside it', next });
    return;
  }
  const answer: RecordedAnswer = {
    concepts: conceptIds(set.concepts),
    surfaces: set.surfaces === undefined ? null : [...new Set(set.surfaces)].sort(compareText),
    line,
  };
  const before = sets.get(hash);
  if (before === undefined) sets.set(hash, answer);
  else if (!isSame(before, answer))
    problems.add({
      file,
      line,
      message: `another answer to the text of line ${before.line} (${hash})`,
      next: 'keep one of the two: a text has one concept set',
    });
}

function isSame(a: RecordedAnswer, b: RecordedAnswer): boolean {
  return JSON.stringify([a.concepts, a.surfaces]) === JSON.stringify([b.concepts, b.surfaces]);
}
