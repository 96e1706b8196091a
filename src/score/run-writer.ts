import { createHash, type Hash } from 'node:crypto';
import { type Dirent, existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';

import { UsageError } from '../data/problems.ts';
import { readPlainSync } from '../data/read-file.ts';
import { errorCode } from '../data/source.ts';
import { makeFolders, partialPath, removePartials } from '../data/write-file.ts';
import { compareText } from '../text/compare.ts';
import { GrowingBytes } from '../text/growing-bytes.ts';
import { compressorFor } from './ledger-format.ts';
import { type FileFact, runStamp } from './run.ts';

/** Bytes that are held before they are written. */
const PIECE = 1 << 18;

/** Bytes that are compressed at a time: a file does not depend on how it was cut into writes. */
const FRAME = 1 << 20;

interface GrowingFile {
  readonly held: GrowingBytes;
  rows: number;
  bytes: number;
  readonly hash: Hash;
  readonly compress: ((piece: Buffer) => Buffer) | null;
}

/** The place for a watcher's files: they appear with the run folder, or not at all. */
export interface RunFiles {
  /** Where they are until then. */
  readonly aside: string;
  /** Adds to the end of a file: all that it holds, or one piece after another while cases are scored. */
  write(file: string, content: string): void;
  /** Takes over files that were written there by somebody else. */
  adopt(files: Readonly<Record<string, FileFact>>): void;
  /** Turns what goes wrong with writing into an error for the user. */
  guard<T>(write: () => T): T;
}

/** Made from the other files, and made again whenever somebody asks for it. */
const PRESENTED = /^report\./;

/** Files of a folder that grow piece by piece, each with its hash. */
export class GrowingFiles {
  readonly #folder: string;
  readonly #files = new Map<string, GrowingFile>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Adds a line to a file for each record. */
  lines(file: string, records: Iterable<unknown>): void {
    const open = this.#fileOf(file);
    for (const record of records) {
      this.#add(open, file, `${JSON.stringify(record)}\n`);
      open.rows += 1;
    }
  }

  rows(file: string): number {
    return this.#fileOf(file).rows;
  }

  /** Adds to the end of a file; `rows` lines, if they are counted. */
  write(file: string, content: string, rows = 0): void {
    const open = this.#fileOf(file);
    this.#add(open, file, content);
    open.rows += rows;
  }

  /** Lets bytes be put at the end of a file; returns how many rows these are. */
  fill(file: string, put: (bytes: GrowingBytes) => number): void {
    const open = this.#fileOf(file);
    open.rows += put(open.held);
    if (open.held.size >= PIECE) this.#flush(file, open);
  }

  /** Ends all files; what is presented from the others is not listed. */
  end(): Readonly<Record<string, FileFact>> {
    this.#files.forEach((open, file) => this.#end(file, open));
    const listed = [...this.#files].filter(([file]) => !PRESENTED.test(file));
    this.#files.clear();
    return Object.fromEntries(listed.map(([file, { hash, bytes }]) => [file, { sha256: hash.digest('hex'), bytes }]));
  }

  #fileOf(name: string): GrowingFile {
    const known = this.#files.get(name);
    if (known !== undefined) return known;
    const sums = { rows: 0, bytes: 0, hash: createHash('sha256') };
    const file = { held: new GrowingBytes(), ...sums, compress: compressorFor(name) };
    this.#files.set(name, file);
    return file;
  }

  #add(file: GrowingFile, name: string, text: string): void {
    file.held.text(text);
    if (file.held.size >= PIECE) this.#flush(name, file);
  }

  #flush(name: string, file: GrowingFile): void {
    if (file.compress === null) return this.#append(name, file, file.held.take());
    if (file.held.size < FRAME) return;
    const held = file.held.take();
    let from = 0;
    for (; held.length - from >= FRAME; from += FRAME)
      this.#append(name, file, file.compress(held.subarray(from, from + FRAME)));
    file.held.bytes(held.subarray(from));
  }

  #end(name: string, file: GrowingFile): void {
    this.#flush(name, file);
    if (file.compress !== null && (file.held.size > 0 || file.bytes === 0))
      this.#append(name, file, file.compress(file.held.take()));
  }

  #append(name: string, file: GrowingFile, bytes: Buffer): void {
    file.bytes += bytes.length;
    if (!PRESENTED.test(name)) file.hash.update(bytes);
    // Deno makes files that appendFileSync begins writable for everyone.
    writeFileSync(join(this.#folder, name), bytes, { flag: 'a' });
  }
}

