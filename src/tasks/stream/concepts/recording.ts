import { z } from 'zod';

import { conceptId, MOST_CONCEPTS, TOO_MANY } from './concept-ids.ts';
import { SHA256 } from '../trace-records.ts';

/** The lines of a file of recorded concept sets. */

const identity = z.strictObject({
  name: z.string(),
  version: z.string(),
  settings: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
  knowledgeBase: z.string().nullable(),
  stoplist: z.string().nullable(),
});

/** Which extractor gave the answers; at most one such line. */
export const recordingHead = z.strictObject({ extractor: identity });

/** What an extractor found in one text, named by its hash or given itself. */
export const recordedSet = z.looseObject({
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

export type RecordedSet = z.infer<typeof recordedSet>;
