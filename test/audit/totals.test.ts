import { describe, expect, test } from 'vitest';

import { makeItem } from '../../src/data/item.ts';
import { makeVerdict, type Verdict } from '../../src/judge/verdict.ts';
import { TextIndex } from '../../src/audit/text-index.ts';
import type { AuditCase } from '../../src/audit/audit-case.ts';
import { plainCounts, Totals, weightOf } from '../../src/audit/totals.ts';

function caseOf(id: string, verdicts: readonly Verdict[], more: Partial<AuditCase> = {}): AuditCase {
  const counts = { hit: 0, missed: 0, spurious: 0, excused: 0 };
  return {
    case: id,
    text: null,
    verdicts,
    counts,
    measures: {},
    ...more,
  };
}

function verdict(kind: Verdict['verdict'], label: string, more: Partial<Verdict> = {}): Verdict {
  const item = makeItem({ kind: 'span', index: 0, label, text: label });
  const sides = { gold: kind === 'spurious' ? null : item, predicted: kind === 'missed' ? null : item };
  return makeVerdict({ case: 'a', scheme: null, kind: 'span', verdict: kind, rule: 'pair', label, ...sides, ...more });
}

describe('the totals of an audit', () => {
  test('add verdicts that say the same to one row, with weight and credit', () => {
    const totals = new Totals([], {});
    totals.add(caseOf('a', [verdict('hit', 'A', { weight: 4, credit: 0.5 }), verdict('missed', 'A')]));
    totals.add(caseOf('b', [verdict('hit', 'A', { weight: 2 }), verdict('spurious', 'B', { weight: 3 })]));
    expect(totals.rows().map(({ verdict: kind, label, n, weight, worth }) => [kind, label, n, weight, worth])).toEqual([
      ['hit', 'A', 2, 6, 4],
      ['missed', 'A', 1, 1, 1],
      ['spurious', 'B', 1, 3, 3],
    ]);
    expect(plainCounts(totals.rows())).toEqual({ hits: 6, worth: 4, missed: 1, spurious: 3 });
    expect(weightOf(totals.rows(({ label }) => label === 'B'))).toBe(3);
  });

  test('tell failed cases apart, and what one side has so far', () => {
    const totals = new Totals([], {});
    totals.add(caseOf('a', [verdict('excused', 'A', { setAside: true, rule: 'failed' })], { failed: 'no answer' }));
    totals.add(caseOf('b', [verdict('missed', 'B')]));
    expect([totals.scored, totals.failed]).toEqual([1, 1]);
    expect(totals.rows(({ scored }) => !scored)).toMatchObject([{ rule: 'failed', gold: 'A', setAside: true }]);
    // What was taken out before pairing is on no side, but its label occurs.
    expect([totals.has('gold', 'span', 'A'), totals.has('gold', 'span', 'B')]).toEqual([false, true]);
    expect([...totals.labels]).toEqual(['A', 'B']);
  });

  test('have one row for logged items, whatever their labels', () => {
    const totals = new Totals([], {});
    const logged = (label: string): Verdict =>
      verdict('hit', label, { kind: 'claim', gold: null, predicted: makeItem({ kind: 'claim', index: 0, label }) });
    totals.add(caseOf('a', [logged('one claim'), logged('another claim')]));
    expect(totals.rows()).toMatchObject([{ kind: 'claim', n: 2 }]);
  });
});

describe('the index of texts', () => {
  test('keeps how texts begin and finds equal ones; without words a text has no place', () => {
    const index = new TextIndex();
    const words = 'one two three four five six seven eight nine ten';
    for (const [id, text] of Object.entries({ a: words, b: '', c: words, d: `${'x'.repeat(79)}🍵` }))
      index.add(caseOf(id, [], { text }));
    expect(index.ids).toEqual(['a', 'c', 'd']);
    expect(index.near.equal()).toEqual([[0, 1]]);
    // A character that is cut in two is shown as one that is not known.
    expect([0, 1].map((place) => index.openingAt(place))).toEqual([words, words]);
  });

  test('gives each item of the last case once, in the order of its file', () => {
    const index = new TextIndex();
    const item = (at: number, label: string) => makeItem({ kind: 'span', index: at, label, text: label });
    const twice = verdict('missed', 'B', { gold: item(1, 'B') });
    index.add(caseOf('a', [twice, twice, verdict('missed', 'A', { gold: item(0, 'A') })]));
    expect(index.items('gold', new Set(['span'])).map(({ label }) => label)).toEqual(['A', 'B']);
    expect(index.items('gold', new Set(['entity']))).toEqual([]);
  });

  test('does not count texts without gold, or of a few words, as alarming when they are met again', () => {
    const index = new TextIndex();
    const long = 'one two three four five six seven eight nine ten';
    index.add(caseOf('a', [verdict('missed', 'A')], { text: long }));
    for (const id of ['b', 'c']) index.add(caseOf(id, [], { text: `${long} ${id}` }));
    index.add(caseOf('d', [verdict('missed', 'A')], { text: 'Ask Ms Lund.' }));
    expect(index.metAgain([0, 1, 2, 3])).toEqual({
      counting: 1,
      said: '; 2 of them without gold, 1 of fewer than 8 words',
    });
    // Half of all cases and more is no chance, however tiny they are.
    for (const id of ['e', 'f', 'g', 'h']) index.add(caseOf(id, [verdict('missed', 'A')], { text: 'Ask Ms Lund.' }));
    expect(index.metAgain([3, 4, 5, 6, 7]).counting).toBe(5);
  });
});
