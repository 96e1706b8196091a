import { describe, type Problems, type TextRecord } from '../../../plugin.ts';
import { isConceptId } from '../concept-ids.ts';
import { GrowingNumbers } from './growing-numbers.ts';
import { type KbConcept, MOST_NAME, TypeLists } from './kb-concept.ts';
import { TextTable } from './text-table.ts';

/** Which names of UMLS are taken; the defaults are those of scispaCy's own conversion. */
export interface RrfOptions {
  /** LAT of MRCONSO. */
  readonly language: string;
  /** Whether names are taken whose SUPPRESS is not N. */
  readonly suppressed: boolean;
}

/** The lines of one table, and where what is wrong with them goes. */
export interface RrfTable {
  readonly file: string;
  readonly lines: AsyncIterable<readonly TextRecord[]>;
  readonly problems: Problems;
}

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

/** Definitions and semantic types by concept, from MRDEF and MRSTY. They are read before MRCONSO. */
export class RrfFacts {
  readonly #cuis = new TextTable();
  readonly #defined = new GrowingNumbers();
  readonly #typeLists = new GrowingNumbers();
  readonly #types = new TypeLists();

  /** A definition counts unless it is suppressed. */
  async readDefinitions(table: RrfTable): Promise<void> {
    for await (const fields of rows(table, MRDEF))
      if (fields[MRDEF.suppress] === 'N') this.#defined.set(this.#place(fields[MRDEF.cui]!), 1);
  }

  async readTypes(table: RrfTable): Promise<void> {
    for await (const fields of rows(table, MRSTY)) {
      const at = this.#place(fields[MRSTY.cui]!);
      this.#typeLists.set(at, this.#types.joined(this.#typeLists.at(at), [fields[MRSTY.tui]!]));
    }
  }

  of(cui: string): Pick<KbConcept, 'types' | 'hasDefinition'> {
    const at = this.#cuis.find(cui);
    if (at === null) return { types: [], hasDefinition: false };
    return { types: this.#types.lists[this.#typeLists.at(at)]!, hasDefinition: this.#defined.at(at) === 1 };
  }

  #place(cui: string): number {
    const at = this.#cuis.add(cui);
    if (at === this.#defined.length) {
      this.#defined.push(0);
      this.#typeLists.push(0);
    }
    return at;
  }
}

/**
 * Concepts of MRCONSO: English names that are not suppressed, unless others are asked for. The name is the first with
 * ISPREF = Y, TS = P and STT = PF, or else the first of all; the others are aliases. Rows of a concept that are not next
 * to each other give it several times, which the index takes as one.
 */
export async function* readMrconso(table: RrfTable, facts: RrfFacts, options: RrfOptions): AsyncGenerator<KbConcept> {
  let cui = '';
  let name: string | null = null;
  let aliases: string[] = [];
  const concept = (): KbConcept => ({
    id: cui,
    name: name ?? aliases[0]!,
    aliases: name === null ? aliases.slice(1) : aliases,
    ...facts.of(cui),
  });
  for await (const fields of rows(table, MRCONSO)) {
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
  { file, lines, problems }: RrfTable,
  { table, columns, name }: { readonly table: string; readonly columns: number; readonly name?: number },
): AsyncGenerator<string[]> {
  for await (const batch of lines) {
    for (const { text, line } of batch) {
      const wrong = (message: string, field?: string, next?: string): void =>
        problems.add({ file, line, field, message, next });
      const fields = text.split('|');
      const width = fields.at(-1) === '' ? fields.length - 1 : fields.length;
      if (width !== columns)
        wrong(
          `expected the ${columns} columns of ${table} with | between, found ${width}`,
          undefined,
          'use the file of the UMLS release unchanged',
        );
      else if (fields[0] === '') wrong('expected the id of a concept, found nothing', 'CUI');
      else if (!isConceptId(fields[0]!))
        wrong(`expected an id without control or invisible characters, found ${describe(fields[0])}`, 'CUI');
      else if (name !== undefined && fields[name]!.length > MOST_NAME)
        wrong(`the name has more than ${MOST_NAME} characters`, 'STR');
      else yield fields;
    }
  }
}
