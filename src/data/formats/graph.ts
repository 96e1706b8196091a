import { unwrapped } from '../dataset-item.ts';
import type { Span } from '../../text/span.ts';
import type { JsonFormat, MissingList, ReadContext, WrittenCase } from '../format.ts';
import type { Fields, Item } from '../item.ts';
import { withFields } from '../extra-fields.ts';
import { PIECES, readPieces, tokenField, tokenPlaces, UNGIVEN } from './span-items.ts';
import { writtenItems } from './written-items.ts';
import {
  failureOf,
  idOf,
  isRecord,
  listOf,
  missingList,
  objectItems,
  textOf,
  unknownList,
  without,
  wrong,
} from '../record-fields.ts';

const IDS = ['id', 'item_id', 'dataset_item_id'];
const PARTS = ['entities', 'relationships'];
const OUTPUTS = ['expected_output', 'expectedOutput', 'output'];
const READ = new Set([...IDS, 'text', 'expected_output', 'expectedOutput', 'output', ...PARTS, 'error']);
const WRITTEN = new Set([...READ, 'input']);
/** What entities and relationships are read by. */
const ENTITY_PARTS = new Set(['temp_id', 'id', 'name', 'type', 'start', 'end', 'fragments', 'annotator']);
const JOIN_PARTS = new Set([
  'id',
  'type',
  'relationship_type',
  'source_name',
  'source_ref',
  'target_name',
  'target_ref',
]);

/** Dataset items with expected entities and relationships, and what a pipeline extracted for them. */
export const graph = {
  kind: 'json',
  name: 'graph',
  about: 'dataset items with expected entities and relationships; extractions as {id, output}',
  example:
    '{"id":"i1","output":{"entities":[{"temp_id":"e1","name":"Ann","type":"Person"}],"relationships":[{"source_ref":"e1","target_ref":"e2","type":"knows"}]}}',
  item: { ids: IDS, answer: { entities: 'entities', relationships: 'relationships' } },
  kinds: ['entity', 'relationship'],
  detects: (record) => mayBeGraph(record) && [record, ...OUTPUTS.map((name) => record[name])].some(showsGraph),
  mayBe: (record) => mayBeGraph(record) && !OUTPUTS.some((name) => isOtherAnswer(record[name])),
  read(record, line, context) {
    const id = idOf(record, IDS, line, context);
    if (id === null) return null;
    const { role } = context;
    const expected = graphIn(record, ['expected_output', 'expectedOutput'], role !== 'predictions');
    const output = graphIn(record, ['output'], role === 'predictions');
    const failed = failureOf(record);
    const missing = role === 'cases' ? null : missingParts((role === 'gold' ? expected : output).value);
    const text = documentText(record['input'], line, context) ?? textOf(record['text'], 'text', line, context);
    const tokens = tokenPlaces(record['tokens'], text, context);
    return {
      id,
      line,
      text,
      ...(tokens === undefined ? {} : { tokens }),
      fields: without(record, tokens === undefined ? READ : new Set([...READ, 'tokens']), line, context),
      gold: role === 'predictions' ? null : extraction(expected, role === 'gold', line, context),
      predicted: role === 'gold' ? null : extraction(output, role === 'predictions' && failed === null, line, context),
      ...(missing === null ? {} : { missingList: missing }),
      claim: 'neither',
      failed,
    };
  },
  writer: {
    extension: '.jsonl',
    layout: 'records',
    holds: ['both', 'names', 'unlabelled', 'pieces'],
    record(given) {
      const { id, text, fields, side, failed } = given;
      const { input, ...rest } = fields;
      const hasText = textIn(input) === text;
      const record = {
        id,
        ...(text === null || hasText ? {} : { text }),
        ...(hasText && input !== undefined ? { input } : {}),
        ...tokenField(given),
        ...(side === 'gold' ? { expected_output: extractionRecord(given) } : {}),
        ...(failed === null ? outputOf(given) : { error: failed }),
      };
      return withFields(record, rest, WRITTEN);
    },
  },
  predictionLine: ({ id, output, error }) => (error === undefined ? { id, output } : { id, error }),
} satisfies JsonFormat;

function mayBeGraph(record: Fields): boolean {
  return (
    ['relationships', ...OUTPUTS].some((name) => name in record) &&
    !Array.isArray(record['output']) &&
    // Dataset items may hold spans just as well.
    !('spans' in unwrapped(record, 'id'))
  );
}

/** A graph without relationships has no list of them; one without both, or with null for its entities, has none. */
function missingParts(part: unknown): MissingList | null {
  if (!isRecord(part) || unknownList(part['relationships']).length > 0) return null;
  return part['entities'] === null ? 'null' : missingList(part, PARTS);
}

/** Entities by name: those of other tools are quotes or have places. */
function showsGraph(part: unknown): boolean {
  if (!isRecord(part)) return false;
  const [first] = unknownList(part['entities']);
  return 'relationships' in part || (isRecord(first) && ('name' in first || 'temp_id' in first));
}

/** Most recipes compare entities by name; what is converted keeps the places that it has. */
function unneededPlace(
  { start, end, annotator }: Fields,
  { kinds }: ReadContext,
): Span & Partial<Pick<Item, 'annotator'>> {
  if (kinds !== undefined) return NO_PLACE;
  return {
    ...(Number.isSafeInteger(start) && Number.isSafeInteger(end)
      ? { start: Number(start), end: Number(end) }
      : NO_PLACE),
    ...(typeof annotator === 'string' ? { annotator } : {}),
  };
}

