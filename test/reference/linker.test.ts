import { describe, expect, test } from 'vitest';

import { buildIndex } from '../../src/stream/concepts/linker/build-index.ts';
import { type AliasCandidate, candidates } from '../../src/stream/concepts/linker/candidates.ts';
import type { LinkerIndex } from '../../src/stream/concepts/linker/linker-index.ts';
import { openKnowledgeBase } from '../../src/stream/concepts/linker/read-kb.ts';
import { packedText } from '../../src/stream/concepts/linker/text-table.ts';
import { charTrigrams } from '../../src/stream/concepts/linker/vocabulary.ts';
import { noReference, referenceJson, referencePath } from './reference-data.ts';

type Scored = readonly (readonly [id: string, score: number])[];

interface Reference {
  readonly index_aliases: readonly string[];
  readonly runs: readonly {
    readonly min_df: number;
    readonly n_aliases_indexed: number;
    readonly vocab_size: number;
    readonly idf_sample: Readonly<Record<string, number>>;
    readonly mentions: readonly {
      readonly mention: string;
      readonly ngrams?: readonly string[];
      readonly candidates: Scored;
      readonly kb_ents_filter_for_definitions?: Scored;
      readonly kb_ents_no_def_filter?: Scored;
      readonly kb_ents?: Scored;
    }[];
  }[];
}

const fixture = (name: string): string => referencePath(`linker/umls_fixture/${name}`);

async function indexed(minDf: number): Promise<LinkerIndex> {
  const kb = await openKnowledgeBase([fixture('umls_test_fixture.json')]);
  return buildIndex(kb.concepts(), { minDf, bandSize: 8, facts: () => kb.facts() });
}

/** What scispaCy's linker itself gives for a mention (`kb_ents`): a score of 0.7 itself is not enough. */
function scispacyEntities(found: readonly AliasCandidate[], filtersForDefinitions: boolean): AliasCandidate[] {
  return found
    .filter(({ hasDefinition, score }) => !filtersForDefinitions || hasDefinition || score >= 0.95)
    .filter(({ score }) => score > 0.7)
    .slice(0, 10);
}

/** The reference worked in 32 bits, and lists candidates by id. */
function expectScores(found: readonly AliasCandidate[], expected: Scored, which: string): void {
  expect(
    found.map(({ id }) => id),
    which,
  ).toEqual(expected.map(([id]) => id));
  found.forEach(({ score }, at) => expect(Math.abs(score - expected[at]![1]), which).toBeLessThan(1e-6));
}

describe.skipIf(noReference)('linker reference', () => {
  test('trigrams, vocabulary, candidates and entities are those of scikit-learn 1.2.1 and scispaCy', async () => {
    const reference = referenceJson('linker/linker_reference.json') as Reference;
    let compared = 0;
    for (const run of reference.runs) {
      const index = await indexed(run.min_df);
      expect(index.aliasCount).toBe(reference.index_aliases.length);
      expect(index.indexedCount).toBe(run.n_aliases_indexed);
      expect(index.vocabulary.numbers.trigrams).toHaveLength(run.vocab_size);
      for (const [trigram, idf] of Object.entries(run.idf_sample))
        expect(index.vocabulary.idf[index.vocabulary.numbers.trigrams.indexOf(trigram)], trigram).toBeCloseTo(idf, 6);
      const { mentions } = run;
      const trigrams = new Map(
        mentions.flatMap(({ mention, ngrams }) => (ngrams === undefined ? [] : [[mention, ngrams] as const])),
      );
      for (const [mention, ngrams] of trigrams) expect(charTrigrams(mention), mention).toEqual(ngrams);
      for (const one of mentions) {
        const which = `${one.mention} with min_df ${run.min_df}`;
        const found = candidates(index, one.mention, 30, 0);
        const byId = found.toSorted((a, b) => (a.id < b.id ? -1 : 1));
        // The reference fills up to 30 with aliases that have nothing in common with the mention.
        const related = one.candidates.filter(([, score]) => score > 0);
        expectScores(byId, related, which);
        const withFilter = one.kb_ents_filter_for_definitions ?? one.kb_ents ?? [];
        const without = one.kb_ents_no_def_filter ?? one.kb_ents ?? [];
        expectScores(scispacyEntities(found, true), withFilter, which);
        expectScores(scispacyEntities(found, false), without, which);
        compared += 1;
      }
    }
    expect(compared).toBe(24);
  });

  test('all 99 aliases of the reference are in the index', async () => {
    const { index_aliases: expected } = referenceJson('linker/linker_reference.json') as Reference;
    const index = await indexed(1);
    const aliases = Array.from({ length: index.aliasCount }, (_, alias) => packedText(index.aliases, alias));
    expect(aliases.sort()).toEqual(expected.toSorted());
  });

  test('the RRF files of scispaCy’s own test give two concepts', async () => {
    const kb = await openKnowledgeBase([referencePath('linker/umls_fixture')]);
    expect(await Array.fromAsync(kb.concepts())).toEqual([
      {
        id: 'C0000005',
        name: '(131)I-Macroaggregated Albumin',
        aliases: ['(131)I-MAA'],
        types: ['T116'],
        hasDefinition: false,
      },
      {
        id: 'C0000039',
        name: '1,2-Dipalmitoylphosphatidylcholine',
        aliases: [],
        types: ['T109', 'T121'],
        hasDefinition: true,
      },
    ]);
  });
});
