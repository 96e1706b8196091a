import { existsSync, readFileSync, rmSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

import {
  compareText,
  InputError,
  isRecord,
  readText,
  sha256Of,
  sortedJson,
  UsageError,
  writeAside,
} from '../../plugin.ts';
import type { ExtractorIdentity } from './extractor.ts';

/** The names of the two lists in a folder, as the original has them. */
export const STOP_CONCEPTS_FILE = 'stop_cuis.txt';
export const STOP_SURFACES_FILE = 'stop_entities.txt';
export const METADATA_FILE = 'stoplists_metadata.json';

const MOST_BYTES = 1 << 26;

/** What does not count as a concept because nearly every trace has it. */
export interface Stoplist {
  /** Upper case. */
  readonly concepts: ReadonlySet<string>;
  /** Surface forms, lower case. */
  readonly surfaces: ReadonlySet<string>;
}

/** `sha256:…` of what is on the lists, whatever order and remarks the files had; null if that is nothing. */
export function stoplistHash(stoplist: Stoplist | null): string | null {
  const parts = [stoplist?.concepts ?? [], stoplist?.surfaces ?? []].map((set) => [...set].sort(compareText));
  return parts.flat().length === 0 ? null : sha256Of(JSON.stringify(parts));
}

/** Where the two lists are; null: there is no such list. */
export interface StopFiles {
  readonly concepts: string | null;
  readonly surfaces: string | null;
}

/** The lists of a folder, of which one may be missing. Refused: neither, or one that was edited after it was made. */
export async function stopFilesIn(folder: string): Promise<StopFiles> {
  const [concepts, surfaces] = [STOP_CONCEPTS_FILE, STOP_SURFACES_FILE].map((name) => join(folder, name));
  const isFolder = existsSync(folder) && statSync(folder).isDirectory();
  if (!isFolder || (!existsSync(concepts!) && !existsSync(surfaces!)))
    throw new UsageError(
      `${folder}: expected a folder with ${STOP_CONCEPTS_FILE} or ${STOP_SURFACES_FILE}, found ${isFolder ? 'neither' : 'no folder'}`,
      'assay stream stoplist --traces DIR --out DIR makes them',
    );
  await refuseEdited(folder, [STOP_CONCEPTS_FILE, STOP_SURFACES_FILE]);
  return {
    concepts: existsSync(concepts!) ? concepts! : null,
    surfaces: existsSync(surfaces!) ? surfaces! : null,
  };
}

/** A list whose hash in the metadata next to it is another was edited since it was made. */
async function refuseEdited(folder: string, names: readonly string[]): Promise<void> {
  const hashes = await stoplistMetadata(join(folder, METADATA_FILE));
  for (const name of names) {
    const expected = hashes[`${name.replace(/\.txt$/, '')}_hash`];
    const file = join(folder, name);
    // The metadata of others has no hashes, and a list may be left out on purpose.
    if (typeof expected !== 'string' || !existsSync(file)) continue;
    const { sha256 } = await readText(file, MOST_BYTES);
    if (expected !== `sha256:${sha256}`)
      throw new InputError([
        {
          file,
          line: null,
          message: `it was edited after it was made: its hash differs from the one in ${METADATA_FILE}`,
          next: `make it again with assay stream stoplist, or remove ${METADATA_FILE} to use a custom list`,
        },
      ]);
  }
}

/**
 * Refuses stoplists whose metadata names another extractor: what is frequent for one is not for another. `identity` may
 * be only a name, if the extractor is not asked yet. Lists without metadata are custom ones.
 */
export async function refuseForeignStoplists(files: StopFiles, identity: ExtractorIdentity | string): Promise<void> {
  const folder = dirname(files.concepts ?? files.surfaces ?? '');
  const { extractor: maker } = await stoplistMetadata(join(folder, METADATA_FILE));
  if (!isRecord(maker) || isMaker(maker, identity)) return;
  const name = typeof identity === 'string' ? identity : identity.name;
  const isSameName = maker['name'] === name;
  throw new UsageError(
    `${folder}: these stoplists were made with ${isSameName ? 'other settings of ' : ''}${String(maker['name'])}, not with ${isSameName ? 'the ones in use' : name}`,
    'make stoplists with this extractor (assay stream stoplist), or add --force to use these',
  );
}

/** A recording counts as the extractor that it was made from. */
function isMaker(maker: Readonly<Record<string, unknown>>, identity: ExtractorIdentity | string): boolean {
  const { name, version, settings, knowledgeBase } = maker;
  if (typeof identity === 'string') return name === identity;
  const isSame = (one: readonly unknown[], other: readonly unknown[]): boolean => sortedJson(one) === sortedJson(other);
  const { from, from_settings: fromSettings } = identity.settings;
  return (
    isSame(
      [name, version, settings, knowledgeBase],
      [identity.name, identity.version, identity.settings, identity.knowledgeBase],
    ) ||
    isSame(
      [`${String(name)} ${String(version)}`, sortedJson(settings ?? null), knowledgeBase],
      [from, fromSettings, identity.knowledgeBase],
    )
  );
}

/** Where a replay keeps the stoplists that its logs state. */
export function stoplistsBeside(runs: string): string {
  return join(runs, 'stoplists');
}

/** Copies stoplists next to the logs that state them, so that these can be measured wherever the logs are. */
export function keepStoplists({ concepts, surfaces }: StopFiles, runs: string): void {
  const to = stoplistsBeside(runs);
  const from = dirname(concepts ?? surfaces ?? '');
  if (resolve(from) === resolve(to)) return;
  const metadata = join(from, METADATA_FILE);
  const copies = [
    [concepts, STOP_CONCEPTS_FILE],
    [surfaces, STOP_SURFACES_FILE],
    [existsSync(metadata) ? metadata : null, METADATA_FILE],
  ] as const;
  for (const [file, name] of copies) {
    if (file === null) rmSync(join(to, name), { force: true });
    else writeAside(join(to, name), readFileSync(file));
  }
}

/** The metadata of stoplists; empty if absent. */
export async function stoplistMetadata(file: string): Promise<Readonly<Record<string, unknown>>> {
  if (!existsSync(file)) return {};
  const { text } = await readText(file, MOST_BYTES);
  try {
    const value: unknown = JSON.parse(text);
    if (isRecord(value)) return value;
  } catch {
    // Reported below.
  }
  throw new InputError([
    {
      file,
      line: null,
      message: 'expected a JSON object with the hashes of the lists',
      next: 'make the stoplists again with assay stream stoplist, or remove this file to use custom lists',
    },
  ]);
}

export async function readStopFiles({ concepts, surfaces }: StopFiles): Promise<Stoplist> {
  return {
    concepts: new Set((await entriesOf(concepts)).map((id) => id.toUpperCase())),
    surfaces: new Set((await entriesOf(surfaces)).map((surface) => surface.toLowerCase())),
  };
}

async function entriesOf(file: string | null): Promise<string[]> {
  return file === null ? [] : parseStopFile((await readText(file, MOST_BYTES)).text);
}

/**
 * One entry a line; blank lines and lines that begin with # are none. An entry that a plain line cannot hold is
 * written as a JSON string.
 */
export function parseStopFile(text: string): string[] {
  return text.split('\n').flatMap((written) => {
    const line = written.trim();
    if (line === '' || line.startsWith('#')) return [];
    return [line.startsWith('"') ? (jsonText(line) ?? line) : line];
  });
}

/** The lines of a list, remarks first, entries in text order. */
export function stopFileText(remarks: readonly string[], entries: Iterable<string>): string {
  const lines = [...remarks.map((remark) => `# ${remark}`), '#', ...[...entries].sort(compareText).map(stopLine)];
  return lines.map((line) => `${line}\n`).join('');
}

/** Surface forms may have line breaks in them, or begin as a remark does. */
function stopLine(entry: string): string {
  const isPlain = entry.trim() === entry && !/^[#"]|[\u0000-\u001f\u007f\u0085\u2028\u2029]/.test(entry);
  return isPlain && entry !== '' ? entry : JSON.stringify(entry);
}

function jsonText(line: string): string | null {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'string' ? value : null;
  } catch {
    return null;
  }
}
