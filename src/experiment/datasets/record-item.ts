import type { ItemFields, JsonFormat } from '../../data/format.ts';
import { FORMATS } from '../../data/formats.ts';
import { graph } from '../../data/formats/graph.ts';
import type { Fields } from '../../data/item.ts';
import type { Problems } from '../../data/problems.ts';
import { idOf, isRecord, listOf, mayKeepAll, textOf, without, wrong } from '../../data/record-fields.ts';
import type { DatasetItemInit } from '../../store/records.ts';
import { compareNatural } from '../../text/compare.ts';
import { closestNames } from '../../text/closest-names.ts';
import { defined } from '../defined.ts';

/** What the user should hear of a reading although nothing is wrong: each thing once, with how often it came. */
export class Notes extends Map<string, number> {
  add(note: string): void {
    this.set(note, (this.get(note) ?? 0) + 1);
  }
}

export interface Reading {
  readonly file: string;
  readonly problems: Problems;
  readonly notes: Notes;
  /** Whether the records are rows of a table, whose cells are text. */
  readonly isTable: boolean;
  readonly annotator: string | null;
  /** The field that holds the id, if the user named one. */
  readonly idField: string | null;
}

export interface ItemMaker {
  /** Null where something is wrong, which is noted. */
  item(record: Fields, line: number): DatasetItemInit | null;
  end?(): void;
}

const EXPECTED = ['expected_output', 'expectedOutput'];
const TRACE = ['source_trace_id', 'sourceTraceId'];
const OBSERVATION = ['source_observation_id', 'sourceObservationId'];
const KNOWN = new Set(['input', ...EXPECTED, 'metadata', ...TRACE, ...OBSERVATION, 'status']);
const STATUSES = ['ACTIVE', 'ARCHIVED'] as const;
/** What a server itself adds to an item. */
const SERVERS_OWN = new Set(['datasetId', 'datasetName', 'createdAt', 'updatedAt']);

/** An item in its own shape: {id?, input, expected_output?, metadata?}. */
function plainItem(record: Fields, line: number, reading: Reading) {
  const { idField } = reading;
  const before = reading.problems.count;
  const ids = idField === null ? graph.item.ids : [idField];
  const hasId = idField !== null || first(record, ids) !== undefined;
  const text = (names: readonly string[]) => textOf(first(record, names), names[0]!, line, reading) ?? undefined;
  const { input, status } = record;
  const item = {
    id: hasId ? (idOf(record, ids, line, reading) ?? undefined) : undefined,
    input: input ?? undefined,
    expectedOutput: first(record, EXPECTED),
    metadata: metadataOf(record, ids, line, reading),
    sourceTraceId: text(TRACE),
    sourceObservationId: text(OBSERVATION),
    status: STATUSES.find((one) => one === status),
  };
  if (status != null && item.status === undefined) wrong(reading, line, 'status', STATUSES.join(' or '), status);
  if (item.input === undefined) {
    const [near = 'input'] = closestNames('input', Object.keys(record), 1);
    wrong(reading, line, 'input', 'an input', input, near === 'input' ? undefined : `is it ${near}?`);
  }
  mayKeepAll({ input, expectedOutput: item.expectedOutput, metadata: item.metadata }, 'item', line, reading);
  return reading.problems.count > before ? null : defined(item);
}

function first(record: Fields, names: readonly string[]): unknown {
  return names.map((name) => record[name] ?? undefined).find((value) => value !== undefined);
}

function metadataOf(record: Fields, ids: readonly string[], line: number, reading: Reading): unknown {
  const isServers = 'datasetId' in record || 'datasetName' in record;
  const own = record['metadata'] ?? undefined;
  if (own !== undefined && !isRecord(own)) return wrong(reading, line, 'metadata', 'an object', own);
  const others = Object.keys(record).filter(
    (name) => !KNOWN.has(name) && !ids.includes(name) && !(isServers && SERVERS_OWN.has(name)),
  );
  if (others.length === 0) return own;
  const hasExpected = first(record, EXPECTED) !== undefined;
  for (const name of others) {
    // Lost under metadata, a misspelt answer would make an item without one.
    if (!hasExpected && closestNames(name, EXPECTED).length > 0)
      return wrong(reading, line, name, 'a field of an item', record[name], 'did you mean expected_output?');
    if (own !== undefined && Object.hasOwn(own, name))
      return wrong(reading, line, name, 'it once, here or under metadata', record[name]);
    reading.notes.add(`${name} put under metadata`);
  }
  return { ...own, ...Object.fromEntries(others.map((name) => [name, record[name]])) };
}

const JSON_FORMATS = FORMATS.filter((format) => format.kind === 'json');
const SHAPES = JSON_FORMATS.flatMap(({ item }) => item ?? []);

