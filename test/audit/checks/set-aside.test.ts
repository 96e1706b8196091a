import { describe, expect, test } from 'vitest';

import { type Case, type CaseInit, makeCase } from '../../../src/data/case.ts';
import { type Item, makeItem } from '../../../src/data/item.ts';
import { dropped } from '../../../src/audit/checks/dropped-data.ts';
import { look } from '../audited.ts';
import { spanCase, STRICT, times } from '../made-items.ts';

const TWO_KINDS = {
  task: 'graph',
  pair: { entity: { similarity: 'levenshtein' }, relationship: { similarity: 'relation' } },
  measure: { f1: { of: 'f1', kind: 'relationship' } },
};
const unasked = (kind: string) => ({
  ...TWO_KINDS,
  prepare: { 'leave-out': { rule: 'leave-out-gold', kind, labels: ['unknown'] } },
});

const things = (...names: readonly string[]): Item[] =>
  names.map((text, index) => makeItem({ kind: 'entity', index, label: 'Thing', text }));
const link = (label: string, index = 0): Item =>
  makeItem({ kind: 'relationship', index, label, text: `Ann --${label}--> Oslo`, source: 'Ann', target: 'Oslo' });
const ABC = ['Ann', 'Oslo', 'Rex', 'Ida'];

/** Four entities and one relationship on both sides. */
function graph(id: string, gold: string, predicted = 'in', more: Partial<CaseInit> = {}): Case {
  return makeCase({
    id,
    gold: [...things(...ABC), link(gold)],
    predicted: [...things(...ABC), link(predicted)],
    ...more,
  });
}

describe('items set aside are counted by kind', () => {
  test('half of one kind is a warning, however many of another there are', async () => {
    const unknown = (n: number) => times(n, (at) => graph(`u${at}`, 'unknown'));
    const known = (n: number) => times(n, (at) => graph(`k${at}`, 'in'));
    // 11 of 20 relationships are 55 %; of all 100 items of a side they would be 11 %.
    const { said, findings } = await look(dropped, unasked('relationship'), [...known(9), ...unknown(11)]);
    expect(said).toEqual([
      'warning: 11 of 20 gold items of the kind relationship (55 %) and 11 of 20 predictions of the kind relationship (55 %) were set aside by the rule leave-out before pairing',
    ]);
    expect(findings[0]).toMatchObject({ subjects: ['leave-out'], cases: { total: 11 }, items: { total: 22 } });
    expect(findings[0]!.why).toBe(
      'If gold is set aside, no prediction is right or wrong, so the score is about the rest only.',
    );
    // Predictions leave with gold: what counts is gold, and 9 of 20 is less than half.
    expect((await look(dropped, unasked('relationship'), [...known(11), ...unknown(9)])).said[0]).toMatch(
      /^note: 9 of 20 gold items of the kind relationship \(45 %\) and 9 of 20 predictions/,
    );
  });

  test('a rule that takes of several kinds gives each its numbers, and the worst of them decides', async () => {
    const once = { ...TWO_KINDS, prepare: { dedupe: { side: 'predicted' } } };
    const twice = (id: string, names: readonly string[], links: number) =>
      makeCase({
        id,
        gold: [...things(...ABC), link('in')],
        predicted: [...things(...names), ...Array.from({ length: links }, (_, at) => link('in', at))],
      });
    // 1 of 81 entities is a copy, and 5 of 25 relationships: 20 %, though 6 of all 106 are 6 %.
    const cases = [
      twice('a', [...ABC, 'Ann'], 1),
      ...times(5, (at) => twice(`b${at}`, ABC, 2)),
      ...times(14, (at) => twice(`c${at}`, ABC, 1)),
    ];
    expect((await look(dropped, once, cases)).said).toEqual([
      'warning: 1 of 81 predictions of the kind entity (1 %) and 5 of 25 predictions of the kind relationship (20 %) were set aside by the rule dedupe before pairing',
    ]);
  });

  test('copies in gold do not hide copies among the predictions', async () => {
    const both = { ...STRICT, prepare: { dedupe: { side: 'both' } } };
    const copied = times(5, (at) => spanCase(`n${at}`, at === 0 ? ['A 0', 'A 0'] : ['A 0'], ['A 0', 'A 0']));
    // 45 + 6 gold items, 45 + 10 predictions: 1 and 5 of them are copies.
    const rest = times(45, (at) => spanCase(`g${at}`, ['A 0'], ['A 0']));
    expect((await look(dropped, both, [...rest, ...copied])).said).toEqual([
      'note: 1 of 51 gold items (2 %) and 5 of 55 predictions (9 %) were set aside by the rule dedupe before pairing',
    ]);
    expect((await look(dropped, both, [...rest.slice(5), ...copied])).said).toEqual([
      'warning: 1 of 46 gold items (2 %) and 5 of 50 predictions (10 %) were set aside by the rule dedupe before pairing',
    ]);
  });

  test('cases that failed are in neither number', async () => {
    const failed = times(10, (at) => graph(`f${at}`, 'unknown', 'in', { failed: 'time-out' }));
    const { said, findings } = await look(dropped, unasked('relationship'), [
      ...failed,
      ...times(5, (at) => graph(`u${at}`, 'unknown')),
      ...times(5, (at) => graph(`k${at}`, 'in')),
    ]);
    expect(said[1]).toMatch(/^warning: 5 of 10 gold items of the kind relationship \(50 %\) and 5 of 10 predictions/);
    expect(findings[1]!.why).toMatch(/Cases that failed are in neither number\.$/);
  });

  test('a prediction that covers two gold spans is one prediction', async () => {
    const cover = { ...STRICT, pair: { unit: 'cover' }, prepare: { dedupe: { side: 'predicted' } } };
    const text = 'Ann and Bob were here';
    const span = (index: number, start: number, end: number): Item =>
      makeItem({ kind: 'span', index, label: 'PERSON', text: text.slice(start, end), start, end });
    const given = makeCase({
      id: 'a',
      text,
      gold: [span(0, 0, 3), span(1, 8, 11)],
      predicted: [span(0, 0, 11), span(1, 0, 11)],
    });
    expect((await look(dropped, cover, [given])).said).toEqual([
      'note: 1 of 2 predictions (50 %) was set aside by the rule dedupe before pairing',
    ]);
  });

  test('where stretches of the text are paired, nobody knows of how many items', async () => {
    const tokens = { ...STRICT, pair: { unit: 'token' }, prepare: { dedupe: { side: 'predicted' } } };
    const text = 'Ann Lee Roe';
    const whole = (index: number): Item =>
      makeItem({ kind: 'span', index, label: 'PERSON', text, start: 0, end: text.length });
    const cases = times(6, (at) => makeCase({ id: `t${at}`, text, gold: [whole(0)], predicted: [whole(0), whole(1)] }));
    expect((await look(dropped, tokens, cases)).said).toEqual([
      'note: 6 predictions were set aside by the rule dedupe before pairing',
    ]);
  });
});
