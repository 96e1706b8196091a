import { hash } from 'node:crypto';
import {
  appendFileSync,
  closeSync,
  type Dirent,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';

import { makeFolders, partialPath, removePartials } from '../data/write-file.ts';
import { readPlainSync } from '../data/read-file.ts';
import { UsageError } from '../data/problems.ts';
import { isRecord } from '../data/record-fields.ts';
import { errorCode } from '../data/source.ts';
import { compareText } from '../text/compare.ts';
import { SeenBytes } from './run-file.ts';
import type { FileFact } from './run.ts';

/** Units of text that are held before they are written. */
const PIECE = 1 << 18;

/** A file of JSON lines, written in large pieces. */
class LineFile {
  readonly #descriptor: number;
  readonly #seen = new SeenBytes();
  #held = '';
  rows = 0;

  constructor(path: string) {
    this.#descriptor = openSync(path, 'wx');
  }

  add(record: unknown): void {
    this.#held += `${JSON.stringify(record)}\n`;
    this.rows += 1;
    if (this.#held.length >= PIECE) this.#write();
  }

  close(): FileFact {
    this.#write();
    closeSync(this.#descriptor);
    return this.#seen.fact();
  }

  #write(): void {
    const bytes = Buffer.from(this.#held);
    this.#held = '';
    this.#seen.add(bytes);
    for (let at = 0; at < bytes.length;) at += writeSync(this.#descriptor, bytes, at);
  }
}

/** Made from the other files, and made again whenever somebody asks for it. */
const PRESENTED = /^report\./;

/**
 * A run folder in the making. Everything is written to a folder beside it and renamed at the end, so a folder of the
 * final name is always complete; what a crash leaves behind is called `.partial-…`.
 */
export class RunWriter {
  readonly folder: string;
  readonly #aside: string;
  readonly #files = new Map<string, LineFile>();
  readonly #written = new Map<string, FileFact>();

  constructor(folder: string) {
    this.folder = resolve(folder);
    this.#aside = partialPath(folder);
    refuseForeign(this.folder, folder);
    this.#guard(() => {
      makeFolders(dirname(this.folder));
      removePartials(dirname(this.folder), basename(this.folder));
      rmSync(this.#aside, { recursive: true, force: true });
      mkdirSync(this.#aside, { mode: 0o700 });
    });
  }

  /** Adds a line to a file for each record. */
  lines(file: string, records: Iterable<unknown>): void {
    this.#guard(() => {
      let open = this.#files.get(file);
      if (open === undefined) {
        open = new LineFile(join(this.#aside, file));
        this.#files.set(file, open);
      }
      for (const record of records) open.add(record);
    });
  }

  rows(file: string): number {
    return this.#files.get(file)?.rows ?? 0;
  }

  whole(file: string, content: string): void {
    this.#guard(() => {
      writeFileSync(join(this.#aside, file), content, { flag: 'wx' });
    });
    if (!PRESENTED.test(file))
      this.#written.set(file, { sha256: hash('sha256', content), bytes: Buffer.byteLength(content) });
  }

  /** Adds to the end of a file that grows while cases are scored. */
  piece(file: string, content: string): void {
    this.#guard(() => {
      appendFileSync(join(this.#aside, file), content);
    });
  }

  /** What has been written, in the order of the names; no line can be added after it. */
  files(): Readonly<Record<string, FileFact>> {
    this.#guard(() => {
      for (const [name, file] of this.#files) this.#written.set(name, file.close());
      this.#files.clear();
    });
    return Object.fromEntries([...this.#written].sort(([a], [b]) => compareText(a, b)));
  }

  /** Makes the folder real, in place of an earlier run of the same name. */
  finish(): void {
    this.#guard(() => {
      const earlier = `${this.folder}.replaced-${process.pid}`;
      const replaces = existsSync(this.folder);
      if (replaces) renameSync(this.folder, earlier);
      renameSync(this.#aside, this.folder);
      if (replaces) rmSync(earlier, { recursive: true, force: true });
    });
  }

  /** Nothing half-written stays behind. */
  abandon(): void {
    try {
      rmSync(this.#aside, { recursive: true, force: true });
    } catch {
      // What brought us here is the fault to tell; the next run clears it away.
    }
  }

  #guard(write: () => void): void {
    try {
      write();
    } catch (error) {
      this.abandon();
      const code = errorCode(error);
      const reason =
        code === 'ENOSPC'
          ? 'the disk is full'
          : code === 'EACCES' || code === 'EPERM' || code === 'EROFS'
            ? 'no permission to write there'
            : code;
      throw new UsageError(
        `cannot write the run folder ${this.folder}: ${reason}`,
        code === 'ENOSPC' ? 'free some space or choose another place with --out' : 'choose another place with --out',
      );
    }
  }
}

/** Only an earlier run, or an empty folder, may be replaced: never somebody's files. */
function refuseForeign(folder: string, given: string): void {
  let entries: Dirent[];
  try {
    entries = readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return;
    throw new UsageError(
      `--out ${given}: ${errorCode(error) === 'ENOTDIR' ? 'a file of that name exists' : errorCode(error)}`,
      'name a new folder',
    );
  }
  if (entries.length > 0 && (entries.some((entry) => entry.isDirectory()) || !isOwnManifest(folder)))
    throw new UsageError(
      `--out ${given}: the folder is not empty and is no run folder`,
      'name a new folder, or empty this one',
    );
}

/** Browser extensions and web pages have a manifest.json too. */
function isOwnManifest(folder: string): boolean {
  try {
    const manifest: unknown = JSON.parse(readPlainSync(join(folder, 'manifest.json')).toString('utf8'));
    return isRecord(manifest) && typeof manifest['format'] === 'number' && typeof manifest['assay'] === 'string';
  } catch {
    return false;
  }
}
