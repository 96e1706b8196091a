import type { Row } from './format.ts';
import type { RowReader } from './read-rows.ts';

/** Rows of a second file, asked for by id; those read on the way wait here. */
export class RowsById {
  readonly #rows: AsyncGenerator<Row[]>;
  readonly #waiting = new Map<string, Row>();
  #ended = false;

  constructor(reader: RowReader) {
    this.#rows = reader.rows();
  }

  async take(id: string): Promise<Row | null> {
    let found = this.#waiting.get(id);
    while (found === undefined && !this.#ended) {
      await this.#readOn();
      found = this.#waiting.get(id);
    }
    this.#waiting.delete(id);
    return found ?? null;
  }

  async leftOver(): Promise<Row[]> {
    while (!this.#ended) await this.#readOn();
    return [...this.#waiting.values()];
  }

  /** Reads to the end for the problems alone and keeps nothing. */
  async drain(): Promise<void> {
    while (!this.#ended) {
      this.#waiting.clear();
      await this.#readOn();
    }
    this.#waiting.clear();
  }

  /** To be called when no more is wanted: the file is closed. */
  async close(): Promise<void> {
    await this.#rows.return(undefined);
  }

  async #readOn(): Promise<void> {
    const next = await this.#rows.next();
    if (next.done === true) this.#ended = true;
    else for (const row of next.value) this.#waiting.set(row.id, row);
  }
}
