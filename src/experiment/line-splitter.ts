/** Where a line stands: its first byte and its number, from 1. */
export interface LineStart {
  readonly start: number;
  readonly number: number;
}

const NEWLINE = 0x0a;

/** Lines out of the pieces in which bytes come, split at LF only. A line that is too long is counted and not held. */
export class LineSplitter {
  readonly #onLine: (line: Buffer, at: LineStart) => void;
  readonly #onLong: (at: LineStart) => void;
  readonly #longest: number;
  #held: Buffer[] = [];
  #heldBytes = 0;
  #start = 0;
  #number = 1;

  constructor(
    onLine: (line: Buffer, at: LineStart) => void,
    longest: number = Infinity,
    onLong: (at: LineStart) => void = () => undefined,
  ) {
    this.#onLine = onLine;
    this.#longest = longest;
    this.#onLong = onLong;
  }

  /** Where the line begins that is not at its end yet. */
  get start(): number {
    return this.#start;
  }

  push(chunk: Buffer): void {
    let from = 0;
    for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, from)) {
      this.#hold(chunk.subarray(from, at));
      this.#take();
      from = at + 1;
    }
    if (from < chunk.length) this.#hold(Buffer.from(chunk.subarray(from)));
  }

  /** What is left is a line too. */
  end(): void {
    if (this.#heldBytes > 0) this.#take();
  }

  #hold(piece: Buffer): void {
    const wasLong = this.#heldBytes > this.#longest;
    this.#heldBytes += piece.length;
    if (this.#heldBytes <= this.#longest) this.#held.push(piece);
    else if (!wasLong) this.#onLong({ start: this.#start, number: this.#number });
  }

  #take(): void {
    const at = { start: this.#start, number: this.#number };
    const line = this.#held.length === 1 ? this.#held[0]! : Buffer.concat(this.#held);
    const isWhole = this.#heldBytes <= this.#longest;
    this.#start += this.#heldBytes + 1;
    this.#number += 1;
    this.#held = [];
    this.#heldBytes = 0;
    if (isWhole) this.#onLine(line, at);
  }
}
