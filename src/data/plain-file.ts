import { closeSync, constants, fstatSync, openSync, readSync, type Stats } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';

import { errorCode } from './source.ts';

/** What files that are held as a whole may have: a manifest, measures, an audit. */
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
