import { crc32, inflateRawSync, zstdDecompressSync } from 'node:zlib';

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

const END = 0x06054b50;
const END_64 = 0x06064b50;
const LOCATOR_64 = 0x07064b50;
const DIRECTORY_ENTRY = 0x02014b50;
const LOCAL_ENTRY = 0x04034b50;
const [END_BYTES, LOCATOR_BYTES, END_64_BYTES, ENTRY_BYTES, LOCAL_BYTES] = [22, 20, 56, 46, 30];
/** An end record may have a comment of this length after it. */
const MOST_COMMENT = 0xffff;
const [IN_64, ZIP_64_FIELD] = [0xffffffff, 0x0001];
const ENCRYPTED = 1;

const MOST_ENTRIES = 200_000;
const MOST_DIRECTORY_BYTES = 1 << 26;
/** Of one entry. Some tools begin another zstd frame after 200 MiB, and one frame is what is decompressed here. */
const MOST_ENTRY_BYTES = 192 * 2 ** 20;

/** How entries are stored: as they are, with deflate, or with zstd. */
const METHODS: ReadonlyMap<number, (bytes: Buffer, size: number) => Buffer> = new Map<
  number,
  (bytes: Buffer, size: number) => Buffer
>([
  [0, (bytes) => bytes],
  [8, (bytes, size) => inflateRawSync(bytes, { maxOutputLength: Math.max(1, size) })],
  [93, (bytes, size) => zstdDecompressSync(bytes, { maxOutputLength: Math.max(1, size) })],
]);

interface ZipEntry {
  readonly method: number;
  readonly flags: number;
  readonly crc: number;
  readonly stored: number;
  readonly size: number;
  readonly offset: number;
}

type ReadAt = (offset: number, length: number) => Promise<Buffer>;

/** Whether a file begins as zip archives do. */
export function isZip(head: Buffer): boolean {
  return head.length >= 4 && head.readUInt32LE(0) === LOCAL_ENTRY;
}

