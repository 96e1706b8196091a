import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { basename, dirname, resolve } from 'node:path';
import { Readable } from 'node:stream';

import { COMPRESSED_NAME, type Compression, compressionOf, decompressedChunks } from './compression.ts';
import { closestNames } from '../text/closest-names.ts';
import { InputError, UsageError } from './problems.ts';
import { wholeCharacters } from './utf8.ts';
import { significant } from '../text/figures.ts';

/** Where bytes come from. `name` is what messages call it. */
export interface Source {
  readonly name: string;
  /** Absolute path of a file, null for anything else. */
  readonly path: string | null;
  /** Several files and folders that are read as one, in this order. */
  readonly files?: readonly Source[];
  open(): AsyncIterable<Uint8Array> | Promise<AsyncIterable<Uint8Array>>;
}

/** What identifies stored bytes. */
export interface Digest {
  readonly sha256: string;
  readonly bytes: number;
}

/** Small enough that what is parsed from one chunk dies young: with 1 MiB the peak memory of a run doubles. */
const CHUNK_BYTES = 1 << 18;
const HEAD_BYTES = 1024;
/** What gzip makes of texts that repeat themselves is about 100 times smaller; of nothing but blank lines, 1000 times. */
const MOST_TIMES = 250;
const DECOMPRESSED_BEFORE = 1 << 24;

/** Whether so many bytes out of so few are a trap rather than data. */
export function isBomb(decompressed: number, stored: number): boolean {
  return decompressed > DECOMPRESSED_BEFORE && decompressed > MOST_TIMES * stored;
}

export function fileSource(path: string): Source {
  return {
    name: path,
    path: resolve(path),
    open: async () => {
      await refuseUnreadable(path);
      return createReadStream(path, { highWaterMark: CHUNK_BYTES });
    },
  };
}

/** Several files and folders as one source, for readers that look at `files`; others refuse it. */
export function joinedSource(files: readonly Source[]): Source {
  const [first] = files;
  if (first !== undefined && files.length === 1) return first;
  const name = `${first?.name ?? ''} and ${files.length - 1} more`;
  const open = (): never => {
    throw new UsageError(`${name}: only one file is read here`, 'join the files first');
  };
  return { name, path: null, files, open };
}

/** The source with each of its files changed. */
export function mapFiles(source: Source, change: (file: Source) => Source): Source {
  return source.files === undefined ? change(source) : joinedSource(source.files.map(change));
}

export function standardInput(): Source {
  return { name: 'standard input', path: null, open: () => process.stdin };
}

export function memorySource(name: string, content: string | Uint8Array): Source {
  return {
    name,
    path: null,
    open: () => Readable.from([typeof content === 'string' ? Buffer.from(content, 'utf8') : content]),
  };
}

const MOST_TAKEN_IN = 1 << 30;

/** A source that can be opened again and again: what is no plain file is taken in as a whole. */
export async function reopenable(source: Source): Promise<Source> {
  if (source.files !== undefined) return joinedSource(await Promise.all(source.files.map(reopenable)));
  const found = source.path === null ? null : await stat(source.path).catch(() => null);
  if (source.path !== null && (found === null || found.isFile() || found.isDirectory())) return source;
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of await source.open()) {
    bytes += chunk.length;
    // A device never ends.
    if (bytes > MOST_TAKEN_IN)
      throw new UsageError(
        `${source.name} is longer than ${MOST_TAKEN_IN >> 20} MiB, and is no plain file`,
        'write it to a file, and name that',
      );
    chunks.push(chunk);
  }
  return { ...memorySource(source.name, Buffer.concat(chunks)), path: source.path };
}

class ByteCounter {
  readonly #hash = createHash('sha256');
  bytes = 0;

  add(chunk: Uint8Array): void {
    this.#hash.update(chunk);
    this.bytes += chunk.length;
  }

  digest(): Digest {
    return { sha256: this.#hash.copy().digest('hex'), bytes: this.bytes };
  }
}

/** The digest of a file that others beside it were read with. */
export function digestWith(file: Digest, besides: readonly (Digest & { readonly name: string })[]): Digest {
  if (besides.length === 0) return { sha256: file.sha256, bytes: file.bytes };
  const hash = createHash('sha256').update(file.sha256);
  for (const { name, sha256 } of besides) hash.update(`\n${name} ${sha256}`);
  return { sha256: hash.digest('hex'), bytes: besides.reduce((sum, { bytes }) => sum + bytes, file.bytes) };
}

export type HashedSource = ReturnType<typeof hashedSource>;

/**
 * A source whose bytes are hashed on their way, as they are stored, for readers that do not say what they have read; the
 * digest is to be asked for once they have been read to their end.
 */
export function hashedSource(source: Source) {
  let counter = new ByteCounter();
  async function* open(): AsyncGenerator<Uint8Array> {
    const current = new ByteCounter();
    counter = current;
    for await (const chunk of await source.open()) {
      current.add(chunk);
      yield chunk;
    }
  }
  return { source: { ...source, open }, digest: () => counter.digest() };
}

async function refuseUnreadable(path: string): Promise<void> {
  let found;
  try {
    found = await stat(path);
  } catch (error) {
    const code = errorCode(error);
    if (code === 'ENOENT' || code === 'ENOTDIR')
      throw new InputError([{ file: path, line: null, message: 'no such file', ...(await nearbyFiles(path)) }]);
    throw new InputError([{ file: path, line: null, message: `cannot be read (${code})` }]);
  }
  if (found.isDirectory()) {
    throw new InputError([
      { file: path, line: null, message: 'is a directory, expected a file', next: 'name one file inside it' },
    ]);
  }
}

/** The system's own name for what went wrong (ENOENT, ENOSPC), or the message if it has none. */
export function errorCode(error: unknown): string {
  if (error instanceof Error) return 'code' in error ? String(error.code) : error.message;
  return String(error);
}

async function nearbyFiles(path: string): Promise<{ next?: string }> {
  const names = await readdir(dirname(path)).catch(() => []);
  const near = closestNames(basename(path), names);
  return near.length > 0 ? { next: `did you mean ${near.join(', ')}?` } : {};
}

/** The bytes of a source, decompressed if they are gzip or zstd, with the sha256 of what was stored. */
export class OpenSource {
  readonly name: string;
  readonly #source: Source;
  readonly #maxDecompressed: number;
  readonly #counter = new ByteCounter();
  /** Of what was decompressed, if anything was. */
  #content: ByteCounter | null = null;

