import { offsetMap, type OffsetUnit } from '../text/offsets.ts';
import type { Case } from './case.ts';
import { DEFAULT_DATA_OPTIONS } from './data-options.ts';
import type { CaseWriter, Format, ReadOptions, Row } from './format.ts';
import { formatNamed, FORMATS } from './formats.ts';
import type { Item } from './item.ts';
import { noNotices, type ReadNotices } from './item-check.ts';
import { type CaseLoss, caseLosses } from './case-losses.ts';
import { Problems, UsageError } from './problems.ts';
import { readCases, readSide } from './read-cases.ts';
import { describe } from './record-fields.ts';
import { fileSource, reopenable, type Source } from './source.ts';
import { writeCases, type WrittenCases, type WrittenSide } from './write-cases.ts';

export interface ConvertOptions extends Partial<ReadOptions> {
  /** Name of the format to write; by default `graph` if there are relations, else `spans`. */
  readonly to?: string;
  readonly side?: WrittenSide;
  /** The texts, if the file has none. */
  readonly texts?: Source;
}

export interface Converted {
  /** Formats that were read and written. */
  readonly from: string;
  readonly to: string;
  readonly cases: number;
  readonly items: number;
  /** What reading the result back does not give, item by item. */
  readonly losses: readonly CaseLoss[];
  /** Records whose list of annotations is absent, as a run counts them; only there if some are. */
  readonly notices?: Pick<ReadNotices, 'absentLists' | 'absentListsEverywhere' | 'emptyFiles'>;
}

/**
 * Writes what a file or folder holds in another format, then reads that back and compares: what is missing is listed. What
 * is wrong with the file is thrown, all of it at once, before anything is written.
 */
export async function convert(given: Source, out: string, options: ConvertOptions = {}): Promise<Converted> {
  const { to, side = 'gold', texts: apart, ...reading } = options;
  const texts = apart === undefined ? undefined : await reopenable(apart);
  const source = await reopenable(given);
  const read = (): ConvertReader => sideReader(source, side, texts, reading);
  const likely = await likelyTarget(read());
  const reader = read();
  const inputs = [source, texts].flatMap((one) => (typeof one?.path === 'string' ? [one.path] : []));
  const target = writableFormat(to ?? likely, out);
  const {
    written: _,
    leftOut: back,
    ...checked
  } = await writeChecked(() => reader.cases(), target, out, { side, inputs });
  const isBack = new Set(back.map(({ case: id, item }) => JSON.stringify([id, item])));
  const leftOut = reader.leftOut().filter(({ case: id, item }) => !isBack.has(JSON.stringify([id, item])));
  const losses = [...leftOut, ...checked.losses];
  const { absentLists, absentListsEverywhere, emptyFiles } = reader.notices();
  const notices = {
    ...(absentLists === undefined ? {} : { absentLists }),
    ...(absentListsEverywhere === undefined ? {} : { absentListsEverywhere }),
    ...(emptyFiles === undefined ? {} : { emptyFiles }),
  };
  return { from: reader.format(), ...checked, losses, ...(Object.keys(notices).length === 0 ? {} : { notices }) };
}

/**
 * Writes cases in a format, reads the result back and lists what it lacks. `cases` is asked for them twice, in the same
 * order.
 */
export async function writeChecked(
  cases: () => AsyncIterable<Case> | Iterable<Case>,
  { format, writer }: WritableFormat,
  out: string,
  options: { readonly side?: WrittenSide; readonly inputs?: readonly string[] } = {},
): Promise<
  Omit<Converted, 'from' | 'notices'> & { readonly written: WrittenCases; readonly leftOut: readonly CaseLoss[] }
> {
  const { side = 'gold' } = options;
  const written = await writeCases(cases(), writer, out, options);
  const isBoth = side === 'both' && writer.holds?.includes('both') === true;
  const back = await readBack(written, format, side === 'both' && !isBoth ? 'gold' : side);
  const losses: CaseLoss[] = [];
  let [count, items] = [0, 0];
  for await (const one of cases()) {
    const id = written.ids[count] ?? one.id;
    const same = back.get(id, count);
    const given = sideOf(one, side);
    count += 1;
    items += given.gold.length + given.predicted.length;
    if (same !== null && same.id !== one.id) losses.push({ case: one.id, item: null, side: null, what: 'the id' });
    for (const loss of caseLosses(given, same && onText(same, one.text, writer.offsets))) losses.push(loss);
  }
  return { to: format.name, cases: count, items, losses, written, leftOut: back.leftOut };
}

/** A case with what is to be written of it. */
function sideOf(given: Case, side: WrittenSide): Case {
  if (side === 'both') return given;
  return side === 'gold' ? { ...given, predicted: [], failed: null } : { ...given, gold: [] };
}

