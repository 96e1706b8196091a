import { openPlain } from '../../data/read-file.ts';

const BLOCK = 1 << 20;
const NEWLINE = 0x0a;
/** Far more than any line of ours; one that is longer is skipped. */
const LONGEST_LINE = 64 << 20;

/** A line, and where it is in the file. */
type LineNote = (line: string, place: { readonly offset: number; readonly bytes: number }) => void;

/** The lines of a file that grows, each once; only what was added since is read. */
export class AddedLines {
  readonly #note: LineNote;
  #read = 0;
  #rest: Uint8Array[] = [];
  #restLength = 0;

  constructor(note: LineNote) {
    this.#note = note;
  }

  get read(): number {
    return this.#read;
  }

  /** Whole lines up to a size; a line that is still being written comes the next time. */
  async upTo(path: string, size: number): Promise<void> {
    if (size <= this.#read) return;
    const { handle } = await openPlain(path);
    const blocks = handle.createReadStream({ start: this.#read, end: size - 1, highWaterMark: BLOCK });
    for await (const block of blocks) if (Buffer.isBuffer(block)) this.#take(block);
  }

  #take(block: Buffer): void {
    const start = this.#read;
    this.#read += block.length;
    let from = 0;
    for (let end = block.indexOf(NEWLINE); end >= 0; end = block.indexOf(NEWLINE, from)) {
      this.#hold(block.subarray(from, end));
      const bytes = this.#restLength;
      if (bytes <= LONGEST_LINE)
        this.#note(Buffer.concat(this.#rest).toString('utf8'), { offset: start + end - bytes, bytes });
      [this.#rest, this.#restLength] = [[], 0];
      from = end + 1;
    }
    this.#hold(block.subarray(from));
  }

  #hold(part: Uint8Array): void {
    this.#restLength += part.length;
    if (this.#restLength > LONGEST_LINE) this.#rest = [];
    else this.#rest.push(part);
  }
}
