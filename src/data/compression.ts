import { pipeline } from 'node:stream';
import zlib from 'node:zlib';

import { UsageError } from './problems.ts';

/** Ends of the names of files that are read decompressed. */
export const COMPRESSED_NAME = /\.(?:gz|zst)$/i;

export type Compression = 'gzip' | 'zstd';

/** How bytes are compressed, by the first of them; null for plain ones. */
export function compressionOf(head: Uint8Array): Compression | null {
  if (head[0] === 0x1f && head[1] === 0x8b) return 'gzip';
  return head[0] === 0x28 && head[1] === 0xb5 && head[2] === 0x2f && head[3] === 0xfd ? 'zstd' : null;
}

/** Decompresses chunks of bytes; `name` is in the message of a Node that cannot. An error of the chunks is handed on. */
export function decompressedChunks(
  stored: AsyncIterable<Buffer>,
  compression: Compression,
  name: string,
  chunkSize = 1 << 16,
): AsyncIterable<unknown> {
  if (compression === 'gzip') return pipeline(stored, zlib.createGunzip({ chunkSize }), () => undefined);
  requireZstd(name);
  return pipeline(cutBehindFrames(stored), zlib.createZstdDecompress({ chunkSize }), () => undefined);
}

/**
 * Cuts chunks behind each zstd frame. Node drops whatever follows a frame in the chunk that
 * it is written in (https://github.com/nodejs/node/issues/64741).
 */
export async function* cutBehindFrames(stored: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const steps = frameSteps();
  let step = steps.next().value;
  let part = Buffer.alloc(0);
  let left = step.bytes;
  for await (const chunk of stored) {
    let start = 0;
    for (let at = 0; at < chunk.length;) {
      const bytes = chunk.subarray(at, at + left);
      at += bytes.length;
      left -= bytes.length;
      if (step.isRead) part = Buffer.concat([part, bytes]);
      while (left === 0) {
        step = steps.next(part).value;
        left = step.bytes;
        part = Buffer.alloc(0);
        if (!step.isStart || at === start) continue;
        yield chunk.subarray(start, at);
        start = at;
      }
    }
    if (start < chunk.length) yield chunk.subarray(start);
  }
}

interface FrameStep {
  /** Bytes to read or to skip. */
  readonly bytes: number;
  readonly isRead: boolean;
  readonly isStart: boolean;
}

/** The parts of frames, RFC 8878. Bytes that are not of a frame are skipped: the decompressor complains about them. */
function* frameSteps(): Generator<FrameStep, never, Buffer> {
  const read = (bytes: number, isStart = false): FrameStep => ({ bytes, isRead: true, isStart });
  const skip = (bytes: number): FrameStep => ({ bytes, isRead: false, isStart: false });
  for (;;) {
    const magic = (yield read(4, true)).readUInt32LE();
    if (magic >>> 4 === 0x184d2a5) yield skip((yield read(4)).readUInt32LE());
    else if (magic !== 0xfd2fb528) yield skip(Infinity);
    else {
      const flags = (yield read(1)).readUInt8();
      const isSingle = (flags & 32) !== 0;
      yield skip((isSingle ? 0 : 1) + [0, 1, 2, 4][flags & 3]! + [isSingle ? 1 : 0, 2, 4, 8][flags >> 6]!);
      for (let block = 0; block % 2 === 0;) {
        block = (yield read(3)).readUIntLE(0, 3);
        yield skip(((block >> 1) & 3) === 1 ? 1 : block >> 3);
      }
      yield skip((flags & 4) === 0 ? 0 : 4);
    }
  }
}

export function requireZstd(name: string, next = 'use Node 22.15 or later'): void {
  if (typeof zlib.zstdCompressSync === 'function') return;
  throw new UsageError(`${name}: Node ${process.version} has no zstd`, next);
}
