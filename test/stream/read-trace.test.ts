import { hash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync, zstdCompressSync } from 'node:zlib';

import { describe, expect, test } from 'vitest';

import { readTrace } from '../../src/stream/read-trace.ts';
import { temporaryFolder } from '../cli/run-assay.ts';
import { traceText, turn } from './made-trace.ts';

const TEXT = traceText('case-1', [turn('a', 'Größe@0')]);

function fileOf(bytes: Buffer | string, name = 't.jsonl.gz'): string {
  const file = join(temporaryFolder(), name);
  writeFileSync(file, bytes);
  return file;
}

describe('a trace from a file', () => {
  test('is the same packed, packed in two members, and not packed', async () => {
    const half = Math.floor(TEXT.length / 2);
    const members = [TEXT.slice(0, half), TEXT.slice(half)].map((part) => gzipSync(part));
    const files = [
      fileOf(gzipSync(TEXT)),
      fileOf(Buffer.concat(members)),
      fileOf(TEXT, 't.jsonl'),
      fileOf(zstdCompressSync(TEXT), 't.jsonl.zst'),
    ];
    for (const file of files) {
      const { meta, deltas, boundaries, sha256 } = await readTrace(file);
      expect(sha256).toBe(`sha256:${hash('sha256', TEXT)}`);
      expect([meta.case_id, deltas[0]?.delta_text, boundaries.length]).toEqual(['case-1', 'Größe', 2]);
    }
  });

  test('may begin with a byte order mark, which its hash covers', async () => {
    const { meta, sha256 } = await readTrace(fileOf(gzipSync(`\ufeff${TEXT}`)));
    expect([meta.case_id, sha256]).toEqual(['case-1', `sha256:${hash('sha256', `\ufeff${TEXT}`)}`]);
  });

  test.each([
    ['cut off', gzipSync(TEXT).subarray(0, 60), /the gzip data is damaged or cut off/],
    ['no gzip', Buffer.from([0, 255, 254, 1, 2]), /does not begin as gzip data does/],
    ['not UTF-8', gzipSync(Buffer.from([0x7b, 0xff, 0x7d])), /it is not UTF-8 text/],
    ['no trace', gzipSync('{"record_type":"run_meta"}\n'), /:1: this is a run log, expected a trace/],
  ])('that is %s is refused with the reason', async (_, bytes, message) => {
    await expect(readTrace(fileOf(bytes))).rejects.toThrow(message);
  });

  test('that is not there, or is a folder, is refused', async () => {
    await expect(readTrace(join(temporaryFolder(), 'none.jsonl.gz'))).rejects.toThrow(/no such file/);
    await expect(readTrace(temporaryFolder())).rejects.toThrow(/is a directory/);
  });
});