/** What names the case in files of answers. */
export const CASE_IDS = [...new Set(SHAPES.flatMap(({ ids }) => ids))];

/** A dataset item, or a case in this format (null: the one it looks like), as an item; undefined if it is neither. */
export function recordItem(record: Fields, format: string | null, line: number, reading: Reading) {
  if ('input' in record || EXPECTED.some((name) => name in record)) return plainItem(record, line, reading);
  const isMeant = (one: JsonFormat): boolean =>
    format === null
      ? one.item?.input !== undefined && (one.detects(record) || one.mayBe?.(record) === true)
      : one.name === format;
  const fields = JSON_FORMATS.find(isMeant)?.item;
  return fields?.input === undefined ? undefined : caseItem(record, fields, line, reading);
}

/** A case in its own format as an item. A system's output in it is no part of a dataset. */
function caseItem(record: Fields, { ids, input, answer }: ItemFields, line: number, reading: Reading) {
  const before = reading.problems.count;
  const names = reading.idField === null ? ids : [reading.idField];
  const id = idOf(record, names, line, reading) ?? '';
  const { text } = record;
  if (typeof text !== 'string') wrong(reading, line, 'text', 'the text of the case', text);
  const expectedOutput = expectedOf(record, line, reading);
  if (reading.problems.count > before) return null;
  const answers = Object.keys({ ...answer, ...answerOf(record)?.answer });
  if (input === 'record') return { id, input: without(record, new Set(answers), line, reading), expectedOutput };
  const outputs = Object.keys(record).filter((name) => SHAPES.some((shape) => shape.outputs?.test(name)));
  for (const name of outputs) reading.notes.add(`${name} left out: a system's output is no part of a dataset`);
  const rest = without(record, new Set([...names, 'text', ...answers, ...outputs]), line, reading);
  return { id, input: { text }, expectedOutput, ...(Object.keys(rest).length === 0 ? {} : { metadata: rest }) };
}

function answerOf(record: Fields): ItemFields | undefined {
  return SHAPES.find(({ answer }) => Object.keys(answer).some((name) => record[name] !== undefined));
}

/** The gold of a case, in the shape of any format: undefined if the record has none, or a faulty one. */
export function expectedOf(record: Fields, line: number, reading: Reading): Fields | undefined {
  const shape = answerOf(record);
  if (shape === undefined) return undefined;
  const lists = Map.groupBy(Object.entries(shape.answer), ([, called]) => called);
  const expected = [...lists].map(([called, fields]): [string, unknown] => {
    const [name] = fields.find(([one]) => (record[one] ?? null) !== null) ?? fields.at(-1)!;
    const isLeftOut = lists.size > 1 && record[name] === undefined;
    const list = isLeftOut ? [] : (listOf(record[name], name, line, reading) ?? []);
    return [called, shape.names === undefined ? list : renamed(list, name, shape.names, line, reading)];
  });
  const fields: Fields = Object.fromEntries(expected);
  mayKeepAll(fields, 'expected_output', line, reading);
  return fields;
}

/** Listed objects with the names of their fields that datasets have, of one annotator; their other fields stay. */
function renamed(list: readonly unknown[], field: string, names: Fields, line: number, reading: Reading): unknown {
  const plain = new Map(Object.entries(names).map(([called, name]) => [name, called]));
  const all = list.flatMap((one, at) => {
    if (!isRecord(one)) return wrong(reading, line, `${field}[${at}]`, 'an annotation (an object)', one) ?? [];
    return [Object.fromEntries(Object.entries(one).map(([name, inner]) => [plain.get(name) ?? name, inner]))];
  });
  return ofOneAnnotator(all, field, line, reading);
}

/** A dataset holds one answer an item: those of several annotators, one on top of the other, would be none. */
function ofOneAnnotator(spans: readonly Fields[], field: string, line: number, reading: Reading): unknown {
  const nameOf = ({ annotator }: Fields): string | null =>
    typeof annotator === 'string' || typeof annotator === 'number' ? String(annotator) : null;
  const names = [...new Set(spans.map(nameOf).filter((name) => name !== null))].sort(compareNatural);
  const wanted = reading.annotator === 'first' ? names[0] : (reading.annotator ?? undefined);
  if (wanted === undefined && names.length > 1)
    wrong(reading, line, field, 'one annotator', names.join(', '), 'choose with --annotator first or NAME');
  if (wanted !== undefined && names.length > 0 && !names.includes(wanted))
    wrong(reading, line, field, `some by ${wanted}`, names.join(', '));
  return wanted === undefined ? spans : spans.filter((span) => (nameOf(span) ?? wanted) === wanted);
}
