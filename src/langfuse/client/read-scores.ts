import { z } from 'zod';

import { fields, text } from '../shapes/values.ts';
import { maybeText } from './answers.ts';
import type { Connection } from './connection.ts';
import { allByCursor, cursorPage, PAGE_SIZE } from './pages.ts';
import { sideBySide } from '../../experiment/limits/side-by-side.ts';

const scoreAnswer = z.object({
  ...fields(text, 'id', 'name', 'source', 'dataType', 'timestamp'),
  value: z.union([z.number(), text, z.boolean()]),
  ...fields(maybeText, 'comment', 'configId', 'authorUserId'),
  metadata: z
    .record(z.string(), z.unknown())
    .nullish()
    .transform((value) => value ?? {}),
  subject: z.object({ kind: z.string(), id: z.string(), traceId: maybeText }).nullish(),
});
const scorePage = cursorPage(scoreAnswer);

/** A score as the server has it, with its comment and whose it is. */
export type FoundScore = z.output<typeof scoreAnswer>;

const TRACES_PER_CALL = 50;
const CALLS_AT_A_TIME = 4;

/** The scores of some traces; null where the server has no such list. */
export async function readScores(
  { api, calls }: Connection,
  traceIds: Iterable<string>,
): Promise<readonly FoundScore[] | null> {
  const all = [...new Set(traceIds)];
  const chunks = Array.from({ length: Math.ceil(all.length / TRACES_PER_CALL) }, (_, at) =>
    all.slice(at * TRACES_PER_CALL, (at + 1) * TRACES_PER_CALL),
  );
  const found = await sideBySide(chunks, CALLS_AT_A_TIME, (chunk) =>
    allByCursor((cursor) =>
      calls.find('read scores', scorePage, (options) =>
        api.scoresV3.getManyV3(
          { traceId: chunk.join(','), fields: 'details,subject,annotation', limit: PAGE_SIZE, ...cursor },
          options,
        ),
      ),
    ),
  );
  return found.some((scores) => scores === null) ? null : found.flatMap((scores) => scores ?? []);
}
