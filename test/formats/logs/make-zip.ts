import { crc32, deflateRawSync, zstdCompressSync } from 'node:zlib';

export interface MadeEntry {
  readonly name: string;
  readonly content: string | Buffer;
  readonly method?: 'stored' | 'deflate' | 'zstd';
  /** What is written in place of the truth. */
  readonly lies?: Partial<Record<'size' | 'crc' | 'method' | 'flags' | 'offset', number>>;
}

const METHODS = { stored: 0, deflate: 8, zstd: 93 } as const;

/** A zip archive as tools write it, or one that lies about itself. */
export function makeZip(entries: readonly MadeEntry[], { count = entries.length, wide = false } = {}): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (const { name, content, method = 'deflate', lies = {} } of entries) {
    const plain = Buffer.from(content);
    const stored = { stored: () => plain, deflate: () => deflateRawSync(plain), zstd: () => zstdCompressSync(plain) }[
      method
    ]();
    const title = Buffer.from(name);
    const sizes = { size: lies.size ?? plain.length, crc: lies.crc ?? crc32(plain) };
    const local = Buffer.alloc(30);
    local.writeUInt32LE(0x04034b50, 0);
    local.writeUInt16LE(METHODS[method], 8);
    local.writeUInt16LE(title.length, 26);
    parts.push(local, title, stored);
    const extra = wide ? Buffer.alloc(4 + 24) : Buffer.alloc(0);
    if (wide) {
      extra.writeUInt16LE(1, 0);
      extra.writeUInt16LE(24, 2);
      [sizes.size, stored.length, lies.offset ?? at].forEach((value, place) =>
        extra.writeBigUInt64LE(BigInt(value), 4 + 8 * place),
      );
    }
    const entry = Buffer.alloc(46);
    entry.writeUInt32LE(0x02014b50, 0);
    entry.writeUInt16LE(lies.flags ?? 0, 8);
    entry.writeUInt16LE(lies.method ?? METHODS[method], 10);
    entry.writeUInt32LE(sizes.crc, 16);
    entry.writeUInt32LE(wide ? 0xffffffff : stored.length, 20);
    entry.writeUInt32LE(wide ? 0xffffffff : sizes.size, 24);
    entry.writeUInt16LE(title.length, 28);
    entry.writeUInt16LE(extra.length, 30);
    entry.writeUInt32LE(wide ? 0xffffffff : (lies.offset ?? at), 42);
    directory.push(entry, title, extra);
    at += 30 + title.length + stored.length;
  }
  const listing = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(Math.min(count, 0xffff), 10);
  end.writeUInt32LE(listing.length, 12);
  end.writeUInt32LE(at, 16);
  return Buffer.concat([...parts, listing, ...(wide ? wideEnd(count, listing.length, at) : []), end]);
}

function wideEnd(count: number, bytes: number, at: number): Buffer[] {
  const end = Buffer.alloc(56);
  end.writeUInt32LE(0x06064b50, 0);
  [count, bytes, at].forEach((value, place) => end.writeBigUInt64LE(BigInt(value), 32 + 8 * place));
  const locator = Buffer.alloc(20);
  locator.writeUInt32LE(0x07064b50, 0);
  locator.writeBigUInt64LE(BigInt(at + bytes), 8);
  return [end, locator];
}
