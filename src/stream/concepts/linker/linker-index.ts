import { z } from 'zod';

import { damagedFile, readArrays, writeArrays } from './array-file.ts';
import { packedText, type PackedTexts } from './text-table.ts';
import { openVocabulary, type Vocabulary } from './vocabulary.ts';

/** Sums of a band stay in the processor's cache, and its aliases can be counted in 16 bits. */
export const BAND_SIZE = 1 << 15;

const count = z.int().min(0);
const positive = count.min(1);
const uint8 = z.instanceof(Uint8Array);
const uint32 = z.instanceof(Uint32Array);

/** The facts about an index, in the header of its file. */
const indexFacts = z.object({
  /** A trigram that is in fewer aliases than this is not in the vocabulary. */
  minDf: positive,
  /** Different aliases of the knowledge base, the n of the idf. */
  aliasCount: positive,
  /** Aliases whose vector is not empty: they have the numbers from 0 on, and only they can be found. */
  indexedCount: positive,
  /** Where the concepts came from: part of what identifies an extractor. */
  knowledgeBase: z.object({
    /** Of the decompressed bytes; of several files, of their sha256 in hex, a line each. */
    sha256: z.string(),
    /** Names without folder, .gz and .zst, with the sha256 of the decompressed bytes in hex. */
    files: z.array(z.object({ name: z.string(), sha256: z.string() })),
    /** UMLS only: which language and whether suppressed names were taken; else null. */
    language: z.string().nullable(),
    suppressed: z.boolean().nullable(),
  }),
  /** Lists of semantic types; a concept has the number of its list. */
  typeNames: z.array(z.array(z.string())).min(1),
  bands: z.array(
    z.object({
      first: count,
      count: positive.max(BAND_SIZE),
      minNorm: z.number().positive(),
      maxNorm: z.number(),
      /** How often one trigram is in one alias, at most. */
      maxTf: positive,
    }),
  ),
});

/** The arrays of an index. An alias and a concept are numbers; starts have one entry more than what they cut up. */
const indexArrays = z.object({
  /** Three characters each, in UTF-8: first trigrams of ASCII, then the others. */
  trigrams: uint8,
  /** By trigram: in how many aliases it is. */
  trigramDf: uint32,
  /** Aliases with the same greatest count of a trigram are together, from short vectors to long ones. */
  aliasBytes: uint8,
  aliasStarts: uint32,
  /** By indexed alias: the length of its vector before it was made 1. */
  norms: z.instanceof(Float64Array),
  /** The concepts of alias i are owners[ownerStarts[i]] to owners[ownerStarts[i + 1]]. */
  ownerStarts: uint32,
  owners: uint32,
  /** Upper case. */
  conceptIdBytes: uint8,
  conceptIdStarts: uint32,
  /** By concept: the alias that is its name, 1 if it has a definition, and its list of semantic types. */
  conceptNames: uint32,
  conceptDefined: uint8,
  conceptTypes: uint32,
  /** The hash table of compared aliases (alias-dictionary.ts). */
  slots: uint32,
  tags: uint8,
  /** By band and trigram: where the postings of the trigram start; the end of the last one closes each band. */
  listStarts: uint32,
  postings: uint8,
});

type IndexFacts = Readonly<z.infer<typeof indexFacts>>;
export type KnowledgeBaseFacts = IndexFacts['knowledgeBase'];
export type IndexArrays = Readonly<z.infer<typeof indexArrays>>;
export type BandFacts = IndexFacts['bands'][number];

/** A stretch of aliases whose vectors are about equally long, with its part of the inverted index. */
export interface Band extends BandFacts {
  /** The postings of trigram t are bytes listStarts[t] to listStarts[t + 1]. */
  readonly listStarts: Uint32Array;
}

/** Everything that linking needs: read from a file, or built in memory. */
export interface LinkerIndex extends IndexFacts {
  readonly arrays: IndexArrays;
  readonly vocabulary: Vocabulary;
  readonly aliases: PackedTexts;
  readonly conceptIds: PackedTexts;
  readonly bands: Band[];
}

