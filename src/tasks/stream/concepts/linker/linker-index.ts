import type { AliasDictionary } from './alias-dictionary.ts';
import type { KnowledgeBaseFacts } from './kb-concept.ts';
import { packedText, type PackedTexts } from './text-table.ts';
import type { Vocabulary } from './vocabulary.ts';

/** Everything that linking needs, in typed arrays: read from a file, or built in memory. */
export interface LinkerIndex {
  readonly knowledgeBase: KnowledgeBaseFacts;
  /** A trigram that is in fewer aliases than this is not in the vocabulary. */
  readonly minDf: number;
  /** Different aliases of the knowledge base, the n of the idf. */
  readonly aliasCount: number;
  /** Of these, how many have a vector that is not empty: those with numbers from 0 to this one can be found. */
  readonly indexedCount: number;
  readonly vocabulary: Vocabulary;
  /** By alias. Those with the same greatest count of a trigram stand together, from short vectors to long ones. */
  readonly aliases: PackedTexts;
  /** Lengths of the vectors before they were made 1. */
  readonly norms: Float64Array;
  /** Aliases in the order of the knowledge base. */
  readonly kbOrder: Uint32Array;
  /** The concepts of alias i are owners[ownerStarts[i]] to owners[ownerStarts[i + 1]]. */
  readonly ownerStarts: Uint32Array;
  readonly owners: Uint32Array;
  readonly concepts: ConceptTable;
  readonly bands: readonly Band[];
  readonly dictionary: AliasDictionary;
}

export interface ConceptTable {
  /** Upper case. */
  readonly ids: PackedTexts;
  /** The alias that is the concept's name. */
  readonly names: Uint32Array;
  /** A 1 where the concept has a definition. */
  readonly defined: Uint8Array;
  /** Which list of semantic types each concept has. */
  readonly typeLists: Uint32Array;
  readonly typeNames: readonly (readonly string[])[];
}

/** A stretch of aliases whose vectors are about equally long, with an inverted index of its own. */
export interface Band {
  readonly first: number;
  readonly count: number;
  readonly minNorm: number;
  readonly maxNorm: number;
  /** How often one trigram is in one alias, at most. */
  readonly maxTf: number;
  /** The postings of trigram t are bytes listStarts[t] to listStarts[t + 1]. */
  readonly listStarts: Uint32Array;
  readonly postings: Uint8Array;
}

export interface IndexedConcept {
  readonly id: string;
  readonly name: string;
  readonly types: readonly string[];
  readonly hasDefinition: boolean;
}

export function aliasText(index: LinkerIndex, alias: number): string {
  return packedText(index.aliases, alias);
}

export function conceptAt({ concepts, aliases }: LinkerIndex, concept: number): IndexedConcept {
  return {
    id: packedText(concepts.ids, concept),
    name: packedText(aliases, concepts.names[concept]!),
    types: concepts.typeNames[concepts.typeLists[concept]!]!,
    hasDefinition: concepts.defined[concept] === 1,
  };
}
