import { COMPRESSED_NAME } from './compression.ts';
import { closestNames } from '../text/closest-names.ts';
import type { Format, JsonFormat, ReadContext, ReadOptions, RecordsFormat, Role, Row, TextFormat } from './format.ts';
import { annotatedDocuments } from './formats/annotated-documents.ts';
import { brat } from './formats/brat.ts';
import { classField, classificationProblem } from './formats/categories.ts';
import { conll } from './formats/conll.ts';
import { csv } from './formats/csv.ts';
import { doccano } from './formats/doccano.ts';
import { functionCalls } from './formats/function-calls.ts';
import { graph } from './formats/graph.ts';
import { huggingFace } from './formats/hugging-face.ts';
import { langextract } from './formats/langextract.ts';
import { modelJson } from './formats/model-json.ts';
import { presidio, presidioResearch } from './formats/presidio.ts';
import { prodigy } from './formats/prodigy.ts';
import { spacyJson, spacyPairs } from './formats/spacy-json.ts';
import { text2kgbench } from './formats/text2kgbench.ts';
import { triples } from './formats/triples.ts';
import { parquet } from './formats/parquet.ts';
import { pubtator } from './formats/pubtator.ts';
import { dygie } from './formats/dygie.ts';
import { gliner } from './formats/gliner.ts';
import { spacyTraining } from './formats/spacy-training.ts';
import { taggedRecords } from './formats/tagged-records.ts';
import { taggerOutput } from './formats/tagger-output.ts';
import { uimaJson } from './formats/uima-json.ts';
import { uimaXmi } from './formats/uima-xmi.ts';
import { webanno } from './formats/webanno.ts';
import { gateBdoc, gateXml } from './formats/gate.ts';
import { spacyDocbin } from './formats/spacy-docbin.ts';
import { journal } from './formats/journal.ts';
import { labelStudio } from './formats/label-studio.ts';
import { masks } from './formats/masks.ts';
import { spans } from './formats/spans.ts';
import type { Fields } from './item.ts';
import { closestColumns, isBareText, plainExample } from './closest-shape.ts';
import { predictionRecord, recordOfSide } from './dataset-item.ts';
import { InputError, Problems, UsageError } from './problems.ts';
import { withoutPredictedLists } from './unread-side.ts';
import { shorten, visible } from './visible.ts';

/**
 * Every format, in the order in which detection tries them: a shape that only one tool writes before one that many do. A
 * new one is a file beside these and a line here.
 */
export const FORMATS: readonly Format[] = [
  uimaJson,
  gateBdoc,
  journal,
  labelStudio,
  doccano,
  annotatedDocuments,
  prodigy,
  presidioResearch,
  presidio,
  huggingFace,
  langextract,
  spacyJson,
  spacyPairs,
  spacyTraining,
  gliner,
  taggedRecords,
  dygie,
  taggerOutput,
  text2kgbench,
  functionCalls,
  graph,
  triples,
  modelJson,
  spans,
  masks,
  spacyDocbin,
  parquet,
  brat,
  webanno,
  uimaXmi,
  gateXml,
  pubtator,
  conll,
  csv,
];

/** Whether a file of this name may have nothing in it. */
export function mayBeEmpty(file: string): boolean {
  return FORMATS.some((format) => format.kind === 'text' && format.mayBeEmpty === true && hasEnding(format, file));
}

function hasEnding({ extensions }: TextFormat | RecordsFormat, file: string): boolean {
  const name = file.toLowerCase().replace(COMPRESSED_NAME, '');
  return extensions.some((end) => name.endsWith(end));
}

/** The format of a file that is not text, by its first bytes; null if none knows it. */
export function binaryFormat(head: Buffer, file: string): Format | null {
  return FORMATS.find((format) => format.kind !== 'json' && format.isBinary?.(head, file) === true) ?? null;
}

export function formatNamed(name: string, custom: readonly Format[] = []): Format {
  const found = [...custom, ...FORMATS].find((format) => format.name === name);
  if (found !== undefined) return found;
  const names = [...custom, ...FORMATS].map((format) => format.name);
  const near = closestNames(name, names);
  throw new UsageError(
    `there is no format called ${name}`,
    near.length > 0 ? `did you mean ${near.join(' or ')}?` : `formats: ${names.join(', ')}`,
  );
}