/** Mentions as entities with their places, and relations between them by their ids. */
function extractionRecord(given: Pick<WrittenCase, 'items'>): Fields {
  const { mentions, relations } = writtenItems(given, 'e');
  return {
    entities: mentions.map(({ ref, item, fields }) => {
      const { start, end, fragments, annotator } = item;
      const record = {
        temp_id: ref,
        name: item.text,
        type: item.label,
        ...(start < 0 ? {} : { start, end }),
        ...(fragments === undefined ? {} : { fragments: fragments.map((piece) => [piece.start, piece.end]) }),
        ...(annotator === null ? {} : { annotator }),
      };
      return withFields(record, fields, ENTITY_PARTS);
    }),
    relationships: relations.map(({ ref, item, source, target, fields }) => {
      const record = {
        ...(item.fields['id'] === undefined ? {} : { id: ref }),
        ...(source === null ? { source_name: item.source } : { source_ref: source.ref }),
        ...(target === null ? { target_name: item.target } : { target_ref: target.ref }),
        type: item.label,
        ...(item.annotator === null ? {} : { annotator: item.annotator }),
      };
      return withFields(record, fields, JOIN_PARTS);
    }),
  };
}

function outputOf({ side, items, predicted }: WrittenCase): Fields {
  const found = side === 'predicted' ? items : predicted;
  return found === null ? {} : { output: extractionRecord({ items: found }) };
}

/** The text of a dataset item's input: a field of it, or all of it. */
function documentText(input: unknown, line: number, context: ReadContext): string | null {
  if (input === undefined || input === null || typeof input === 'string') return input ?? null;
  if (!isRecord(input)) return wrong(context, line, 'input', 'an object with document_text', input);
  return textOf(input['document_text'], 'input.document_text', line, context);
}

const NO_PLACE: Span = { start: -1, end: -1 };

/** The place of an entity in the text, in the file's own unit; without one it is a quote, to be found in the text. */
function placeIn(raw: Fields, bad: (field: string, expected: string, found: unknown) => null): Span | null {
  const { start = null, end = null } = raw;
  if (start === null && end === null) return NO_PLACE;
  if (typeof start !== 'number' || !Number.isSafeInteger(start))
    return bad('start', 'a whole number below 2^53', start);
  if (typeof end !== 'number' || !Number.isSafeInteger(end)) return bad('end', 'a whole number below 2^53', end);
  return { start, end };
}

function textIn(input: unknown): unknown {
  return isRecord(input) ? input['document_text'] : input;
}

/** A graph and the field that it is in: the record itself has no name. */
interface PlacedGraph {
  readonly value: unknown;
  readonly where: string;
}

function graphIn(record: Fields, names: readonly [string, ...string[]], mayBeRecord: boolean): PlacedGraph {
  const where = names.find((name) => (record[name] ?? null) !== null);
  if (where === undefined && mayBeRecord && PARTS.some((part) => part in record)) return { value: record, where: '' };
  return { value: record[where ?? names[0]], where: where ?? names[0] };
}

/** Whether an answer has lists, but none of a graph: read as a graph, it would be one in which nothing was found. */
function isOtherAnswer(value: unknown): boolean {
  return isRecord(value) && !PARTS.some((part) => part in value) && Object.values(value).some(Array.isArray);
}

function extraction(
  { value, where }: PlacedGraph,
  isNeeded: boolean,
  line: number,
  context: ReadContext,
): Item[] | null {
  if (!isNeeded && (value === undefined || value === null || isOtherAnswer(value))) return null;
  if (!isRecord(value) || isOtherAnswer(value)) {
    const isOther = value === undefined && context.role === 'gold';
    const next = isOther ? 'model output goes with --predictions; convert takes --side predicted' : undefined;
    return wrong(context, line, where, 'an object with entities and relationships', value, next);
  }
  const objects = (part: string, make: Parameters<typeof objectItems>[5]): Item[] => {
    const field = where === '' ? part : `${where}.${part}`;
    const list = listOf(value[part] ?? [], field, line, context) ?? [];
    return objectItems(list, field, 'an object', line, context, make);
  };
  return [
    ...objects('entities', (raw, bad) => {
      const { name } = raw;
      const label = raw['type'] ?? '';
      const place = context.options.places === 'required' ? placeIn(raw, bad) : unneededPlace(raw, context);
      if (place === null) return null;
      const text = name ?? (place.start < 0 || label === '' ? name : UNGIVEN);
      if (typeof text !== 'string') return bad('name', 'a name', name);
      if (typeof label !== 'string') return bad('type', 'a type (text)', label);
      const fragments = place.start < 0 ? undefined : readPieces(raw['fragments'], place);
      if (fragments === null) return bad('fragments', PIECES, raw['fragments']);
      return { kind: 'entity', label, text, ...place, ...(fragments === undefined ? {} : { fragments }) };
    }),
    ...objects('relationships', (raw, bad) => {
      const label = raw['relationship_type'] ?? raw['type'];
      const source = raw['source_name'] ?? raw['source_ref'];
      const target = raw['target_name'] ?? raw['target_ref'];
      if (typeof label !== 'string') return bad('type', 'a relationship type', label);
      if (typeof source !== 'string') return bad('source_name', 'a name or reference', source);
      if (typeof target !== 'string') return bad('target_name', 'a name or reference', target);
      const { annotator } = unneededPlace(raw, context);
      const by = annotator === undefined ? {} : { annotator };
      return { kind: 'relationship', label, text: `${source} --${label}--> ${target}`, source, target, ...by };
    }),
  ];
}
