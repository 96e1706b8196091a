import { createHash } from 'node:crypto';

import { compareText, sortedJson, UsageError } from '../../../plugin.ts';
import { buildDictionary } from './alias-dictionary.ts';
import { GrowingNumbers } from './growing-numbers.ts';
import { type KbConcept, TypeLists } from './kb-concept.ts';
import { BAND_SIZE, type IndexArrays, type KnowledgeBaseFacts, type LinkerIndex, openIndex } from './linker-index.ts';
import { InvertedIndex } from './postings.ts';
import { longestText, TextTable } from './text-table.ts';
import { countTrigrams, openVocabulary, readVector, vectorNorm, vectorRoom, type Vocabulary } from './vocabulary.ts';

/** scispaCy's setting, made for millions of aliases; a small vocabulary would lose most of its trigrams by it. */
export const SCISPACY_MIN_DF = 10;
/** A knowledge base with so many aliases is a large one. */
export const MANY_ALIASES = 100_000;

/** The default, for an index file and for one in memory alike. */
export function defaultMinDf(aliases: number): number {
  return aliases < MANY_ALIASES ? 1 : SCISPACY_MIN_DF;
}

interface BuildOptions {
  /** Trigrams that are in fewer aliases do not count. Default: {@link defaultMinDf}. */
  readonly minDf?: number;
  /** Called once the concepts have been read; without it, the content of the concepts is hashed. */
  readonly facts?: () => KnowledgeBaseFacts;
  /** How many aliases a band has: as many as it can have. Fewer give the same answers. */
  readonly bandSize?: number;
  /** Receives what is being done and what share of it is done, and is awaited. */
  readonly onStep?: (step: string, share: number) => Promise<void> | void;
}

/** Builds the index of a knowledge base in memory. The same concepts in the same order give the same bytes. */
export async function buildIndex(
  concepts: AsyncIterable<KbConcept> | Iterable<KbConcept>,
  options: BuildOptions = {},
): Promise<LinkerIndex> {
  const { bandSize = BAND_SIZE, facts, onStep = () => undefined } = options;
  if (options.minDf !== undefined && (!Number.isSafeInteger(options.minDf) || options.minDf < 1))
    throw new UsageError(`min-df is ${options.minDf}`, 'expected a whole number from 1 on');
  const hash = createHash('sha256');
  const gathered = await gatherConcepts(facts === undefined ? hashed(concepts, hash) : concepts);
  const aliasCount = gathered.aliases.count;
  if (aliasCount === 0) throw new UsageError('the knowledge base has no concepts', 'check that it is the right file');
  const minDf = options.minDf ?? defaultMinDf(aliasCount);
  await onStep('counting trigrams', 0);
  const counted = countTrigrams(gathered.aliases, minDf);
  if (counted.trigramDf.length === 0)
    throw new UsageError(
      `no trigram is in ${minDf} of the ${aliasCount} aliases`,
      'choose a smaller min-df: 1 keeps all trigrams',
    );
  await onStep('measuring vectors', 0);
  const vocabulary = openVocabulary(counted.trigrams, counted.trigramDf, aliasCount);
  const { indexedCount, ...sorted } = sortAliases(gathered, vocabulary);
  const aliases = { bytes: sorted.aliasBytes, starts: sorted.aliasStarts };
  const inverted = new InvertedIndex(aliases, sorted.norms, vocabulary);
  for (let first = 0; first < indexedCount; first += bandSize) {
    const end = Math.min(first + bandSize, indexedCount);
    inverted.addBand(first, end - first);
    await onStep('inverting the index', end / indexedCount);
  }
  await onStep('entering names', 0);
  const { bytes: conceptIdBytes, starts: conceptIdStarts } = gathered.conceptIds;
  return openIndex(
    {
      minDf,
      aliasCount,
      indexedCount,
      knowledgeBase: facts?.() ?? {
        sha256: `sha256:${hash.digest('hex')}`,
        files: [],
        language: null,
        suppressed: null,
      },
      typeNames: gathered.typeNames,
      bands: inverted.bands,
    },
    {
      ...counted,
      ...sorted,
      conceptIdBytes,
      conceptIdStarts,
      conceptDefined: gathered.conceptDefined,
      conceptTypes: gathered.conceptTypes,
      ...buildDictionary(aliases, indexedCount),
      ...inverted.arrays(),
    },
  );
}

