import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync, zstdCompressSync } from 'node:zlib';

import { parquetWriteBuffer } from 'hyparquet-writer';
import { describe, expect, it } from 'vitest';

import { PAGE_CODECS } from '../../src/data/page-codecs.ts';
import { checkRuns } from '../../src/data/parquet-pages.ts';
import { openParquetRows } from '../../src/data/parquet-rows.ts';
import { thriftEnd } from '../../src/data/thrift.ts';
import { InputError } from '../../src/data/problems.ts';
import { runsHere } from '../many-runs.ts';
import { temporaryFolder } from '../report/made-up-run.ts';
import { mutated, readAll, smallParquetFiles } from './parquet-mutations.ts';

type ColumnData = Parameters<typeof parquetWriteBuffer>[0]['columnData'];
type Written = Parameters<typeof parquetWriteBuffer>[0];

function parquet(columnData: ColumnData, options: Partial<Written> = {}): ArrayBuffer {
  return parquetWriteBuffer({ columnData, ...options });
}

const TEXTS = Array.from({ length: 300 }, (_, at) => `Ann met Bo for the ${at}th time, and said so.`);
const TEXT_COLUMN = [{ name: 'text', data: TEXTS, type: 'STRING' as const }];
const ROWS = TEXTS.map((text) => ({ text }));

/** A block of literals alone, which is the least that an LZ4 writer may do: 15 in the token, then 255s. */
function lz4Literals(bytes: Uint8Array): Buffer {
  const long = bytes.length >= 15;
  const more = long
    ? [...Array<number>(Math.floor((bytes.length - 15) / 255)).fill(255), (bytes.length - 15) % 255]
    : [];
  return Buffer.concat([Buffer.from([long ? 0xf0 : bytes.length << 4, ...more]), bytes]);
}

function hadoopBlock(bytes: Uint8Array): Buffer {
  const block = lz4Literals(bytes);
  const lengths = Buffer.alloc(8);
  lengths.writeUInt32BE(bytes.length, 0);
  lengths.writeUInt32BE(block.length, 4);
  return Buffer.concat([lengths, block]);
}

describe('compressed pages', () => {
  it.each<readonly [NonNullable<Written['codec']>, (bytes: Uint8Array) => Uint8Array]>([
    ['GZIP', (bytes) => gzipSync(bytes)],
    ['BROTLI', (bytes) => brotliCompressSync(bytes)],
    ['ZSTD', (bytes) => zstdCompressSync(bytes)],
    ['LZ4_RAW', lz4Literals],
    ['LZ4', hadoopBlock],
    ['LZ4', lz4Literals],
  ])('of %s are read', async (codec, compress) => {
    const bytes = parquet(TEXT_COLUMN, { codec, compressors: { [codec]: compress } });
    expect(await readAll(bytes)).toEqual(ROWS);
  });

  it.each([
    // "abc" and nine bytes from three before: a copy that reads what it writes.
    ['LZ4_RAW', [0x35, 0x61, 0x62, 0x63, 3, 0, 0x00], 12, 'abcabcabcabc'],
    ['SNAPPY', [12, 2 << 2, 0x61, 0x62, 0x63, ((9 - 4) << 2) | 1, 3], 12, 'abcabcabcabc'],
    // A copy with an offset of two bytes.
    ['SNAPPY', [6, 2 << 2, 0x61, 0x62, 0x63, (2 << 2) | 2, 3, 0], 6, 'abcabc'],
  ])('%s copies what it has written', (codec, bytes, size, text) => {
    expect(Buffer.from(PAGE_CODECS[codec]!(Uint8Array.from(bytes), size)).toString()).toBe(text);
  });

  it.each([
    // Four bytes of a length that is 2^32: hyparquet goes back to the start for ever.
    ['SNAPPY', [4, 63 << 2, 0xf9, 0xff, 0xff, 0xff, 1, 2, 3], 4],
    ['SNAPPY', [4, 2 << 2, 0x61, 0x62, 0x63, 1, 9], 8],
    ['LZ4_RAW', [0x10, 0x61, 0, 0], 5],
    ['LZ4_RAW', [0xf0, 255, 255], 5],
    ['LZ4', [0, 0, 0, 9, 0, 0, 0, 1, 0], 5],
  ])('%s that is damaged is refused', (codec, bytes, size) => {
    expect(() => PAGE_CODECS[codec]!(Uint8Array.from(bytes), size)).toThrow('compressed data is damaged');
  });

  it.each(['GZIP', 'BROTLI', 'ZSTD'])('%s gives no more bytes than its page has', (codec) => {
    const zeros = new Uint8Array(1 << 20);
    const compress = { GZIP: gzipSync, BROTLI: brotliCompressSync, ZSTD: zstdCompressSync }[codec]!;
    expect(() => PAGE_CODECS[codec]!(compress(zeros), 100)).toThrow('larger than 100 bytes');
  });
});

