import { describe } from '../../../data/record-fields.ts';

/**
 * Whether a field says the same in all records of a file. One that differs is told once, not again for each record that
 * agrees with it: where the first record is wrong, all the others would be told.
 */
export class SameValue {
  readonly #field: string;
  readonly #tell: (line: number, message: string) => void;
  #first: { readonly value: string; readonly line: number } | null = null;
  #told: string | null = null;

  constructor(field: string, tell: (line: number, message: string) => void) {
    this.#field = field;
    this.#tell = tell;
  }

  see(value: string, line: number): void {
    if (this.#first === null) this.#first = { value, line };
    if (value === this.#first.value || value === this.#told) return;
    this.#told = value;
    this.#tell(
      line,
      `${this.#field}: found ${describe(value)}, expected ${describe(this.#first.value)} as in record ${this.#first.line}`,
    );
  }
}
