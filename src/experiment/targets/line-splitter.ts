const NEWLINE = 0x0a;
const LONGEST = 16 << 20;

/** Lines out of the pieces in which a program's output comes, split at LF only. A line that is too long ends it. */
export class LineSplitter {
  readonly #onLine: (line: string) => void;
  readonly #onLong: (bytes: number) => void;
  readonly #longest: number;
  #held: Buffer[] = [];
  #heldBytes = 0;
  #isOver = false;

  constructor(onLine: (line: string) => void, onLong: (bytes: number) => void, longest: number = LONGEST) {
    this.#onLine = onLine;
    this.#onLong = onLong;
    this.#longest = longest;
  }

  push(chunk: Buffer): void {
    let from = 0;
    for (let at = chunk.indexOf(NEWLINE); at !== -1 && !this.#isOver; at = chunk.indexOf(NEWLINE, from)) {
      this.#hold(chunk.subarray(from, at));
      if (this.#isOver) return;
      const line = Buffer.concat(this.#held).toString('utf8');
      this.#held = [];
      this.#heldBytes = 0;
      from = at + 1;
      this.#onLine(line);
    }
    if (!this.#isOver && from < chunk.length) this.#hold(Buffer.from(chunk.subarray(from)));
  }

  #hold(piece: Buffer): void {
    this.#heldBytes += piece.length;
    if (this.#heldBytes <= this.#longest) {
      this.#held.push(piece);
      return;
    }
    this.#isOver = true;
    this.#held = [];
    this.#onLong(this.#longest);
  }
}
