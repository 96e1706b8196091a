import { ITEM_IDS } from '../../data/formats/graph.ts';
import type { Fields } from '../../data/item.ts';
import { idOf, isRecord, mayKeepAll, textOf, wrong } from '../../data/record-fields.ts';
import type { DatasetItemInit, ItemStatus } from '../../store/records.ts';
import { nearestNames } from '../../text/nearest.ts';
import type { Reading } from './read-records.ts';

const EXPECTED = ['expected_output', 'expectedOutput'];
const TRACE = ['source_trace_id', 'sourceTraceId'];
const OBSERVATION = ['source_observation_id', 'sourceObservationId'];
const KNOWN = new Set(['input', ...EXPECTED, 'metadata', ...TRACE, ...OBSERVATION, 'status']);
/** What a server adds to an item of its own. */
const SERVERS_OWN = new Set(['datasetId', 'datasetName', 'createdAt', 'updatedAt']);

export function isPlainItem(record: Fields): boolean {
  return 'input' in record || EXPECTED.some((name) => name in record);
}

/** An item in its own shape: {id?, input, expected_output?, metadata?}. Other fields go under metadata. `idField` is the user's own name for the id. */
export function plainItem(
  record: Fields,
  idField: string | null,
  line: number,
  reading: Reading,
): DatasetItemInit | null {
  const ids = idField === null ? ITEM_IDS : [idField];
  const hasId = idField !== null || ids.some((name) => given(record[name]));
  const id = hasId ? idOf(record, ids, line, reading) : undefined;
  const metadata = metadataOf(record, new Set(ids), line, reading);
  const status = statusOf(record['status'], line, reading);
  const traceId = textOf(first(record, TRACE), TRACE[0]!, line, reading);
  const observationId = textOf(first(record, OBSERVATION), OBSERVATION[0]!, line, reading);
  const input = record['input'];
  if (!given(input)) {
    const [near] = nearestNames('input', Object.keys(record), 1);
    return wrong(
      reading,
      line,
      'input',
      'an input',
      input,
      near === undefined || near === 'input' ? undefined : `is it ${near}?`,
    );
  }
  const expectedOutput = first(record, EXPECTED);
  if (id === null || metadata === null || status === null) return null;
  if (!mayKeepAll({ input, expectedOutput, metadata }, 'item', line, reading)) return null;
  return {
    ...(id === undefined ? {} : { id }),
    input,
    ...(given(expectedOutput) ? { expectedOutput } : {}),
    ...(metadata === undefined ? {} : { metadata }),
    ...(traceId === null ? {} : { sourceTraceId: traceId }),
    ...(observationId === null ? {} : { sourceObservationId: observationId }),
    ...(status === undefined ? {} : { status }),
  };
}

function given(value: unknown): boolean {
  return value !== undefined && value !== null;
}

function first(record: Fields, names: readonly string[]): unknown {
  return record[names.find((name) => given(record[name])) ?? names[0]!];
}

/** Null where something is wrong with it. */
function metadataOf(record: Fields, ids: ReadonlySet<string>, line: number, reading: Reading): unknown {
  const isServers = 'datasetId' in record || 'datasetName' in record;
  const own = record['metadata'] ?? undefined;
  if (own !== undefined && !isRecord(own)) return wrong(reading, line, 'metadata', 'an object', own);
  const others = Object.keys(record).filter(
    (name) => !KNOWN.has(name) && !ids.has(name) && !(isServers && SERVERS_OWN.has(name)),
  );
  if (others.length === 0) return own;
  const noExpected = !given(first(record, EXPECTED));
  for (const name of others) {
    // Lost under metadata, a misspelt answer would make an item without one.
    if (noExpected && nearestNames(name, EXPECTED).length > 0)
      return wrong(reading, line, name, 'a field of an item', record[name], 'did you mean expected_output?');
    if (own !== undefined && Object.hasOwn(own, name))
      return wrong(reading, line, name, 'it once, here or under metadata', record[name]);
    reading.notes.add(`${name} put under metadata`);
  }
  return { ...own, ...Object.fromEntries(others.map((name) => [name, record[name]])) };
}

function statusOf(value: unknown, line: number, reading: Reading): ItemStatus | undefined | null {
  if (!given(value)) return undefined;
  if (value === 'ACTIVE' || value === 'ARCHIVED') return value;
  return wrong(reading, line, 'status', 'ACTIVE or ARCHIVED', value);
}
