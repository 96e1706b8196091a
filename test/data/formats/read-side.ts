import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Case } from '../../../src/data/case.ts';
import { convert, type ConvertOptions } from '../../../src/data/convert.ts';
import { DEFAULT_DATA_OPTIONS } from '../../../src/data/data-options.ts';
import type { ReadOptions } from '../../../src/data/format.ts';
import { noNotices } from '../../../src/data/item-check.ts';
import type { Item, Side } from '../../../src/data/item.ts';
import { joinCase } from '../../../src/data/join-case.ts';
import { Problems } from '../../../src/data/problems.ts';
import { rowReader } from '../../../src/data/read-rows.ts';
import { fileSource } from '../../../src/data/source.ts';
import { offsetMap, type OffsetUnit } from '../../../src/text/offsets.ts';
import { temporaryFolder } from '../reading.ts';

interface SideCases {
  readonly cases: Case[];
  readonly format: string;
  readonly isNumbered: boolean;
  readonly leftOut: string[];
}

/** The cases of a file or folder, read as one side; what is wrong with it is thrown. */
async function sideCases(path: string, side: Side, given: Partial<ReadOptions>): Promise<SideCases> {
  const problems = new Problems();
  const options = { ...DEFAULT_DATA_OPTIONS, ...given };
  const reader = rowReader(fileSource(path), side === 'gold' ? 'gold' : 'predictions', options, problems);
  const names = { driver: path, gold: path, predictions: path };
  const settings = { names, options, problems, notices: noNotices() };
  const [cases, leftOut]: [Case[], string[]] = [[], []];
  for await (const batch of reader.rows())
    for (const row of batch) {
      cases.push(joinCase(row, side === 'gold' ? row : null, side === 'gold' ? null : row, settings));
      leftOut.push(...(row.leftOut ?? []));
    }
  problems.throwIfAny();
  return { cases, format: reader.done()[0]!.format, isNumbered: reader.isNumbered(), leftOut };
}

/** What a file holds, or a folder of files by name, as gold. */
export async function readGold(
  name: string,
  content: string | Uint8Array | Readonly<Record<string, string>>,
  options: Partial<ReadOptions> = {},
): Promise<SideCases> {
  return sideCases(stored(name, content), 'gold', options);
}

/** What a file becomes in another format: the content of the file, or of each file of the folder, and what is lost. */
export async function converted(
  name: string,
  content: string | Uint8Array | Readonly<Record<string, string>>,
  out: string,
  options: ConvertOptions,
): Promise<{ files: Record<string, string>; lost: string[] }> {
  const path = join(temporaryFolder(), out);
  const { losses } = await convert(fileSource(stored(name, content)), path, options);
  const isFolder = statSync(path).isDirectory();
  const files = isFolder ? readdirSync(path).toSorted() : [out];
  const read = (file: string): string => readFileSync(isFolder ? join(path, file) : path, 'utf8');
  return {
    files: Object.fromEntries(files.map((file) => [file, read(file)])),
    lost: losses.map((loss) => `${loss.case}: ${loss.item === null ? '' : `${loss.item}: `}${loss.what}`),
  };
}

function stored(name: string, content: string | Uint8Array | Readonly<Record<string, string>>): string {
  const path = join(temporaryFolder(), name);
  if (typeof content === 'string' || content instanceof Uint8Array) writeFileSync(path, content);
  else {
    mkdirSync(path);
    for (const [file, text] of Object.entries(content)) writeFileSync(join(path, file), text);
  }
  return path;
}

/**
 * The cases of files as one side, by the id that they have there or, if they have none, by their number. Places of a file
 * without texts are put on the text that is given, as they are once the two are read together.
 */
export async function readSide(
  files: readonly string[],
  format: string,
  side: Side,
  unit: OffsetUnit = 'codepoint',
): Promise<(id: string, at: number, text: string | null) => Case | null> {
  const read = await Promise.all(files.map((file) => sideCases(file, side, { format })));
  const cases = read.flatMap((one) => one.cases);
  const isNumbered = read.some((one) => one.isNumbered);
  return (id, at, text) => {
    const found = isNumbered ? cases[at] : cases.find((one) => one.id === id);
    if (found === undefined) return null;
    return found.text === null && text !== null
      ? { ...found, [side]: found[side].map((item) => onText(item, text, unit)) }
      : found;
  };
}

function onText(item: Item, text: string, unit: OffsetUnit): Item {
  if (item.start < 0) return item;
  const { toUtf16 } = offsetMap(text, unit);
  const [start, end] = [toUtf16(item.start), toUtf16(item.end)];
  return { ...item, start, end, text: item.text === '' ? text.slice(start, end) : item.text };
}
