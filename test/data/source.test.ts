import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { constants, gzipSync, zstdCompressSync } from 'node:zlib';

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { InputError } from '../../src/data/problems.ts';
import { sourceOf } from '../../src/data/named-files.ts';
import { errorCode, fileSource, memorySource, OpenSource, type Source, standardInput } from '../../src/data/source.ts';
import { runs } from '../text/arbitraries.ts';
import { cutSource, temporaryFolder } from './reading.ts';

async function bytesOf(source: Source): Promise<Buffer> {
  return Buffer.concat(await Array.fromAsync(new OpenSource(source).bytes()));
}

async function messageOf(source: Source): Promise<string> {
  const error: unknown = await bytesOf(source).catch((caught: unknown) => caught);
  if (error instanceof InputError) return error.message;
  throw new Error('expected an InputError', { cause: error });
}

describe('fileSource', () => {
  it('gives the bytes of a file and the sha256 and size of what is stored', async () => {
    const path = join(temporaryFolder(), 'a.jsonl');
    writeFileSync(path, 'hello');
    const open = new OpenSource(fileSource(path));
    expect(Buffer.concat(await Array.fromAsync(open.bytes())).toString()).toBe('hello');
    expect(open.digest()).toEqual({
      sha256: '2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824',
      bytes: 5,
    });
  });

  it('names files near a missing one', async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'predictions.jsonl'), '');
    writeFileSync(join(folder, 'notes.md'), '');
    const path = join(folder, 'prediction.jsonl');
    expect(await messageOf(fileSource(path))).toBe(`${path}: no such file (did you mean predictions.jsonl?)`);
  });

  it('says of a missing folder only that the file is missing', async () => {
    const path = join(temporaryFolder(), 'no', 'such', 'file.jsonl');
    expect(await messageOf(fileSource(path))).toBe(`${path}: no such file`);
  });

  it('refuses a directory, and a path through a file', async () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, 'data'));
    writeFileSync(join(folder, 'file'), '');
    expect(await messageOf(fileSource(join(folder, 'data')))).toMatch(/data: is a directory, expected a file/);
    expect(await messageOf(fileSource(join(folder, 'file', 'inner')))).toMatch(/inner: no such file/);
  });

  it('refuses a path that no file system takes', async () => {
    expect(await messageOf(fileSource('a\u0000b'))).toMatch(/^a\\u0000b: cannot be read/);
  });
});

describe('sourceOf', () => {
  it('takes - for standard input and anything else for a file', () => {
    expect(sourceOf('-')).toMatchObject({ name: 'standard input', path: null });
    expect(sourceOf('x.jsonl')).toMatchObject({ name: 'x.jsonl', path: join(process.cwd(), 'x.jsonl') });
    expect(standardInput().name).toBe('standard input');
  });
});

describe('zstd', () => {
  const packed = zstdCompressSync('{"id":"d1"}\n'.repeat(100));

  it('is decompressed, whatever its file is called, also in several frames', async () => {
    expect((await bytesOf(memorySource('a.jsonl', packed))).toString()).toBe('{"id":"d1"}\n'.repeat(100));
    const frames = Buffer.concat([zstdCompressSync('ab'), zstdCompressSync('cd')]);
    expect((await bytesOf(memorySource('a.zst', frames))).toString()).toBe('abcd');
    // A frame that is to be skipped, as pzstd writes them.
    const skipped = Buffer.from([0x50, 0x2a, 0x4d, 0x18, 2, 0, 0, 0, 9, 9]);
    const large = zstdCompressSync(Buffer.alloc(400_000, 'large blocks '), {
      params: { [constants.ZSTD_c_checksumFlag]: 1 },
    });
    const all = Buffer.concat([large, skipped, frames, zstdCompressSync('')]);
    for (const size of [1, 7, 1000, all.length]) {
      const chunks = Array.from({ length: Math.ceil(all.length / size) }, (_, at) =>
        all.subarray(at * size, (at + 1) * size),
      );
      const source = { name: 'a', path: null, open: () => Readable.from(chunks) };
      expect((await bytesOf(source)).toString().slice(399_990)).toBe(
        `${Buffer.alloc(400_000, 'large blocks ').toString().slice(399_990)}abcd`,
      );
    }
  });

  it.each([
    ['cut off', packed.subarray(0, packed.length - 3)],
    ['cut off in its second frame', Buffer.concat([packed, packed.subarray(0, 9)])],
    ['damaged', Buffer.concat([packed.subarray(0, 4), Buffer.alloc(20, 0xff)])],
    ['no zstd at all', Buffer.from([0xc3, 0x28, 0xff, 0x01])],
  ])('is refused if it is %s', async (_, bytes) => {
    expect(await messageOf(memorySource('gold.jsonl.zst', bytes))).toMatch(
      /^gold\.jsonl\.zst: the zstd data is damaged or cut off \(.+\) \(check the file with zstd -t\)$/,
    );
  });

  it('is refused as soon as it is far larger than its file', async () => {
    const bomb = zstdCompressSync(Buffer.alloc(1 << 26));
    expect(await messageOf(memorySource('a.zst', bomb))).toMatch(/zstd data decompresses to more than 250 times/);
  });
});

