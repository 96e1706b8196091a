import type { TextRecord } from '../../../../data/lines.ts';
import type { Problems } from '../../../../data/problems.ts';
import { describe } from '../../../../data/record-fields.ts';
import { isConceptId } from '../concept-ids.ts';
import { type KbConcept, MOST_NAME } from './kb-concept.ts';
import { GrowingNumbers } from './growing-numbers.ts';
import { TextTable } from './text-table.ts';

/** Which names of UMLS are taken; the defaults are those of scispaCy's own conversion. */
export interface RrfOptions {
  /** LAT of MRCONSO. */
  readonly language: string;
  /** Whether names are taken whose SUPPRESS is not N. */
  readonly suppressed: boolean;
}

type Batches = AsyncIterable<readonly TextRecord[]>;

/** Columns as the UMLS reference manual numbers them, from 0. Every row ends in a bar, so the split has one field more. */
const MRCONSO = {
  table: 'MRCONSO',
  columns: 18,
  cui: 0,
  language: 1,
  status: 2,
  type: 4,
  preferred: 6,
  name: 14,
  suppress: 16,
} as const;
const MRDEF = { table: 'MRDEF', columns: 8, cui: 0, suppress: 6 } as const;
const MRSTY = { table: 'MRSTY', columns: 6, cui: 0, tui: 1 } as const;

/** What MRDEF and MRSTY say, by concept. They are read before MRCONSO. */
export class RrfFacts {
  readonly #cuis = new TextTable();
  /** Numbers of type lists plus one in the upper bits, whether there is a definition in the lowest. */
  readonly #facts = new GrowingNumbers();
  readonly #typeLists: (readonly string[])[] = [[]];
  readonly #listNumbers = new Map<string, number>([['', 0]]);

  /** A definition counts unless it is suppressed. */
  async readDefinitions(batches: Batches, file: string, problems: Problems): Promise<void> {
    for await (const fields of rows(batches, MRDEF, file, problems)) {
      if (fields[MRDEF.suppress] !== 'N') continue;
      const at = this.#place(fields[MRDEF.cui]!);
      this.#facts.set(at, this.#facts.at(at) | 1);
    }
  }

  async readTypes(batches: Batches, file: string, problems: Problems): Promise<void> {
    for await (const fields of rows(batches, MRSTY, file, problems)) {
      const at = this.#place(fields[MRSTY.cui]!);
      const facts = this.#facts.at(at);
      const list = this.#longerList(facts >>> 1, fields[MRSTY.tui]!);
      this.#facts.set(at, ((list << 1) | (facts & 1)) >>> 0);
    }
  }

  of(cui: string): Pick<KbConcept, 'types' | 'hasDefinition'> {
    const at = this.#cuis.find(cui);
    const facts = at === null ? 0 : this.#facts.at(at);
    return { types: this.#typeLists[facts >>> 1]!, hasDefinition: (facts & 1) === 1 };
  }

  #place(cui: string): number {
    const at = this.#cuis.add(cui);
    if (at === this.#facts.length) this.#facts.push(0);
    return at;
  }

  /** There are few different lists of types, and millions of concepts that have one. */
  #longerList(list: number, type: string): number {
    const types = this.#typeLists[list]!;
    if (types.includes(type)) return list;
    const longer = [...types, type];
    const key = longer.join('|');
    const known = this.#listNumbers.get(key);
    if (known !== undefined) return known;
    this.#listNumbers.set(key, this.#typeLists.length);
    return this.#typeLists.push(longer) - 1;
  }
}

/**
 * Concepts of MRCONSO: English names that are not suppressed, unless other ones are asked for. The name is the first
 * with ISPREF = Y, TS = P and STT = PF, or else the first of all; the others are aliases. Rows of a concept that do not
 * stand together give it several times, which the index takes as one.
 */
export async function* readMrconso(
  batches: Batches,
  facts: RrfFacts,
  options: RrfOptions,
  file: string,
  problems: Problems,
): AsyncGenerator<KbConcept> {
  let cui = '';
  let name: string | null = null;
  let aliases: string[] = [];
  const concept = (): KbConcept => ({
    id: cui,
    name: name ?? aliases[0]!,
    aliases: name === null ? aliases.slice(1) : aliases,
    ...facts.of(cui),
  });
  for await (const fields of rows(batches, MRCONSO, file, problems)) {
    if (fields[MRCONSO.language] !== options.language) continue;
    if (!options.suppressed && fields[MRCONSO.suppress] !== 'N') continue;
    if (fields[MRCONSO.cui] !== cui) {
      if (cui !== '') yield concept();
      cui = fields[MRCONSO.cui]!;
      name = null;
      aliases = [];
    }
    const isPreferred =
      fields[MRCONSO.preferred] === 'Y' && fields[MRCONSO.status] === 'P' && fields[MRCONSO.type] === 'PF';
    if (isPreferred && name === null) name = fields[MRCONSO.name]!;
    else aliases.push(fields[MRCONSO.name]!);
  }
  if (cui !== '') yield concept();
}

async function* rows(
  batches: Batches,
  { table, columns, name }: { readonly table: string; readonly columns: number; readonly name?: number },
  file: string,
  problems: Problems,
): AsyncGenerator<string[]> {
  for await (const batch of batches) {
    for (const { text, line } of batch) {
      const fields = text.split('|');
      const found = fields.at(-1) === '' ? fields.length - 1 : fields.length;
      if (found !== columns)
        problems.add({
          file,
          line,
          message: `expected the ${columns} columns of ${table} with | between, found ${found}`,
          next: 'take the file as the UMLS release has it',
        });
      else if (fields[0] === '')
        problems.add({ file, line, field: 'CUI', message: 'expected the id of a concept, found nothing' });
      else if (!isConceptId(fields[0]!))
        problems.add({
          file,
          line,
          field: 'CUI',
          message: `expected an id without control or invisible characters, found ${describe(fields[0])}`,
        });
      else if (name !== undefined && fields[name]!.length > MOST_NAME)
        problems.add({ file, line, field: 'STR', message: `the name has more than ${MOST_NAME} characters` });
      else yield fields;
    }
  }
}
