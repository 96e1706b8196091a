import { z } from 'zod';

import { UsageError } from '../../data/problems.ts';
import { isRecord } from '../../data/record-fields.ts';
import type { FetchedTrace, RunTrace, TraceSearch, TraceSummary } from '../../experiment/backend.ts';
import { correctedOutput, type Correction } from '../../experiment/corrected-output.ts';
import { defined } from '../../experiment/defined.ts';
import type { DatasetRecord } from '../../store/records.ts';
import { jsonTextValue } from '../../store/text-like-json.ts';
import { anyText, fields } from '../shapes/values.ts';
import { type FetchedObservation, fetchedObservation, scorePlace, textOrNull } from './answers.ts';
import { Unavailable } from './calls.ts';
import { type Connection, isPathPart } from './connection.ts';
import { olderCorrections, olderObservation, olderRunTraces, olderTrace, olderTraces } from './older-api.ts';
import { allByCursor, eachByCursor, PAGE_SIZE } from './pages.ts';

const rootRow = z.object({
  id: anyText,
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
  const older = (await olderTraces(connection, search)) ?? found;
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
    // One more: a row sent again is listed beside the first.
    limit: Math.min(limit + 1, PAGE_SIZE),
    ...defined({ name, userId, sessionId, environment, fromStartTime: from, toStartTime: to }),
    ...(conditions.length === 0 ? {} : { filter: JSON.stringify(conditions) }),
  };
  const summaries = new Map<string, TraceSummary>();
  /** Roots with a row that is not ERROR, which counts until Langfuse merges the rows of a span that was sent again. */
  const answered = new Set<string>();
  for await (const root of eachByCursor(connection, 'list traces', rootRow, (page, options) =>
    connection.api.observations.getMany({ ...page, ...request }, options),
  )) {
    if (root === null) return null;
    const {
      id: rootId,
      traceId: id,
      startTime,
      name: rootName,
      traceName: ownName,
      level,
      statusMessage,
      ...rest
    } = root;
    if (id === null) continue;
    if (summaries.size >= limit && !summaries.has(id)) break;
    const error = level === 'ERROR' ? (statusMessage ?? level) : null;
    if (error === null) answered.add(rootId);
    else if (answered.has(rootId)) continue;
    summaries.set(id, { ...rest, id, time: startTime, name: ownName ?? rootName, tags: rest.tags ?? [], error });
  }
  return [...summaries.values()];
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
    const traces = new Map<string, RunTrace>();
    const filter = { datasetId: dataset.id, fromStartTime: EARLIEST, ...defined({ experimentName: run }) };
    for await (const item of eachByCursor(connection, 'read the items of runs', runItemRow, (page, options) =>
      api.experiments.listItems({ ...filter, fields: 'core', ...page }, options),
    )) {
      if (item === null) break;
      any = true;
      const { experimentName, experimentItemId, traceId, startTime, level } = item;
      const key = JSON.stringify([experimentName, experimentItemId, traceId]);
      const error = level === 'ERROR' ? level : null;
      if (error !== null && traces.has(key)) continue;
      traces.set(key, { run: experimentName, item: experimentItemId, traceId, time: startTime, error });
    }
    yield* traces.values();
  }
  if (!any) yield* olderRunTraces(connection, dataset, run);
}

// Langfuse cuts longer values of metadata, unless their keys are named.
const CUT_METADATA = 200;

/** By the newer API, then by the older: a trace of before an upgrade may be in either. */
export async function fetchTrace(connection: Connection, id: string): Promise<FetchedTrace | null> {
  if (!isPathPart(id)) return null;
  const { generation } = connection;
  const root = generation === 3 ? null : await fromObservations(connection, { traceId: id, isRootObservation: true });
  if (root !== null) return fetched(connection, id, null, root, [null, root.id]);
  const older = generation === 4 ? null : await olderTrace(connection, id);
  if (older === null) return null;
  const roots = (older.observations ?? []).filter(({ parentObservationId }) => parentObservationId === null);
  return fetched(connection, id, null, older, [null, ...roots.map((one) => one.id)]);
}

const rootEnvironments = z.object({ data: z.array(z.object({ environment: textOrNull })) });

/** The environment of a trace; null if the server has no such trace. */
export async function traceEnvironment(connection: Connection, id: string): Promise<string | null> {
  const { api, calls, generation } = connection;
  const request = { traceId: id, isRootObservation: true, fields: 'basic', limit: 1 };
  const roots = await calls.find('read a trace', rootEnvironments, (options) =>
    api.observations.getMany(request, options),
  );
  const root = roots?.data[0];
  if (root !== undefined || generation === 4) return root?.environment ?? null;
  return (await olderTrace(connection, id))?.environment ?? null;
}

