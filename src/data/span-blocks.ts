import type { LineOptions, ScanLine, TextRecord } from './lines.ts';
import { lineReader, mostBytes, readLines } from './lines.ts';
import type { SpanCase } from './span-case.ts';
import type { LabelTable } from './span-list.ts';

/** Bytes that are handed over at a time, unless a line is longer. */
const BLOCK_BYTES = 1 << 20;
const NEWLINE = 0x0a;

/** Other threads that read blocks of whole lines. */
export interface BlockReaders {
  /** The labels of all blocks. */
  readonly labels: LabelTable;
  /** Blocks that may be under way. */
  readonly most: number;
  /** A block is taken over; given back where it holds anything but plain spans. */
  read(block: Buffer<ArrayBuffer>, mostBytes: number): Promise<ReadBlock | Buffer>;
}

export interface ReadBlock {
  /** Also blank ones. */
  readonly lines: number;
  /** Counted from the number of the line before the first. */
  cases(line: number): Iterable<SpanCase>;
}

/** As `readLines`, with the help of other threads, if there are any, for as long as they know what they are given. */
export async function* readBlocks(
  chunks: AsyncIterable<Buffer>,
  options: LineOptions,
  scan?: ScanLine<SpanCase>,
  readers?: BlockReaders,
): AsyncGenerator<(TextRecord | SpanCase)[]> {
  if (readers === undefined) {
    yield* readLines(chunks, options, scan);
    return;
  }
  const most = mostBytes(options);
  const lines = lineReader(options, scan);
  const underWay: Promise<ReadBlock | Buffer>[] = [];
  let block = emptyBlock(BLOCK_BYTES);
  let filled = 0;
  let isHelped = true;
  async function* next(): AsyncGenerator<(TextRecord | SpanCase)[]> {
    const read = (await underWay.shift())!;
    if (!('lines' in read)) {
      isHelped = false;
      lines.push(read);
      yield lines.take();
      return;
    }
    yield [...read.cases(lines.number() - 1)];
    lines.skip(read.lines);
  }
  for await (const chunk of chunks) {
    if (filled + chunk.length > block.length) {
      const larger = emptyBlock((filled + chunk.length) * 2);
      block.copy(larger, 0, 0, filled);
      block = larger;
    }
    filled += chunk.copy(block, filled);
    if (filled < BLOCK_BYTES && isHelped) continue;
    const end: number = isHelped ? block.lastIndexOf(NEWLINE, filled - 1) + 1 : 0;
    // A line is waited for no longer than it may be.
    isHelped &&= end > 0 || filled <= most;
    if (!isHelped) {
      while (underWay.length > 0) yield* next();
      lines.push(block.subarray(0, filled));
      filled = 0;
      yield lines.take();
    } else if (end > 0) {
      const rest = emptyBlock(BLOCK_BYTES + filled - end);
      block.copy(rest, 0, end, filled);
      underWay.push(readers.read(block.subarray(0, end), most));
      [block, filled] = [rest, filled - end];
      while (underWay.length >= readers.most) yield* next();
    }
  }
  while (underWay.length > 0) yield* next();
  lines.push(block.subarray(0, filled));
  lines.end();
  yield lines.take();
}

/** Not out of a pool: all of its memory is handed over. */
function emptyBlock(bytes: number): Buffer<ArrayBuffer> {
  return Buffer.from(new ArrayBuffer(bytes));
}