export function openIndex(facts: IndexFacts, arrays: IndexArrays): LinkerIndex {
  const step = arrays.trigramDf.length + 1;
  return {
    ...facts,
    arrays,
    vocabulary: openVocabulary(arrays.trigrams, arrays.trigramDf, facts.aliasCount),
    aliases: { bytes: arrays.aliasBytes, starts: arrays.aliasStarts },
    conceptIds: { bytes: arrays.conceptIdBytes, starts: arrays.conceptIdStarts },
    bands: facts.bands.map((band, at) => ({
      ...band,
      listStarts: arrays.listStarts.subarray(at * step, (at + 1) * step),
    })),
  };
}

const FORMAT = {
  mark: 'ASSAYIDX',
  version: 2,
  what: 'linker index',
  command: 'assay stream index',
  facts: indexFacts,
  arrays: indexArrays,
};

/** Writes an index to a file: the same index always gives the same bytes. Returns how many. */
export function writeIndex(index: LinkerIndex, file: string): number {
  return writeArrays(file, FORMAT, indexFacts.parse(index), index.arrays);
}

/** Reads an index that `writeIndex` wrote. One that is damaged, foreign, or of another version is refused. */
export async function loadIndex(file: string): Promise<LinkerIndex> {
  const { facts, arrays } = await readArrays(file, FORMAT);
  const fault = indexFault(facts, arrays);
  if (fault !== null) throw damagedFile(file, FORMAT, fault);
  return openIndex(facts, arrays);
}

/** What does not fit together although the checksum is right, so that no search runs for ever; null if all fits. */
function indexFault({ aliasCount, indexedCount, typeNames, bands }: IndexFacts, arrays: IndexArrays): string | null {
  const { owners, conceptNames, conceptTypes, slots, listStarts } = arrays;
  const concepts = conceptNames.length;
  const lengths: readonly (readonly [{ readonly length: number }, number])[] = [
    [arrays.aliasStarts, aliasCount + 1],
    [arrays.norms, indexedCount],
    [arrays.ownerStarts, aliasCount + 1],
    [arrays.conceptIdStarts, concepts + 1],
    [arrays.conceptDefined, concepts],
    [conceptTypes, concepts],
    [arrays.tags, slots.length],
    [listStarts, bands.length * (arrays.trigramDf.length + 1)],
  ];
  const isWhole =
    lengths.every(([array, length]) => array.length === length) &&
    rises(arrays.aliasStarts, arrays.aliasBytes.length) &&
    rises(arrays.conceptIdStarts, arrays.conceptIdBytes.length) &&
    rises(arrays.ownerStarts, owners.length) &&
    rises(listStarts, arrays.postings.length) &&
    allBelow(owners, concepts) &&
    allBelow(conceptNames, aliasCount) &&
    allBelow(conceptTypes, typeNames.length) &&
    allBelow(slots, indexedCount + 1) &&
    Number.isInteger(Math.log2(slots.length)) &&
    slots.includes(0);
  if (!isWhole) return 'its arrays do not fit together';
  let next = 0;
  for (const { first, count: size } of bands) {
    if (first !== next) return 'its bands do not follow each other';
    next += size;
  }
  return next === indexedCount ? null : 'its bands do not cover the aliases';
}

/** From 0 to the end, never back. */
function rises(starts: Uint32Array, end: number): boolean {
  if (starts[0] !== 0 || starts.at(-1) !== end) return false;
  for (let at = 1; at < starts.length; at += 1) if (starts[at]! < starts[at - 1]!) return false;
  return true;
}

function allBelow(values: Uint32Array, limit: number): boolean {
  for (const value of values) if (value >= limit) return false;
  return true;
}

export interface IndexedConcept {
  readonly id: string;
  readonly name: string;
  readonly types: readonly string[];
  readonly hasDefinition: boolean;
}

export function conceptAt({ arrays, aliases, conceptIds, typeNames }: LinkerIndex, concept: number): IndexedConcept {
  return {
    id: packedText(conceptIds, concept),
    name: packedText(aliases, arrays.conceptNames[concept]!),
    types: typeNames[arrays.conceptTypes[concept]!]!,
    hasDefinition: arrays.conceptDefined[concept] === 1,
  };
}