/**
 * A run folder in the making. Everything is written to a folder beside it and renamed at the end, so a folder of the
 * final name is always complete; what a crash leaves behind is called `.partial-…`.
 */
export class RunWriter implements RunFiles {
  readonly folder: string;
  readonly aside: string;
  readonly #files: GrowingFiles;
  /** Files that were written elsewhere. */
  #others: Readonly<Record<string, FileFact>> = {};

  /** `onOpen` gets the writer before anything is made that an interrupt would leave behind. */
  constructor(folder: string, onOpen: (writer: RunWriter) => void = () => undefined) {
    this.folder = resolve(folder);
    this.aside = partialPath(folder);
    this.#files = new GrowingFiles(this.aside);
    refuseForeign(this.folder, folder);
    onOpen(this);
    this.guard(() => {
      makeFolders(dirname(this.folder));
      removePartials(dirname(this.folder), basename(this.folder));
      rmSync(this.aside, { recursive: true, force: true });
      mkdirSync(this.aside, { mode: 0o700 });
    });
  }

  lines(file: string, records: Iterable<unknown>): void {
    this.guard(() => this.#files.lines(file, records));
  }

  rows(file: string): number {
    return this.#files.rows(file);
  }

  write(file: string, content: string, rows = 0): void {
    this.guard(() => this.#files.write(file, content, rows));
  }

  fill(file: string, put: (bytes: GrowingBytes) => number): void {
    this.guard(() => this.#files.fill(file, put));
  }

  adopt(files: Readonly<Record<string, FileFact>>): void {
    this.#others = files;
  }

  /** What has been written, in the order of the names; what is written after it is not listed. */
  files(): Readonly<Record<string, FileFact>> {
    const listed = { ...this.guard(() => this.#files.end()), ...this.#others };
    return Object.fromEntries(Object.entries(listed).sort(([a], [b]) => compareText(a, b)));
  }

  /** Makes the folder real, in place of an earlier run of the same name. */
  finish(): void {
    this.guard(() => {
      this.#files.end();
      const earlier = `${this.folder}.replaced-${process.pid}`;
      const replaces = existsSync(this.folder);
      if (replaces) renameSync(this.folder, earlier);
      renameSync(this.aside, this.folder);
      if (replaces) rmSync(earlier, { recursive: true, force: true });
    });
  }

  /** Nothing half-written stays behind. */
  abandon(): void {
    try {
      rmSync(this.aside, { recursive: true, force: true });
    } catch {
      // What brought us here is the fault to tell; the next run clears it away.
    }
  }

  guard<T>(write: () => T): T {
    try {
      return write();
    } catch (error) {
      this.abandon();
      const code = errorCode(error);
      const isFull = code === 'ENOSPC';
      const isForbidden = code === 'EACCES' || code === 'EPERM' || code === 'EROFS';
      const reason = isFull ? 'the disk is full' : isForbidden ? 'no permission to write there' : code;
      throw new UsageError(
        `cannot write the run folder ${this.folder}: ${reason}`,
        `${isFull ? 'free some space or ' : ''}choose another place with --out`,
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
    const code = errorCode(error);
    if (code === 'ENOENT') return;
    const reason = code === 'ENOTDIR' ? 'a file of that name exists' : code;
    throw new UsageError(`--out ${given}: ${reason}`, 'name a new folder');
  }
  if (entries.length > 0 && (entries.some((entry) => entry.isDirectory()) || !isOwnManifest(folder)))
    throw new UsageError(
      `--out ${given}: the folder is not empty and is not a run folder`,
      'name a new folder, or empty this one',
    );
}

/** Browser extensions and web pages have a manifest.json too. A shard has a shard.json instead. */
function isOwnManifest(folder: string): boolean {
  return ['manifest.json', 'shard.json'].some((file) => {
    try {
      return runStamp.safeParse(JSON.parse(readPlainSync(join(folder, file)).toString('utf8'))).success;
    } catch {
      return false;
    }
  });
}
