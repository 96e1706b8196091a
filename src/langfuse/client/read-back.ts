import type { RunInfo } from '../../experiment/backend.ts';
import { experimentItemAnswer, scoreV3Answer } from './answers.ts';
import type { Connection } from './connection.ts';
import { listRunItems, listScores, listTraces, type TimeSpan } from './older-api.ts';
import { allByCursor, cursorPage, PAGE_SIZE } from './pages.ts';
import { sideBySide } from './side-by-side.ts';

/** What is known of the traces that are asked about, to ask for no more than these. */
export interface Asked {
  readonly ids: ReadonlySet<string>;
  /** When they began; null where that is not known. */
  readonly began: TimeSpan | null;
  readonly ended: TimeSpan | null;
}

const TRACES_PER_CALL = 50;
const CALLS_AT_A_TIME = 4;
// Nothing in Langfuse is older than Langfuse.
const EARLIEST = '2020-01-01T00:00:00.000Z';

const experimentItems = cursorPage(experimentItemAnswer);
const scoresV3 = cursorPage(scoreV3Answer);

/** Which of the traces the server has as items of the run. Null: it has no such list. */
export async function experimentTraces(
  { api, calls }: Connection,
  experimentId: string,
  { ids, began }: Asked,
): Promise<Set<string> | null> {
  const items = await allByCursor((cursor) =>
    calls.find('read the items of the run', experimentItems, (options) =>
      api.experiments.listItems(
        { experimentId, fields: 'core', fromStartTime: began?.from ?? EARLIEST, limit: PAGE_SIZE, ...cursor },
        options,
      ),
    ),
  );
  if (items === null) return null;
  return among(
    ids,
    items.filter((one) => one.experimentId === experimentId).map(({ traceId }) => traceId),
  );
}

/** The same in Langfuse 3: traces that are linked and are there. */
export async function linkedTraces(
  connection: Connection,
  run: RunInfo,
  { ids, began }: Asked,
): Promise<Set<string> | null> {
  const links = await listRunItems(connection, run);
  if (links === null) return null;
  const linked = among(
    ids,
    links.map(({ traceId }) => traceId),
  );
  if (linked.size === 0) return linked;
  const traces = await listTraces(connection, began);
  if (traces === null) return null;
  return among(
    linked,
    traces.map(({ id }) => id),
  );
}

/** How many scores are on the traces. Null: the server has no such list. */
export async function countScores({ api, calls }: Connection, ids: ReadonlySet<string>): Promise<number | null> {
  const all = [...ids];
  const chunks = Array.from({ length: Math.ceil(all.length / TRACES_PER_CALL) }, (_, index) =>
    all.slice(index * TRACES_PER_CALL, (index + 1) * TRACES_PER_CALL),
  );
  const counts = await sideBySide(chunks, CALLS_AT_A_TIME, async (chunk) => {
    const traceId = chunk.join(',');
    const scores = await allByCursor((cursor) =>
      calls.find('read scores', scoresV3, (options) =>
        api.scoresV3.getManyV3({ traceId, fields: 'subject', limit: PAGE_SIZE, ...cursor }, options),
      ),
    );
    if (scores === null) return null;
    const onTraces = scores.filter(({ subject }) => ids.has(subject?.traceId ?? subject?.id ?? ''));
    return new Set(onTraces.map(({ id }) => id)).size;
  });
  return counts.reduce<number | null>((sum, count) => (sum === null || count === null ? null : sum + count), 0);
}

export async function countOlderScores(
  connection: Connection,
  ids: ReadonlySet<string>,
  ended: TimeSpan | null,
): Promise<number | null> {
  const scores = await listScores(connection, ended);
  if (scores === null) return null;
  return new Set(scores.filter(({ traceId }) => traceId !== null && ids.has(traceId)).map(({ id }) => id)).size;
}

function among(ids: ReadonlySet<string>, found: readonly string[]): Set<string> {
  return new Set(found.filter((id) => ids.has(id)));
}
