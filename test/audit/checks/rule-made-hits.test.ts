import { describe, expect, test } from 'vitest';

import { type Case, makeCase } from '../../../src/data/case.ts';
import { makeItem } from '../../../src/data/item.ts';
import { ruleMadeHits } from '../../../src/audit/checks/rule-credit.ts';
import { look } from '../audited.ts';
import { spanCase, STRICT, times } from '../made-items.ts';

const RECIPE = { ...STRICT, judge: { 'loc-in-org': { predicted: ['LOC'], gold: ['ORG'], words: ['court'] } } };

function court(id: string): Case {
  const span = (label: string, text: string) =>
    makeItem({ kind: 'span', index: 0, label, text, start: 0, end: text.length });
  return makeCase({
    id,
    text: 'Warsaw Court',
    gold: [span('ORG', 'Warsaw Court')],
    predicted: [span('LOC', 'Warsaw')],
  });
}
const paired = (n: number) => times(n, (at) => spanCase(`p${at}`, ['PERSON 0'], ['PERSON 0']));
const ruled = (n: number) => times(n, (at) => court(`c${at}`));

describe('hits that a rule made', () => {
  test('are a warning from a fifth of all hits on, with F1 without them', async () => {
    const { said, findings } = await look(ruleMadeHits, RECIPE, [...paired(8), ...ruled(2)]);
    expect(said).toEqual(['warning: 2 of 10 hits (20 %) were made by the rule loc-in-org, not by pairing']);
    // 8 hits, 2 spurious, 2 missed: 16 / 20.
    expect(findings[0]!.why).toContain('F1 is 1.000 with them as hits and would be 0.800 with them as spurious');
    expect(findings[0]).toMatchObject({ subjects: ['loc-in-org'], cases: { total: 2 }, items: { total: 2 } });
    // What the system said, and what it counts as.
    expect(findings[0]!.items.shown[0]).toMatchObject({ side: 'predicted', label: 'LOC', text: 'Warsaw' });
    expect(findings[0]!.items.shown[0]!.note).toMatch(/^the hit counts as ORG/);
  });

  test('are a note from a twentieth on, and nothing below', async () => {
    expect((await look(ruleMadeHits, RECIPE, [...paired(19), ...ruled(1)])).said).toEqual([
      'note: 1 of 20 hits (5 %) was made by the rule loc-in-org, not by pairing',
    ]);
    expect((await look(ruleMadeHits, RECIPE, [...paired(20), ...ruled(1)])).said).toEqual([]);
  });

  test('are none where criteria of the pairing have names of their own', async () => {
    const named = { ...STRICT, pair: { accept: { same: { gate: ['label'], similarity: 'exact' } } } };
    expect((await look(ruleMadeHits, named, paired(5))).said).toEqual([]);
  });
});

describe('hits that another way of pair.accept made', () => {
  const ways = (loose: object) => ({ ...STRICT, pair: { accept: { same: STRICT.pair, loose } } });
  const ANY_LABEL = ways({ gate: [], similarity: 'exact' });
  const SAME_LABEL = ways({ gate: ['label'], similarity: 'iou', threshold: 0.1 });
  const mislabelled = (n: number) => times(n, (at) => spanCase(`m${at}`, ['PERSON 0'], ['LOC 0']));
  // 5 to 10 and 8 to 13: 2 of 8 characters in common.
  const shifted = (n: number) => times(n, (at) => spanCase(`s${at}`, ['PERSON 5'], ['PERSON 8']));

  test('and that need not have the label are a warning from a tenth on', async () => {
    const { said, findings } = await look(ruleMadeHits, ANY_LABEL, [...paired(45), ...mislabelled(5)]);
    expect(said).toEqual([
      'warning: 5 of 50 hits (10 %) were made by loose of pair.accept, not by the first way to pair (same)',
    ]);
    // 45 hits, 5 missed, 5 spurious: 90 / 100.
    expect(findings[0]!.why).toBe(
      'These predictions match no gold item by the first way to pair (same). 5 of them have another label than gold. Counted plainly, F1 is 1.000 with them as hits and would be 0.900 with them as spurious.',
    );
    expect(findings[0]).toMatchObject({ subjects: ['loose'], cases: { total: 5 }, items: { total: 5 } });
    expect(findings[0]!.items.shown[0]).toMatchObject({ label: 'LOC', note: 'the hit counts as PERSON' });
  });

  test('are a note below that, and nothing under a twentieth', async () => {
    expect((await look(ruleMadeHits, ANY_LABEL, [...paired(46), ...mislabelled(4)])).said).toEqual([
      'note: 4 of 50 hits (8 %) were made by loose of pair.accept, not by the first way to pair (same)',
    ]);
    expect((await look(ruleMadeHits, ANY_LABEL, [...paired(48), ...mislabelled(2)])).said).toEqual([]);
  });

  test('are never more than a note where the label must be the same: one threshold for all would be no less lenient', async () => {
    expect((await look(ruleMadeHits, SAME_LABEL, [...paired(5), ...shifted(5)])).said).toEqual([
      'note: 5 of 10 hits (50 %) were made by loose of pair.accept, not by the first way to pair (same)',
    ]);
  });

  test('are counted with those of rules', async () => {
    const both = { ...ANY_LABEL, judge: RECIPE.judge };
    const { said } = await look(ruleMadeHits, both, [...paired(8), ...ruled(1), ...mislabelled(1)]);
    expect(said).toEqual([
      'warning: 2 of 10 hits (20 %) were made by the rule loc-in-org and by loose of pair.accept, not by the first way to pair (same)',
    ]);
  });
});
