import { isUtf8 } from 'node:buffer';
import { parentPort, workerData } from 'node:worker_threads';

import { SpanScoring } from '../columns/span-scoring.ts';
import { isBlankLine, lineSplitter } from '../data/lines.ts';
import { makeSpanCase } from '../data/span-case.ts';
import { SpanScanner } from '../data/span-scanner.ts';
import { buffersOf, type SpanBlock, SpanTape } from '../data/span-tape.ts';
import { GrowingBytes } from '../text/growing-bytes.ts';
import type { BlockNews, BlockOrder, BlockWork } from './block-threads.ts';
import { SpanLedger } from './span-ledger.ts';

/** A thread that reads and scores blocks of lines. */
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- block-threads.ts starts it
const { plan, hasLedger } = workerData as BlockOrder;
const scanner = new SpanScanner();
const scoring = new SpanScoring(plan, scanner.labels.names);
const tape = new SpanTape();
const ledger = new SpanLedger();
const lines = new GrowingBytes();

function read({ bytes, mostBytes }: BlockWork): { readonly block: SpanBlock; readonly lines: number } | null {
  if (!isUtf8(bytes)) return null;
  const [heads, counts]: number[][] = [[], []];
  let isKnown = true;
  const splitter = lineSplitter((line, _, number) => {
    if (!isKnown || isBlankLine(line)) return;
    const scanned = line.length <= mostBytes ? scanner.scan(line) : null;
    isKnown = scanned !== null;
    if (scanned === null) return;
    const given = makeSpanCase(scanned, number);
    scoring.score(given);
    scoring.handOver(counts!);
    const rows = hasLedger ? ledger.write(lines, given, scoring) : 0;
    heads!.push(counts!.length, lines.size, rows);
    tape.add(given);
  });
  splitter.push(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  const written = lines.take();
  if (!isKnown) {
    tape.clear();
    return null;
  }
  const scored = {
    heads: Int32Array.from(heads!),
    counts: Int32Array.from(counts!),
    ledger: hasLedger ? Uint8Array.from(written) : null,
  };
  return { block: { ...tape.take(), scored }, lines: splitter.number() - 1 };
}

parentPort?.on('message', (work: BlockWork) => {
  const done = read(work);
  const news: BlockNews = done ?? { bytes: work.bytes };
  parentPort?.postMessage(news, done === null ? [work.bytes.buffer] : buffersOf(done.block));
});
