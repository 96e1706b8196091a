import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { buildIndex } from '../../../../src/stream/concepts/linker/build-index.ts';
import { ClosestAliases } from '../../../../src/stream/concepts/linker/closest-aliases.ts';
import { packedText } from '../../../../src/stream/concepts/linker/text-table.ts';
import { bruteForce } from './brute-force.ts';
import { concept } from './small-kb.ts';

/** Few letters, so that names share many trigrams and some repeat them. */
const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'A', 'é', '-', '1'), minLength: 1, maxLength: 8 });
const name = fc.array(word, { minLength: 1, maxLength: 4 }).map((words) => words.join(' '));

describe('ClosestAliases', () => {
  it('gives the exact cosine: the k best of all aliases, as brute force finds them', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(name, { minLength: 1, maxLength: 60 }),
        fc.array(name, { minLength: 1, maxLength: 6 }),
        fc.integer({ min: 1, max: 3 }),
        fc.integer({ min: 1, max: 12 }),
        fc.constantFrom(0, 0.3, 0.7, 0.95),
        fc.constantFrom(1, 3, 7, 1000),
        fc.constantFrom(0, 1, 80),
        async (aliases, mentions, minDf, k, floor, bandSize, bytesPerLookup) => {
          const kb = aliases.map((alias, at) => concept(`C${at}`, [alias]));
          const index = await buildIndex(kb, { minDf, bandSize }).catch(() => null);
          // No trigram is in so many aliases: that is refused, and tested elsewhere.
          if (index === null) return;
          const search = new ClosestAliases(index, bytesPerLookup);
          for (const mention of [...mentions, ...aliases.slice(0, 3)]) {
            const all = [...bruteForce(aliases, mention, minDf)].filter(([, score]) => score > 1e-9);
            const expected = all.filter(([, score]) => score >= floor - 1e-9).sort(([, a], [, b]) => b - a);
            const found = search.find(mention, k, floor);
            const scores = new Map(all);
            const certain = expected.filter(([, score]) => score > floor + 1e-9).length;
            expect(found.length).toBeGreaterThanOrEqual(Math.min(k, certain));
            expect(found.length).toBeLessThanOrEqual(Math.min(k, expected.length));
            found.forEach(({ alias, score }, at) => {
              expect(score).toBeCloseTo(expected[at]![1], 9);
              expect(score).toBeCloseTo(scores.get(packedText(index.aliases, alias)) ?? -1, 9);
            });
            expect(new Set(found.map(({ alias }) => alias)).size).toBe(found.length);
          }
        },
      ),
      { seed: 20260, numRuns: 60 },
    );
  });

  it('works out a cosine by hand', async () => {
    // " ab" is in both of two aliases, idf 1; the others in one, idf ln(3/2) + 1 = 1.4054651081081644.
    // cos = 1 · 1 / sqrt(1 + 1.4055²) / sqrt(1 + 2 · 1.4055²) = 0.2605556710562624 (numpy)
    const index = await buildIndex([concept('C1', ['ab']), concept('C2', ['abc'])]);
    const [first, second] = new ClosestAliases(index).find('ab', 2, 0);
    expect(first?.score).toBe(1);
    expect(second?.score).toBeCloseTo(0.2605556710562624, 11);
    expect([...index.vocabulary.numbers.trigrams]).toEqual([' ab', 'ab ', 'abc', 'bc ']);
    expect([...index.vocabulary.idf]).toEqual([1, 1.4054651081081644, 1.4054651081081644, 1.4054651081081644]);
  });

  it('breaks ties by the text of the alias', async () => {
    const names = ['chest PAIN', 'Chest pain', 'CHEST pain', 'chest pain', 'pain chest'];
    const index = await buildIndex(names.map((one, at) => concept(`C${at}`, [one])));
    const found = new ClosestAliases(index).find('chest pain', 3, 0.7);
    expect(found.map(({ alias, score }) => [packedText(index.aliases, alias), score])).toEqual([
      ['CHEST pain', 1],
      ['Chest pain', 1],
      ['chest PAIN', 1],
    ]);
  });

  it('finds a name that the mention says three times', async () => {
    const index = await buildIndex([concept('C1', ['abcd']), concept('C2', ['abce abcf abcg'])], { bandSize: 1 });
    expect(new ClosestAliases(index).find('abcd abcd abcd', 1, 0.7)).toEqual([{ alias: 0, score: 1 }]);
  });

  it('has nothing for a mention without a known trigram', async () => {
    const search = new ClosestAliases(await buildIndex([concept('C1', ['ataxia'])]));
    expect(search.find('zzz', 30, 0)).toEqual([]);
    expect(search.find('', 30, 0)).toEqual([]);
    expect(search.find('ataxia', 0, 0)).toEqual([]);
  });
});
