import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { openZip } from '../../../src/formats/logs/zip-entries.ts';
import { temporaryFolder } from '../../cli/run-assay.ts';
import { makeZip, type MadeEntry } from './make-zip.ts';

const held = (bytes: Buffer) => openZip({ name: 'log.eval', path: null }, bytes);
const read = async (bytes: Buffer, name: string) => (await (await held(bytes)).read(name)).toString();

describe('entries of a zip archive', () => {
  test.each(['stored', 'deflate', 'zstd'] as const)('%s entries are read', async (method) => {
    const content = '{"id": 1}'.repeat(1000);
    expect(await read(makeZip([{ name: 'a.json', content, method }]), 'a.json')).toBe(content);
  });

  test('an archive of the 64-bit kind is read', async () => {
    expect(
      await read(
        makeZip(
          [
            { name: 'a', content: 'x' },
            { name: 'b', content: 'y' },
          ],
          { wide: true },
        ),
        'b',
      ),
    ).toBe('y');
  });

  test('of two entries with one name the later counts', async () => {
    const zip = await held(
      makeZip([
        { name: 'a', content: 'old' },
        { name: 'b', content: '' },
        { name: 'a', content: 'new' },
      ]),
    );
    expect(zip.names).toEqual(['b', 'a']);
    expect((await zip.read('a')).toString()).toBe('new');
    expect((await zip.read('b')).toString()).toBe('');
  });

  test('from a file, only the entries that are asked for are read', async () => {
    const path = join(temporaryFolder(), 'log.eval');
    writeFileSync(
      path,
      makeZip([
        { name: 'a', content: 'x' },
        { name: 'broken', content: 'y', lies: { crc: 1 } },
      ]),
    );
    const zip = await openZip({ name: path, path }, null);
    expect((await zip.read('a')).toString()).toBe('x');
    await expect(zip.read('broken')).rejects.toThrow('broken is damaged: its checksum differs');
    await expect(zip.read('missing')).rejects.toThrow('the archive has no missing');
    await zip.close();
  });

  const lying = (lies: MadeEntry['lies'], content = 'x'): Buffer => makeZip([{ name: 'a', content, lies: lies! }]);
  test.each<[string, () => Buffer, string]>([
    ['is encrypted', () => lying({ flags: 1 }), 'a is encrypted'],
    [
      'has an unknown method',
      () => lying({ method: 12 }),
      'compressed by method 12; stored, deflate and zstd are read',
    ],
    ['is larger than it says', () => lying({ size: 3 }, 'x'.repeat(1000)), 'a cannot be read (too many bytes'],
    ['is smaller than it says', () => lying({ size: 1001 }, 'x'.repeat(1000)), 'a cannot be read (not enough bytes'],
    ['claims gigabytes', () => lying({ size: 0xfffffff0 }), 'at most 201326592 are read'],
    ['is a bomb', () => makeZip([{ name: 'a', content: Buffer.alloc(20_000_000) }]), 'more than 250 times its size'],
    ['points elsewhere', () => lying({ offset: 3 }), 'a cannot be read (invalid local file header'],
    ['points past the end', () => lying({ offset: 0x7fffffff }), 'the archive is cut off'],
  ])('an entry that %s is refused', async (_, make, message) => {
    await expect(read(make(), 'a')).rejects.toThrow(message);
  });

  test('entries that share bytes are refused when the archive is opened', async () => {
    const twice = makeZip([
      { name: 'a', content: 'x'.repeat(100) },
      { name: 'b', content: 'x'.repeat(100), lies: { offset: 0 } },
    ]);
    await expect(held(twice)).rejects.toThrow('entries of the archive overlap');
  });

  test('names that lead out of a folder are names like others: nothing is written', async () => {
    expect(await read(makeZip([{ name: '../../a', content: 'x' }]), '../../a')).toBe('x');
  });

  test('places beyond 2^53 are refused, also in a file', async () => {
    const bytes = makeZip([{ name: 'a', content: 'x' }], { wide: true });
    bytes.writeBigUInt64LE(1n << 60n, bytes.length - 22 - 20 + 8);
    const path = join(temporaryFolder(), 'log.eval');
    writeFileSync(path, bytes);
    await expect(openZip({ name: path, path }, null)).rejects.toThrow('the archive is cut off');
  });

  test('an archive that is cut off, or whose directory lies, is refused when it is opened', async () => {
    const whole = makeZip([{ name: 'a', content: 'x' }]);
    await expect(held(whole.subarray(0, -10))).rejects.toThrow('End of central directory record');
    await expect(held(makeZip([{ name: 'a', content: 'x' }], { count: 5 }))).rejects.toThrow(
      'the archive is damaged (',
    );
    await expect(held(makeZip([], { count: 1e9, wide: true }))).rejects.toThrow('at most 200000 are read');
    await expect(held(Buffer.from('PK\u0003\u0004'))).rejects.toThrow('the archive is damaged (');
  });
});
