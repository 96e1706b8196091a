import { readdirSync, realpathSync } from 'node:fs';
import { basename, dirname, join, resolve, sep } from 'node:path';

import { alignQuotes } from '../text/align-quotes.ts';
import { offsetMap } from '../text/offsets.ts';
import type { Span } from '../text/span.ts';
import type { Case } from './case.ts';
import { fieldsWithoutSides } from './dataset-item.ts';
import { entryAt } from './entry-at.ts';
import type { CaseWriter, WrittenCase } from './format.ts';
import type { Item, Side } from './item.ts';
import { UsageError } from './problems.ts';
import { describe } from './record-fields.ts';
import { FileWriter, makeFolders, SHARED, writeAside } from './write-file.ts';

export type WrittenSide = Side | 'both';

export interface WriteCasesOptions {
  readonly side?: WrittenSide;
  /** Files and folders that are read: nothing is written onto or into them. */
  readonly inputs?: readonly string[];
}

/** What was written of cases: the files, and the id that each case has in them, in their order. */
export interface WrittenCases {
  readonly files: readonly string[];
  readonly ids: readonly string[];
}

/**
 * Writes cases in a format: one file, or for formats with files for each case a folder of them, named by case ids. A single
 * case whose ending fits is written to `out` itself.
 */
export async function writeCases(
  cases: AsyncIterable<Case> | Iterable<Case>,
  writer: CaseWriter,
  out: string,
  { side = 'gold', inputs = [] }: WriteCasesOptions = {},
): Promise<WrittenCases> {
  const guard = inputGuard(inputs);
  if (writer.layout === 'files') return writeFolder(cases, writer, out, side, guard);
  guard(out);
  if (entryAt(out)?.isDirectory() === true)
    throw new UsageError(
      `${out} is a folder, and this format is one file`,
      `name a file: ${join(out, `cases${writer.extension}`)}`,
    );
  const file = new FileWriter(out, { folderMode: SHARED });
  const ids = new UniqueNames((id) => writer.idOf?.(id) ?? id);
  const written = (one: Case): WrittenCase => ({ ...writtenCase(one, writer, side), id: ids.add(one.id) });
  try {
    if (writer.layout === 'whole') {
      const all: WrittenCase[] = [];
      for await (const one of cases) all.push(written(one));
      file.write(writer.whole(all));
    } else {
      const isArray = writer.layout === 'records' && (writer.isArray === true || /\.json$/i.test(out));
      file.write(writer.layout === 'text' ? (writer.head?.(side) ?? '') : isArray ? '[' : '');
      let records = 0;
      for await (const one of cases) {
        const given = written(one);
        if (writer.layout === 'text') {
          file.write(writer.text(given));
          continue;
        }
        for (const record of [writer.record(given)].flat(1)) {
          const json = JSON.stringify(record);
          file.write(isArray ? `${records === 0 ? '' : ','}\n${json}` : `${json}\n`);
          records += 1;
        }
      }
      if (isArray) file.write('\n]\n');
    }
    file.finish();
  } catch (error) {
    file.abandon();
    throw error;
  }
  return { files: [out], ids: ids.all };
}

async function writeFolder(
  cases: AsyncIterable<Case> | Iterable<Case>,
  writer: Extract<CaseWriter, { layout: 'files' }>,
  out: string,
  side: WrittenSide,
  guard: (path: string) => void,
): Promise<WrittenCases> {
  const entry = entryAt(out);
  const isFile = entry?.isDirectory() !== true && out.toLowerCase().endsWith(writer.extension);
  const stem = isFile ? out.slice(0, -writer.extension.length) : null;
  if (!isFile) {
    guard(out);
    if (entry !== undefined && !entry.isDirectory())
      throw new UsageError(`${out} is a file, and this format has a file for each case`, 'name a folder');
    // Files of an earlier result would pass for some of this one.
    if (entry !== undefined && readdirSync(out).length > 0)
      throw new UsageError(`the folder ${out} is not empty`, 'name a new folder, or empty this one');
    makeFolders(out, SHARED);
  }
  const names = new UniqueNames(fileName, (name) => name.normalize('NFC').toLowerCase());
  const ids: string[] = [];
  const files: string[] = [];
  let held: Case | null = null;
  const write = (one: Case): void => {
    const at = stem ?? join(out, names.add(one.id));
    // A format that has no room for an id in its files has it as their name.
    const id = writer.idOf?.(one.id) ?? basename(at);
    ids.push(id);
    const given = { ...writtenCase(one, writer, side), id };
    for (const [ending, content] of Object.entries(writer.files(given))) {
      guard(at + ending);
      writeAside(at + ending, content, { folderMode: SHARED });
    }
    files.push(at + writer.extension);
  };
  for await (const one of cases) {
    if (isFile && held !== null)
      throw new UsageError(
        `${out}: this format has a file for each case, and there is more than one`,
        `name a folder: ${stem ?? out}`,
      );
    if (isFile) held = one;
    else write(one);
  }
  if (held !== null) write(held);
  return { files, ids };
}

/** Refuses a path that is read from, or that is inside a folder that is. */
function inputGuard(inputs: readonly string[]): (path: string) => void {
  const kept = inputs.map(realPath);
  return (path) => {
    const real = realPath(path);
    if (kept.some((input) => real === input || real.startsWith(input + sep)))
      throw new UsageError(`${path} would be written onto what is read`, 'choose another place');
  };
}

