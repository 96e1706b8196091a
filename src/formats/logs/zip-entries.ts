import { crc32, zstdDecompressSync } from 'node:zlib';
import { Readable } from 'node:stream';

import { type Entry, fromRandomAccessReaderPromise, RandomAccessReader, type ZipFile } from 'yauzl';

import { InputError } from '../../data/problems.ts';
import { openPlain } from '../../data/read-file.ts';
import { isBomb, type Source } from '../../data/source.ts';

/** A zip archive in a file or in memory: its entries by name, decompressed one at a time. */
export interface ZipEntries {
  /** In the order of the directory. Of two entries with one name the later counts, as for the tools that append to archives. */
  readonly names: readonly string[];
  read(name: string): Promise<Buffer>;
  close(): Promise<void>;
}

const LOCAL_ENTRY = 0x04034b50;
const LOCAL_BYTES = 30;
const MOST_ENTRIES = 200_000;
const MOST_DIRECTORY_BYTES = 1 << 26;
/** Of one entry. Some tools begin another zstd frame after 200 MiB, and one frame is what is decompressed here. */
const MOST_ENTRY_BYTES = 192 * 2 ** 20;
const [STORED, DEFLATE, ZSTD] = [0, 8, 93];
/** Entries of the directory are small, and there are many. */
const WINDOW_BYTES = 1 << 16;

type Refuse = (message: string) => InputError;
type ReadAt = (offset: number, length: number) => Promise<Buffer>;

/** Whether a file begins as zip archives do. */
export function isZip(head: Buffer): boolean {
  return head.length >= 4 && head.readUInt32LE(0) === LOCAL_ENTRY;
}

