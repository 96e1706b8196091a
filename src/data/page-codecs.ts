import zlib from 'node:zlib';

import { requireZstd } from './compression.ts';

type Codec = (bytes: Uint8Array, size: number) => Uint8Array;

/** Decompressors of Parquet pages by the name of the codec. None gives more than `size` bytes. */
export const PAGE_CODECS: Readonly<Record<string, Codec>> = {
  UNCOMPRESSED: (bytes) => bytes,
  SNAPPY: snappy,
  GZIP: (bytes, size) => zlib.unzipSync(bytes, limit(size)),
  BROTLI: (bytes, size) => zlib.brotliDecompressSync(bytes, limit(size)),
  ZSTD(bytes, size) {
    requireZstd('Parquet data');
    return zlib.zstdDecompressSync(bytes, limit(size));
  },
  LZ4_RAW: lz4Block,
  LZ4: lz4Hadoop,
};

function limit(size: number): { readonly maxOutputLength: number } {
  return { maxOutputLength: Math.max(1, size) };
}

/** Output that grows to a size that is known, by bytes of the input and by bytes that it has already. */
class Output {
  readonly bytes: Uint8Array;
  length = 0;

  constructor(size: number) {
    this.bytes = new Uint8Array(size);
  }

  literal(input: Uint8Array, at: number, length: number): void {
    if (at + length > input.length || this.length + length > this.bytes.length) throw damage();
    this.bytes.set(input.subarray(at, at + length), this.length);
    this.length += length;
  }

  copy(offset: number, length: number): void {
    const { bytes, length: end } = this;
    if (offset === 0 || offset > end || end + length > bytes.length) throw damage();
    if (offset >= length) bytes.copyWithin(end, end - offset, end - offset + length);
    // Bytes that the copy itself has written are part of it.
    else for (let at = end; at < end + length; at++) bytes[at] = bytes[at - offset]!;
    this.length += length;
  }

  whole(): Uint8Array {
    if (this.length !== this.bytes.length) throw damage();
    return this.bytes;
  }
}

function damage(): RangeError {
  return new RangeError('compressed data is damaged');
}

function littleEndian(input: Uint8Array, at: number, bytes: number): number {
  if (at + bytes > input.length) throw damage();
  let value = 0;
  for (let index = bytes - 1; index >= 0; index--) value = value * 256 + input[at + index]!;
  return value;
}

/** https://github.com/google/snappy/blob/main/format_description.txt */
function snappy(input: Uint8Array, size: number): Uint8Array {
  const output = new Output(size);
  let at = 0;
  // The length comes first; the header of the page has it too.
  while (at < input.length && input[at]! >= 0x80) at += 1;
  at += 1;
  while (at < input.length) {
    const tag = input[at++]!;
    const bytes = tag & 3;
    if (bytes === 0) {
      const extra = Math.max(0, (tag >> 2) - 59);
      const length = 1 + (extra === 0 ? tag >> 2 : littleEndian(input, at, extra));
      output.literal(input, at + extra, length);
      at += extra + length;
    } else if (bytes === 1) output.copy((tag >> 5) * 256 + littleEndian(input, at++, 1), 4 + ((tag >> 2) & 7));
    else {
      const width = bytes === 2 ? 2 : 4;
      output.copy(littleEndian(input, at, width), 1 + (tag >> 2));
      at += width;
    }
  }
  return output.whole();
}

/** https://github.com/lz4/lz4/blob/dev/doc/lz4_Block_format.md */
function lz4Block(input: Uint8Array, size: number): Uint8Array {
  const output = new Output(size);
  let at = 0;
  const lengthFrom = (nibble: number): number => {
    let length = nibble;
    for (let more = nibble === 15; more;) {
      const byte = littleEndian(input, at++, 1);
      length += byte;
      more = byte === 255;
    }
    return length;
  };
  while (at < input.length) {
    const token = input[at++]!;
    const literal = lengthFrom(token >> 4);
    output.literal(input, at, literal);
    at += literal;
    if (at === input.length) break;
    const offset = littleEndian(input, at, 2);
    at += 2;
    output.copy(offset, 4 + lengthFrom(token & 15));
  }
  return output.whole();
}

/**
 * Blocks with both lengths in front, as Hadoop writes them. Arrow reads a bare block under this name too
 * (apache/arrow, cpp/src/arrow/util/compression_lz4.cc).
 */
function lz4Hadoop(input: Uint8Array, size: number): Uint8Array {
  const view = new DataView(input.buffer, input.byteOffset, input.byteLength);
  const output = new Output(size);
  try {
    for (let at = 0; at < input.length;) {
      const [decompressed, compressed] = [view.getUint32(at), view.getUint32(at + 4)];
      at += 8;
      if (compressed > input.length - at || decompressed > size - output.length) throw damage();
      const block = lz4Block(input.subarray(at, at + compressed), decompressed);
      output.literal(block, 0, block.length);
      at += compressed;
    }
    return output.whole();
  } catch {
    return lz4Block(input, size);
  }
}
