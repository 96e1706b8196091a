import { describe, expect, test } from 'vitest';

import { Evidence, formatList, SubjectEvidence } from '../../src/audit/evidence.ts';

const item = (id: string, text = 'x') => ({ case: id, side: 'gold' as const, label: 'A', text, note: null });

describe('evidence', () => {
  test('counts every item and each case once, and shows the first of them', () => {
    const evidence = new Evidence();
    for (let at = 0; at < 30; at += 1) {
      evidence.addItem(item(`c${at}`));
      evidence.addItem(item(`c${at}`));
    }
    expect(evidence.items.total).toBe(60);
    expect(evidence.items.shown).toHaveLength(10);
    expect(evidence.cases.total).toBe(30);
    expect(evidence.cases.shown).toEqual(Array.from({ length: 20 }, (_, at) => `c${at}`));
  });

  test('shortens long texts and never cuts a character in two', () => {
    const evidence = new Evidence();
    evidence.addItem(item('a', `${'x'.repeat(199)}🙂${'y'.repeat(500)}`));
    expect(evidence.items.shown[0]!.text).toBe(`${'x'.repeat(199)}…`);
  });
});

describe('evidence by subject', () => {
  test('counts the cases of several subjects together once each', () => {
    const evidence = new SubjectEvidence();
    const own = { side: null, label: null, text: 't', note: null };
    for (const [subject, id] of [
      ['A', '1'],
      ['B', '1'],
      ['A', '2'],
      ['B', '3'],
      ['B', '3'],
      ['C', '4'],
    ] as const)
      evidence.add(subject, id, () => ({ case: id, ...own }));
    expect(evidence.of(['A', 'B'])).toMatchObject({ cases: { total: 3, shown: ['1', '2', '3'] }, items: { total: 5 } });
    expect(evidence.of(['B'])).toMatchObject({ cases: { total: 2, shown: ['1', '3'] }, items: { total: 3 } });
    expect(evidence.of(['Z'])).toEqual({ cases: { total: 0, shown: [] }, items: { total: 0, shown: [] } });
  });

  test('shows one of each subject before a second of any', () => {
    const evidence = new SubjectEvidence();
    const add = (subject: string, id: string) =>
      evidence.add(subject, id, () => ({ case: id, side: null, label: subject, text: id, note: null }));
    add('A', '1');
    add('A', '2');
    add('B', '3');
    expect(evidence.of(['A', 'B']).items.shown.map(({ text }) => text)).toEqual(['1', '3', '2']);
  });

  test('keeps few examples where every item has a subject of its own', () => {
    const evidence = new SubjectEvidence();
    for (let at = 0; at < 3000; at += 1)
      evidence.add(`s${at}`, `c${at}`, () => ({ case: `c${at}`, side: null, label: null, text: '', note: null }));
    expect(evidence.of(['s10'])).toMatchObject({ cases: { total: 1, shown: ['c10'] } });
    expect(evidence.of(['s2999'])).toMatchObject({ cases: { total: 1, shown: [] }, items: { total: 1, shown: [] } });
  });
});

test('of many names the first are listed', () => {
  expect([
    formatList(['a']),
    formatList(['a', 'b']),
    formatList(['a', 'b', 'c']),
    formatList(['a', 'b', 'c', 'd'], 2),
  ]).toEqual(['a', 'a and b', 'a, b and c', 'a, b and 2 more']);
});
