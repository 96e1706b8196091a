import { gunzipSync } from 'node:zlib';

import { z } from 'zod';

import { type Foldable, FoldState, StateMismatch } from '../../data/fold-state.ts';
import { isBomb } from '../../data/source.ts';
import { errorTypes } from '../../judge/error-types.ts';
import type { SpanFacts } from '../../score/score.ts';
import { CaseIndexMaker } from './case-index.ts';
import { CasePageWriter } from './case-page-writer.ts';
import { EncodedPage } from './encoded-page.ts';
import { type Hiding, hidingOf } from './hide-texts.ts';
import { compressPage, compressPageSync } from './page-gzip.ts';
import type { CaseIndex, ReportCase, ReportHead } from './report-data.ts';
import {
  isPageFull,
  MOST_WAITING,
  REPORT_SIZES,
  type ReportSizes,
  ReportWriter,
  type ReportWriterOptions,
} from './report-writer.ts';

/** Rows that are compressed together. */
const BLOCK_ROWS = 2000;
/**
 * Pages are cut elsewhere when all cases are there, and compress to a little more or less: so a part keeps more of them
 * than a report may hold.
 */
const SPARE = { factor: 1.25, bytes: 1 << 20 };

interface KeptPage {
  /** Gzip; nothing for as long as it is made. */
  content: Uint8Array;
}

const savedPart = z.object({ texts: z.string(), state: z.unknown() });

/**
 * The cases of a report, kept instead of written, so that those of several parts can be merged: then `finish` writes what
 * one `ReportWriter` would have written of them all. Pages and the index are cut where all cases together are cut, not
 * where a part is: cases are copied from page to page as they are encoded, and each row of the index is kept by itself.
 */
export class ReportPart implements Foldable {
  readonly #options: ReportWriterOptions;
  readonly #sizes: ReportSizes;
  readonly #hiding: Hiding | null;
  readonly #page: CasePageWriter;
  readonly #state = new FoldState();
  readonly #pages = this.#state.keep<KeptPage[]>([]);
  /** Blocks of rows, as compressed JSON. */
  readonly #blocks = this.#state.keep<Uint8Array[]>([]);
  #rows: CaseIndex[] = [];
  /** What is not compressed yet, and the last of it. */
  readonly #waiting = new Map<KeptPage, Buffer>();
  #last: Promise<void> = Promise.resolve();
  #fault: Error | null = null;
  /** In base64, as the report has them. */
  #bytes = 0;

  constructor(options: ReportWriterOptions) {
    this.#options = options;
    this.#sizes = { ...REPORT_SIZES, ...options.sizes };
    this.#hiding = hidingOf(options.texts, options.listed);
    this.#page = new CasePageWriter(this.#hiding);
  }

  get hidesNothing(): boolean {
    return this.#hiding === null;
  }

