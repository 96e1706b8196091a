import { constants, gzipSync } from 'node:zlib';

const EXTRA_FLAGS = 8;
const OPERATING_SYSTEM = 9;

/**
 * Gzip without a time, a name or the system it was made on, so that the same text gives the same bytes on every day
 * and under every system. Maximum compression, as the header then states.
 */
export function deterministicGzip(text: string): Buffer {
  const packed = gzipSync(Buffer.from(text, 'utf8'), { level: constants.Z_BEST_COMPRESSION });
  return withoutOrigin(packed, 2);
}

/** The same bytes without the time and the system they were compressed on; `flags` is the level of compression. */
export function withoutOrigin(packed: Buffer, flags: number): Buffer {
  packed.fill(0, 4, EXTRA_FLAGS);
  packed[EXTRA_FLAGS] = flags;
  packed[OPERATING_SYSTEM] = 0xff;
  return packed;
}
