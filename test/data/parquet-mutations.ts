import { gzipSync, zstdCompressSync } from 'node:zlib';

import { parquetWriteBuffer } from 'hyparquet-writer';

import { openParquetRows, type ParquetRow } from '../../src/data/parquet-rows.ts';
import { LEDGER_COLUMNS, ledgerCells } from '../../src/score/ledger-parquet.ts';
import { openParquet } from '../../src/score/parquet-file.ts';
import { MersenneTwister } from '../../src/stats/mersenne-twister.ts';
import { verdict } from '../report/made-up-run.ts';

/** All rows of a file, through the thread that every command reads it in. */
export async function readAll(bytes: ArrayBuffer): Promise<ParquetRow[]> {
  const { batches } = await openParquetRows('a.parquet', bytes);
  return (await Array.fromAsync(batches())).flat();
}

/** A ledger, and a data set in two codecs, nested and flat, with null values. */
export async function smallParquetFiles(): Promise<readonly Buffer[]> {
  const parts: Buffer[] = [];
  const ledger = await openParquet(LEDGER_COLUMNS, (bytes) => parts.push(bytes));
  for (let at = 0; at < 40; at++) {
    const gold = { index: at, label: 'PER', text: `Ann ${at}`, start: at, end: at + 3 };
    ledger.add(ledgerCells(verdict({ verdict: at % 3 === 0 ? 'missed' : 'hit', case: `c${at >> 2}`, gold })));
  }
  ledger.end();
  const columnData = [
    { name: 'id', data: ['a', 'b', 'c'], type: 'STRING' as const },
    { name: 'tokens', data: [['Ann', 'met'], [], ['Bo']] },
    {
      name: 'info',
      data: [
        { lang: 'da', rank: 1 },
        { lang: 'en', rank: 2 },
        { lang: 'da', rank: 3 },
      ],
    },
    { name: 'score', data: [0.5, null, 1], type: 'DOUBLE' as const, nullable: true },
    { name: 'at', data: [1n, 2n, 3n], type: 'INT64' as const, encoding: 'DELTA_BINARY_PACKED' as const },
    {
      name: 'note',
      data: ['long', 'longer', 'longest'],
      type: 'STRING' as const,
      encoding: 'DELTA_BYTE_ARRAY' as const,
    },
  ];
  const compressors = {
    GZIP: (bytes: Uint8Array) => gzipSync(bytes),
    ZSTD: (bytes: Uint8Array) => zstdCompressSync(bytes),
  };
  const codecs = ['UNCOMPRESSED', 'SNAPPY', 'GZIP', 'ZSTD'] as const;
  const sets = codecs.map((codec) => Buffer.from(parquetWriteBuffer({ columnData, codec, compressors })));
  return [Buffer.concat(parts), ...sets];
}

/** A file with up to three bytes changed, or its end cut off; and what was done to it. */
export function mutated(files: readonly Buffer[], seed: number): readonly [ArrayBuffer, place: string] {
  const random = new MersenneTwister(seed);
  const number = random.below(files.length);
  const bytes = new Uint8Array(files[number]!);
  const changes = Array.from({ length: 1 + random.below(3) }, () => {
    const at = random.below(bytes.length);
    bytes[at] = random.below(3) === 0 ? [0, 1, 127, 128, 255][random.below(5)]! : random.below(256);
    return `${at}=${bytes[at]}`;
  });
  const end = random.below(20) === 0 ? random.below(bytes.length) : bytes.length;
  return [bytes.slice(0, end).buffer, `file ${number} of seed ${seed}, ${changes.join(' ')}, ${end} bytes`];
}
