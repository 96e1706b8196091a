import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { WordIndex } from '../../src/text/word-index.ts';
import { jaccard, wordSet } from '../../src/text/words.ts';
import { runs } from './arbitraries.ts';

const quote = fc
  .array(fc.constantFrom('bad', 'Bad', 'head', 'ache', 'knee', '.', '😀'), { maxLength: 6 })
  .map((words) => words.join(' '));

describe('WordIndex', () => {
  it('finds the texts that comparing with all finds', () => {
    fc.assert(
      fc.property(
        fc.array(quote, { maxLength: 20 }),
        quote,
        fc.double({ min: 0, max: 1, noNaN: true }),
        (list, text, least) => {
          const index = new WordIndex(list, (each) => wordSet(each, 'unicode'));
          const own = wordSet(text, 'unicode');
          const similarities = list.map((other) => jaccard(own, wordSet(other, 'unicode')));
          const similar = similarities.flatMap((similarity, at) => (similarity >= least && similarity > 0 ? [at] : []));
          expect(index.similar(text, least)).toEqual(similar);
          const best = Math.max(0, ...similarities);
          expect(index.closest(text)).toBe(best > 0 ? similarities.indexOf(best) : -1);
        },
      ),
      runs,
    );
  });
});
