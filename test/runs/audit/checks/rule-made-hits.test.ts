import { describe, expect, test } from 'vitest';

import { type Case, makeCase } from '../../../../src/data/case.ts';
import { makeItem } from '../../../../src/data/item.ts';
import { ruleMadeHits } from '../../../../src/runs/audit/checks/rule-made-hits.ts';
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
