import { codePointLength } from '../../../text/characters.ts';
import { shorten, visible } from '../../../data/visible.ts';
import { InputError } from '../../../data/problems.ts';
import { sortedJson } from '../../../data/sorted-json.ts';
import { sha256Of } from '../../../data/sha256-of.ts';
import { conceptIds } from './concept-ids.ts';
import type { ConceptExtractor, ExtractorIdentity } from './extractor.ts';
import { type RecordedAnswer, type Recording, readRecording } from './read-recording.ts';
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
  const extractor: ConceptExtractor = {
    identity: identityOf(recording, stoplist),
    extract: async (text) => {
      const { concepts } = answerTo(text);
      return stoplist === null ? concepts : conceptIds(concepts.filter((id) => !stoplist.concepts.has(id)));
    },
  };
  if ([...recording.sets.values()].some(({ surfaces }) => surfaces === null)) return extractor;
  return { ...extractor, surfaces: async (text: string) => answerTo(text).surfaces ?? [] };
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