  add(given: ReportCase): void {
    const errors = given.runs.map((run) => errorTypes(run?.verdicts ?? []));
    const row = new CaseIndexMaker(this.#options.columns);
    row.add(given, errors);
    if (!this.#isFull) this.#page.add(given, errors);
    this.#added(row);
  }

  addSpans(given: SpanFacts): void {
    const row = new CaseIndexMaker(this.#options.columns);
    row.addSpans(given);
    if (!this.#isFull) this.#page.addSpans(given);
    this.#added(row);
  }

  ready(): Promise<void> | null {
    if (this.#fault !== null) throw this.#fault;
    return this.#waiting.size > MOST_WAITING ? this.#last : null;
  }

  save(): unknown {
    this.#settle();
    return { texts: this.#options.texts, state: this.#state.save() };
  }

  merge(saved: unknown): void {
    this.#settle();
    const { data } = savedPart.safeParse(saved);
    if (data?.texts !== this.#options.texts) throw new StateMismatch('expected cases with as much of their texts');
    const before = this.#pages.length;
    this.#state.merge(data.state);
    // After a page that is not kept no other one is in its place.
    const more = this.#pages.splice(before);
    for (const page of more) {
      if (this.#isFull) break;
      this.#pages.push(page);
      this.#count(page);
    }
  }

  /** Writes the report. */
  async finish(about: Pick<ReportHead, 'runs' | 'comparison'>): Promise<void> {
    this.#settle();
    const writer = new ReportWriter(this.#options);
    const pages = this.#pages.values();
    let page: EncodedPage | null = null;
    for (const block of this.#blocks)
      for (const row of readRows(block)) {
        while (writer.takesDetails && (page === null || page.left === 0)) {
          const { value: next } = pages.next();
          if (next === undefined) await writer.endDetails();
          else page = pageOf(next.content);
        }
        writer.addCopy(row, page);
        const wait = writer.ready();
        if (wait !== null) await wait;
      }
    await writer.finish(about);
  }

  /** Whether a report cannot hold further cases in full, whatever came before them. */
  get #isFull(): boolean {
    return this.#bytes > this.#sizes.mostBytes * SPARE.factor + SPARE.bytes;
  }

  #added(row: CaseIndexMaker): void {
    this.#rows.push(row.index());
    if (this.#rows.length >= BLOCK_ROWS) this.#endBlock();
    if (isPageFull(this.#page, this.#sizes)) this.#endPage();
  }

  #endPage(): void {
    const content = Buffer.from(this.#page.take());
    // It may have been begun before the one before it turned out to be the last.
    if (this.#isFull) return;
    const page: KeptPage = { content: new Uint8Array() };
    this.#pages.push(page);
    this.#waiting.set(page, content);
    this.#last = Promise.all([compressPage(content), this.#last])
      .then(([bytes]) => this.#keep(page, bytes))
      .catch((error: unknown) => void (this.#fault ??= error instanceof Error ? error : new Error(String(error))));
  }

  #keep(page: KeptPage, bytes: Buffer): void {
    if (!this.#waiting.delete(page)) return;
    // A copy: zlib gives a piece of a larger buffer.
    page.content = new Uint8Array(bytes);
    this.#count(page);
  }

  #count({ content }: KeptPage): void {
    this.#bytes += Math.ceil(content.length / 3) * 4;
  }

  #endBlock(): void {
    this.#blocks.push(new Uint8Array(compressPageSync(Buffer.from(JSON.stringify(this.#rows)))));
    this.#rows = [];
  }

  /** Ends the page and the block at hand, and waits for nothing. */
  #settle(): void {
    if (this.#rows.length > 0) this.#endBlock();
    if (this.#page.cases > 0) this.#endPage();
    for (const [page, content] of this.#waiting) this.#keep(page, compressPageSync(content));
  }
}

/** Pages may have the longest texts that are read. */
const MOST_BYTES = 1 << 28;

/** A shard may come from elsewhere: a page out of proportion to its bytes is a trap. */
function decompressed(content: Uint8Array): Buffer {
  try {
    const page = gunzipSync(content, { maxOutputLength: MOST_BYTES });
    if (!isBomb(page.length, content.length)) return page;
  } catch {
    // Damaged or too long.
  }
  throw new StateMismatch('expected pages of the report');
}

function pageOf(content: Uint8Array): EncodedPage {
  const page = decompressed(content);
  try {
    return new EncodedPage(page);
  } catch {
    throw new StateMismatch('expected pages of the report');
  }
}

function readRows(block: Uint8Array): readonly CaseIndex[] {
  const rows: unknown = JSON.parse(decompressed(block).toString('utf8'));
  if (!isRows(rows)) throw new StateMismatch('expected rows of the list of cases');
  return rows;
}

/** Catches a state of another kind. */
function isRows(value: unknown): value is readonly CaseIndex[] {
  return Array.isArray(value) && value.every((row) => typeof row === 'object' && row !== null && 'ids' in row);
}