/** The real path; of a file that does not exist yet, by its folder. */
function realPath(path: string): string {
  const whole = resolve(path);
  try {
    return realpathSync(whole);
  } catch {
    const above = dirname(whole);
    return above === whole ? whole : join(realPath(above), whole.slice(above.length));
  }
}

/** Names for ids, each once. */
class UniqueNames {
  readonly all: string[] = [];
  readonly #nameOf: (id: string) => string;
  readonly #fold: (name: string) => string;
  readonly #taken = new Set<string>();

  /** Names count as one if they are the same once folded. */
  constructor(nameOf: (id: string) => string, fold: (name: string) => string = (name) => name) {
    this.#nameOf = nameOf;
    this.#fold = fold;
  }

  add(id: string): string {
    const plain = this.#nameOf(id);
    let name = plain;
    for (let number = 2; this.#taken.has(this.#fold(name)); number += 1) name = `${plain}~${number}`;
    this.#taken.add(this.#fold(name));
    this.all.push(name);
    return name;
  }
}

/** Most file systems take 255 bytes; endings and numbers need some of them. */
const MOST_NAME_BYTES = 200;
const RESERVED_NAME = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;

/** A case id as the name of a file: what some file system does not take becomes an underscore, never a path. */
export function fileName(id: string): string {
  const plain = id
    .normalize('NFC')
    .replaceAll(/[\\/:*?"<>|\p{Cc}\p{Cs}]/gu, '_')
    .replace(/^\.+|^(?=-)|[. ]+$/g, '_');
  let [name, bytes] = ['', 0];
  for (const sign of RESERVED_NAME.test(plain) ? `_${plain}` : plain) {
    bytes += Buffer.byteLength(sign);
    if (bytes > MOST_NAME_BYTES) break;
    name += sign;
  }
  return name === '' ? '_' : name;
}

/** A case as a writer takes it: with its places in the writer's unit, and without what the format has no room for. */
export function writtenCase(given: Case, writer: CaseWriter, side: WrittenSide): WrittenCase {
  const { id, text, tokens, fields, failed } = given;
  const { offsets = 'codepoint', needsText = false } = writer;
  const map = text === null ? null : offsetMap(text, offsets);
  const at = (place: number): number => (place < 0 || map === null ? place : map.fromUtf16(place));
  const span = ({ start, end }: Span): Span => ({ start: at(start), end: at(end) });
  const placed = ({ fragments, ...item }: Item): Item => {
    const moved = { ...item, ...span(item) };
    return fragments === undefined ? moved : { ...moved, fragments: fragments.map(span) };
  };
  const itemsOf = (own: Side): Item[] => {
    const fitting = fittingItems(given[own], given, writer, own);
    return holds(writer, 'pieces') || text === null ? fitting : inOnePiece(fitting, text);
  };
  const isBoth = side === 'both' && holds(writer, 'both');
  const first = side === 'predicted' ? 'predicted' : 'gold';
  const items = itemsOf(first);
  if (needsText && text === null && items.some(({ start }) => start >= 0))
    throw new UsageError(
      `${describe(id)} has places but no text, which this format is made of`,
      'give the texts with --cases FILE',
    );
  return {
    id,
    text,
    tokens: tokens?.map(span) ?? null,
    fields: writer.layout === 'records' ? fieldsWithoutSides(fields) : fields,
    side: first,
    items: items.map(placed),
    predicted: isBoth ? itemsOf('predicted').map(placed) : null,
    failed: side === 'predicted' || isBoth ? failed : null,
  };
}

function holds({ holds: also = [] }: CaseWriter, what: NonNullable<CaseWriter['holds']>[number]): boolean {
  return also.includes(what);
}

/** Spans in pieces as one each, with all words between; what relations call by its words, they call by the new ones. */
function inOnePiece(items: readonly Item[], text: string): Item[] {
  const names = new Map(
    items.flatMap((item) => (item.fragments === undefined ? [] : [[item.text, text.slice(item.start, item.end)]])),
  );
  const renamed = (ref: string | null): string | null => (ref === null ? null : (names.get(ref) ?? ref));
  if (names.size === 0) return [...items];
  return items.map(({ fragments, ...item }) => {
    if (item.kind === 'relationship') return { ...item, source: renamed(item.source), target: renamed(item.target) };
    if (fragments === undefined) return item;
    const others = Object.entries(item.fields).filter(([name, value]) => value !== item.text || name.endsWith('id'));
    return { ...item, text: text.slice(item.start, item.end), fields: Object.fromEntries(others) };
  });
}

function fittingItems(items: readonly Item[], { text }: Case, writer: CaseWriter, side: Side): Item[] {
  const fitting = items.filter(
    ({ kind, label }) =>
      (label !== '' || holds(writer, 'unlabelled')) && (kind !== 'class' || holds(writer, 'classes')),
  );
  const isUnplaced = ({ kind, start }: Item): boolean => start < 0 && kind !== 'relationship' && kind !== 'class';
  if (holds(writer, 'names') || !fitting.some(isUnplaced)) return fitting;
  const quotes = fitting.filter((item) => isUnplaced(item) && item.text !== '');
  if (text === null || !holds(writer, 'quotes')) return fitting.filter((item) => !isUnplaced(item));
  // Gold that quotes what is not in the text would be refused when it is read.
  const found = alignQuotes(
    text,
    quotes.map((item) => item.text),
  );
  const findable = new Set(quotes.filter((_, at) => side === 'predicted' || found[at]?.status !== 'missing'));
  return fitting.filter((item) => !isUnplaced(item) || findable.has(item));
}
