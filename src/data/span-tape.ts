import { makeSpanCase, type SpanCase } from './span-case.ts';
import { LABEL, LabelTable, SPAN_WIDTH, SpanList } from './span-list.ts';
import type { ScoredSpans } from './span-case.ts';

/** Bytes of documents in a block, unless one of them is longer. */
const BLOCK_BYTES = 1 << 19;
/** Numbers of a case: line, bytes of the text, spans on either side, whether it is suspect, and the hash of id and text. */
const HEAD = 7;
/** Ends of a case's numbers among those that scoring made of it, and of its bytes and lines in the ledger. */
export const SCORED_HEAD = 3;

/** Cases of plain spans as they go from one thread to another: columns and bytes, and no object for a span. */
export interface SpanBlock {
  readonly ids: readonly string[];
  readonly heads: Int32Array<ArrayBuffer>;
  readonly spans: Int32Array<ArrayBuffer>;
  readonly texts: Uint8Array<ArrayBuffer>;
  /** Labels that no block before it had. */
  readonly labels: readonly string[];
  /** What a thread that scored them made of them. */
  readonly scored?: {
    readonly heads: Int32Array<ArrayBuffer>;
    readonly counts: Int32Array<ArrayBuffer>;
    /** Null where nobody asked for it. */
    readonly ledger: Uint8Array<ArrayBuffer> | null;
  };
}

/** The memory of a block, which goes over with it. */
export function buffersOf({ heads, spans, texts, scored }: SpanBlock): ArrayBuffer[] {
  const lists = [heads, spans, texts, scored?.heads, scored?.counts, scored?.ledger];
  return lists.flatMap((list) => (list === undefined || list === null ? [] : [list.buffer]));
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
  add({ id, line, spans: { bytes, from, to, gold, predicted, isSuspect, hash } }: SpanCase): boolean {
    const needed = this.#textsFilled + to - from;
    if (needed > this.#texts.length) this.#texts = grown(this.#texts, new Uint8Array(needed * 2));
    this.#texts.set(bytes.subarray(from, to), this.#textsFilled);
    this.#textsFilled = needed;
    this.#addSpans(gold);
    this.#addSpans(predicted);
    this.#ids.push(id);
    this.#heads.push(line, to - from, gold.count, predicted.count, Number(isSuspect), hash.a, hash.b);
    this.#known = gold.labels;
    return this.#textsFilled >= BLOCK_BYTES / 2;
  }

  get isEmpty(): boolean {
    return this.#ids.length === 0;
  }

  /** The block so far. The tape is empty again. */
  take(): SpanBlock {
    const block = {
      ids: this.#ids,
      heads: Int32Array.from(this.#heads),
      spans: this.#spans.slice(0, this.#spansFilled),
      texts: this.#texts.slice(0, this.#textsFilled),
      labels: this.#known.slice(this.#labels),
    };
    this.#labels = this.#known.length;
    this.clear();
    return block;
  }

  /** Leaves the cases of the block out. */
  clear(): void {
    this.#ids = [];
    this.#heads.length = this.#spansFilled = this.#textsFilled = 0;
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

/** The cases of the blocks of one tape, in their order. */
export class SpanTapeReader {
  readonly #table: LabelTable;
  /** By the tape's number of a label, the table's. */
  readonly #labelOf: number[] = [];

  constructor(table = new LabelTable()) {
    this.#table = table;
  }

  /** `line`: what their lines count from. */
  *cases(block: SpanBlock, line = 0): Generator<SpanCase> {
    const { ids, heads, spans, texts, scored } = block;
    for (const name of block.labels) this.#labelOf.push(this.#table.ofName(name));
    if (this.#labelOf.some((label, at) => label !== at))
      for (let at = LABEL; at < spans.length; at += SPAN_WIDTH) spans[at] = this.#labelOf[spans[at]!]!;
    const bytes = Buffer.from(texts.buffer, texts.byteOffset, texts.byteLength);
    let [place, from] = [0, 0];
    for (const [at, id] of ids.entries()) {
      const head = at * HEAD;
      const to = from + heads[head + 1]!;
      const [golds, predicteds] = [heads[head + 2]!, heads[head + 3]!];
      const gold = new SpanList(spans, place, golds, this.#table.names);
      place += golds * SPAN_WIDTH;
      const predicted = new SpanList(spans, place, predicteds, this.#table.names);
      place += predicteds * SPAN_WIDTH;
      const [isSuspect, hash] = [heads[head + 4] === 1, { a: heads[head + 5]!, b: heads[head + 6]! }];
      const made = { id, bytes, from, to, gold, predicted, isSuspect, hash };
      yield makeSpanCase(
        scored === undefined ? made : { ...made, scored: this.#scoredOf(scored, at) },
        line + heads[head]!,
      );
      from = to;
    }
  }

  #scoredOf({ heads, counts, ledger }: NonNullable<SpanBlock['scored']>, at: number): ScoredSpans {
    const end = at * SCORED_HEAD;
    const begin = (what: number): number => heads[end - SCORED_HEAD + what] ?? 0;
    return {
      counts,
      from: begin(0),
      labelOf: this.#labelOf,
      ledger: ledger?.subarray(begin(1), heads[end + 1]) ?? null,
      rows: heads[end + 2]!,
    };
  }
}
