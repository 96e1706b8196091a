/** Bytes of UTF-8 that a UTF-16 unit takes at most. */
const WIDEST = 3;
const LONGEST = 80;
const PIECE = 1 << 16;

/**
 * How many texts begin, as bytes end to end: as strings each would be an object of its own, and a slice would hold on to
 * its whole text.
 */
export class Openings {
  readonly #pieces: Buffer[] = [];
  readonly #starts: number[] = [];
  #filled = PIECE;

  /** Keeps enough of a text to know it again. */
  add(text: string): void {
    if (this.#filled + 1 + LONGEST * WIDEST > PIECE) {
      this.#pieces.push(Buffer.alloc(PIECE));
      this.#filled = 0;
    }
    const piece = this.#pieces.at(-1)!;
    const bytes = piece.write(text.slice(0, LONGEST), this.#filled + 1);
    piece[this.#filled] = bytes;
    this.#starts.push((this.#pieces.length - 1) * PIECE + this.#filled);
    this.#filled += 1 + bytes;
  }

  /** By the order in which they were added. */
  at(place: number): string {
    const start = this.#starts[place]!;
    const piece = this.#pieces[Math.floor(start / PIECE)]!;
    const from = start % PIECE;
    return piece.toString('utf8', from + 1, from + 1 + piece[from]!);
  }
}