/** A case of a file without texts as it is once it is read with them: until then its places are those of the file. */
function onText(back: Case, text: string | null, unit: OffsetUnit = 'codepoint'): Case {
  if (back.text !== null || text === null) return back;
  const { toUtf16 } = offsetMap(text, unit);
  const placed = (item: Item): Item => {
    if (item.start < 0) return item;
    const [start, end] = [toUtf16(item.start), toUtf16(item.end)];
    const { fragments } = item;
    return {
      ...item,
      start,
      end,
      text: item.text === '' ? text.slice(start, end) : item.text,
      ...(fragments === undefined
        ? {}
        : { fragments: fragments.map((piece) => ({ start: toUtf16(piece.start), end: toUtf16(piece.end) })) }),
    };
  };
  return { ...back, gold: back.gold.map(placed), predicted: back.predicted.map(placed) };
}

/** The cases that files give back, by id or, where the format has none, by their number. */
async function readBack(
  { files, ids }: WrittenCases,
  { name }: Format,
  side: WrittenSide,
): Promise<{ get: (id: string, at: number) => Case | null; leftOut: readonly CaseLoss[] }> {
  const cases: Case[] = [];
  const leftOut: CaseLoss[] = [];
  let isNumbered = false;
  // A file without any case is not one to be read.
  for (const file of ids.length === 0 ? [] : files) {
    // Only what the files say: texts that were given apart are no part of them.
    const reader = sideReader(fileSource(file), side, undefined, { format: name });
    for await (const one of reader.cases()) cases.push(one);
    for (const loss of reader.leftOut()) leftOut.push(loss);
    isNumbered ||= reader.isNumbered();
  }
  const byId = new Map(cases.map((one) => [one.id, one]));
  return { get: (id, at) => (isNumbered ? cases[at] : byId.get(id)) ?? null, leftOut };
}

/** Formats that can be written. */
export function writableFormats(): readonly Format[] {
  return FORMATS.filter(({ writer }) => writer !== undefined);
}

export interface WritableFormat {
  readonly format: Format;
  readonly writer: CaseWriter;
}

export function writableFormat(name: string, out: string): WritableFormat {
  const format = formatNamed(name);
  if (format.writer === undefined)
    throw new UsageError(
      `${out}: ${name} can be read, but not written`,
      `--to ${writableFormats()
        .map((one) => one.name)
        .join('|')}`,
    );
  return { format, writer: format.writer };
}

interface ConvertReader {
  cases(): AsyncGenerator<Case>;
  /** Once they have been read. */
  format(): string;
  isNumbered(): boolean;
  /** What was not even read, since it has no place in a text. */
  leftOut(): CaseLoss[];
  /** Once they have been read. */
  notices(): ReadNotices;
}

/** The cases of a file with one side of it, or both. */
function sideReader(
  source: Source,
  side: WrittenSide,
  texts: Source | undefined,
  given: Partial<ReadOptions>,
): ConvertReader {
  const options = { ...DEFAULT_DATA_OPTIONS, ...given };
  const role = side === 'both' ? 'cases' : side === 'gold' ? 'gold' : 'predictions';
  let leftOut: CaseLoss[] = [];
  let format = 'unknown';
  let isNumbered = false;
  let notices = noNotices();
  const notRead = (id: string, item: string | null, what: string): void =>
    void leftOut.push({ case: id, item, side: null, what });

  async function* withTexts(cases: Source): AsyncGenerator<Case> {
    const problems = new Problems();
    const sides = side === 'both' ? { gold: source, predictions: source } : { [role]: source };
    const reader = readCases({ cases, ...sides }, options, problems);
    // The file of texts may have a side too, which is not what was asked for.
    for await (const one of reader) yield sideOf(one, side);
    problems.throwIfAny();
    notices = reader.notices;
    format = reader.files().find((file) => file.role !== 'cases')?.format ?? format;
  }

  /** Whether a row is an answer, be it an empty one; what it has besides is lost. */
  function isAnswer(row: Row): boolean {
    for (const item of row.leftOut ?? []) notRead(row.id, item, 'the item: it has no place in a text');
    for (const name of row.categories ?? [])
      notRead(row.id, `category ${describe(name)}`, 'the category: it is not read');
    if (side === 'both' || row[side] !== null || row.failed !== null) return true;
    notRead(row.id, null, `the case: it has no ${side}`);
    return false;
  }

  async function* alone(): AsyncGenerator<Case> {
    const problems = new Problems();
    const reader = readSide(source, role, options, problems, isAnswer);
    for await (const one of reader) yield sideOf(one, side);
    problems.throwIfAny();
    notices = reader.notices;
    format = reader.files()[0]?.format ?? format;
    isNumbered = reader.isNumbered();
  }

  return {
    cases() {
      leftOut = [];
      return texts === undefined ? alone() : withTexts(texts);
    },
    format: () => format,
    isNumbered: () => isNumbered,
    leftOut: () => leftOut,
    notices: () => notices,
  };
}

async function likelyTarget(reader: ConvertReader): Promise<string> {
  let isGraph = false;
  for await (const { gold, predicted } of reader.cases())
    isGraph ||= [...gold, ...predicted].some(({ kind }) => kind === 'relationship' || kind === 'entity');
  return isGraph ? 'graph' : 'spans';
}