/** Without its trace, the newer API is asked for it in all of them. */
export async function fetchObservation(
  connection: Connection,
  id: string,
  traceId?: string,
): Promise<FetchedTrace | null> {
  if (!isPathPart(id)) return null;
  const { generation } = connection;
  const filter = JSON.stringify([{ type: 'string', column: 'id', operator: '=', value: id }]);
  const query = { ...defined({ traceId }), filter };
  const found =
    (generation === 3 ? null : await fromObservations(connection, query, id)) ??
    (generation === 4 ? null : await olderObservation(connection, id));
  const trace = found?.traceId ?? null;
  if (found === null || trace === null || (traceId !== undefined && trace !== traceId)) return null;
  return fetched(connection, trace, id, found, [id]);
}

async function fetched(
  connection: Connection,
  id: string,
  observationId: string | null,
  { name, input, output, metadata }: Pick<FetchedObservation, 'name' | 'input' | 'output' | 'metadata'>,
  subjects: readonly (string | null)[],
): Promise<FetchedTrace> {
  const corrected = correctedOutput(await corrections(connection, id), subjects, output);
  const { projectUrl } = connection;
  const place = projectUrl === null ? null : `${projectUrl}/traces/${encodeURIComponent(id)}`;
  const url =
    place === null || observationId === null ? place : `${place}?observation=${encodeURIComponent(observationId)}`;
  return { id, observationId, name, input, output, corrected, metadata, url };
}

/** A server that does not know corrections has none. */
async function corrections(connection: Connection, traceId: string): Promise<readonly Correction[]> {
  const request = { traceId, dataType: 'CORRECTION', fields: 'subject' };
  try {
    const found = await allByCursor(connection, 'read corrections', correction, (page, options) =>
      connection.api.scoresV3.getManyV3({ ...request, ...page }, options),
    );
    return (found ?? (await olderCorrections(connection, traceId)) ?? []).filter((one) => one !== null);
  } catch (error) {
    if (error instanceof UsageError && !(error instanceof Unavailable)) return [];
    throw error;
  }
}

const correction = z
  .object({ ...fields(anyText, 'dataType', 'timestamp'), value: z.unknown(), subject: scorePlace })
  .transform(({ dataType, value, timestamp, subject }): Correction | null =>
    dataType === 'CORRECTION' && typeof value === 'string'
      ? { text: value, observationId: subject?.kind === 'observation' ? subject.id : null, time: timestamp }
      : null,
  );

interface ObservationQuery {
  readonly traceId?: string;
  readonly isRootObservation?: boolean;
  readonly filter?: string;
  readonly expandMetadata?: string;
}

/** The root that is found, or the observation of this id. */
async function fromObservations(
  connection: Connection,
  query: ObservationQuery,
  id?: string,
): Promise<FetchedObservation | null> {
  const pick = (found: readonly FetchedObservation[] | null): FetchedObservation | null =>
    id === undefined ? rootOf(found) : settledRow(found, (row) => row.id === id);
  const short = pick(await observations(connection, query));
  if (short === null) return null;
  const cut = cutKeys(short.metadata);
  const whole = cut === '' ? short : (pick(await observations(connection, { ...query, expandMetadata: cut })) ?? short);
  const { input, output } = whole;
  const name = id === undefined ? (whole.traceName ?? whole.name) : whole.name;
  return { ...whole, name, input: parsed(input), output: parsed(output) };
}

async function observations(connection: Connection, query: ObservationQuery) {
  const groups = 'core,basic,io,metadata,trace_context';
  return allByCursor(connection, 'read a trace', fetchedObservation, (page, options) =>
    connection.api.observations.getMany({ ...query, fields: groups, ...page }, options),
  );
}

/** A server that does not know the question answers with all observations of the trace. */
function rootOf(found: readonly FetchedObservation[] | null): FetchedObservation | null {
  return (
    settledRow(found, ({ parentObservationId }) => parentObservationId === null) ??
    settledRow(found, ({ isRootObservation }) => isRootObservation === true)
  );
}

/** Returns the first row that fits, or one of the same id that is not ERROR: a span that was sent again has two. */
function settledRow(
  found: readonly FetchedObservation[] | null,
  fits: (row: FetchedObservation) => boolean,
): FetchedObservation | null {
  const first = found?.find(fits);
  return found?.find((row) => row.id === first?.id && fits(row) && row.level !== 'ERROR') ?? first ?? null;
}

function cutKeys(metadata: unknown): string {
  if (!isRecord(metadata)) return '';
  return Object.entries(metadata)
    .filter(([key, value]) => typeof value === 'string' && value.length >= CUT_METADATA && !key.includes(','))
    .map(([key]) => key)
    .join(',');
}

/** The newer API answers with the text that was sent, the older one with what it stands for. */
function parsed<T>(value: T): T | {} | null {
  return typeof value === 'string' ? (jsonTextValue(value) ?? null) : value;
}
