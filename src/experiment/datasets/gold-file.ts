import type { Fields } from '../../data/item.ts';
import type { Problems } from '../../data/problems.ts';
import { describe, idOf } from '../../data/record-fields.ts';
import type { Source } from '../../data/source.ts';
import type { DatasetItemInit } from '../../store/records.ts';
import { Notes, readingOf, recordReader } from './read-records.ts';
import { CASE_IDS, expectedOf } from './task-item.ts';

/** Expected outputs in a file of their own, to be joined with the cases by id. All of it is held. */
export class GoldFile {
  readonly #name: string;
  readonly #annotator: string | null;
  readonly #problems: Problems;
  readonly #waiting = new Map<string, { readonly line: number; readonly expected: Fields }>();
  readonly #taken = new Set<string>();

  private constructor(name: string, annotator: string | null, problems: Problems) {
    this.#name = name;
    this.#annotator = annotator;
    this.#problems = problems;
  }

  static async read(source: Source, annotator: string | null, problems: Problems): Promise<GoldFile> {
    const gold = new GoldFile(source.name, annotator, problems);
    for await (const batch of recordReader(source, problems).records())
      for (const { kind, line, values } of batch) gold.#add(values, line, kind === 'csv');
    return gold;
  }

  /** The item with its expected output; null where something is wrong. */
  joined(item: DatasetItemInit, file: string, line: number): DatasetItemInit | null {
    const id = item.id ?? '';
    const found = this.#waiting.get(id);
    if (item.expectedOutput !== undefined) {
      this.#problems.add({ file, line, message: `has an expected output already, beside ${this.#name}` });
      return null;
    }
    if (found === undefined) {
      if (!this.#taken.has(id))
        this.#problems.add({
          file,
          line,
          message: `no gold for ${describe(id)} in ${this.#name}`,
          next: 'give it an empty list there, or leave the case out',
        });
      return null;
    }
    this.#waiting.delete(id);
    this.#taken.add(id);
    return { ...item, expectedOutput: found.expected };
  }

  /** Once all cases have been joined: gold that belongs to none of them is never dropped in silence. */
  end(): void {
    for (const [id, { line }] of this.#waiting)
      this.#problems.add({
        file: this.#name,
        line,
        message: `gold for ${describe(id)}, which is none of the cases`,
        next: 'add the case or remove the gold',
      });
  }

  #add(record: Fields, line: number, isTable: boolean): void {
    const reading = readingOf(this.#name, isTable, this.#problems, new Notes(), this.#annotator);
    const id = idOf(record, CASE_IDS, line, reading);
    const expected = expectedOf(record, line, reading);
    if (expected === undefined)
      this.#problems.add({
        file: this.#name,
        line,
        message: `no gold in this record: it has ${Object.keys(record).slice(0, 6).join(', ')}`,
        next: 'items, spans, annotations, entities or expected_output are looked for',
      });
    if (id === null || expected === undefined || expected === null) return;
    if (this.#waiting.has(id))
      this.#problems.add({ file: this.#name, line, message: `the id ${describe(id)} was given before in this file` });
    else this.#waiting.set(id, { line, expected });
  }
}
