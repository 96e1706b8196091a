import { spread } from './shingles.ts';

/** Where a running hash stands. */
export type HashState = Readonly<Record<'a' | 'b', number>>;

/**
 * A running 64-bit hash in two lanes (multiply and shift, as in murmur3), for content that is hashed piece by piece
 * without building one long string. It guards against mix-ups, not against forgery: files have their sha256 for that.
 */
export class ContentHash {
  #a = 0x9e3779b9 | 0;
  #b = 0x85ebca6b | 0;

  /** Begins again, with these texts. */
  reset(...texts: readonly string[]): void {
    this.#a = 0x9e3779b9 | 0;
    this.#b = 0x85ebca6b | 0;
    this.texts(...texts);
  }

  texts(...texts: readonly string[]): void {
    for (const text of texts) this.text(text);
  }

  number(value: number): void {
    const a = Math.imul(this.#a ^ value, 0xcc9e2d51);
    const b = Math.imul(this.#b ^ (value + 0x165667b1), 0x1b873593);
    this.#a = a ^ (a >>> 15);
    this.#b = Math.imul(b ^ (b >>> 13), 5) + 0x52dce729;
  }

  text(text: string): void {
    let [a, b] = [this.#a, this.#b];
    // Two units a step, the lanes taking turns: a quarter of the multiplications.
    const fours = text.length & ~3;
    for (let at = 0; at < fours; at += 4) {
      a = Math.imul(a ^ (text.charCodeAt(at) | (text.charCodeAt(at + 1) << 16)), 0x01000193) ^ (a >>> 17);
      b = Math.imul(b ^ (text.charCodeAt(at + 2) | (text.charCodeAt(at + 3) << 16)), 0x5bd1e995) ^ (b >>> 15);
    }
    this.#a = a;
    this.#b = b;
    for (let at = fours; at < text.length; at += 1) this.#unit(text.charCodeAt(at));
    // The length, so that "ab" + "c" is not "a" + "bc".
    this.number(text.length);
  }

  /** The same for a text of which the UTF-16 units are at hand, up to `end`. */
  units(units: Uint16Array, end: number, from = 0): void {
    let [a, b] = [this.#a, this.#b];
    const fours = from + ((end - from) & ~3);
    for (let at = from; at < fours; at += 4) {
      a = Math.imul(a ^ (units[at]! | (units[at + 1]! << 16)), 0x01000193) ^ (a >>> 17);
      b = Math.imul(b ^ (units[at + 2]! | (units[at + 3]! << 16)), 0x5bd1e995) ^ (b >>> 15);
    }
    this.#a = a;
    this.#b = b;
    for (let at = fours; at < end; at += 1) this.#unit(units[at]!);
    this.number(end - from);
  }

  #unit(unit: number): void {
    this.#a = Math.imul(this.#a ^ unit, 0x01000193) ^ (this.#a >>> 17);
    this.#b = Math.imul(this.#b ^ unit, 0x5bd1e995) ^ (this.#b >>> 15);
  }

  /** Continues where another hash stood. */
  resume({ a, b }: HashState): void {
    this.#a = a;
    this.#b = b;
  }

  get state(): HashState {
    return { a: this.#a, b: this.#b };
  }

  get high(): number {
    return spread(this.#a);
  }

  get low(): number {
    return spread(this.#b ^ this.#a);
  }
}