describe('gzip', () => {
  const packed = gzipSync('{"id":"d1"}\n'.repeat(100));

  it('is unpacked, whatever the name, and hashed as it is stored', async () => {
    const open = new OpenSource(memorySource('gold.jsonl', packed));
    const unpacked = Buffer.concat(await Array.fromAsync(open.bytes())).toString();
    expect(unpacked).toBe('{"id":"d1"}\n'.repeat(100));
    expect(open.digest()).toEqual({
      sha256: createHash('sha256').update(packed).digest('hex'),
      bytes: packed.length,
    });
  });

  it('may have several members, as cat a.gz b.gz makes them', async () => {
    expect((await bytesOf(memorySource('a.gz', Buffer.concat([gzipSync('ab'), gzipSync('cd')])))).toString()).toBe(
      'abcd',
    );
  });

  it('that was unpacked under the same name is read as it is', async () => {
    expect((await bytesOf(memorySource('a.jsonl.gz', 'é'))).toString()).toBe('é');
  });

  it.each([
    ['cut off', packed.subarray(0, packed.length - 10)],
    ['cut off in its header', packed.subarray(0, 5)],
    ['damaged', Buffer.concat([packed.subarray(0, 20), Buffer.alloc(30, 7)])],
    ['no gzip at all', Buffer.from([0xc3, 0x28, 0xff, 0x01])],
  ])('that is %s is refused', async (_, bytes) => {
    expect(await messageOf(memorySource('gold.jsonl.gz', bytes))).toMatch(
      /^gold\.jsonl\.gz: the gzip data is damaged or cut off \(.+\) \(check the file with gzip -t\)$/,
    );
  });

  it('hands on an error of the source below it', async () => {
    const source: Source = {
      name: 'net',
      path: null,
      async *open() {
        yield packed.subarray(0, 10);
        throw new Error('connection lost');
      },
    };
    expect(await messageOf(source)).toBe('net: reading failed (connection lost)');
  });

  it('closes the source when the reader stops early', async () => {
    let closed = false;
    const source: Source = {
      name: 'net',
      path: null,
      async *open() {
        try {
          for (;;) yield gzipSync(Buffer.alloc(1 << 20));
        } finally {
          closed = true;
        }
      },
    };
    for await (const chunk of new OpenSource(source).bytes()) {
      expect(chunk.length).toBeGreaterThan(0);
      break;
    }
    await expect.poll(() => closed).toBe(true);
  });

  it('gives the same bytes wherever the stored ones are cut, also packed ones', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ maxLength: 60 }),
        fc.boolean(),
        fc.array(fc.nat(90), { maxLength: 6 }),
        async (bytes, pack, places) => {
          const stored = pack ? gzipSync(bytes) : Buffer.from(bytes);
          fc.pre(pack || stored[0] !== 0x1f);
          expect(await bytesOf(cutSource('f', stored, places))).toEqual(Buffer.from(bytes));
        },
      ),
      runs,
    );
  });
});

describe('errorCode', () => {
  it.each([
    [Object.assign(new Error('x'), { code: 'ENOSPC' }), 'ENOSPC'],
    [new Error('broken'), 'broken'],
    ['text', 'text'],
    [undefined, 'undefined'],
  ])('of %o is %j', (error, expected) => {
    expect(errorCode(error)).toBe(expected);
  });
});
