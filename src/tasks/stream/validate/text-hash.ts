import { createHash, type Hash } from 'node:crypto';

/**
 * sha256 of the UTF-8 of a text that comes in pieces. A piece may end in the first half of a character of two UTF-16
 * units: it waits for the other, as it would in the whole text.
 */
export class TextHash {
  readonly #hash: Hash = createHash('sha256');
  #half = '';

  add(piece: string): void {
    const text = this.#half + piece;
    this.#half = isFirstHalf(text.charCodeAt(text.length - 1)) ? text.slice(-1) : '';
    this.#hash.update(this.#half === '' ? text : text.slice(0, -1), 'utf8');
  }

  /** `sha256:…`; nothing is added after this. */
  digest(): string {
    if (this.#half !== '') this.#hash.update(this.#half, 'utf8');
    return `sha256:${this.#hash.digest('hex')}`;
  }
}

function isFirstHalf(unit: number): boolean {
  return (unit & 0xfc00) === 0xd800;
}
