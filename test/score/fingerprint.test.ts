import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { makeCase } from '../../src/data/case.ts';
import { type Item, makeItem } from '../../src/data/item.ts';
import { ContentHash } from '../../src/score/fingerprint.ts';
import { makeFingerprint } from '../../src/score/fingerprint.ts';
import { runsHere } from '../many-runs.ts';

const span = (start: number, end: number, label: string): Item =>
  makeItem({ kind: 'span', index: 0, label, start, end, text: 'abcdefgh'.slice(start, end) });
const one = (id: string, gold: readonly Item[], predicted: readonly Item[] = [], text = 'abcdefgh') =>
  makeCase({ id, text, gold, predicted });

function hashes(cases: readonly ReturnType<typeof one>[], ordered = false): { gold: string; predicted: string } {
  const print = makeFingerprint({ ordered });
  for (const given of cases) print.add(given);
  return { gold: print.gold(), predicted: print.predicted() };
}

describe('a fingerprint', () => {
  const a = one('a', [span(0, 2, 'X')], [span(0, 2, 'X')]);
  const b = one('b', [span(2, 4, 'Y')], []);

  it('does not depend on the order of the cases', () => {
    expect(hashes([a, b])).toEqual(hashes([b, a]));
  });

  it.each([
    ['an offset', one('a', [span(0, 3, 'X')], [span(0, 2, 'X')])],
    ['a label', one('a', [span(0, 2, 'Z')], [span(0, 2, 'X')])],
    ['the text', one('a', [span(0, 2, 'X')], [span(0, 2, 'X')], 'abcdefgi')],
    ['the id', one('c', [span(0, 2, 'X')], [span(0, 2, 'X')])],
    ['one item more', one('a', [span(0, 2, 'X'), span(0, 2, 'X')], [span(0, 2, 'X')])],
  ])('changes with %s of the gold', (_, changed) => {
    expect(hashes([changed, b]).gold).not.toBe(hashes([a, b]).gold);
  });

  it('depends on the order of items only where that order can decide', () => {
    const [x, y] = [span(0, 2, 'X'), span(2, 4, 'Y')];
    expect(hashes([one('a', [x, y])])).toEqual(hashes([one('a', [y, x])]));
    expect(hashes([one('a', [x, y])], true)).not.toEqual(hashes([one('a', [y, x])], true));
    // What one item loses the other must not be able to gain.
    expect(hashes([one('a', [span(0, 2, 'Y'), span(2, 4, 'X')])])).not.toEqual(hashes([one('a', [x, y])]));
  });

  it('depends on what fields say, not on the order of their keys', () => {
    const object = (json: string): Item =>
      makeItem({ kind: 'object', index: 0, label: 'X', text: 'a', fields: JSON.parse(json) });
    const hashOf = (json: string): string => hashes([one('a', [object(json)])]).gold;
    expect(hashOf('{"b":"x","a":1}')).toBe(hashOf('{"a":1,"b":"x"}'));
    expect(hashOf('{"b":{"d":1,"c":2},"a":[1]}')).toBe(hashOf('{"a":[1],"b":{"c":2,"d":1}}'));
    const others = ['{"a":1,"b":"y"}', '{"a":"1","b":"x"}', '{"a":1}', '{"a":1,"b":null}', '{"a":1,"__proto__":"x"}'];
    expect(new Set([...others, '{"a":1,"b":"x"}', '{"a":1,"__proto__":"y"}'].map(hashOf)).size).toBe(7);
  });

  it('depends on who annotated an item', () => {
    const by = (annotator: string | null) => hashes([one('a', [{ ...span(0, 2, 'X'), annotator }])]).gold;
    expect(new Set([by(null), by('x'), by('y')]).size).toBe(3);
  });

  it('keeps gold and predictions apart', () => {
    const other = one('a', [span(0, 2, 'X')], [span(0, 3, 'X')]);
    expect(hashes([other]).gold).toBe(hashes([a]).gold);
    expect(hashes([other]).predicted).not.toBe(hashes([a]).predicted);
  });

  it('tells a case given twice from one given once', () => {
    expect(hashes([a, a]).gold).not.toBe(hashes([a]).gold);
  });
});

describe('ContentHash', () => {
  it('gives no two of 200,000 short texts the same 64 bits', () => {
    const own = new ContentHash();
    const seen = new Set<string>();
    for (let at = 0; at < 200_000; at += 1) {
      own.reset();
      own.text(`doc-${at}`);
      seen.add(`${own.high} ${own.low}`);
    }
    expect(seen.size).toBe(200_000);
  });

  it('depends on where one piece ends and the next begins', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 2 }), fc.nat(), (text, where) => {
        const cut = 1 + (where % (text.length - 1));
        const hash = (pieces: readonly string[]): string => {
          const own = new ContentHash();
          for (const piece of pieces) own.text(piece);
          return `${own.high} ${own.low}`;
        };
        expect(hash([text.slice(0, cut), text.slice(cut)])).not.toBe(hash([text]));
      }),
      { seed: 42, numRuns: runsHere(1000) },
    );
  });
});
