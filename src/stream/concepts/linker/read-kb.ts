import { createHash } from 'node:crypto';
import { readdir, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';

import { z } from 'zod';

import { compareText, fileSource, InputError, Problems, Records, type Source, UsageError } from '../../../plugin.ts';
import { checkedRecord } from '../../record-lines.ts';
import { isConceptId } from '../concept-ids.ts';
import { type KbConcept, MOST_NAME } from './kb-concept.ts';
import type { KnowledgeBaseFacts } from './linker-index.ts';
import { readMrconso, RrfFacts, type RrfOptions, type RrfTable } from './read-kb-rrf.ts';

interface KnowledgeBase {
  /** Throws InputError at the end when anything was wrong, with all of it. */
  concepts(): AsyncGenerator<KbConcept>;
  /** Once all has been read. */
  facts(): KnowledgeBaseFacts;
  readonly totalBytes: number;
  /** What the user should know: a file that is missing and would add something. */
  readonly notes: readonly string[];
}

export const DEFAULT_RRF: RrfOptions = { language: 'ENG', suppressed: false };

/** A file that is named may be called MRCONSO_2024.RRF; in a folder only the three themselves are looked for. */
const NAMED_RRF = /^(MRCONSO|MRDEF|MRSTY)[^/]*\.RRF(?:\.gz|\.zst)?$/i;
const COMPRESSED = /\.(?:gz|zst)$/i;
const RRF_IN_FOLDER = /^(?:MRCONSO|MRDEF|MRSTY)\.RRF(?:\.gz|\.zst)?$/i;

/** In the order in which they are read. */
type KbFiles = Record<'MRDEF' | 'MRSTY' | 'MRCONSO' | 'JSON', string[]>;

/**
 * scispaCy knowledge bases (JSONL or a JSON array) and UMLS files (a folder with MRCONSO.RRF, MRDEF.RRF and MRSTY.RRF,
 * or these files by name), compressed or not. `open` may wrap the sources, to count what is read.
 */
export async function openKnowledgeBase(
  paths: readonly string[],
  options: RrfOptions = DEFAULT_RRF,
  open: (path: string) => Source = fileSource,
): Promise<KnowledgeBase> {
  const places = await sortPaths(paths);
  const hasRrf = places.MRCONSO.length > 0;
  const problems = new Problems();
  const files: KnowledgeBaseFacts['files'] = [];

  /** Reads one file after the other; an empty one is refused. */
  async function* each(kind: keyof KbFiles): AsyncGenerator<Records> {
    for (const path of places[kind]) {
      const records = new Records(open(path), { problems });
      if ((await records.start()) === null)
        throw new InputError([{ file: path, line: null, message: 'the file is empty' }]);
      yield records;
      files.push({ name: basename(path).replace(COMPRESSED, ''), sha256: records.content().sha256 });
    }
  }
  const table = (records: Records): RrfTable => ({ file: records.name, lines: records.lines(), problems });

  async function* concepts(): AsyncGenerator<KbConcept> {
    const facts = new RrfFacts();
    for await (const records of each('MRDEF')) await facts.readDefinitions(table(records));
    for await (const records of each('MRSTY')) await facts.readTypes(table(records));
    for await (const records of each('MRCONSO')) yield* readMrconso(table(records), facts, options);
    for await (const records of each('JSON')) yield* readKbJson(records, problems);
    problems.throwIfAny();
  }

  return {
    concepts,
    facts: () => ({
      sha256: wholeHash(files),
      files,
      language: hasRrf ? options.language : null,
      suppressed: hasRrf ? options.suppressed : null,
    }),
    totalBytes: await sizeOf(Object.values(places).flat()),
    notes: hasRrf ? missingNotes(places) : [],
  };
}

const kbName = z.string().max(MOST_NAME);
const filledName = kbName.regex(/\S/, { error: 'expected a text that is not empty', abort: true });

/**
 * A concept of scispaCy's knowledge-base files, one a line or in one array. As in scispaCy, only a definition that is null
 * or missing is none.
 */
const kbRecord = z.object({
  concept_id: filledName.refine(isConceptId, 'expected an id without control or invisible characters'),
  canonical_name: filledName,
  aliases: z.array(kbName).nullish(),
  types: z.array(kbName).nullish(),
  definition: z.string().nullish(),
});

async function* readKbJson(records: Records, problems: Problems): AsyncGenerator<KbConcept> {
  for await (const batch of records.values()) {
    for (const { value, line } of batch) {
      const record = checkedRecord(kbRecord, value, records.name, line, problems);
      if (record === null) continue;
      const { concept_id: id, canonical_name: name, aliases, types, definition } = record;
      yield { id, name, aliases: aliases ?? [], types: types ?? [], hasDefinition: definition != null };
    }
  }
}

async function sortPaths(paths: readonly string[]): Promise<KbFiles> {
  const places: KbFiles = { MRDEF: [], MRSTY: [], MRCONSO: [], JSON: [] };
  for (const path of paths) {
    const isFolder = (await stat(path).catch(() => null))?.isDirectory() === true;
    for (const file of isFolder ? await rrfFiles(path) : [path]) places[kindOf(file)].push(file);
  }
  if (places.MRCONSO.length === 0 && places.MRDEF.length + places.MRSTY.length > 0)
    throw new UsageError(
      'MRDEF.RRF and MRSTY.RRF name no concepts',
      'add MRCONSO.RRF, or name the folder of all three',
    );
  return places;
}

/** The tables of a UMLS folder; one that is there compressed and decompressed is read once. */
async function rrfFiles(folder: string): Promise<string[]> {
  const names = (await readdir(folder)).filter((name) => RRF_IN_FOLDER.test(name)).sort(compareText);
  const once = new Map(names.map((name) => [name.replace(COMPRESSED, ''), name]));
  for (const name of names) if (!COMPRESSED.test(name)) once.set(name, name);
  if (![...once.keys()].some((name) => kindOf(name) === 'MRCONSO'))
    throw new InputError([
      {
        file: folder,
        line: null,
        message: 'expected MRCONSO.RRF (and MRDEF.RRF, MRSTY.RRF) in this folder, found none',
        next: 'name the META folder of a UMLS release, or a JSONL file',
      },
    ]);
  return [...once.values()].map((name) => join(folder, name));
}

function kindOf(path: string): keyof KbFiles {
  const table = NAMED_RRF.exec(basename(path))?.[1]?.toUpperCase();
  return table === 'MRCONSO' || table === 'MRDEF' || table === 'MRSTY' ? table : 'JSON';
}

function missingNotes({ MRDEF, MRSTY }: KbFiles): string[] {
  return [
    ...(MRDEF.length > 0
      ? []
      : ['no MRDEF.RRF: every concept counts as one without a definition, which needs a higher score']),
    ...(MRSTY.length > 0 ? [] : ['no MRSTY.RRF: concepts have no semantic types']),
  ];
}

function wholeHash(files: KnowledgeBaseFacts['files']): string {
  if (files.length === 1) return `sha256:${files[0]!.sha256}`;
  const hash = createHash('sha256');
  for (const { sha256 } of files) hash.update(`${sha256}\n`);
  return `sha256:${hash.digest('hex')}`;
}

async function sizeOf(files: readonly string[]): Promise<number> {
  const sizes = await Promise.all(files.map(async (file) => (await stat(file).catch(() => null))?.size ?? 0));
  return sizes.reduce((sum, size) => sum + size, 0);
}