/** Opens an archive. Every size in it is checked before it is believed; what does not fit is an InputError. */
export async function openZip({ name, path }: Pick<Source, 'name' | 'path'>, held: Buffer | null): Promise<ZipEntries> {
  const refuse = (message: string): InputError =>
    new InputError([{ file: name, line: null, message, next: 'check the archive, for example with unzip -t' }]);
  const { size, readAt, close } = await opened(path, held);
  try {
    const reader = new BoundedReader(size, readAt);
    // Names are decoded here: nothing is written, so one that leads elsewhere does no harm.
    const options = { autoClose: false, lazyEntries: true, decodeStrings: false };
    const zip = await damageRefused(fromRandomAccessReaderPromise(reader, size, options), refuse);
    const entries = await directory(zip, refuse);
    return {
      names: [...entries.keys()],
      async read(entry) {
        const found = entries.get(entry);
        if (found === undefined) throw refuse(`the archive has no ${entry}`);
        return content(zip, found, entry, refuse);
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** From the disk if it is a file: logs may be larger than memory. */
async function opened(path: string | null, held: Buffer | null) {
  if (held !== null || path === null) {
    const bytes = held ?? Buffer.alloc(0);
    const readAt: ReadAt = async (offset, length) => bytes.subarray(offset, offset + length);
    return { size: bytes.length, readAt, close: async () => undefined };
  }
  const { handle, size } = await openPlain(path, { follow: true });
  const readAt: ReadAt = async (offset, length) => {
    const bytes = Buffer.alloc(length);
    for (let at = 0; at < length;) {
      const { bytesRead } = await handle.read(bytes, at, length - at, offset + at);
      if (bytesRead === 0) throw new Error('the archive is cut off');
      at += bytesRead;
    }
    return bytes;
  };
  return { size, readAt, close: async () => handle.close() };
}

/** Refuses places outside the archive, at which Node would throw where nobody can catch it. */
class BoundedReader extends RandomAccessReader {
  readonly #size: number;
  readonly #readAt: ReadAt;
  #window: { readonly from: number; readonly bytes: Buffer } = { from: 0, bytes: Buffer.alloc(0) };

  constructor(size: number, readAt: ReadAt) {
    super();
    this.#size = size;
    this.#readAt = readAt;
  }

  override read(
    buffer: Buffer,
    offset: number,
    length: number,
    position: number,
    callback: (error: Error | null) => void,
  ): void {
    this.#slice(position, length).then(
      (bytes) => {
        bytes.copy(buffer, offset);
        setImmediate(callback, null);
      },
      (error: unknown) => setImmediate(callback, error instanceof Error ? error : new Error(String(error))),
    );
  }

  override _readStreamForRange(start: number, end: number): Readable {
    const slice = (from: number): Promise<Buffer> => this.#slice(from, Math.min(WINDOW_BYTES, end - from));
    async function* chunks(): AsyncGenerator<Buffer> {
      for (let at = start; at < end; at += WINDOW_BYTES) yield await slice(at);
    }
    return Readable.from(chunks(), { objectMode: false });
  }

  async #slice(from: number, length: number): Promise<Buffer> {
    if (!(from + length <= this.#size)) throw new Error('the archive is cut off');
    const { from: start, bytes } = this.#window;
    if (from < start || from + length > start + bytes.length)
      this.#window = {
        from,
        bytes: await this.#readAt(from, Math.min(this.#size - from, Math.max(length, WINDOW_BYTES))),
      };
    const at = from - this.#window.from;
    return this.#window.bytes.subarray(at, at + length);
  }
}

async function damageRefused<T>(reading: Promise<T>, refuse: Refuse): Promise<T> {
  return reading.catch((error: unknown) => {
    throw error instanceof InputError ? error : refuse(`the archive is damaged (${errorText(error)})`);
  });
}

function errorText(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

async function directory(zip: ZipFile, refuse: Refuse): Promise<Map<string, Entry>> {
  const { entryCount } = zip;
  if (entryCount > MOST_ENTRIES)
    throw refuse(`the archive has ${entryCount} entries, at most ${MOST_ENTRIES} are read`);
  const entries = new Map<string, Entry>();
  const all: Entry[] = [];
  let bytes = 0;
  const gather = async (): Promise<void> => {
    for await (const entry of zip.eachEntry()) {
      bytes += entry.fileNameLength + entry.extraFieldLength + entry.fileCommentLength;
      if (bytes > MOST_DIRECTORY_BYTES)
        throw refuse(`the directory of the archive has more than ${MOST_DIRECTORY_BYTES} bytes`);
      all.push(entry);
      const name = entry.fileNameRaw.toString('utf8');
      // Deleted first, so that the order is that of the last ones.
      entries.delete(name);
      entries.set(name, entry);
    }
  };
  await damageRefused(gather(), refuse);
  refuseOverlap(all, refuse);
  return entries;
}

/**
 * Entries that share bytes make a small archive decompress to terabytes, each of them within its own limits.
 * https://www.bamsoftware.com/hacks/zipbomb/
 */
function refuseOverlap(entries: readonly Entry[], refuse: Refuse): void {
  let end = 0;
  for (const entry of entries.toSorted((a, b) => a.relativeOffsetOfLocalHeader - b.relativeOffsetOfLocalHeader)) {
    const { relativeOffsetOfLocalHeader: start, fileNameLength, compressedSize } = entry;
    if (start < end) throw refuse('entries of the archive overlap');
    end = start + LOCAL_BYTES + fileNameLength + compressedSize;
  }
}

async function content(zip: ZipFile, entry: Entry, name: string, refuse: Refuse): Promise<Buffer> {
  const { compressionMethod: method, compressedSize: stored, uncompressedSize: expected } = entry;
  if (entry.isEncrypted()) throw refuse(`${name} is encrypted`);
  if (![STORED, DEFLATE, ZSTD].includes(method))
    throw refuse(`${name} is compressed by method ${method}; stored, deflate and zstd are read`);
  if (expected > MOST_ENTRY_BYTES || stored > MOST_ENTRY_BYTES)
    throw refuse(`${name} has ${expected} bytes, at most ${MOST_ENTRY_BYTES} are read`);
  if (isBomb(expected, stored)) throw refuse(`${name} decompresses to more than 250 times its size`);
  let bytes: Buffer;
  try {
    // The stream ends with an error at one byte more than the directory has.
    const stream = await zip.openReadStreamPromise(entry, method === ZSTD ? { decodeFileData: false } : {});
    const chunks: Buffer[] = [];
    for await (const chunk of stream) if (Buffer.isBuffer(chunk)) chunks.push(chunk);
    const whole = Buffer.concat(chunks);
    bytes = method === ZSTD ? zstdDecompressSync(whole, { maxOutputLength: Math.max(1, expected) }) : whole;
  } catch (error) {
    throw refuse(`${name} cannot be read (${errorText(error)})`);
  }
  if (bytes.length !== expected || crc32(bytes) !== entry.crc32)
    throw refuse(`${name} is damaged: its checksum differs`);
  return bytes;
}
