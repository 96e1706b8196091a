import { makeSpanCase, type SpanCase } from '../data/span-case.ts';
import { SPAN_WIDTH, SpanList } from '../data/span-list.ts';

/** Bytes of documents in a block, unless one of them is longer. */
const BLOCK_BYTES = 1 << 19;
/** Numbers of a case before those of its spans: line, bytes of the text, spans on either side. */
const HEAD = 4;

/** Cases of plain spans as they go from one thread to another: columns and bytes, and no object for a span. */
export interface SpanBlock {
  readonly ids: readonly string[];
  readonly heads: Int32Array<ArrayBuffer>;
  readonly spans: Int32Array<ArrayBuffer>;
  readonly texts: Uint8Array<ArrayBuffer>;
  /** Labels that no block before it had. */
  readonly labels: readonly string[];
}

/** Puts cases into blocks. */
export class SpanTape {
  #ids: string[] = [];
  readonly #heads: number[] = [];
  #spans = new Int32Array(1 << 14);
  #spansFilled = 0;
  #texts = new Uint8Array(BLOCK_BYTES);
  #textsFilled = 0;
  /** All labels by their numbers, and how many of them were taken. */
  #known: readonly string[] = [];
  #labels = 0;

  /** Adds a case; true once the block should be taken. */
  add({ id, line, spans: { bytes, from, to, gold, predicted } }: SpanCase): boolean {
    const needed = this.#textsFilled + to - from;
    if (needed > this.#texts.length) this.#texts = grown(this.#texts, new Uint8Array(needed * 2));
    this.#texts.set(bytes.subarray(from, to), this.#textsFilled);
    this.#textsFilled = needed;
    this.#addSpans(gold);
    this.#addSpans(predicted);
    this.#ids.push(id);
    this.#heads.push(line, to - from, gold.count, predicted.count);
    this.#known = gold.labels;
    return this.#textsFilled >= BLOCK_BYTES / 2;
  }

  /** The block so far; null without a case. The tape is empty again. */
  take(): SpanBlock | null {
    if (this.#ids.length === 0) return null;
    const block = {
      ids: this.#ids,
      heads: Int32Array.from(this.#heads),
      spans: this.#spans.slice(0, this.#spansFilled),
      texts: this.#texts.slice(0, this.#textsFilled),
      labels: this.#known.slice(this.#labels),
    };
    this.#labels = this.#known.length;
    this.#ids = [];
    this.#heads.length = this.#spansFilled = this.#textsFilled = 0;
    return block;
  }

  #addSpans({ numbers, from, count }: SpanList): void {
    const needed = this.#spansFilled + count * SPAN_WIDTH;
    if (needed > this.#spans.length) this.#spans = grown(this.#spans, new Int32Array(needed * 2));
    this.#spans.set(numbers.subarray(from, from + count * SPAN_WIDTH), this.#spansFilled);
    this.#spansFilled = needed;
  }
}

function grown<List extends Int32Array<ArrayBuffer> | Uint8Array<ArrayBuffer>>(list: List, larger: List): List {
  larger.set(list);
  return larger;
}

/** The cases of blocks, in their order. */
export class SpanTapeReader {
  readonly #labels: string[] = [];

  *cases({ ids, heads, spans, texts, labels }: SpanBlock): Generator<SpanCase> {
    this.#labels.push(...labels);
    const bytes = Buffer.from(texts.buffer, texts.byteOffset, texts.byteLength);
    let [place, text] = [0, 0];
    for (const [at, id] of ids.entries()) {
      const [line = 0, length = 0, golds = 0, predicteds = 0] = heads.subarray(at * HEAD, (at + 1) * HEAD);
      const gold = new SpanList(spans, place, golds, this.#labels);
      const predicted = new SpanList(spans, place + golds * SPAN_WIDTH, predicteds, this.#labels);
      // Of the hash nobody asks a second time.
      const sums = { isSuspect: false, hash: { a: 0, b: 0 } };
      yield makeSpanCase({ id, bytes, from: text, to: text + length, gold, predicted, ...sums }, line);
      place += (golds + predicteds) * SPAN_WIDTH;
      text += length;
    }
  }
}