async function* hashed(
  concepts: AsyncIterable<KbConcept> | Iterable<KbConcept>,
  hash: { update(text: string): unknown },
): AsyncGenerator<KbConcept> {
  for await (const concept of concepts) {
    hash.update(`${sortedJson(concept)}\n`);
    yield concept;
  }
}

type AliasArrays = Pick<
  IndexArrays,
  'aliasBytes' | 'aliasStarts' | 'norms' | 'ownerStarts' | 'owners' | 'conceptNames'
>;

/** Numbers aliases by greatest count of a trigram, then by length of the vector; those without a vector at the end. */
function sortAliases(
  gathered: GatheredConcepts,
  vocabulary: Vocabulary,
): AliasArrays & { readonly indexedCount: number } {
  const { bytes, starts } = gathered.aliases;
  const room = vectorRoom(longestText(gathered.aliases));
  const count = starts.length - 1;
  const lengths = new Float64Array(count);
  /** The greatest count of a trigram; aliases without any come last. */
  const ranks = new Float64Array(count);
  for (let alias = 0; alias < count; alias += 1) {
    ranks[alias] = readVector(vocabulary, bytes, starts[alias]!, starts[alias + 1]!, room) || Infinity;
    lengths[alias] = vectorNorm(vocabulary, room);
  }
  /** By new number: the old one. */
  const order = Uint32Array.from(ranks.keys()).sort((a, b) => {
    if (ranks[a] !== ranks[b]) return ranks[a]! < ranks[b]! ? -1 : 1;
    return lengths[a]! - lengths[b]! || a - b;
  });
  const indexedCount = ranks.reduce((sum, rank) => sum + (rank === Infinity ? 0 : 1), 0);
  const aliasBytes = new Uint8Array(bytes.length);
  const aliasStarts = new Uint32Array(starts.length);
  const ownerStarts = new Uint32Array(starts.length);
  const owners = new Uint32Array(gathered.owners.length);
  const numbers = new Uint32Array(count);
  order.forEach((old, alias) => {
    numbers[old] = alias;
    aliasBytes.set(bytes.subarray(starts[old], starts[old + 1]), aliasStarts[alias]);
    aliasStarts[alias + 1] = aliasStarts[alias]! + starts[old + 1]! - starts[old]!;
    const concepts = gathered.owners.subarray(gathered.ownerStarts[old], gathered.ownerStarts[old + 1]);
    owners.set(concepts, ownerStarts[alias]);
    ownerStarts[alias + 1] = ownerStarts[alias]! + concepts.length;
  });
  return {
    indexedCount,
    aliasBytes,
    aliasStarts,
    norms: Float64Array.from(order.subarray(0, indexedCount), (old) => lengths[old]!),
    ownerStarts,
    owners,
    conceptNames: gathered.conceptNames.map((old) => numbers[old]!),
  };
}

type Owners = Pick<IndexArrays, 'ownerStarts' | 'owners'>;

/** A knowledge base as it was read: aliases and concepts numbered in the order in which they came. */
interface GatheredConcepts extends Owners, Pick<IndexArrays, 'conceptNames' | 'conceptDefined' | 'conceptTypes'> {
  readonly aliases: TextTable;
  readonly conceptIds: TextTable;
  readonly typeNames: string[][];
}

/**
 * Takes all concepts in. Ids become upper case. A concept that comes again adds its aliases, its types and its
 * definition to what is known; its first name stays.
 */
async function gatherConcepts(concepts: AsyncIterable<KbConcept> | Iterable<KbConcept>): Promise<GatheredConcepts> {
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
