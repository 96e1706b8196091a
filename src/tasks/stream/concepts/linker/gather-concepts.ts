import { compareText } from '../../../../text/compare.ts';
import type { KbConcept } from './kb-concept.ts';
import { GrowingNumbers } from './growing-numbers.ts';
import { TextTable } from './text-table.ts';

/** A knowledge base as it was read: aliases and concepts numbered in the order in which they came. */
export interface Gathered {
  readonly aliases: TextTable;
  readonly conceptIds: TextTable;
  /** By concept: the number of the alias that is its name. */
  readonly names: Uint32Array;
  readonly defined: Uint8Array;
  readonly typeLists: Uint32Array;
  readonly typeNames: readonly (readonly string[])[];
  readonly ownerStarts: Uint32Array;
  readonly owners: Uint32Array;
}

/**
 * Takes all concepts in. Ids become upper case. A concept that comes again adds its aliases, its types and its
 * definition to what is known; its first name stays.
 */
export async function gatherConcepts(concepts: AsyncIterable<KbConcept> | Iterable<KbConcept>): Promise<Gathered> {
  const aliases = new TextTable();
  const conceptIds = new TextTable();
  const names = new GrowingNumbers();
  const defined = new GrowingNumbers();
  const typeLists = new GrowingNumbers();
  const types = new TypeLists();
  const pairAliases = new GrowingNumbers();
  const pairConcepts = new GrowingNumbers();
  let hasRepeats = false;
  for await (const concept of concepts) {
    const at = conceptIds.add(concept.id.toUpperCase());
    // In text order: in which order a file names them says nothing.
    for (const alias of [...new Set([concept.name, ...concept.aliases])].sort(compareText)) {
      pairAliases.push(aliases.add(alias));
      pairConcepts.push(at);
    }
    if (at === names.length) {
      names.push(aliases.add(concept.name));
      defined.push(concept.hasDefinition ? 1 : 0);
      typeLists.push(types.joined(0, concept.types));
    } else {
      hasRepeats = true;
      if (concept.hasDefinition) defined.set(at, 1);
      typeLists.set(at, types.joined(typeLists.at(at), concept.types));
    }
  }
  return {
    aliases,
    conceptIds,
    names: names.values(),
    defined: Uint8Array.from(defined.values()),
    typeLists: typeLists.values(),
    typeNames: types.lists,
    ...ownersOf(pairAliases.values(), pairConcepts.values(), aliases.count, hasRepeats),
  };
}

/** The concepts of every alias, one after the other. */
function ownersOf(
  aliases: Uint32Array,
  concepts: Uint32Array,
  aliasCount: number,
  hasRepeats: boolean,
): Pick<Gathered, 'ownerStarts' | 'owners'> {
  const ownerStarts = new Uint32Array(aliasCount + 1);
  for (const alias of aliases) ownerStarts[alias + 1]! += 1;
  for (let at = 0; at < aliasCount; at += 1) ownerStarts[at + 1]! += ownerStarts[at]!;
  const next = ownerStarts.slice(0, aliasCount);
  const owners = new Uint32Array(concepts.length);
  aliases.forEach((alias, at) => {
    owners[next[alias]!] = concepts[at]!;
    next[alias]! += 1;
  });
  return hasRepeats ? withoutRepeats(ownerStarts, owners) : { ownerStarts, owners };
}

function withoutRepeats(starts: Uint32Array, all: Uint32Array): Pick<Gathered, 'ownerStarts' | 'owners'> {
  const ownerStarts = new Uint32Array(starts.length);
  let kept = 0;
  for (let alias = 0; alias + 1 < starts.length; alias += 1) {
    const own = all.subarray(starts[alias], starts[alias + 1]).sort();
    // What is kept never overtakes what is read, so it can go to the same place.
    for (let at = 0; at < own.length; at += 1) {
      const owner = own[at]!;
      if (at === 0 || all[kept - 1] !== owner) all[kept++] = owner;
    }
    ownerStarts[alias + 1] = kept;
  }
  return { ownerStarts, owners: all.slice(0, kept) };
}

/** Lists of semantic types: a few thousand different ones for millions of concepts. Number 0 is the empty list. */
class TypeLists {
  readonly lists: string[][] = [[]];
  readonly #numbers = new Map<string, number>([['[]', 0]]);

  /** The number of a known list with more types added, in text order, so that the order they came in does not matter. */
  joined(list: number, types: readonly string[]): number {
    const all = [...new Set([...this.lists[list]!, ...types])].sort(compareText);
    const key = JSON.stringify(all);
    const known = this.#numbers.get(key);
    if (known !== undefined) return known;
    this.#numbers.set(key, this.lists.length);
    return this.lists.push(all) - 1;
  }
}