  constructor(source: Source, maxDecompressed = Infinity) {
    this.#source = source;
    this.#maxDecompressed = maxDecompressed;
    this.name = source.name;
  }

  /** To be asked once the bytes have been read to their end. */
  digest(): Digest {
    return this.#counter.digest();
  }

  /** The same of the bytes as they were handed on. */
  content(): Digest {
    return (this.#content ?? this.#counter).digest();
  }

  async *bytes(): AsyncGenerator<Buffer> {
    const stored = this.#stored();
    const head = await takeHead(stored, HEAD_BYTES);
    if (head === null) return;
    const all = startingWith(head, stored);
    const compression = compressionOf(head);
    if (compression !== null) yield* this.#decompressed(all, compression);
    else if (COMPRESSED_NAME.test(this.name) && !isText(head)) {
      // Some tools decompress a file and leave its name, but this is not text either.
      await stored.return(undefined);
      const named = /t$/i.test(this.name) ? 'zstd' : 'gzip';
      throw this.#damaged(`it does not begin as ${named} data does`, named);
    } else yield* all;
  }

  async *#decompressed(stored: AsyncIterable<Buffer>, compression: Compression): AsyncGenerator<Buffer> {
    // A pipe would not hand on an error of the source: the pipeline ends the decompression with it.
    const decompressing = decompressedChunks(stored, compression, this.name, CHUNK_BYTES);
    this.#content = new ByteCounter();
    try {
      for await (const chunk of decompressing) {
        if (!Buffer.isBuffer(chunk)) continue;
        this.#content.add(chunk);
        this.#refuseBomb(this.#content.bytes, compression);
        yield chunk;
      }
    } catch (error) {
      throw error instanceof InputError
        ? error
        : this.#damaged(error instanceof Error ? error.message : String(error), compression);
    }
  }

  async *#stored(): AsyncGenerator<Buffer> {
    try {
      for await (const chunk of await this.#source.open()) {
        const bytes = Buffer.isBuffer(chunk) ? chunk : Buffer.from(chunk);
        this.#counter.add(bytes);
        yield bytes;
      }
    } catch (error) {
      if (error instanceof InputError) throw error;
      const reason = error instanceof Error ? error.message : String(error);
      throw new InputError([{ file: this.name, line: null, message: `reading failed (${reason})` }]);
    }
  }

  #refuseBomb(decompressed: number, compression: Compression): void {
    if (isBomb(decompressed, this.#counter.bytes))
      throw this.#fault(
        `the ${compression} data decompresses to more than ${MOST_TIMES} times its size: blank lines, or one thing again and again`,
        `if it is meant to be so, ${compression === 'gzip' ? 'gunzip' : 'unzstd'} it first`,
      );
    if (decompressed > this.#maxDecompressed)
      throw this.#fault(
        `decompressed, the file is longer than ${significant(this.#maxDecompressed / 2 ** 20, 4)} MiB`,
        'if it is meant to be so long, decompress it first',
      );
  }

  #damaged(reason: string, compression: Compression): InputError {
    return this.#fault(
      `the ${compression} data is damaged or cut off (${reason})`,
      `check the file with ${compression} -t`,
    );
  }

  #fault(message: string, next: string): InputError {
    return new InputError([{ file: this.name, line: null, message, next }]);
  }
}

/** The first chunks glued to at least `least` bytes, as far as there are so many; null when there is nothing at all. */
export async function takeHead(chunks: AsyncIterator<Buffer>, least: number): Promise<Buffer | null> {
  const held: Buffer[] = [];
  let bytes = 0;
  while (bytes < least) {
    const next = await chunks.next();
    if (next.done === true) break;
    held.push(next.value);
    bytes += next.value.length;
  }
  if (bytes === 0) return null;
  return held.length === 1 ? held[0]! : Buffer.concat(held);
}

/** Puts back what was taken. A caller that stops early closes the rest too, also when it was not begun. */
export async function* startingWith(first: Buffer, rest: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield first;
    yield* rest;
  } finally {
    await rest.return(undefined);
  }
}

function isText(head: Buffer): boolean {
  const start = head.subarray(0, HEAD_BYTES);
  return isUtf8(start.subarray(0, wholeCharacters(start)));
}
