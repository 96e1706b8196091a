const ROOM = 1 << 18;
const ZERO = 0x30;
const MOST_DIGITS = 10;
/** Up to here a loop takes less than a call. */
const SHORT = 100;

/** Bytes that are filled, taken and filled again. */
export class GrowingBytes {
  #buffer = Buffer.allocUnsafe(ROOM);
  size = 0;

  /** What was filled is at its beginning; another one after a reserve. */
  get buffer(): Buffer {
    return this.#buffer;
  }

  isSame(other: GrowingBytes): boolean {
    if (this.size !== other.size) return false;
    const [one, second] = [this.#buffer, other.buffer];
    for (let at = 0; at < this.size; at += 1) if (one[at] !== second[at]) return false;
    return true;
  }

  reserve(bytes: number): void {
    if (this.size + bytes <= this.#buffer.length) return;
    const wider = Buffer.allocUnsafe(Math.max(this.size + bytes, this.#buffer.length * 2));
    this.#buffer.copy(wider, 0, 0, this.size);
    this.#buffer = wider;
  }

  bytes(bytes: Uint8Array): number {
    this.reserve(bytes.length);
    this.#buffer.set(bytes, this.size);
    this.size += bytes.length;
    return bytes.length;
  }

  /** How many bytes it takes. Half of a surrogate pair becomes U+FFFD, which is how it is shown. */
  text(text: string): number {
    this.reserve(text.length < ROOM ? text.length * 3 : Buffer.byteLength(text));
    const bytes = text.length <= SHORT ? this.#ascii(text) : -1;
    const written = bytes < 0 ? this.#buffer.write(text, this.size) : bytes;
    this.size += written;
    return written;
  }

  /** How many bytes a text took; -1 for one that has more than ASCII. */
  #ascii(text: string): number {
    const buffer = this.#buffer;
    const { size } = this;
    for (let at = 0; at < text.length; at += 1) {
      const unit = text.charCodeAt(at);
      if (unit > 127) return -1;
      buffer[size + at] = unit;
    }
    return text.length;
  }

  /** A few bytes of others. */
  few(bytes: Uint8Array, from: number, to: number): void {
    this.reserve(to - from);
    const buffer = this.#buffer;
    const shift = this.size - from;
    for (let at = from; at < to; at += 1) buffer[at + shift] = bytes[at]!;
    this.size = to + shift;
  }

  /** A whole number, not below 0, below 2 ** 31, in decimal digits. */
  digits(value: number): void {
    this.reserve(MOST_DIGITS);
    const buffer = this.#buffer;
    let at = this.size;
    for (let rest = value; rest > 9; rest = (rest / 10) | 0) at += 1;
    this.size = at + 1;
    for (let rest = value; at >= 0; at -= 1) {
      const next = (rest / 10) | 0;
      buffer[at] = ZERO + rest - next * 10;
      if (next === 0) return;
      rest = next;
    }
  }

  /** A number that is not below 0, seven bits a byte, into room. */
  number(value: number): void {
    let rest = value;
    for (; rest > 127; rest >>>= 7) this.#buffer[this.size++] = (rest & 127) | 128;
    this.#buffer[this.size++] = rest;
  }

  /** The same for any whole number. */
  signed(value: number): void {
    this.number(((value << 1) ^ (value >> 31)) >>> 0);
  }

  /** What was filled; it is there until more is written. */
  take(): Buffer {
    const taken = this.#buffer.subarray(0, this.size);
    this.size = 0;
    return taken;
  }
}
