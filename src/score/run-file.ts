import { createHash } from 'node:crypto';
import { join } from 'node:path';

import type { z } from 'zod';

import { type PlainOptions, readPlain } from '../data/plain-file.ts';
import { errorCode } from '../data/source.ts';
import { damaged, parsedFile, runChunks, unreadable } from './read-ledger.ts';
import type { FileFact, Manifest } from './run.ts';

/** Where a run is, with what its manifest says of the files beside it. */
export interface RunPlace {
  readonly folder: string;
  readonly manifest: Pick<Manifest, 'files' | 'outputs'>;
}

/** A file of a run folder that holds one JSON value, as it was written; null where there is none. */
export async function readRunFile<T>(
  run: RunPlace,
  file: string,
  schema: z.ZodType<T>,
  options: PlainOptions = {},
): Promise<T | null> {
  const place = join(run.folder, file);
  const bytes = await readPlain(place, options).catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') return null;
    throw unreadable(place, error);
  });
  if (bytes === null) return null;
  const content = parsedFile(bytes, place, schema);
  const seen = new SeenBytes();
  seen.add(bytes);
  expectFile(run, file, seen.fact());
  return content;
}

/** What was read of a file so far. */
export class SeenBytes {
  readonly #hash = createHash('sha256');
  #bytes = 0;

  add(chunk: Uint8Array): void {
    this.#hash.update(chunk);
    this.#bytes += chunk.length;
  }

  fact(): FileFact {
    return { sha256: this.#hash.digest('hex'), bytes: this.#bytes };
  }
}

/** Reads a file of lines through, which must be the one that was written; one that has too many lines not to its end. */
export async function expectLines(run: RunPlace, file: string): Promise<void> {
  const rows = run.manifest.outputs[file]?.rows ?? Infinity;
  const seen = new SeenBytes();
  let lines = 0;
  for await (const chunk of runChunks(join(run.folder, file))) {
    seen.add(chunk);
    for (let at = chunk.indexOf(0x0a); at !== -1; at = chunk.indexOf(0x0a, at + 1)) lines += 1;
    if (lines > rows) break;
  }
  expectRows(run, file, lines);
  expectFile(run, file, seen.fact());
}

export function expectRows({ folder, manifest }: RunPlace, file: string, found: number): void {
  const rows = manifest.outputs[file]?.rows;
  if (rows !== undefined && rows !== found)
    throw damaged(
      `${join(folder, file)}: ${found > rows ? `more than ${rows}` : found} complete lines, but the manifest says ${rows}: ${found < rows ? 'the file was cut off' : 'lines were added'}`,
    );
}

/** Of runs scored before their manifests had hashes: an edit of these is not noticed. */
export function unlistedNotices(runs: readonly RunPlace[]): string[] {
  return runs
    .filter(({ manifest }) => manifest.files === undefined)
    .map(
      ({ folder }) =>
        `${folder} was scored before runs held hashes: score it again, so that edits of its files are noticed`,
    );
}

/** Numbers that somebody wrote into a file are not those that were scored. */
export function expectFile({ folder, manifest }: RunPlace, file: string, found: FileFact): void {
  if (manifest.files === undefined) return;
  const written = manifest.files[file];
  if (written === undefined) throw damaged(`${join(folder, file)}: the manifest does not list this file`);
  if (written.sha256 !== found.sha256)
    throw damaged(
      `${join(folder, file)} was changed after it was scored: its sha256 is ${found.sha256.slice(0, 12)}…, but the manifest says ${written.sha256.slice(0, 12)}…`,
    );
}
