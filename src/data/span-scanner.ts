import { ContentHash } from '../text/content-hash.ts';
import { afterColon, decodeUnits, isEscapedAt, isNull, keyAt, plainUnits, skipBlanks, UNKNOWN } from './json-bytes.ts';
import type { ScannedSpans } from './span-case.ts';
import { LabelTable, nextHash, SPAN_WIDTH, SpanList } from './span-list.ts';

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c];
const [OPEN_OBJECT, CLOSE_OBJECT, OPEN_LIST, CLOSE_LIST] = [0x7b, 0x7d, 0x5b, 0x5d];
/** A place in a text with escapes is subtracted from it. */
const ESCAPED = -2;
/** Whole numbers of so many digits fit into 31 bits. */
const MOST_DIGITS = 9;

/** What a record may hold for the scanner to know it, and what a span may. */
const RECORD_KEYS = ['id', 'text', 'gold', 'predicted'] as const;
const SPAN_KEYS = ['start', 'end', 'label', 'text'] as const;
const KEY_BYTES = (keys: readonly string[]): readonly Buffer[] => keys.map((key) => Buffer.from(`${key}"`));
const [RECORD_BYTES, SPAN_BYTES] = [KEY_BYTES(RECORD_KEYS), KEY_BYTES(SPAN_KEYS)];
/** The fields of a span, in the order of SPAN_KEYS; the rest of a record in that of RECORD_KEYS. */
const [START, END, LABEL, TEXT] = [0, 1, 2, 3];
const [ID, RECORD_TEXT, GOLD, PREDICTED] = [0, 1, 2, 3];

/** Numbers of spans are put into lists of so many; a longer record gets its own. */
const ROOM = 1 << 15;
/** Labels beyond this are no label set: such records are read the other way. */
const MOST_LABELS = 1000;

/**
 * Reads records of plain spans ({id, text, gold, predicted}) from their bytes, without an object for any span. It takes a
 * record only if it is sure what `JSON.parse` and all checks of the reader would make of it: every span in place, every
 * text the slice that it stands for. Anything else, a further field or the least fault, is left to them.
 */
export class SpanScanner {
  readonly labels: LabelTable;
  #numbers = new Int32Array(ROOM);
  #filled = 0;
  #id = '';
  /** UTF-16 units of the document and of the span's text at hand. */
  #document = new Uint16Array(1 << 14);
  #quote = new Uint16Array(256);
  #length = 0;
  #isSuspect = false;
  readonly #content = new ContentHash();
  /** Bytes of the document between its quotes. */
  #textFrom = 0;
  #textTo = 0;
  /** The places among the bytes of the texts of spans: from and to, -1 for a span that gives none; with escapes below that. */
  #texts = new Int32Array(ROOM / 2);
  #spans = 0;
  /** Bytes of the string at hand. */
  #from = 0;
  #to = 0;
  #hash = 0;
  #hasEscapes = false;
  /** Of the number at hand. */
  #number = 0;

  constructor(labels = new LabelTable()) {
    this.labels = labels;
  }

