/**
 * Writes JSON straight into bytes. A run's ledger has millions of short values; gluing strings together for each of
 * them costs more than all the scoring before it.
 */
export class JsonBytes {
  readonly #sink: (bytes: Uint8Array) => void;
  readonly #bytes: Uint8Array;
  readonly #limit: number;
  #at = 0;

  constructor(sink: (bytes: Uint8Array) => void, size = 1 << 18) {
    this.#sink = sink;
    this.#bytes = new Uint8Array(size);
    this.#limit = size;
  }

  /** ASCII that is known to be right as it stands: keys, brackets. */
  raw(ascii: string): void {
    if (this.#at + ascii.length > this.#limit) this.flush();
    const bytes = this.#bytes;
    let at = this.#at;
    for (let i = 0; i < ascii.length; i += 1) bytes[at++] = ascii.charCodeAt(i);
    this.#at = at;
  }

  string(text: string): void {
    // Six bytes a UTF-16 unit is the most that an escape takes.
    if (text.length * 6 + 2 > this.#limit - this.#at) {
      this.flush();
      if (text.length * 6 + 2 > this.#limit) {
        this.#long(JSON.stringify(text));
        return;
      }
    }
    const bytes = this.#bytes;
    const { length } = text;
    let at = this.#at;
    bytes[at++] = 0x22;
    for (let i = 0; i < length; i += 1) {
      const unit = text.charCodeAt(i);
      if (unit >= 0x80 || PLAIN[unit] === 0) {
        this.#afterPlain(text, i);
        return;
      }
      bytes[at++] = unit;
    }
    bytes[at++] = 0x22;
    this.#at = at;
  }

  /** A text of which the first `from` units are written behind the quote, and the rest is not plain ASCII. */
  #afterPlain(text: string, from: number): void {
    const bytes = this.#bytes;
    let at = this.#at + 1 + from;
    for (let i = from; i < text.length; i += 1) {
      const unit = text.charCodeAt(i);
      if (unit < 0x80) {
        if (PLAIN[unit] === 0) return this.#short(JSON.stringify(text));
        bytes[at++] = unit;
      } else if (unit < 0x800) {
        bytes[at++] = 0xc0 | (unit >> 6);
        bytes[at++] = 0x80 | (unit & 0x3f);
      } else if (unit < 0xd800 || unit > 0xdfff) {
        bytes[at++] = 0xe0 | (unit >> 12);
        bytes[at++] = 0x80 | ((unit >> 6) & 0x3f);
        bytes[at++] = 0x80 | (unit & 0x3f);
      } else return this.#short(JSON.stringify(text));
    }
    bytes[at++] = 0x22;
    this.#at = at;
  }

  number(value: number): void {
    if (value === (value | 0) && value >= 0) this.#integer(value);
    else if (Number.isFinite(value)) this.raw(String(value));
    else throw new RangeError(`${value} is no JSON number`);
  }

  /** Any other value, by JSON.stringify. */
  json(value: unknown): void {
    this.#short(JSON.stringify(value));
  }

  flush(): void {
    if (this.#at === 0) return;
    this.#sink(this.#bytes.subarray(0, this.#at));
    this.#at = 0;
  }

  #integer(value: number): void {
    if (this.#at + 10 > this.#limit) this.flush();
    let size = 1;
    for (let next = 10; next <= value && size < 10; next *= 10) size += 1;
    const end = this.#at + size;
    let rest = value;
    for (let at = end - 1; at >= this.#at; at -= 1) {
      const next = (rest / 10) | 0;
      this.#bytes[at] = 0x30 + rest - next * 10;
      rest = next;
    }
    this.#at = end;
  }

  #short(json: string): void {
    if (json.length * 3 > this.#limit - this.#at) {
      this.flush();
      if (json.length * 3 > this.#limit) return this.#long(json);
    }
    this.#at += encoder.encodeInto(json, this.#bytes.subarray(this.#at)).written;
  }

  #long(json: string): void {
    this.flush();
    this.#sink(encoder.encode(json));
  }
}

const encoder = new TextEncoder();

/** 1 for ASCII that stands in a JSON string as it is. */
const PLAIN = Uint8Array.from({ length: 0x80 }, (_, unit) => (unit < 0x20 || unit === 0x22 || unit === 0x5c ? 0 : 1));
