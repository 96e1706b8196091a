import { z } from 'zod';

import { UsageError } from '../../data/problems.ts';
import type { RunTrace, TraceSearch, TraceSummary } from '../../experiment/backend.ts';
import { defined } from '../../experiment/defined.ts';
import type { DatasetRecord } from '../../store/records.ts';
import { fields, anyText } from '../shapes/values.ts';
import { textOrNull } from './answers.ts';
import type { Connection } from './connection.ts';
import { olderRunTraces, olderTraces } from './older-api.ts';
import { eachByCursor, PAGE_SIZE } from './pages.ts';

const rootRow = z.object({
  startTime: anyText,
  ...fields(textOrNull, 'traceId', 'name', 'traceName', 'userId', 'sessionId', 'environment', 'level', 'statusMessage'),
  tags: z.array(anyText).nullish(),
});
const runItemRow = z.object({
  ...fields(anyText, 'traceId', 'startTime', 'experimentName', 'experimentItemId'),
  level: textOrNull,
});
// Experiments are asked for by time; nothing in Langfuse is older than Langfuse.
export const EARLIEST = '2020-01-01T00:00:00.000Z';

/** The newest first: by the root observations of Langfuse 4, or by the traces of Langfuse 3. */
export async function searchTraces(connection: Connection, search: TraceSearch): Promise<readonly TraceSummary[]> {
  const found = connection.generation === 3 ? null : await rootTraces(connection, search);
  // A server that has both may have the traces of before an upgrade in the older one.
  if (found !== null && (found.length > 0 || connection.generation === 4)) return found;
  const older = await olderTraces(connection, search);
  if (older === null) throw new UsageError('this Langfuse lists neither traces nor observations');
  return older;
}

/** Null: the server has no such list. */
async function rootTraces(connection: Connection, search: TraceSearch): Promise<readonly TraceSummary[] | null> {
  const { name, limit } = search;
  // A trace without its own name has that of its root.
  const ways = name === undefined ? [{}] : [{ name }, { traceName: name }];
  const all = new Map<string, TraceSummary>();
  for (const way of ways) {
    const found = await rootsOf(connection, search, way);
    if (found === null) return null;
    for (const trace of found) if (name === undefined || trace.name === name) all.set(trace.id, trace);
  }
  return [...all.values()].toSorted((a, b) => Date.parse(b.time) - Date.parse(a.time)).slice(0, limit);
}

async function rootsOf(
  connection: Connection,
  { tags = [], userId, sessionId, environment, from, to, limit }: TraceSearch,
  { name, traceName }: { readonly name?: string; readonly traceName?: string },
): Promise<readonly TraceSummary[] | null> {
  const conditions = [
    ...(traceName === undefined ? [] : [{ type: 'string', column: 'traceName', operator: '=', value: traceName }]),
    ...(tags.length === 0 ? [] : [{ type: 'arrayOptions', column: 'traceTags', operator: 'all of', value: tags }]),
  ];
  const request = {
    isRootObservation: true,
    fields: 'core,basic,trace_context',
    limit: Math.min(limit, PAGE_SIZE),
    ...defined({ name, userId, sessionId, environment, fromStartTime: from, toStartTime: to }),
    ...(conditions.length === 0 ? {} : { filter: JSON.stringify(conditions) }),
  };
  const found = new Map<string, TraceSummary>();
  for await (const root of eachByCursor(connection, 'list traces', rootRow, (page, options) =>
    connection.api.observations.getMany({ ...page, ...request }, options),
  )) {
    if (root === null) return null;
    const { traceId: id, startTime, name: rootName, traceName: ownName, level, statusMessage, ...rest } = root;
    if (id === null) continue;
    const error = level === 'ERROR' ? (statusMessage ?? level) : null;
    found.set(id, { ...rest, id, time: startTime, name: ownName ?? rootName, tags: rest.tags ?? [], error });
    if (found.size >= limit) break;
  }
  return [...found.values()];
}

/** Of the items of experiments, or of the dataset runs of Langfuse 3. */
export async function* tracesOfRuns(
  connection: Connection,
  dataset: DatasetRecord,
  run: string | undefined,
): AsyncGenerator<RunTrace> {
  const { api, generation } = connection;
  let any = generation === 4;
  if (generation !== 3) {
    const filter = { datasetId: dataset.id, fromStartTime: EARLIEST, ...defined({ experimentName: run }) };
    for await (const item of eachByCursor(connection, 'read the items of runs', runItemRow, (page, options) =>
      api.experiments.listItems({ ...filter, fields: 'core', ...page }, options),
    )) {
      if (item === null) break;
      any = true;
      const { experimentName, experimentItemId, traceId, startTime, level } = item;
      const error = level === 'ERROR' ? level : null;
      yield { run: experimentName, item: experimentItemId, traceId, time: startTime, error };
    }
  }
  if (!any) yield* olderRunTraces(connection, dataset, run);
}
