import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { buildIndex, defaultMinDf } from '../../../../src/stream/concepts/linker/build-index.ts';
import { candidates } from '../../../../src/stream/concepts/linker/candidates.ts';
import { conceptAt } from '../../../../src/stream/concepts/linker/linker-index.ts';
import { packedText } from '../../../../src/stream/concepts/linker/text-table.ts';
import { concept, shuffled } from './small-kb.ts';

const name = fc.string({ unit: fc.constantFrom('a', 'b', 'c', ' ', 'A'), minLength: 2, maxLength: 10 });

describe('buildIndex', () => {
  it('does not care in which order concepts and aliases come: the same mentions have the same candidates', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(name, { minLength: 1, maxLength: 4 }), { minLength: 2, maxLength: 25 }),
        fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1, maxLength: 25 }),
        fc.integer({ min: 1, max: 6 }),
        async (lists, keys, k) => {
          const kb = lists.map((names, at) => concept(`C${at}`, ['root abc', ...names]));
          const other = shuffled(kb, keys).map((one) => ({ ...one, aliases: shuffled(one.aliases, keys) }));
          const [first, second] = [await buildIndex(kb), await buildIndex(other, { bandSize: 5 })];
          for (const mention of lists.flat().slice(0, 10))
            expect(candidates(second, mention, k, 0.3)).toEqual(candidates(first, mention, k, 0.3));
        },
      ),
      { seed: 20260, numRuns: 25 },
    );
  });

  it('takes a concept that comes twice as one', async () => {
    const index = await buildIndex([
      concept('c1', ['Ataxia', 'Gait ataxia'], { types: ['T2'], hasDefinition: false }),
      concept('C2', ['Gait ataxia']),
      concept('C1', ['Another name', 'Ataxia'], { types: ['T1', 'T2'] }),
    ]);
    expect(conceptAt(index, 0)).toEqual({ id: 'C1', name: 'Ataxia', types: ['T1', 'T2'], hasDefinition: true });
    expect(candidates(index, 'ataxia', 30, 0.99).map(({ id }) => id)).toEqual(['C1']);
    expect(candidates(index, 'gait ataxia', 30, 0.99).map(({ id }) => id)).toEqual(['C1', 'C2']);
    expect(index.aliasCount).toBe(3);
  });

  it('leaves aliases without a counted trigram out of the index but not out of n', async () => {
    // " ab" is in three of four aliases: idf = ln(5/4) + 1.
    const index = await buildIndex(
      ['ab', 'abx', 'aby', 'zz'].map((one) => concept(one, [one])),
      { minDf: 3 },
    );
    expect([index.aliasCount, index.indexedCount]).toEqual([4, 3]);
    expect([...index.vocabulary.numbers.trigrams]).toEqual([' ab']);
    expect(index.vocabulary.idf[0]).toBeCloseTo(1.2231435513142097, 14);
    expect(candidates(index, 'zz', 30, 0)).toEqual([]);
    expect(conceptAt(index, 3).name).toBe('zz');
  });

  it('has aliases of any script', async () => {
    const index = await buildIndex([
      concept('C1', ['Ménière’s disease']),
      concept('C2', ['मधुमेह']),
      concept('C3', ['İ']),
    ]);
    expect(candidates(index, 'MÉNIÈRE’S DISEASE', 30, 0.9).map(({ id, score }) => [id, score])).toEqual([['C1', 1]]);
    expect(candidates(index, 'मधुमेह', 30, 0.9).map(({ id }) => id)).toEqual(['C2']);
    expect([0, 1, 2].map((alias) => packedText(index.aliases, alias)).sort()).toEqual([
      'Ménière’s disease',
      'İ',
      'मधुमेह',
    ]);
  });

  it('names the knowledge base by its content where no files are named', async () => {
    const one = await buildIndex([concept('C1', ['Ataxia'])]);
    const other = await buildIndex([concept('C1', ['Ataxie'])]);
    expect(one.knowledgeBase.sha256).toMatch(/^sha256:[0-9a-f]{64}$/);
    expect(one.knowledgeBase.sha256).not.toBe(other.knowledgeBase.sha256);
  });

  it('leaves rare trigrams out from 100,000 aliases on only, unless min-df is set', async () => {
    expect([1, 99_999, 100_000, 4_000_000].map(defaultMinDf)).toEqual([1, 1, 10, 10]);
    expect((await buildIndex([concept('C1', ['Ataxia'])])).minDf).toBe(1);
  });

  it('refuses a knowledge base of nothing, and a min-df that leaves nothing', async () => {
    await expect(buildIndex([])).rejects.toThrow('the knowledge base has no concepts');
    await expect(buildIndex([concept('C1', ['Ataxia'])], { minDf: 2 })).rejects.toThrow(/no trigram is in 2 of the 1/);
    await expect(buildIndex([concept('C1', ['Ataxia'])], { minDf: 0 })).rejects.toThrow(/min-df is 0/);
  });
});

describe('candidates', () => {
  it('score a concept by the best of its aliases and name it', async () => {
    const index = await buildIndex([
      concept('C1', ['Myocardial infarction', 'Heart attack']),
      concept('C2', ['Heart']),
    ]);
    expect(candidates(index, 'heart attack', 30, 0.1)).toMatchObject([
      { id: 'C1', name: 'Myocardial infarction', alias: 'Heart attack', score: 1 },
      { id: 'C2', alias: 'Heart' },
    ]);
  });
});
