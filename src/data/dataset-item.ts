import type { Role } from './data-options.ts';
import type { Claim } from './format.ts';
import type { Fields } from './item.ts';
import { failureOf, isAnnotationList, isPlaceList, isRecord, unknownList } from './record-fields.ts';

const EXPECTED = ['expected_output', 'expectedOutput'];
/** What tools call their lists of annotations. */
const LIST =
  /^(?:gold|spans|entities|ents|labels?|annotations|extractions|results|items|ner|relations(?:hips)?|triples)$/;

/** Whether a record has what was made of it in `output`, be it a failure, besides what was expected or lists of annotations. */
export function hasBothSides(record: Fields): boolean {
  const isMade = isAnswer(record['output']) || (failureOf(record) !== null && EXPECTED.some((name) => name in record));
  return 'id' in record && isMade && Object.entries(record).some(isGold);
}

/** A record of both sides without what was made of it, for a file of predictions without gold; any other as it is. */
export function recordOfSide(record: Fields, role: Role): Fields {
  if (!hasBothSides(record)) return record;
  const isOther = (field: readonly [string, unknown]): boolean =>
    role === 'predictions' ? isGold(field) : field[0] === 'output';
  return Object.fromEntries(Object.entries(record).filter((field) => !isOther(field)));
}

/** Fields that can be written beside annotations: an `output` with lists would be read back as the other side. */
export function fieldsWithoutSides(fields: Fields): Fields {
  const isOfSide = ([name, value]: readonly [string, unknown]): boolean =>
    EXPECTED.includes(name) || (name === 'output' && isAnswer(value));
  return Object.fromEntries(Object.entries(fields).filter((field) => !isOfSide(field)));
}

/**
 * Which side `output` and what was expected show their lists to be, for a file of this role; undefined without them. An
 * output without lists, or an empty one beside another list, is a field of the user's.
 */
export function claimOf(record: Fields, role: Role): Claim | undefined {
  const { output } = record;
  const isEmpty = Array.isArray(output) && output.length === 0;
  const isBeside = (field: readonly [string, unknown]): boolean =>
    isGold(field) || (isEmpty && LIST.test(field[0]) && Array.isArray(field[1]));
  const hasOutput = isAnswer(output) && !Object.entries(record).some(isBeside);
  if (!hasOutput && !EXPECTED.some((name) => name in record)) return undefined;
  return hasOutput === (role === 'predictions') ? 'side' : 'other side';
}

/** A list, an object with lists, or nothing: an output may also be a text, or what a call has cost. */
function isAnswer(output: unknown): boolean {
  const parts = isRecord(output) ? Object.values(output) : [output];
  return parts.length === 0 || parts.some((part) => part === null || Array.isArray(part));
}

function isGold([name, value]: readonly [string, unknown]): boolean {
  return EXPECTED.includes(name) || (LIST.test(name) && isAnnotationList(value));
}

/**
 * The record that a JSON value is, whatever its brackets: taggers write a plain list for each text, and training data are
 * pairs of a text and its annotations. Null for any other value.
 */
export function plainRecord(value: unknown): Fields | null {
  if (isRecord(value)) return value;
  if (!Array.isArray(value)) return null;
  const [first, second] = unknownList(value);
  if (typeof first === 'string' && isRecord(second)) return { text: first, ...second };
  return value.every((raw) => isRecord(raw) || isPlaceList(raw)) ? { entities: value } : null;
}

/** The output of an answer (`{id, output}`) as a file of such outputs has it, with the answer's id; null for other records. */
export function predictionRecord(record: Fields): Fields | null {
  const { output, ...rest } = record;
  const plain = 'id' in record ? plainRecord(output) : null;
  return plain && { ...plain, ...rest };
}

/**
 * A dataset item (`{id, input, expected_output}`) or what was made of one (`{id, output}`) as the plain record that is
 * inside it, under `idName`; any other record as it is. A field of the output stands above one of the input, one that was
 * expected above both, the item's own fields above all.
 */
export function unwrapped(record: Fields, idName: string): Fields {
  if (!isWrapped(record)) return record;
  const { id, input, expected_output, expectedOutput, output, metadata, ...rest } = record;
  return {
    ...fieldsOf(metadata),
    ...(typeof input === 'string' ? { text: input } : withText(fieldsOf(input))),
    ...fieldsOf(output),
    ...fieldsOf(expected_output ?? expectedOutput),
    ...rest,
    [idName]: id,
  };
}

function isWrapped(record: Fields): boolean {
  return (
    'id' in record &&
    ('expected_output' in record ||
      'expectedOutput' in record ||
      isRecord(record['output']) ||
      isRecord(record['input']))
  );
}

/** Datasets of extractions call the text `document_text`. */
function withText(input: Fields): Fields {
  return 'text' in input || !('document_text' in input) ? input : { ...input, text: input['document_text'] };
}

function fieldsOf(value: unknown): Fields {
  return isRecord(value) ? value : {};
}
