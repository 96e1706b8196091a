import { PiecewiseFile } from '../../data/write-pieces.ts';

const BLOCK = 1 << 18;

/** A file of lines that is there whole or not at all, written a block at a time. */
export class WholeFile {
  readonly #path: string;
  #file: PiecewiseFile | null = null;
  #held: string[] = [];
  #heldLength = 0;

  constructor(path: string) {
    this.#path = path;
  }

  line(text: string): void {
    this.#held.push(text, '\n');
    this.#heldLength += text.length;
    if (this.#heldLength >= BLOCK) this.#write();
  }

  finish(): void {
    this.#write().finish();
  }

  abandon(): void {
    this.#file?.abandon();
  }

  #write(): PiecewiseFile {
    this.#file ??= new PiecewiseFile(this.#path, (isDiskFull) =>
      isDiskFull ? 'free some space, then run the same command again' : 'choose another place with --out',
    );
    this.#file.write(this.#held.join(''));
    this.#held = [];
    this.#heldLength = 0;
    return this.#file;
  }
}
