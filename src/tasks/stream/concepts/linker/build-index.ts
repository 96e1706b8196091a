import { createHash } from 'node:crypto';

import { UsageError } from '../../../../data/problems.ts';
import { sortedJson } from '../../../../data/sorted-json.ts';
import { buildDictionary } from './alias-dictionary.ts';
import { BAND_SIZE, buildBands } from './build-bands.ts';
import { buildVocabulary } from './build-vocabulary.ts';
import { type Gathered, gatherConcepts } from './gather-concepts.ts';
import type { KbConcept, KnowledgeBaseFacts } from './kb-concept.ts';
import type { Band, LinkerIndex } from './linker-index.ts';
import type { PackedTexts } from './text-table.ts';
import { readVector, vectorNorm, type VectorRoom, vectorRoom, type Vocabulary } from './vocabulary.ts';

/** scispaCy's own setting, made for millions of aliases; a small vocabulary would lose most of its trigrams by it. */
export const SCISPACY_MIN_DF = 10;
/** A knowledge base with so many aliases is a large one. */
export const MANY_ALIASES = 100_000;

/** What holds unless it is said, for an index file and for one in memory alike. */
export function usualMinDf(aliases: number): number {
  return aliases < MANY_ALIASES ? 1 : SCISPACY_MIN_DF;
}

export interface BuildOptions {
  /** Trigrams that are in fewer aliases do not count. {@link usualMinDf} unless it is said. */
  readonly minDf?: number;
  /** Asked once the concepts have been read; without it, their own content is hashed. */
  readonly facts?: () => KnowledgeBaseFacts;
  /** How many aliases a band has: as many as it can have. Fewer give the same answers. */
  readonly bandSize?: number;
  /** Told what is being done and what share of it is done; what it returns is waited for. */
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
  if (gathered.aliases.count === 0)
    throw new UsageError('the knowledge base has no concepts', 'check that it is the right file');
  const minDf = options.minDf ?? usualMinDf(gathered.aliases.count);
  await onStep('counting trigrams', 0);
  const mostBytes = longest(gathered.aliases);
  const vocabulary = buildVocabulary(gathered.aliases, minDf, mostBytes);
  if (vocabulary.trigrams.length === 0)
    throw new UsageError(
      `no trigram is in ${minDf} of the ${gathered.aliases.count} aliases`,
      'choose a smaller min-df: 1 keeps all trigrams',
    );
  await onStep('measuring vectors', 0);
  const room = vectorRoom(mostBytes);
  const sorted = sortAliases(gathered, vocabulary, room);
  const { aliases, norms, indexedCount } = sorted;
  const bands: Band[] = [];
  for (const band of buildBands({ aliases, norms, indexedCount, vocabulary, room, bandSize })) {
    bands.push(band);
    await onStep('turning the index over', (band.first + band.count) / indexedCount);
  }
  await onStep('entering names', 0);
  const { ids, names, ...owners } = renumber(gathered, sorted);
  return {
    knowledgeBase: facts?.() ?? {
      sha256: `sha256:${hash.digest('hex')}`,
      files: [],
      language: null,
      suppressed: null,
    },
    minDf,
    aliasCount: gathered.aliases.count,
    indexedCount,
    vocabulary,
    aliases,
    norms: norms.slice(0, indexedCount),
    kbOrder: sorted.kbOrder,
    ...owners,
    concepts: {
      ids,
      names,
      defined: gathered.defined,
      typeLists: gathered.typeLists,
      typeNames: gathered.typeNames,
    },
    bands,
    dictionary: buildDictionary(aliases, indexedCount),
  };
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

function longest({ starts }: PackedTexts): number {
  let most = 0;
  for (let at = 1; at < starts.length; at += 1) most = Math.max(most, starts[at]! - starts[at - 1]!);
  return most;
}

interface Sorted {
  readonly aliases: PackedTexts;
  readonly norms: Float64Array;
  readonly indexedCount: number;
  /** By place in the index: the number that the alias had when it was read. */
  readonly read: Uint32Array;
  /** By number when it was read: the place in the index; those that are in it only. */
  readonly kbOrder: Uint32Array;
}

/** By greatest count of a trigram, then by length of the vector; those without a vector at the end. */
function sortAliases(gathered: Gathered, vocabulary: Vocabulary, room: VectorRoom): Sorted {
  const { bytes, starts } = gathered.aliases;
  const count = starts.length - 1;
  const lengths = new Float64Array(count);
  const most = new Uint32Array(count);
  let indexedCount = 0;
  for (let alias = 0; alias < count; alias += 1) {
    most[alias] = readVector(vocabulary, bytes, starts[alias]!, starts[alias + 1]!, room);
    lengths[alias] = vectorNorm(vocabulary, room);
    if (most[alias]! > 0) indexedCount += 1;
  }
  const rank = (alias: number): number => (most[alias] === 0 ? Infinity : most[alias]!);
  const read = Uint32Array.from({ length: count }, (_, at) => at).sort((a, b) => {
    const [rankA, rankB] = [rank(a), rank(b)];
    if (rankA !== rankB) return rankA < rankB ? -1 : 1;
    return lengths[a]! - lengths[b]! || a - b;
  });
  const places = new Uint32Array(count);
  read.forEach((alias, place) => {
    places[alias] = place;
  });
  return {
    aliases: reordered({ bytes, starts }, read),
    norms: Float64Array.from(read, (alias) => lengths[alias]!),
    indexedCount,
    read,
    kbOrder: places.filter((place) => place < indexedCount),
  };
}

function reordered({ bytes, starts }: PackedTexts, order: Uint32Array): PackedTexts {
  const moved = { bytes: new Uint8Array(bytes.length), starts: new Uint32Array(starts.length) };
  order.forEach((from, to) => {
    const start = moved.starts[to]!;
    moved.bytes.set(bytes.subarray(starts[from], starts[from + 1]), start);
    moved.starts[to + 1] = start + starts[from + 1]! - starts[from]!;
  });
  return moved;
}

/** The concepts with the aliases' numbers in the index. */
function renumber(
  gathered: Gathered,
  { read }: Sorted,
): Pick<LinkerIndex, 'ownerStarts' | 'owners'> & { readonly ids: PackedTexts; readonly names: Uint32Array } {
  const places = new Uint32Array(read.length);
  const ownerStarts = new Uint32Array(read.length + 1);
  const owners = new Uint32Array(gathered.owners.length);
  read.forEach((alias, place) => {
    places[alias] = place;
    const own = gathered.owners.subarray(gathered.ownerStarts[alias], gathered.ownerStarts[alias + 1]);
    owners.set(own, ownerStarts[place]);
    ownerStarts[place + 1] = ownerStarts[place]! + own.length;
  });
  const { bytes, starts } = gathered.conceptIds;
  return { ids: { bytes, starts }, names: gathered.names.map((alias) => places[alias]!), ownerStarts, owners };
}
