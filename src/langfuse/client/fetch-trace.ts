import { z } from 'zod';

import { UsageError } from '../../data/problems.ts';
import { isRecord } from '../../data/record-fields.ts';
import type { FetchedTrace } from '../../experiment/backend.ts';
import { correctedOutput, type Correction } from '../../experiment/corrected-output.ts';
import { jsonTextValue } from '../../store/text-like-json.ts';
import { observationAnswer, type ObservationAnswer } from './answers.ts';
import { Unavailable } from './calls.ts';
import { type Connection, isPathPart } from './connection.ts';
import { getObservation, getTrace, olderCorrections } from './older-api.ts';
import { allByCursor, cursorPage, PAGE_SIZE } from './pages.ts';

// Langfuse cuts longer values of metadata, unless their keys are named.
const CUT_METADATA = 200;

const observations = cursorPage(observationAnswer);

/** By the newer API, then by the older: a trace of before an upgrade may be in either. */
export async function fetchTrace(connection: Connection, id: string): Promise<FetchedTrace | null> {
  if (!isPathPart(id)) return null;
  const { generation } = connection;
  const root = generation === 3 ? null : await fromObservations(connection, { traceId: id, isRootObservation: true });
  if (root !== null) return fetched(connection, id, null, root, [null, root.id]);
  const older = generation === 4 ? null : await getTrace(connection, id);
  if (older === null) return null;
  const roots = (older.observations ?? []).filter(({ parentObservationId }) => parentObservationId === null);
  return fetched(connection, id, null, older, [null, ...roots.map((one) => one.id)]);
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
  const query = { ...(traceId === undefined ? {} : { traceId }), filter };
  const found =
    (generation === 3 ? null : await fromObservations(connection, query, id)) ??
    (generation === 4 ? null : await getObservation(connection, id));
  const trace = found?.traceId ?? null;
  if (found === null || trace === null || (traceId !== undefined && trace !== traceId)) return null;
  return fetched(connection, trace, id, found, [id]);
}

async function fetched(
  connection: Connection,
  id: string,
  observationId: string | null,
  { name, input, output, metadata }: Pick<ObservationAnswer, 'name' | 'input' | 'output' | 'metadata'>,
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
  const { api, calls } = connection;
  const request = { traceId, dataType: 'CORRECTION', fields: 'subject', limit: PAGE_SIZE };
  try {
    const found = await calls.find('read corrections', correctionsV3, (options) =>
      api.scoresV3.getManyV3(request, options),
    );
    return (found?.data ?? (await olderCorrections(connection, traceId)) ?? []).flatMap((one) => one ?? []);
  } catch (error) {
    if (error instanceof UsageError && !(error instanceof Unavailable)) return [];
    throw error;
  }
}

const correctionsV3 = cursorPage(
  z
    .object({
      dataType: z.string(),
      timestamp: z.string(),
      value: z.unknown(),
      subject: z.object({ kind: z.string(), id: z.string() }).nullish(),
    })
    .transform(({ dataType, value, timestamp, subject }): Correction | null =>
      dataType === 'CORRECTION' && typeof value === 'string'
        ? { text: value, observationId: subject?.kind === 'observation' ? subject.id : null, time: timestamp }
        : null,
    ),
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
): Promise<ObservationAnswer | null> {
  const pick = (found: readonly ObservationAnswer[] | null): ObservationAnswer | null =>
    id === undefined ? rootOf(found) : (found?.find((one) => one.id === id) ?? null);
  const short = pick(await listed(connection, query));
  if (short === null) return null;
  const cut = cutKeys(short.metadata);
  const whole = cut === '' ? short : (pick(await listed(connection, { ...query, expandMetadata: cut })) ?? short);
  const { input, output } = whole;
  const name = id === undefined ? (whole.traceName ?? whole.name) : whole.name;
  return { ...whole, name, input: parsed(input), output: parsed(output) };
}

async function listed({ api, calls }: Connection, query: ObservationQuery) {
  const fields = 'core,basic,io,metadata,trace_context';
  return allByCursor((cursor) =>
    calls.find('read a trace', observations, (options) =>
      api.observations.getMany({ ...query, fields, limit: PAGE_SIZE, ...cursor }, options),
    ),
  );
}

/** A server that does not know the question answers with all observations of the trace. */
function rootOf(found: readonly ObservationAnswer[] | null): ObservationAnswer | null {
  return (
    found?.find(({ parentObservationId }) => parentObservationId === null) ??
    found?.find(({ isRootObservation }) => isRootObservation === true) ??
    null
  );
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
