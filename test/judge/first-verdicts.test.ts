import { describe, expect, test } from 'vitest';

import { firstVerdicts, setAsideVerdicts } from '../../src/judge/first-verdicts.ts';
import { makeVerdict } from '../../src/judge/verdict.ts';
import { pair } from '../../src/pair/pair.ts';
import { caseOf, relationship, span } from '../pair/items.ts';
import { story } from './verdicts.ts';

describe('firstVerdicts', () => {
  test('pairs are hits, what is left over is missed or spurious', () => {
    const gold = [span(0, 4, 'A'), span(10, 14, 'A')];
    const predicted = [span(0, 4, 'A'), span(20, 24, 'B')];
    const out = firstVerdicts(caseOf({ gold, predicted }), 'wide', pair(gold, predicted, { gate: ['label'] }));
    expect(story(out)).toEqual(['hit pair A', 'missed no-match A', 'spurious no-match B']);
    expect(out.every(({ scheme, case: id }) => scheme === 'wide' && id === 'c1')).toBe(true);
  });

  test('a spurious one says why where that is known before pairing', () => {
    const lost = { ...relationship('a', 'knows', 'b'), unresolved: ['a', 'b'] };
    const bad = { ...span(-1, -1, 'A'), refused: { start: 3, end: 1, because: 'the span 3..1 is reversed' } };
    const out = firstVerdicts(caseOf({}), null, pair([], [lost, bad]));
    expect(out.map(({ rule, because }) => [rule, because])).toEqual([
      ['bad-span', 'the span 3..1 is reversed'],
      ['unresolved', 'no extracted entity is called "a" or "b"'],
    ]);
  });
});

test('what left before pairing is excused, each with its rule and reason', () => {
  const item = span(0, 4, 'A');
  const given = { ...caseOf({}), setAside: [{ side: 'predicted', item, rule: 'drop', because: 'not ours' } as const] };
  expect(setAsideVerdicts(given, null)).toMatchObject([
    { verdict: 'excused', rule: 'drop', because: 'not ours', predicted: item, gold: null },
  ]);
});

test('a verdict always has its fields in one order, so that all share one shape', () => {
  const out = firstVerdicts(caseOf({}), null, pair([span(0, 4)], [span(0, 4), span(9, 12)]));
  const made = makeVerdict({ label: 'x', rule: 'r', verdict: 'hit', kind: 'span', scheme: null, case: 'c' });
  for (const verdict of out) expect(Object.keys(verdict)).toEqual(Object.keys(made));
});
