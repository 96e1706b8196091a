import zlib from 'node:zlib';

import type { SpanScoring } from '../columns/span-scoring.ts';
import { decompressedChunks, requireZstd } from '../data/compression.ts';
import { isBomb } from '../data/source.ts';
import type { SpanCase } from '../data/span-case.ts';
import type { GrowingBytes } from '../text/growing-bytes.ts';
import { damaged, ledgerRecord, type LedgerRecord } from './ledger.ts';
import { type JudgedCase, ledgerLines } from './ledger-writer.ts';
import type { LedgerLayout } from './run.ts';
import { SpanLedger } from './span-ledger.ts';

/** How a ledger can be written, and the file that it is then. */
const FILES = {
  jsonl: 'ledger.jsonl',
  gzip: 'ledger.jsonl.gz',
  zstd: 'ledger.jsonl.zst',
  parquet: 'ledger.parquet',
} as const;

export const LEDGER_FILES: readonly string[] = Object.values(FILES);
export type LedgerFormat = keyof typeof FILES;
export const LEDGER_FORMATS = Object.keys(FILES).filter((name): name is LedgerFormat => name in FILES);

/** What it is written to: a run folder. */
interface LedgerTarget {
  write(file: string, content: string, rows: number): void;
  /** Lets bytes be put at the end of a file; `put` returns how many rows these are. */
  fill(file: string, put: (bytes: GrowingBytes) => number): void;
}

/** The ledger of a run in the making. */
export interface LedgerSink {
  readonly file: string;
  add(judged: JudgedCase): void;
  /** The same for plain spans, without their verdicts; not where the ledger is of rows. */
  addSpans?(given: SpanCase, scoring: SpanScoring): void;
  /** Verdicts that were written before, of a ledger of rows; other ledgers take the bytes of their lines. */
  addRecords?(records: readonly LedgerRecord[]): void;
  end(): void;
}

/** What this Node cannot write is refused before anything is scored. */
export async function openLedger(
  writer: LedgerTarget,
  layout: LedgerLayout,
  format: LedgerFormat,
): Promise<LedgerSink> {
  const file = FILES[format];
  if (format === 'zstd') requireZstd('--ledger zstd', 'use Node 22.15 or later, or --ledger gzip');
  if (format === 'parquet') return openRows(writer, file);
  const spans = new SpanLedger();
  return {
    file,
    add(judged) {
      const lines = ledgerLines(layout, judged);
      writer.write(file, lines.join(''), lines.length);
    },
    addSpans(given, scoring) {
      const { ledger = null, rows = 0 } = given.spans.scored ?? {};
      if (ledger === null) writer.fill(file, (bytes) => spans.write(bytes, given, scoring));
      else writer.fill(file, (bytes) => (bytes.bytes(ledger), rows));
    },
    end: () => undefined,
  };
}

async function openRows(writer: LedgerTarget, file: string): Promise<LedgerSink> {
  const { LEDGER_COLUMNS, ledgerCells } = await import('./ledger-parquet.ts');
  const { openParquet } = await import('./parquet-file.ts');
  const table = await openParquet(LEDGER_COLUMNS, (bytes) => writer.fill(file, (held) => (held.bytes(bytes), 0)));
  const addRecords = (records: readonly LedgerRecord[]): void => {
    for (const record of records) table.add(ledgerCells(record));
    writer.write(file, '', records.length);
  };
  return {
    file,
    add({ verdicts, schemes, case: { offsets } }) {
      for (const { verdicts: own } of [{ verdicts }, ...schemes])
        addRecords(own.map((verdict) => ledgerRecord(verdict, offsets)));
    },
    addRecords,
    end: () => table.end(),
  };
}

/** The ledger of a run, by what its manifest lists. */
export function ledgerFileOf({ outputs }: { readonly outputs: Readonly<Record<string, unknown>> }): string {
  return Object.values(FILES).find((file) => Object.hasOwn(outputs, file)) ?? FILES.jsonl;
}

/** Compresses a piece of a file by its name, so that the pieces one after another are the file; null for plain text. */
export function compressorFor(file: string): ((piece: Buffer) => Buffer) | null {
  if (file.endsWith('.zst')) return (piece) => zlib.zstdCompressSync(piece);
  if (!file.endsWith('.gz')) return null;
  return (piece) => {
    const compressed = zlib.gzipSync(piece);
    // The same bytes under every system.
    compressed[9] = 0xff;
    return compressed;
  };
}

/** The text of a file of a run, which may be compressed by its name. */
export async function* decompressed(file: string, stored: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const isZstd = file.endsWith('.zst');
  if (!isZstd && !file.endsWith('.gz')) {
    yield* stored;
    return;
  }
  let [read, given] = [0, 0];
  const counted = async function* (): AsyncGenerator<Buffer> {
    for await (const chunk of stored) {
      read += chunk.length;
      yield chunk;
    }
  };
  for await (const chunk of decompressedChunks(counted(), isZstd ? 'zstd' : 'gzip', file)) {
    if (!Buffer.isBuffer(chunk)) continue;
    given += chunk.length;
    if (isBomb(given, read)) throw damaged(`${file}: decompresses to far more than a ledger would`);
    yield chunk;
  }
}
