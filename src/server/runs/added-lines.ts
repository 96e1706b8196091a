import { openPlain } from '../../data/read-file.ts';

const BLOCK = 1 << 20;
/** No line of ours comes near it; one that is longer is passed over. */
const LONGEST_LINE = 64 << 20;

/** The lines of a file that grows, each told once; only what was added since is read. */
export class AddedLines {
  readonly #note: (line: string) => void;
  #read = 0;
  #rest: string[] = [];
  #restLength = 0;

  constructor(note: (line: string) => void) {
    this.#note = note;
  }

  /** How far it has been read. */
  get read(): number {
    return this.#read;
  }

  /** Whole lines up to a size; what is still being written comes the next time. */
  async upTo(path: string, size: number): Promise<void> {
    if (size <= this.#read) return;
    const { handle: file } = await openPlain(path);
    try {
      const block = Buffer.alloc(Math.min(BLOCK, size - this.#read));
      while (this.#read < size) {
        const { bytesRead } = await file.read(block, 0, Math.min(block.length, size - this.#read), this.#read);
        if (bytesRead === 0) return;
        this.#read += bytesRead;
        // Byte by byte, so that a letter cut in two between blocks is whole again.
        this.#take(block.toString('latin1', 0, bytesRead));
      }
    } finally {
      await file.close();
    }
  }

  #take(text: string): void {
    let from = 0;
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', from)) {
      this.#hold(text.slice(from, end));
      if (this.#restLength <= LONGEST_LINE) this.#note(Buffer.from(this.#rest.join(''), 'latin1').toString('utf8'));
      [this.#rest, this.#restLength] = [[], 0];
      from = end + 1;
    }
    this.#hold(text.slice(from));
  }

  #hold(part: string): void {
    this.#restLength += part.length;
    if (this.#restLength > LONGEST_LINE) this.#rest = [];
    else this.#rest.push(part);
  }
}