/** An object, or an array whose first element is one, laid out in any way. */
const JSON_START = /^\s*(?:\{\s*["}]|\[\s*(?:\{\s*["}]|\[|"|\]))/;
const LINES_LOOKED_AT = 20;
const LIST = '--format names it, assay convert --help lists the formats';

/**
 * The format of a file by its name or else by how it begins: null means JSON records, whose shape the first of them
 * shows. A named format is taken at its word unless the file is plainly something else.
 */
export function formatOfFile(start: string, file: string, named: Format | null): Format | null {
  const hasJson = JSON_START.test(start);
  const lines = firstLines(start);
  const byContent = FORMATS.find((format) => format.kind === 'text' && format.detects(lines)) ?? null;
  if (named !== null) {
    if (named.kind !== 'json' && hasJson) throw misfit(file, 1, named, 'JSON');
    if (named.kind === 'json' && !hasJson && byContent !== null) throw misfit(file, 1, named, byContent.name);
    return named;
  }
  if (byContent !== null && !hasJson) return byContent;
  const byName = FORMATS.find((format) => format.kind !== 'json' && hasEnding(format, file));
  if (byName !== undefined && !hasJson) return byName;
  if (hasJson || lines.some((line) => /^\s*[[{]/.test(line))) return null;
  // Lines of fastText.
  if (lines.length > 0 && lines.every((line) => line.startsWith('__label__')))
    throw new InputError([classificationProblem('__label__ marks', file, 1)]);
  throw new InputError([
    {
      file,
      line: 1,
      message: `unknown file format: it begins with ${visible(shorten(start.trimStart().split(/\r?\n/, 1)[0]!))}`,
      next: `expected JSON records, a table with a header, tagged tokens or a file of an annotation tool; ${LIST}`,
    },
  ]);
}

/** The format that a JSON record shows by what it holds; null if any of several tools may have written it. */
export function shownFormat(record: Fields, custom: readonly Format[] = []): JsonFormat | null {
  return shownFormatIn([...custom, ...FORMATS], record);
}

function shownFormatIn(formats: readonly Format[], record: Fields): JsonFormat | null {
  for (const format of formats) if (format.kind === 'json' && format.detects(record)) return format;
  return null;
}

/** The format that a record shows for its side: the output of a pipeline beside gold does not show the format of gold. */
export function shownSide(record: Fields, role: Role, custom: readonly Format[] = []): JsonFormat | null {
  const special = shownFormatIn(custom, record);
  if (special !== null) return special;
  const own = recordOfSide(record, role);
  const shown = shownFormat(own);
  if (role !== 'predictions') return shown === huggingFace ? shownFormat(withoutPredictedLists(own)) : shown;
  const output = shown === null ? predictionRecord(own) : null;
  return output === null ? shown : shownFormat(output);
}

/** A record as a format reads it: an answer (`{id, output}`) as its output, unless the format reads answers itself. */
export function recordFor(format: JsonFormat, record: Fields): Fields {
  if (!('output' in record)) return record;
  const fits = (value: Fields): boolean => format.detects(value) || format.mayBe?.(value) === true;
  const output = fits(record) ? null : predictionRecord(record);
  return output !== null && fits(output) ? output : record;
}

/** The format that a JSON record shows, or the first that it may have. */
export function formatOfRecord(record: Fields, custom: readonly Format[] = []): JsonFormat | null {
  return (
    shownFormat(record, custom) ?? FORMATS.filter(isJson).find((format) => format.mayBe?.(record) === true) ?? null
  );
}

/** A record, and its line or number in its file. */
export interface NumberedRecord {
  readonly value: Fields;
  readonly line: number;
}

/**
 * The format of records none of which shows one: the one that the read expects, one that they may have, or that of another
 * file, as long as nothing is wrong with them in it. Items that the recipe does not pair leave a format out.
 */
export function likelyFormat(
  records: readonly NumberedRecord[],
  context: ReadContext & { readonly options: ReadOptions },
  others: readonly Format[],
): JsonFormat | null {
  const { kinds, options } = context;
  const expected = options.likely === undefined ? [] : [formatNamed(options.likely)].filter(isJson);
  if (records.length === 0) return expected[0] ?? null;
  // Nothing but the output of a pipeline, whatever side it was given for.
  if (records.some(({ value }) => shownFormat(value) !== null)) return huggingFace;
  const isPaired = (format: JsonFormat): boolean =>
    kinds === undefined || format.kinds === undefined || format.kinds.some((kind) => kinds.includes(kind));
  // Formats of such items go before those that follow any recipe.
  const possible = FORMATS.filter(isJson)
    .filter((format) => isPaired(format) && records.some(({ value }) => format.mayBe?.(recordFor(format, value))))
    .toSorted((a, b) => (kinds === undefined ? 0 : Number(b.kinds !== undefined) - Number(a.kinds !== undefined)));
  const problems = new Problems();
  const isListed = new Set<JsonFormat>();
  const reads = (format: JsonFormat, { value: record, line }: NumberedRecord): boolean => {
    const value = recordFor(format, record);
    const before = problems.count;
    const row = format.read(value, line, { ...context, problems, numbering: { at: line, used: 0 } });
    if (problems.count > before) return false;
    // A case that is not in the expected format must have a list: a text without one would hide a fault.
    const rows = row === null || 'id' in row ? [row] : row;
    // What holds something and shows no format is none of those that it may have: they would lose a part of it.
    if (!expected.includes(format) && format.mayBe?.(value) !== true && rows.some(hasItems)) return false;
    if (format.neededList === undefined || rows.some((one) => one?.missingList !== 'absent')) isListed.add(format);
    const isExpected = context.role !== 'cases' || expected.length === 0 || expected.includes(format);
    return (
      isExpected ||
      rows.every((one) => (one?.missingList ?? null) === null && (one?.gold ?? one?.predicted ?? null) !== null)
    );
  };
  // In the format of another file, records without their list must be texts: anything else may be an answer.
  const beside = records.every(({ value }) => isBareText(value)) ? others.filter(isJson) : [];
  const sound = [...expected, ...possible, ...beside].find(
    (format) => records.every((one) => reads(format, one)) && isListed.has(format),
  );
  return sound ?? expected[0] ?? (records.some(looksAnnotated) ? null : possible[0]) ?? null;
}

/** Whether something in the text was read; classes of the whole text show no format. */
function hasItems(row: Row | null): boolean {
  return [...(row?.gold ?? []), ...(row?.predicted ?? [])].some(({ kind }) => kind !== 'class');
}

/** Whether a record has a list of what look like annotations. */
function looksAnnotated({ value }: NumberedRecord): boolean {
  return (closestColumns(value) ?? '') !== '';
}

function isJson(format: Format): format is JsonFormat {
  return format.kind === 'json';
}

/** What records look like that nobody knows, with the map that would make them readable, if one can be guessed. */
export function unknownRecords(
  records: readonly NumberedRecord[],
  { file, kinds }: Pick<ReadContext, 'file' | 'kinds'>,
): InputError {
  const { value: record, line } = records.find(looksAnnotated) ?? records[0]!;
  const fields = Object.keys(record).slice(0, 6);
  const message = `unknown file format: a record with ${fields.map((field) => shorten(field)).join(', ') || 'no fields'}`;
  const columns = closestColumns(record);
  const classes = columns === null || columns === '' ? classField(record) : null;
  if (classes !== null) return new InputError([classificationProblem(`${shorten(classes)} holds`, file, line)]);
  const example = plainExample(kinds ?? (columns?.includes('relations=') === true ? ['relationship'] : undefined));
  const next =
    columns === null || columns === ''
      ? `the closest shape that is read: ${example}; other names with --columns; ${LIST}`
      : `try --columns ${columns}, which reads it as ${example}`;
  return new InputError([{ file, line, message, next }]);
}

export function misfit(file: string, line: number, named: Format, found: string): InputError {
  const message = `the format ${named.name} was named, but this looks like ${found}`;
  const next = found === 'JSON' ? 'leave --format out' : `--format ${found}, or leave it out`;
  return new InputError([{ file, line, message, next }]);
}

function firstLines(start: string): string[] {
  return start
    .split(/\r?\n/)
    .filter((line) => line.trim() !== '')
    .slice(0, LINES_LOOKED_AT);
}
