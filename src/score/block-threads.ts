import type { Worker } from 'node:worker_threads';

import type { SpanPlan } from '../columns/span-scoring.ts';
import type { BlockReaders, ReadBlock } from '../data/span-blocks.ts';
import { LabelTable } from '../data/span-list.ts';
import { type SpanBlock, SpanTapeReader } from '../data/span-tape.ts';
import { startThread } from '../data/thread.ts';

/** What a thread is started with. */
export interface BlockOrder {
  readonly plan: SpanPlan;
  readonly hasLedger: boolean;
}

export interface BlockWork {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly mostBytes: number;
}

/** Posted for each block, in their order: what it is, or the block itself where it is something else. */
export type BlockNews =
  | { readonly block: SpanBlock; readonly lines: number }
  | { readonly bytes: Uint8Array<ArrayBuffer> };

/** Blocks that a thread has at hand: one to work at, and the next. */
const AT_HAND = 3;

/** Threads that read blocks of a file and score them, in turns; the order of the blocks stays. */
export class BlockThreads implements BlockReaders {
  readonly labels = new LabelTable();
  readonly most: number;
  readonly #threads: readonly BlockThread[];
  #turn = 0;

  constructor(threads: number, order: BlockOrder) {
    this.most = threads * AT_HAND;
    this.#threads = Array.from(
      { length: threads },
      () => new BlockThread(startThread('block-worker', import.meta.url, order), this.labels),
    );
  }

  read(block: Buffer<ArrayBuffer>, mostBytes: number): Promise<ReadBlock | Buffer> {
    this.#turn = (this.#turn + 1) % this.#threads.length;
    return this.#threads[this.#turn]!.read({ bytes: block, mostBytes });
  }

  end(): void {
    for (const thread of this.#threads) thread.end();
  }
}

class BlockThread {
  readonly #worker: Worker;
  readonly #tape: SpanTapeReader;
  readonly #waiting: { readonly done: (read: ReadBlock | Buffer) => void; readonly failed: (error: Error) => void }[] =
    [];

  constructor(worker: Worker, labels: LabelTable) {
    this.#worker = worker;
    this.#tape = new SpanTapeReader(labels);
    const fail = (error: Error): void => this.#waiting.splice(0).forEach(({ failed }) => failed(error));
    worker.on('message', (news: BlockNews) => {
      const { done } = this.#waiting.shift()!;
      if (this.#waiting.length === 0) worker.unref();
      if ('bytes' in news) done(Buffer.from(news.bytes.buffer, news.bytes.byteOffset, news.bytes.byteLength));
      else done({ lines: news.lines, cases: (line) => this.#tape.cases(news.block, line) });
    });
    worker.on('error', (error: unknown) => fail(error instanceof Error ? error : new Error(String(error))));
    worker.on('exit', () => fail(new Error('a thread that reads the file ended before it was done')));
  }

  read(work: BlockWork): Promise<ReadBlock | Buffer> {
    // A thread that nothing waits for does not keep the process alive: this one is waited for.
    this.#worker.ref();
    const read = new Promise<ReadBlock | Buffer>((done, failed) => this.#waiting.push({ done, failed }));
    // Until its turn comes, nobody looks at it.
    read.catch(() => undefined);
    this.#worker.postMessage(work, [work.bytes.buffer]);
    return read;
  }

  end(): void {
    void this.#worker.terminate();
  }
}
