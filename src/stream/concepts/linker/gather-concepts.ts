import { compareText } from '../../../plugin.ts';
import { GrowingNumbers } from './growing-numbers.ts';
import { type KbConcept, TypeLists } from './kb-concept.ts';
import type { IndexArrays } from './linker-index.ts';
import { TextTable } from './text-table.ts';

type Owners = Pick<IndexArrays, 'ownerStarts' | 'owners'>;

/** A knowledge base as it was read: aliases and concepts numbered in the order in which they came. */
export interface GatheredConcepts
  extends Owners, Pick<IndexArrays, 'conceptNames' | 'conceptDefined' | 'conceptTypes'> {
  readonly aliases: TextTable;
  readonly conceptIds: TextTable;
  readonly typeNames: string[][];
}

/**
 * Takes all concepts in. Ids become upper case. A concept that comes again adds its aliases, its types and its
 * definition to what is known; its first name stays.
 */
export async function gatherConcepts(
  concepts: AsyncIterable<KbConcept> | Iterable<KbConcept>,
): Promise<GatheredConcepts> {
  const aliases = new TextTable();
  const conceptIds = new TextTable();
  const names = new GrowingNumbers();
  const defined = new GrowingNumbers();
  const typeLists = new GrowingNumbers();
  const types = new TypeLists();
  const pairAliases = new GrowingNumbers();
  const pairConcepts = new GrowingNumbers();
  for await (const concept of concepts) {
    const at = conceptIds.add(concept.id.toUpperCase());
    // In text order: in which order a file names them means nothing.
    for (const alias of [...new Set([concept.name, ...concept.aliases])].sort(compareText)) {
      pairAliases.push(aliases.add(alias));
      pairConcepts.push(at);
    }
    if (at === names.length) {
      names.push(aliases.add(concept.name));
      defined.push(0);
      typeLists.push(0);
    }
    if (concept.hasDefinition) defined.set(at, 1);
    typeLists.set(at, types.joined(typeLists.at(at), concept.types));
  }
  return {
    aliases,
    conceptIds,
    conceptNames: names.values(),
    conceptDefined: Uint8Array.from(defined.values()),
    conceptTypes: typeLists.values(),
    typeNames: types.lists,
    ...ownersOf(pairAliases.values(), pairConcepts.values(), aliases.count),
  };
}

/** The concepts of every alias, one after the other, each once. */
function ownersOf(aliases: Uint32Array, concepts: Uint32Array, aliasCount: number): Owners {
  const starts = new Uint32Array(aliasCount + 1);
  for (const alias of aliases) starts[alias + 1]! += 1;
  for (let at = 0; at < aliasCount; at += 1) starts[at + 1]! += starts[at]!;
  const next = starts.slice(0, aliasCount);
  const owners = new Uint32Array(concepts.length);
  aliases.forEach((alias, at) => {
    owners[next[alias]!] = concepts[at]!;
    next[alias]! += 1;
  });
  const ownerStarts = new Uint32Array(starts.length);
  let kept = 0;
  for (let alias = 0; alias < aliasCount; alias += 1) {
    const all = owners.subarray(starts[alias], starts[alias + 1]);
    if (all.length > 1) all.sort();
    // What is kept never overtakes what is read, so it can go to the same place.
    for (let at = 0; at < all.length; at += 1) {
      const owner = all[at]!;
      if (at === 0 || owners[kept - 1] !== owner) owners[kept++] = owner;
    }
    ownerStarts[alias + 1] = kept;
  }
  return { ownerStarts, owners: owners.slice(0, kept) };
}
