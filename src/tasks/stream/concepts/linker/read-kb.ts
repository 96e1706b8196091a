import { createHash } from 'node:crypto';
import { readdir, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';

import { InputError, Problems, UsageError } from '../../../../data/problems.ts';
import { fileSource, type Source } from '../../../../data/source.ts';
import { compareText } from '../../../../text/compare.ts';
import type { KbConcept, KbFile, KnowledgeBaseFacts } from './kb-concept.ts';
import { kbFile, kbRecords } from './kb-records.ts';
import { readKbJson } from './read-kb-json.ts';
import { readMrconso, RrfFacts, type RrfOptions } from './read-kb-rrf.ts';

/** A knowledge base that is about to be read, once. */
export interface KnowledgeBase {
  /** Throws InputError at the end when anything was wrong, with all of it. */
  concepts(): AsyncGenerator<KbConcept>;
  /** Once all has been read. */
  facts(): KnowledgeBaseFacts;
  /** Bytes on disk, for a bar of what is done. */
  readonly totalBytes: number;
  /** What the user should know: a file that is not there and would have said more. */
  readonly notes: readonly string[];
}

export const USUAL_RRF: RrfOptions = { language: 'ENG', suppressed: false };

/** A file that is named may be called MRCONSO_2024.RRF; in a folder only the three themselves are looked for. */
const NAMED_RRF = /^(MRCONSO|MRDEF|MRSTY)[^/]*\.RRF(?:\.gz)?$/i;
const RRF_IN_FOLDER = /^(?:MRCONSO|MRDEF|MRSTY)\.RRF(?:\.gz)?$/i;

type RrfTable = 'MRCONSO' | 'MRDEF' | 'MRSTY';

interface KbPaths {
  readonly json: readonly string[];
  readonly rrf: Readonly<Record<RrfTable, readonly string[]>>;
}

/**
 * scispaCy knowledge bases (JSONL or a JSON array) and UMLS files (a folder with MRCONSO.RRF, MRDEF.RRF and MRSTY.RRF,
 * or these files by name), packed with gzip or not. `open` may wrap the sources, to count what is read.
 */
export async function openKnowledgeBase(
  paths: readonly string[],
  options: RrfOptions = USUAL_RRF,
  open: (path: string) => Source = fileSource,
): Promise<KnowledgeBase> {
  const { json, rrf } = await sortPaths(paths);
  const problems = new Problems();
  const files: KbFile[] = [];
  const hasRrf = rrf.MRCONSO.length > 0;

  async function* concepts(): AsyncGenerator<KbConcept> {
    const facts = new RrfFacts();
    for (const path of rrf.MRDEF) {
      const records = await kbRecords(open(path), problems);
      await facts.readDefinitions(records.lines(), path, problems);
      files.push(kbFile(records));
    }
    for (const path of rrf.MRSTY) {
      const records = await kbRecords(open(path), problems);
      await facts.readTypes(records.lines(), path, problems);
      files.push(kbFile(records));
    }
    for (const path of rrf.MRCONSO) {
      const records = await kbRecords(open(path), problems);
      yield* readMrconso(records.lines(), facts, options, path, problems);
      files.push(kbFile(records));
    }
    for (const path of json) {
      const records = await kbRecords(open(path), problems);
      yield* readKbJson(records.values(), path, problems);
      files.push(kbFile(records));
    }
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
    totalBytes: await sizeOf([...json, ...rrf.MRDEF, ...rrf.MRSTY, ...rrf.MRCONSO]),
    notes: hasRrf ? missingNotes(rrf) : [],
  };
}

async function sortPaths(paths: readonly string[]): Promise<KbPaths> {
  const json: string[] = [];
  const rrf: Record<RrfTable, string[]> = { MRCONSO: [], MRDEF: [], MRSTY: [] };
  for (const path of paths) {
    const found = await stat(path).catch(() => null);
    const files = found?.isDirectory() === true ? await rrfFiles(path) : [path];
    for (const file of files) (tableOf(file) === null ? json : rrf[tableOf(file)!]).push(file);
  }
  if (rrf.MRCONSO.length === 0 && rrf.MRDEF.length + rrf.MRSTY.length > 0)
    throw new UsageError(
      'MRDEF.RRF and MRSTY.RRF name no concepts',
      'give MRCONSO.RRF too, or the folder of all three',
    );
  return { json, rrf };
}

/** The tables of a UMLS folder; one that lies there packed and unpacked is taken once. */
async function rrfFiles(folder: string): Promise<string[]> {
  const names = (await readdir(folder)).filter((name) => RRF_IN_FOLDER.test(name)).sort(compareText);
  const once = new Map(names.map((name) => [name.replace(/\.gz$/i, ''), name]));
  for (const name of names) if (!/\.gz$/i.test(name)) once.set(name, name);
  if (![...once.keys()].some((name) => tableOf(name) === 'MRCONSO'))
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

function tableOf(path: string): RrfTable | null {
  const table = NAMED_RRF.exec(basename(path))?.[1]?.toUpperCase();
  return table === 'MRCONSO' || table === 'MRDEF' || table === 'MRSTY' ? table : null;
}

function missingNotes(rrf: KbPaths['rrf']): string[] {
  const notes: string[] = [];
  if (rrf.MRDEF.length === 0)
    notes.push('no MRDEF.RRF: every concept counts as one without a definition, which needs a higher score');
  if (rrf.MRSTY.length === 0) notes.push('no MRSTY.RRF: concepts have no semantic types');
  return notes;
}

function wholeHash(files: readonly KbFile[]): string {
  if (files.length === 1) return `sha256:${files[0]!.sha256}`;
  const hash = createHash('sha256');
  for (const { sha256 } of files) hash.update(`${sha256}\n`);
  return `sha256:${hash.digest('hex')}`;
}

async function sizeOf(files: readonly string[]): Promise<number> {
  const sizes = await Promise.all(files.map(async (file) => (await stat(file).catch(() => null))?.size ?? 0));
  return sizes.reduce((sum, size) => sum + size, 0);
}
