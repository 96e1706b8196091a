import { describe, expect, test } from 'vitest';

import { type Case, makeCase } from '../../../src/data/case.ts';
import { type Item, makeItem } from '../../../src/data/item.ts';
import { unresolved } from '../../../src/audit/checks/broken-items.ts';
import { look } from '../audited.ts';
import { spanCase, STRICT, times } from '../made-items.ts';

const RECIPE = {
  task: 'graph',
  prepare: { 'resolve-refs': {} },
  pair: { entity: { similarity: 'levenshtein' }, relationship: { similarity: 'relation' } },
  measure: { f1: { of: 'f1', kind: 'relationship' } },
};

const entities = (): Item[] =>
  ['Ann', 'Oslo'].map((text, index) =>
    makeItem({ kind: 'entity', index, label: 'Thing', text, fields: { temp_id: `e${index}` } }),
  );
const relation = (source: string, target: string): Item =>
  makeItem({ kind: 'relationship', index: 0, label: 'in', text: `${source} --in--> ${target}`, source, target });

/** Ann is in Oslo, by gold and by the prediction, each with ends of its own. */
function graph(id: string, gold: readonly [string, string], predicted: readonly [string, string]): Case {
  return makeCase({
    id,
    gold: [...entities(), relation(...gold)],
    predicted: [...entities(), relation(...predicted)],
  });
}
const good = (n: number) => times(n, (at) => graph(`g${at}`, ['Ann', 'Oslo'], ['e0', 'oslo ']));
const lost = (n: number) => times(n, (at) => graph(`l${at}`, ['Ann', 'Oslo'], ['e0', 'e7']));

describe('relationships that point to nothing', () => {
  test('predicted: a note from a fifth on, a warning from two fifths, an error from four fifths', async () => {
    const { said, findings } = await look(unresolved, RECIPE, [...good(20), ...lost(5)]);
    expect(said).toEqual(['note: 5 of 25 predicted relationships (20 %) point to entities that were not extracted']);
    expect(findings[0]).toMatchObject({ subjects: ['predicted'], cases: { total: 5 }, items: { total: 5 } });
    expect(findings[0]!.items.shown[0]).toEqual({
      case: 'l0',
      side: 'predicted',
      label: 'in',
      text: 'Ann --in--> e7',
      note: 'no extracted entity is called "e7"',
    });
    expect((await look(unresolved, RECIPE, [...good(9), ...lost(6)])).said).toEqual([
      'warning: 6 of 15 predicted relationships (40 %) point to entities that were not extracted',
    ]);
    expect((await look(unresolved, RECIPE, [...good(10), ...lost(6)])).said).toEqual([
      'note: 6 of 16 predicted relationships (38 %) point to entities that were not extracted',
    ]);
    expect((await look(unresolved, RECIPE, [...good(2), ...lost(8)])).said).toEqual([
      'error: 8 of 10 predicted relationships (80 %) point to entities that were not extracted',
    ]);
  });

  test('at any number a warning where they are most of the run', async () => {
    expect((await look(unresolved, RECIPE, lost(1))).said).toEqual([
      'warning: 1 of 1 predicted relationship (100 %) point to entities that were not extracted',
    ]);
    expect((await look(unresolved, RECIPE, [...good(1), ...lost(2)])).said).toHaveLength(1);
  });

  test('few of them, or a smaller share, are what systems do', async () => {
    expect((await look(unresolved, RECIPE, [...good(4), ...lost(4)])).said).toEqual([]);
    expect((await look(unresolved, RECIPE, [...good(21), ...lost(5)])).said).toEqual([]);
  });

  test('gold: ends that are ids, where gold is compared by names', async () => {
    const ids = times(6, (at) => graph(`i${at}`, ['g0', 'g1'], ['e0', 'e1']));
    const { said, findings } = await look(unresolved, RECIPE, ids);
    expect(said).toEqual([
      'error: 6 of 6 gold relationships (100 %) are missed and have an end that no gold entity is called',
    ]);
    expect(findings[0]!.items.shown[0]).toMatchObject({
      case: 'i0',
      side: 'gold',
      text: 'g0 --in--> g1',
      note: 'no gold entity is called "g0" or "g1"',
    });
    // An id of its own entities is that entity.
    expect((await look(unresolved, RECIPE, [graph('i', ['e0', 'e1'], ['e0', 'e1'])])).run.measures.measures).toEqual(
      expect.arrayContaining([expect.objectContaining({ name: 'f1', slice: {}, value: 1 })]),
    );
  });

  test('predicted: one that was found by its name is fine', async () => {
    // Neither side lists Rome, and gold speaks of it; Romes is near enough.
    const named = times(6, (at) => graph(`r${at}`, ['Ann', 'Romeville'], ['e0', 'Romevilles']));
    expect((await look(unresolved, RECIPE, named)).said).toEqual([]);
  });

  test('gold: one that was found, and gold without entities, are fine', async () => {
    // The prediction's Oslo is near enough to Oslou.
    const near = times(6, (at) => graph(`n${at}`, ['Ann', 'Oslou'], ['Ann', 'Oslo']));
    expect((await look(unresolved, RECIPE, near)).said).toEqual([]);
    const alone = times(6, (at) => makeCase({ id: `a${at}`, gold: [relation('Bert', 'Rome')], predicted: entities() }));
    expect((await look(unresolved, RECIPE, alone)).said).toEqual([]);
  });

  test('those that the recipe leaves out are told as dropped, unless they are most of the run', async () => {
    const leaving = { ...RECIPE, prepare: { 'resolve-refs': { unresolved: 'leave-out' } } };
    expect((await look(unresolved, leaving, [...good(10), ...lost(10)])).said).toEqual([]);
    const { said, findings } = await look(unresolved, leaving, [...good(1), ...lost(2)]);
    expect(said).toEqual(['warning: 2 of 3 predicted relationships (67 %) point to entities that were not extracted']);
    expect(findings[0]!.why).toMatch(/^They are left out/);
  });

  test('without the rule nothing is known of ends; without relationships there is nothing to ask', async () => {
    const { prepare: _, ...bare } = RECIPE;
    const { said, skipped } = await look(unresolved, bare, lost(10));
    expect([said, skipped]).toEqual([[], 'the recipe does not resolve the ends of relationships (resolve-refs)']);
    expect((await look(unresolved, STRICT, [spanCase('s', ['PERSON 0'], [])])).skipped).toBeNull();
  });
});
