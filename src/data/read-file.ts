import { isUtf8 } from 'node:buffer';
import { closeSync, constants, fstatSync, openSync, readSync, statSync, type Stats } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';

import { InputError, Problems, UsageError } from './problems.ts';
import { errorCode, fileSource, OpenSource, type Source } from './source.ts';
import { byteOrderMarkLength, decodeUtf8, refuseForeign } from './utf8.ts';

/** What files that are held as a whole may have; a packed bomb stops here. */
export const MOST_WHOLE_BYTES = 1 << 28;
const CHUNK_BYTES = 1 << 18;
/** Windows has neither; there, the opened file is checked anyway. */
const NONBLOCK = constants.O_NONBLOCK ?? 0;
const NOFOLLOW = constants.O_NOFOLLOW ?? 0;

export interface PlainOptions {
  /** Most bytes it may have. */
  readonly most?: number;
  /** Also through a link, as long as it leads to a plain file. */
  readonly follow?: boolean;
}

/** Why something on the disk is not read; its message goes behind the path and a colon. */
class NotPlainError extends Error {}

/**
 * Opens a file whose place, or whose folder, comes from somebody else: a pipe, a device or a link in its place is refused
 * before a byte is read, so that nobody waits for one for ever.
 */
export async function openPlain(
  path: string,
  options: PlainOptions = {},
): Promise<{ handle: FileHandle; size: number }> {
  const handle = await open(path, flagsOf(options)).catch((error: unknown) => {
    throw whyNotOpened(error, options);
  });
  try {
    return { handle, size: plainSize(await handle.stat(), options) };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** The bytes of such a file, as many as it had when it was opened. */
export async function* plainChunks(path: string, options: PlainOptions = {}): AsyncGenerator<Buffer> {
  const { handle, size } = await openPlain(path, options);
  if (size === 0) return await handle.close();
  for await (const chunk of handle.createReadStream({ highWaterMark: CHUNK_BYTES, end: size - 1 }))
    if (Buffer.isBuffer(chunk)) yield chunk;
}

/** Such a file as a whole. */
export async function readPlain(path: string, options: PlainOptions = {}): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of plainChunks(path, { most: MOST_WHOLE_BYTES, ...options })) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** The same at once, for small files. */
export function readPlainSync(path: string, options: PlainOptions = {}): Buffer {
  let descriptor: number;
  try {
    descriptor = openSync(path, flagsOf(options));
  } catch (error) {
    throw whyNotOpened(error, options);
  }
  try {
    const bytes = Buffer.alloc(plainSize(fstatSync(descriptor), { most: MOST_WHOLE_BYTES, ...options }));
    let at = 0;
    for (let read = -1; read !== 0 && at < bytes.length; at += read) read = readSync(descriptor, bytes, { offset: at });
    return bytes.subarray(0, at);
  } finally {
    closeSync(descriptor);
  }
}

function flagsOf({ follow = false }: PlainOptions): number {
  return constants.O_RDONLY | NONBLOCK | (follow ? 0 : NOFOLLOW);
}

function whyNotOpened(error: unknown, { follow = false }: PlainOptions): unknown {
  // A socket, or a device that nobody drives, cannot even be opened.
  if (errorCode(error) === 'ENXIO') return new NotPlainError('not a plain file');
  return errorCode(error) === 'ELOOP' && !follow ? new NotPlainError('a link, which is not followed') : error;
}

function plainSize(found: Stats, { most = Infinity }: PlainOptions): number {
  if (!found.isFile()) throw new NotPlainError(`not a plain file${found.isDirectory() ? ' but a folder' : ''}`);
  if (found.size > most) throw new NotPlainError(`${found.size} bytes, at most ${most} are read`);
  return found.size;
}

/** The bytes of a source as a whole, decompressed. For sources whose size is known to be modest. */
export async function readWhole(source: Source | OpenSource, most = MOST_WHOLE_BYTES, what = 'it'): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of (source instanceof OpenSource ? source : new OpenSource(source)).bytes()) {
    size += chunk.length;
    const message = `${what} is longer than ${Math.floor(most / 1048576)} MiB`;
    if (size > most) throw new InputError([{ file: source.name, line: null, message, next: 'split it' }]);
    chunks.push(chunk);
  }
  return chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks);
}

export interface WholeText {
  readonly text: string;
  /** Whether a byte order mark stands before it. */
  readonly hasMark: boolean;
  /** Of the decompressed bytes. */
  readonly sha256: string;
  /** Of the bytes as they are stored. */
  readonly storedSha256: string;
  readonly storedBytes: number;
}

/** A file as one text, decompressed. */
export async function readText(file: string, most: number = MOST_WHOLE_BYTES): Promise<WholeText> {
  const source = new OpenSource(fileSource(file));
  const bytes = await readWhole(source, most, 'decompressed, it');
  if (!isUtf8(bytes)) throw new InputError([{ file, line: null, message: 'it is not UTF-8 text' }]);
  const { sha256: storedSha256, bytes: storedBytes } = source.digest();
  const mark = byteOrderMarkLength(bytes);
  const text = bytes.toString('utf8', mark);
  return { text, hasMark: mark > 0, sha256: source.content().sha256, storedSha256, storedBytes };
}

/** Where a shell puts the pipe of `<(…)`. Elsewhere nobody may ever write to a pipe, and to open it would wait for that. */
const SHELL_PIPE = /^\/(?:dev\/(?:stdin|fd\/\d+)|proc\/(?:self|\d+)\/fd\/\d+)$/;
const MOST_WRITTEN_BYTES = 1 << 24;

/**
 * A file that somebody wrote by hand, such as a recipe, as text: a plain file or the pipe of a shell, up to 16 MiB. A
 * device such as /dev/zero never ends.
 */
export function readWritten(path: string): string {
  const found = statSync(path);
  if (!found.isFile() && !(found.isFIFO() && SHELL_PIPE.test(path)))
    throw new UsageError(`${path} is not a plain file`, 'name a file; the pipe of a shell, <(…), works too');
  const descriptor = openSync(path, 'r');
  try {
    const chunks: Buffer[] = [];
    for (let size = 0; size <= MOST_WRITTEN_BYTES;) {
      const chunk = Buffer.alloc(CHUNK_BYTES);
      const read = readSync(descriptor, chunk);
      if (read === 0) return writtenText(Buffer.concat(chunks), path);
      chunks.push(chunk.subarray(0, read));
      size += read;
    }
    throw new UsageError(`${path} is longer than 16 MiB`, 'put data in separate files');
  } finally {
    closeSync(descriptor);
  }
}

function writtenText(bytes: Buffer, path: string): string {
  const problems = new Problems();
  try {
    refuseForeign(bytes, path);
    decodeUtf8(bytes, 1, path, problems);
    problems.throwIfAny();
  } catch (error) {
    throw error instanceof InputError ? new UsageError(error.message) : error;
  }
  return bytes.toString('utf8');
}