  /** The record that these bytes are; null for one that it does not know. */
  scan(bytes: Buffer): ScannedSpans | null {
    const to = bytes.length;
    // Half a list at least is free at the start of a record.
    if (this.#filled > this.#numbers.length / 2) {
      this.#numbers = new Int32Array(ROOM);
      this.#texts = new Int32Array(ROOM / 2);
      this.#filled = 0;
    }
    const begin = this.#filled;
    this.#spans = 0;
    let at = skipBlanks(bytes, 0, to);
    if (bytes[at] !== OPEN_OBJECT) return null;
    let seen = 0;
    let gold = 0;
    let golds = 0;
    let predicted = 0;
    let predicteds = 0;
    do {
      at = skipBlanks(bytes, at + 1, to);
      const key = keyAt(bytes, at, to, RECORD_BYTES);
      if (key === UNKNOWN || (seen & (1 << key)) !== 0) return this.#leave(begin);
      seen |= 1 << key;
      at = afterColon(bytes, at + 1 + RECORD_BYTES[key]!.length, to);
      if (at === UNKNOWN) return this.#leave(begin);
      const before = this.#spans;
      if (key === ID) at = this.#readId(bytes, at, to);
      else if (key === RECORD_TEXT) at = this.#readText(bytes, at, to);
      else at = this.#readSpans(bytes, at, to);
      if (at === UNKNOWN) return this.#leave(begin);
      if (key === GOLD) {
        gold = before;
        golds = this.#spans - before;
      } else if (key === PREDICTED) {
        predicted = before;
        predicteds = this.#spans - before;
      }
      at = skipBlanks(bytes, at, to);
    } while (bytes[at] === COMMA);
    if (bytes[at] !== CLOSE_OBJECT || skipBlanks(bytes, at + 1, to) !== to || seen !== 15) return this.#leave(begin);
    if (!this.#fits(begin, bytes) || this.labels.names.length > MOST_LABELS) return this.#leave(begin);
    const list = (first: number, count: number): SpanList =>
      new SpanList(this.#numbers, begin + first * SPAN_WIDTH, count, this.labels.names, this.#texts);
    this.#content.reset(this.#id);
    this.#content.units(this.#document, this.#length);
    return {
      id: this.#id,
      bytes,
      from: this.#textFrom - 1,
      to: this.#textTo + 1,
      isSuspect: this.#isSuspect,
      hash: this.#content.state,
      gold: list(gold, golds),
      predicted: list(predicted, predicteds),
    };
  }

  /** Gives back the room of a record that is not known. */
  #leave(begin: number): null {
    this.#filled = begin;
    return null;
  }

  #add(start: number, end: number, label: number, index: number, from: number, to: number): void {
    if (this.#filled + SPAN_WIDTH > this.#numbers.length) {
      this.#numbers = twice(this.#numbers);
      this.#texts = twice(this.#texts);
    }
    const at = this.#filled;
    this.#numbers[at] = start;
    this.#numbers[at + 1] = end;
    this.#numbers[at + 2] = label;
    this.#numbers[at + 3] = index;
    this.#texts[at / 2] = from;
    this.#texts[at / 2 + 1] = to;
    this.#filled = at + SPAN_WIDTH;
    this.#spans += 1;
  }

  #readId(bytes: Buffer, at: number, to: number): number {
    const after = this.#string(bytes, at, to);
    if (after === UNKNOWN || this.#from === this.#to) return UNKNOWN;
    this.#id = bytes.toString('utf8', this.#from, this.#to);
    return after;
  }

