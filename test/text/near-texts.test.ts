import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { NearTexts } from '../../src/text/near-texts.ts';
import { shingleSimilarity, shinglesOf } from '../../src/text/shingles.ts';
import { TextScan, wordHashes } from '../../src/text/text-scan.ts';

function held(texts: readonly string[]): NearTexts {
  const near = new NearTexts();
  for (const text of texts) near.add(wordHashes(text));
  return near;
}

/** Forty words of its own for each number. */
function textOf(n: number, changed: readonly number[] = []): string {
  return Array.from({ length: 40 }, (_, at) => (changed.includes(at) ? `x${n}y${at}` : `w${n}v${at}`)).join(' ');
}

const wordsOf = (text: string): string => wordHashes(text).join(' ');

describe('equal and nearly equal texts', () => {
  test('equal ones by their places', () => {
    expect(held(['Rain all day.', 'Sun', 'rain, all day', 'SUN', 'sun!']).equal()).toEqual([
      [0, 2],
      [1, 3, 4],
    ]);
  });

  test('one word of forty changed leaves 35 of 41: alike; three apart leave 29 of 47: not', () => {
    const near = held([textOf(1), textOf(2), textOf(1, [20]), textOf(2, [5, 20, 35])]);
    expect(near.near(0.8)).toEqual([[0, 2]]);
  });

  test('a chain is one group, and an equal text stands for itself only once', () => {
    const near = held([textOf(1), textOf(1), textOf(1, [20]), textOf(1, [20, 21])]);
    expect(near.near(0.8)).toEqual([[0, 2, 3]]);
    expect(near.equal()).toEqual([[0, 1]]);
  });

  test('every one of 300 pairs is found among 3,000 texts, and nothing else', () => {
    const texts = Array.from({ length: 3000 }, (_, at) => textOf(at));
    const near = held([...texts, ...Array.from({ length: 300 }, (_, at) => textOf(at * 7, [3]))]);
    const found = near.near(0.8).map((places) => places.join(' '));
    expect(found).toEqual(Array.from({ length: 300 }, (_, at) => `${at * 7} ${3000 + at}`));
  });

  test('texts below eight words are only equal or not', () => {
    expect(held(['one two three four five six seven', 'one two three four five six eight']).near(0.1)).toEqual([]);
  });

  test('a text from elsewhere is matched with what is held', () => {
    const near = held([textOf(1), textOf(2), 'short one']);
    expect(near.match(wordHashes(textOf(2).toUpperCase()), 0.8)).toEqual({ place: 1, similarity: 1 });
    expect(near.match(wordHashes(textOf(2, [20])), 0.8)).toEqual({ place: 1, similarity: 35 / 41 });
    expect(near.match(wordHashes('Short one'), 0.8)).toEqual({ place: 2, similarity: 1 });
    expect(near.match(wordHashes(textOf(3)), 0.8)).toBeNull();
  });

  test('texts of any length that share 0.8 of their shingles and more are found, in 999 of 1,000 cases', () => {
    let [asked, missed] = [0, 0];
    for (let n = 0; n < 600; n += 1) {
      const words = Array.from({ length: 9 + n }, (_, at) => `t${n}w${at}`);
      const others = [words.slice(1), words.with(8 + n, 'x'), words.with(Math.floor(n / 2), 'x')];
      for (const other of others.map((own) => own.join(' '))) {
        const [a, b] = [words.join(' '), other].map((text) => shinglesOf(wordHashes(text)).slice());
        if (shingleSimilarity(a!, b!) < 0.8) continue;
        asked += 1;
        if (held([words.join(' '), other]).near(0.8).length === 0) missed += 1;
      }
    }
    expect(asked).toBeGreaterThan(1500);
    expect(missed).toBeLessThanOrEqual(asked / 1000);
  });

  test('of more texts than it compares it takes the same sample in any order, and finds equal ones among all', () => {
    const texts = Array.from({ length: 200 }, (_, at) => textOf(at)).flatMap((text) => [text, `${text} more`]);
    const sampled = (order: readonly string[]) => {
      const near = new NearTexts(100);
      for (const text of order) near.add(wordHashes(text));
      const groups = near.near(0.8).map((places) =>
        places
          .map((place) => order[place]!)
          .sort()
          .join(),
      );
      return { groups: groups.sort(), equal: near.equal().length, compared: near.compared, long: near.long };
    };
    const found = sampled([...texts, 'one two', 'One, two', texts[399]!]);
    expect(found).toMatchObject({ equal: 2, compared: 100, long: 400 });
    // A pair is found where both of its texts are in the sample, as about one in sixteen is.
    expect(found.groups.length).toBeGreaterThan(4);
    expect(sampled(['one two', texts[399]!, ...texts.toReversed(), 'One, two'])).toEqual(found);
  });

  test('texts of parts that follow each other, merged, are as if they had been added one by one', () => {
    const texts = Array.from({ length: 400 }, (_, at) =>
      at % 9 === 0 ? `short ${at % 5}` : textOf(at % 170, at % 4 === 0 ? [at % 40] : []),
    );
    const scan = new TextScan();
    const added = (some: readonly string[], sample = 60): NearTexts => {
      const near = new NearTexts(sample);
      for (const text of some) {
        const { words, units, length } = scan.scan(text);
        near.add(words, units, length);
      }
      return near;
    };
    const stateOf = (near: NearTexts) => ({
      groups: near.near(0.8),
      equal: near.equal(),
      counts: [near.long, near.short, near.compared],
      openings: texts.map((_, place) => near.openingAt(place)),
      sketches: near.sketches(),
      matches: texts.map((text) => near.match(wordHashes(text), 0.8)),
    });
    fc.assert(
      fc.property(fc.array(fc.nat(400), { maxLength: 4 }), fc.nat(400), (cuts, most) => {
        const ends = [...cuts.sort((a, b) => a - b), 400];
        const merged = new NearTexts(60);
        const met = ends.flatMap((end, at) =>
          merged.merge(structuredClone(added(texts.slice(ends[at - 1] ?? 0, end)).save())),
        );
        expect(stateOf(merged)).toEqual(stateOf(added(texts)));
        // First in their part, and met before it.
        const firsts = new Set(met);
        expect(
          met.every((place) => texts.slice(0, place).some((text) => wordsOf(text) === wordsOf(texts[place]!))),
        ).toBe(true);
        expect(firsts.size).toBe(met.length);
        // Without a sample, of a part also only the first.
        const some = new NearTexts();
        some.merge(added(texts, 400).save(), most);
        expect(stateOf(some)).toEqual(stateOf(added(texts.slice(0, most), 400)));
      }),
      { numRuns: 20 },
    );
  });

  test('keeps how texts begin, and their shingles, also of a sample that is thinned again and again', () => {
    const texts = Array.from({ length: 6000 }, (_, at) => `${textOf(at).slice(at % 7)}${at % 3 === 0 ? '🍵' : ''}`);
    const [near, scanned] = [new NearTexts(1000), new TextScan()];
    for (const text of texts) {
      const { words, units, length } = scanned.scan(text);
      near.add(words, units, length);
    }
    const kept = near.sketches();
    expect(kept).toHaveLength(1000);
    for (const { place, shingles: own } of kept) {
      expect(near.openingAt(place)).toBe(texts[place]!.slice(0, 80).toWellFormed());
      expect(own).toEqual(shinglesOf(wordHashes(texts[place]!)));
    }
    expect(texts.filter((_, place) => near.openingAt(place) !== '')).toHaveLength(1000);
  });
});