/** Opens an archive. Every size in it is checked before it is believed; what does not fit is an InputError. */
export async function openZip({ name, path }: Pick<Source, 'name' | 'path'>, held: Buffer | null): Promise<ZipEntries> {
  const refuse = (message: string): InputError =>
    new InputError([{ file: name, line: null, message, next: 'check the archive, for example with unzip -t' }]);
  const { size, readAt, close } = await opened(path, held, refuse);
  try {
    const entries = await directory(size, readAt, refuse);
    return {
      names: [...entries.keys()],
      async read(entry) {
        const found = entries.get(entry);
        if (found === undefined) throw refuse(`the archive has no ${entry}`);
        return content(found, entry, size, readAt, refuse);
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

type Refuse = (message: string) => InputError;

/** From the disk if it is a file: logs may be larger than memory. */
async function opened(path: string | null, held: Buffer | null, refuse: Refuse) {
  if (held !== null || path === null) {
    const bytes = held ?? Buffer.alloc(0);
    const readAt: ReadAt = async (offset, length) => {
      if (offset + length > bytes.length) throw refuse('the archive is cut off');
      return bytes.subarray(offset, offset + length);
    };
    return { size: bytes.length, readAt, close: async () => undefined };
  }
  const { handle, size } = await openPlain(path, { follow: true });
  const readAt: ReadAt = async (offset, length) => {
    if (offset + length > size) throw refuse('the archive is cut off');
    const bytes = Buffer.alloc(length);
    for (let at = 0; at < length;) {
      const { bytesRead } = await handle.read(bytes, at, length - at, offset + at);
      if (bytesRead === 0) throw refuse('the archive is cut off');
      at += bytesRead;
    }
    return bytes;
  };
  return { size, readAt, close: async () => handle.close() };
}

async function directory(size: number, readAt: ReadAt, refuse: Refuse): Promise<Map<string, ZipEntry>> {
  const { count, bytes, offset } = await directoryPlace(size, readAt, refuse);
  if (count > MOST_ENTRIES) throw refuse(`the archive has ${count} entries, at most ${MOST_ENTRIES} are read`);
  if (bytes > MOST_DIRECTORY_BYTES) throw refuse(`the directory of the archive has ${bytes} bytes`);
  const listing = await readAt(offset, bytes);
  const entries = new Map<string, ZipEntry>();
  let at = 0;
  for (let index = 0; index < count; index += 1) {
    if (at + ENTRY_BYTES > listing.length || listing.readUInt32LE(at) !== DIRECTORY_ENTRY)
      throw refuse('the directory of the archive is damaged');
    const [nameBytes, extraBytes, commentBytes] = [28, 30, 32].map((place) => listing.readUInt16LE(at + place));
    const from = at + ENTRY_BYTES;
    const next = from + nameBytes! + extraBytes! + commentBytes!;
    if (next > listing.length) throw refuse('the directory of the archive is damaged');
    const extra = listing.subarray(from + nameBytes!, from + nameBytes! + extraBytes!);
    const [entrySize, stored, place] = wideSizes(
      [24, 20, 42].map((field) => listing.readUInt32LE(at + field)),
      extra,
      refuse,
    );
    const name = listing.toString('utf8', from, from + nameBytes!);
    // Deleted first, so that the order is that of the last ones.
    entries.delete(name);
    entries.set(name, {
      flags: listing.readUInt16LE(at + 8),
      method: listing.readUInt16LE(at + 10),
      crc: listing.readUInt32LE(at + 16),
      stored: stored!,
      size: entrySize!,
      offset: place!,
    });
    at = next;
  }
  return entries;
}

async function directoryPlace(size: number, readAt: ReadAt, refuse: Refuse) {
  const tailBytes = Math.min(size, END_BYTES + MOST_COMMENT);
  const tail = await readAt(size - tailBytes, tailBytes);
  let at = tail.length - END_BYTES;
  while (at >= 0 && tail.readUInt32LE(at) !== END) at -= 1;
  if (at < 0) throw refuse('not a whole zip archive: its directory is missing');
  const plain = {
    count: tail.readUInt16LE(at + 10),
    bytes: tail.readUInt32LE(at + 12),
    offset: tail.readUInt32LE(at + 16),
  };
  const locator = size - tailBytes + at - LOCATOR_BYTES;
  if (locator < 0) return plain;
  const found = await readAt(locator, LOCATOR_BYTES);
  if (found.readUInt32LE(0) !== LOCATOR_64) return plain;
  const end = await readAt(safeSize(found.readBigUInt64LE(8), refuse), END_64_BYTES);
  if (end.readUInt32LE(0) !== END_64) throw refuse('the directory of the archive is damaged');
  const [count, bytes, offset] = [32, 40, 48].map((field) => safeSize(end.readBigUInt64LE(field), refuse));
  return { count: count!, bytes: bytes!, offset: offset! };
}

/** Sizes that 32 bits cannot hold are in an extra field, in this order, and only those. */
function wideSizes(sizes: readonly number[], extra: Buffer, refuse: Refuse): number[] {
  if (sizes.every((size) => size !== IN_64)) return [...sizes];
  for (let at = 0; at + 4 <= extra.length; at += 4 + extra.readUInt16LE(at + 2)) {
    if (extra.readUInt16LE(at) !== ZIP_64_FIELD) continue;
    let place = at + 4;
    return sizes.map((size) => {
      if (size !== IN_64) return size;
      if (place + 8 > extra.length) throw refuse('the directory of the archive is damaged');
      place += 8;
      return safeSize(extra.readBigUInt64LE(place - 8), refuse);
    });
  }
  throw refuse('the directory of the archive is damaged');
}

function safeSize(size: bigint, refuse: Refuse): number {
  if (size > BigInt(Number.MAX_SAFE_INTEGER)) throw refuse('the directory of the archive is damaged');
  return Number(size);
}

async function content(entry: ZipEntry, name: string, size: number, readAt: ReadAt, refuse: Refuse): Promise<Buffer> {
  const { flags, method, crc, stored, size: expected, offset } = entry;
  const decompress = METHODS.get(method);
  if ((flags & ENCRYPTED) !== 0) throw refuse(`${name} is encrypted`);
  if (decompress === undefined)
    throw refuse(`${name} is compressed by method ${method}; stored, deflate and zstd are read`);
  if (expected > MOST_ENTRY_BYTES || stored > size)
    throw refuse(`${name} has ${expected} bytes, at most ${MOST_ENTRY_BYTES} are read`);
  if (isBomb(expected, stored)) throw refuse(`${name} decompresses to more than 250 times its size`);
  const local = await readAt(offset, LOCAL_BYTES);
  if (local.readUInt32LE(0) !== LOCAL_ENTRY) throw refuse(`${name} is not at its place in the directory`);
  const from = offset + LOCAL_BYTES + local.readUInt16LE(26) + local.readUInt16LE(28);
  let bytes: Buffer;
  try {
    bytes = decompress(await readAt(from, stored), expected);
  } catch (error) {
    if (error instanceof InputError) throw error;
    throw refuse(`${name} cannot be decompressed (${error instanceof Error ? error.message : String(error)})`);
  }
  if (bytes.length !== expected || crc32(bytes) !== crc) throw refuse(`${name} is damaged: its checksum differs`);
  return bytes;
}