  /** The text of the document: only its end is looked for, since it is most of the record. */
  #readText(bytes: Buffer, at: number, to: number): number {
    if (bytes[at] !== QUOTE) return UNKNOWN;
    let end = bytes.indexOf(QUOTE, at + 1);
    while (end !== -1 && end < to && isEscapedAt(bytes, at + 1, end)) end = bytes.indexOf(QUOTE, end + 1);
    if (end === -1 || end >= to) return UNKNOWN;
    this.#textFrom = at + 1;
    this.#textTo = end;
    return end + 1;
  }

  #readSpans(bytes: Buffer, from: number, to: number): number {
    if (bytes[from] !== OPEN_LIST) return UNKNOWN;
    let at = skipBlanks(bytes, from + 1, to);
    if (bytes[at] === CLOSE_LIST) return at + 1;
    for (let index = 0; ; index += 1) {
      at = this.#readSpan(bytes, at, to, index);
      if (at === UNKNOWN) return UNKNOWN;
      at = skipBlanks(bytes, at, to);
      if (bytes[at] === CLOSE_LIST) return at + 1;
      if (bytes[at] !== COMMA) return UNKNOWN;
      at = skipBlanks(bytes, at + 1, to);
    }
  }

  #readSpan(bytes: Buffer, from: number, to: number, index: number): number {
    if (bytes[from] !== OPEN_OBJECT) return UNKNOWN;
    let seen = 0;
    let start = 0;
    let end = 0;
    let label = 0;
    let textFrom = -1;
    let textTo = -1;
    let at = from;
    do {
      at = skipBlanks(bytes, at + 1, to);
      const key = keyAt(bytes, at, to, SPAN_BYTES);
      if (key === UNKNOWN || (seen & (1 << key)) !== 0) return UNKNOWN;
      seen |= 1 << key;
      at = afterColon(bytes, at + 1 + SPAN_BYTES[key]!.length, to);
      if (at === UNKNOWN) return UNKNOWN;
      if (key === START || key === END) {
        at = this.#wholeNumber(bytes, at, to);
        if (key === START) start = this.#number;
        else end = this.#number;
      } else if (key === LABEL) {
        at = this.#string(bytes, at, to);
        if (at === UNKNOWN || this.#from === this.#to) return UNKNOWN;
        label = this.labels.ofBytes(bytes, this.#from, this.#to, this.#hash);
      } else if (isNull(bytes, at)) at += 4;
      else {
        at = this.#string(bytes, at, to, true);
        textFrom = this.#hasEscapes ? ESCAPED - this.#from : this.#from;
        textTo = this.#to;
      }
      if (at === UNKNOWN) return UNKNOWN;
      at = skipBlanks(bytes, at, to);
    } while (bytes[at] === COMMA);
    if (bytes[at] !== CLOSE_OBJECT || (seen | (1 << TEXT)) !== 15) return UNKNOWN;
    this.#add(start, end, label, index, textFrom, textTo);
    return at + 1;
  }

  /** A short string, byte by byte; one with escapes only if they are allowed. */
  #string(bytes: Buffer, at: number, to: number, allowsEscapes = false): number {
    if (bytes[at] !== QUOTE) return UNKNOWN;
    let hash = 0;
    this.#hasEscapes = false;
    for (let place = at + 1; place < to; place += 1) {
      const byte = bytes[place]!;
      if (byte === QUOTE) {
        this.#from = at + 1;
        this.#to = place;
        this.#hash = hash;
        return place + 1;
      }
      if (byte < 0x20) return UNKNOWN;
      if (byte === BACKSLASH) {
        if (!allowsEscapes) return UNKNOWN;
        this.#hasEscapes = true;
        place += 1;
      } else hash = nextHash(hash, byte);
    }
    return UNKNOWN;
  }

  #wholeNumber(bytes: Buffer, from: number, to: number): number {
    let at = from;
    let value = 0;
    for (; at < to; at += 1) {
      const digit = bytes[at]! - 0x30;
      if (digit < 0 || digit > 9) break;
      value = value * 10 + digit;
    }
    const digits = at - from;
    if (digits === 0 || digits > MOST_DIGITS || (digits > 1 && bytes[from] === 0x30)) return UNKNOWN;
    this.#number = value;
    return at;
  }

  /** Whether the document is one that JSON allows, and every span is in it, with the text that stands there. */
  #fits(begin: number, bytes: Buffer): boolean {
    const room = this.#textTo - this.#textFrom;
    if (room > this.#document.length) this.#document = new Uint16Array(room * 2);
    const document = this.#document;
    const escape = bytes.indexOf(BACKSLASH, this.#textFrom);
    this.#length =
      escape >= 0 && escape < this.#textTo
        ? decodeUnits(bytes, this.#textFrom, this.#textTo, document)
        : plainUnits(bytes, this.#textFrom, this.#textTo, document);
    if (this.#length < 0) return false;
    // As in the test of `repairWords`: a lead byte and what may be one that goes on.
    let isSuspect = false;
    let before = 0;
    for (let at = 0; at < this.#length; at += 1) {
      const unit = document[at]!;
      if (unit > 0x7f && before >= 0xc2 && before <= 0xf4) isSuspect = true;
      before = unit;
    }
    this.#isSuspect = isSuspect;
    for (let span = 0; span < this.#spans; span += 1) {
      const start = this.#numbers[begin + span * SPAN_WIDTH]!;
      const end = this.#numbers[begin + span * SPAN_WIDTH + 1]!;
      if (end <= start || end > this.#length) return false;
      const place = begin / 2 + span * 2;
      const given = this.#texts[place]!;
      if (given === -1) continue;
      const from = given < 0 ? ESCAPED - given : given;
      const to = this.#texts[place + 1]!;
      // There is more than one way to escape.
      if (given < 0) this.#texts[place] = -1;
      if (to - from > this.#quote.length) this.#quote = new Uint16Array((to - from) * 2);
      const length = decodeUnits(bytes, from, to, this.#quote);
      if (length !== end - start) return false;
      for (let at = 0; at < length; at += 1) if (this.#quote[at] !== document[start + at]) return false;
    }
    return true;
  }
}

function twice({ buffer, byteLength }: Int32Array<ArrayBuffer>): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(byteLength / 2);
  larger.set(new Int32Array(buffer));
  return larger;
}
