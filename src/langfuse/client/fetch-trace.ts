import { isRecord } from '../../data/record-fields.ts';
import type { FetchedTrace } from '../../experiment/backend.ts';
import { jsonTextValue } from '../json-text.ts';
import { observationAnswer, type ObservationAnswer } from './answers.ts';
import type { Connection } from './connection.ts';
import { getTrace } from './older-api.ts';
import { allByCursor, cursorPage, PAGE_SIZE } from './pages.ts';
import { isPathPart } from './path-part.ts';

// Langfuse cuts longer values of metadata, unless their keys are named.
const CUT_METADATA = 200;

const observations = cursorPage(observationAnswer);

/** By the newer API, then by the older: a trace of before an upgrade may be in either. */
export async function fetchTrace(connection: Connection, id: string): Promise<FetchedTrace | null> {
  if (!isPathPart(id)) return null;
  const { generation, projectUrl } = connection;
  const found =
    (generation === 3 ? null : await fromObservations(connection, id)) ??
    (generation === 4 ? null : await getTrace(connection, id));
  if (found === null) return null;
  const { name, input, output, metadata } = found;
  const url = projectUrl === null ? null : `${projectUrl}/traces/${encodeURIComponent(id)}`;
  return { id, name, input, output, metadata, url };
}

async function fromObservations(connection: Connection, traceId: string): Promise<ObservationAnswer | null> {
  const root = rootOf(await listed(connection, traceId, {}));
  if (root === null) return null;
  const cut = cutKeys(root.metadata);
  const whole = cut === '' ? root : (rootOf(await listed(connection, traceId, { expandMetadata: cut })) ?? root);
  const { input, output } = whole;
  return { ...whole, name: whole.traceName ?? whole.name, input: parsed(input), output: parsed(output) };
}

async function listed({ api, calls }: Connection, traceId: string, more: { readonly expandMetadata?: string }) {
  const fields = 'core,basic,io,metadata,trace_context';
  return allByCursor((cursor) =>
    calls.find('read a trace', observations, (options) =>
      api.observations.getMany(
        { traceId, isRootObservation: true, fields, limit: PAGE_SIZE, ...more, ...cursor },
        options,
      ),
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