describe('numbers of a file that no file of its size can have', () => {
  it('are lists that are longer than the metadata, also inside each other', () => {
    // Field 1 is a list of lists, each of 2^24 values.
    const lists = [0x19, ...Array.from({ length: 20 }, () => [0xf9, 0x80, 0x80, 0x80, 0x08]).flat(), 0];
    expect(() => thriftEnd(new DataView(Uint8Array.from(lists).buffer), 0, 1000)).toThrow('longer than the data');
  });

  it('are runs of more values than the page: one byte of a ledger has hyparquet write 2^30 of them', () => {
    const runs = (...bytes: number[]): DataView => new DataView(Uint8Array.from([...bytes, 0, 0, 0, 0]).buffer);
    expect(() => checkRuns(runs(200, 1, 1), 0, 1, 100)).not.toThrow();
    expect(() => checkRuns(runs(0xfe, 0xff, 0xff, 0xff, 7), 0, 1, 100)).toThrow('a run has more values than its page');
    expect(() => checkRuns(runs(0xff, 0xff, 0xff, 0xff, 0xf), 0, 0, 100)).toThrow('more values than its page');
    expect(() => checkRuns(runs(200, 1, 1), 0, 200, 100)).toThrow('a value has 200 bits');
  });

  it('are rows by the million out of a few hundred bytes', async () => {
    const data = Array<string>(1_500_000).fill('a');
    const bytes = parquet([{ name: 'id', data, type: 'STRING' }], { rowGroupSize: data.length });
    expect(bytes.byteLength).toBeLessThan(3000);
    await expect(readAll(bytes)).rejects.toThrow('more than 250 times larger than the file');
  });

  it('are rows with one long text again and again', async () => {
    const data = Array<string>(10_000).fill('long '.repeat(1000));
    await expect(readAll(parquet([{ name: 'text', data, type: 'STRING' }]))).rejects.toThrow('250 times larger');
  });
});

it('law: a mutated file is read or refused, within seconds, and never by a rejection that nobody handles', async () => {
  const files = await smallParquetFiles();
  for (let run = 0; run < runsHere(2000); run++) {
    const [bytes, place] = mutated(files, run);
    const start = performance.now();
    const failure = await readAll(bytes).then(
      () => null,
      (error: unknown) => error,
    );
    expect(failure === null || failure instanceof InputError, place).toBe(true);
    expect(performance.now() - start, place).toBeLessThan(5000);
  }
});

it('a value that is not in its dictionary is refused, not read as an absent one', async () => {
  // Three labels take two bits each, which can also name a fourth.
  const label = Array.from({ length: 60 }, (_, at) => ['PER', 'LOC', 'ORG'][at % 3]!);
  const bytes = new Uint8Array(
    parquet([{ name: 'label', data: label, type: 'STRING', nullable: false }], { codec: 'UNCOMPRESSED' }),
  );
  // Bits from the lowest: 0 1 2 0, 1 2 0 1, 2 0 1 2.
  const packed = Buffer.from(bytes).indexOf(Buffer.from([0b00_10_01_00, 0b01_00_10_01, 0b10_01_00_10]));
  expect(packed).toBeGreaterThan(0);
  expect(await readAll(bytes.slice().buffer)).toEqual(label.map((text) => ({ label: text })));
  bytes[packed] = 0b00_10_01_11;
  await expect(readAll(bytes.buffer)).rejects.toThrow('a page has value 3 of a dictionary of 3');
});

describe('in a thread', () => {
  it('a file is refused by its name and the next one is read', async () => {
    const damaged = parquet(TEXT_COLUMN).slice(0, -20);
    await expect(openParquetRows('a.parquet', damaged)).rejects.toThrow(/^a\.parquet: the Parquet file cannot be read/);
    const { batches } = await openParquetRows('b.parquet', parquet(TEXT_COLUMN));
    expect((await Array.fromAsync(batches())).flat()).toEqual(ROWS);
  });

  it('a file that makes no progress is given up', async () => {
    // The thread that waits is taken by this one, and a new one takes longer to start.
    await openParquetRows('a.parquet', parquet(TEXT_COLUMN));
    await expect(openParquetRows('a.parquet', parquet(TEXT_COLUMN), 1)).rejects.toThrow('no progress in 0.001 s');
    const { batches } = await openParquetRows('b.parquet', parquet(TEXT_COLUMN));
    for await (const rows of batches()) {
      expect(rows[0]).toEqual(ROWS[0]);
      break;
    }
  });

  it('a path is read as its bytes are', async () => {
    const path = join(temporaryFolder(), 'a.parquet');
    writeFileSync(path, Buffer.from(parquet(TEXT_COLUMN)));
    const rows = async (content: string | ArrayBuffer) =>
      (await Array.fromAsync((await openParquetRows('a', content)).batches())).flat();
    expect(await rows(path)).toEqual(await rows(new Uint8Array(readFileSync(path)).buffer));
  });
});

it('a type that nests without bound is refused by name', async () => {
  const variant = parquet([{ name: 'v', data: [{ a: 1 }], type: 'VARIANT' }]);
  await expect(readAll(variant)).rejects.toThrow('the column v is of the type VARIANT');
});
