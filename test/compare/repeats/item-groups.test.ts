import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import type { Item, ItemKind } from '../../../src/data/item.ts';
import {
  findGroups,
  groupItems,
  type ItemGroup,
  type GroupLikeness,
  likenessOf,
} from '../../../src/compare/repeats/item-groups.ts';
import type { PairSettings } from '../../../src/pair/criterion.ts';
import { graphSides, journalSides, spanSides } from '../../laws/arbitrary-cases.ts';
import { entity, object, relationship, span } from '../../pair/items.ts';
import { runsHere } from '../../many-runs.ts';
import { questionOf, repeatedCase } from './questions.ts';

async function likeness(recipe: string | object, kind: ItemKind): Promise<GroupLikeness> {
  const { plan } = await questionOf(recipe);
  return likenessOf(kind, new Map<ItemKind, PairSettings>(plan.schemes[0]!.pair).get(kind)!);
}

const polarity = (item: Item): string => JSON.stringify(item.fields['polarity'] ?? null);

/** Each group as the texts of its runs, · where a run has none. */
function shown(groups: readonly ItemGroup[]): string[] {
  return groups.map((items) => items.map((item) => item?.text ?? '·').join(' | ')).sort();
}

describe('findGroups', () => {
  test('a group has the label of most runs, of several the first by alphabet', async () => {
    const question = await questionOf('pii/exact');
    const labelOf = (...labels: string[]): string[] => {
      const { plan, runs } = repeatedCase(
        question,
        labels.map((label) => [span(0, 5, label)]),
      );
      return findGroups(plan, runs, ['c1']).map(({ label }) => label);
    };
    expect(labelOf('PERSON', 'LOC', 'PERSON')).toEqual(['PERSON']);
    expect(labelOf('PERSON', 'LOC')).toEqual(['LOC']);
    expect(labelOf('LOC', 'PERSON')).toEqual(['LOC']);
  });
});

describe('groupItems', () => {
  test('quotes that share half of their words are one object, whichever run says more', async () => {
    const journal = await likeness('journal/ashwam', 'object');
    const runs = [
      [object('mind', 'ruminating about work; couldn’t stop replaying a talk'), object('food', 'rice and dal')],
      [object('mind', 'couldn’t stop replaying a talk')],
      [object('food', 'rice and dal'), object('mind', 'ruminating about work; couldn’t stop replaying a talk')],
    ];
    expect(shown(groupItems(runs, journal, polarity))).toEqual([
      'rice and dal | · | rice and dal',
      'ruminating about work; couldn’t stop replaying a talk | couldn’t stop replaying a talk | ruminating about work; couldn’t stop replaying a talk',
    ]);
  });

  test('another label is another object where the recipe gates on it', async () => {
    const journal = await likeness('journal/ashwam', 'object');
    const runs = [[object('symptom', 'heavy heart')], [object('emotion', 'heavy heart')]];
    expect(shown(groupItems(runs, journal, polarity))).toEqual(['heavy heart | ·', '· | heavy heart']);
  });

  test('two equal quotes of one run stay two, and pair by their attributes first', async () => {
    const journal = await likeness('journal/ashwam', 'object');
    const present = object('symptom', 'no pain', { polarity: 'present' });
    const absent = object('symptom', 'no pain', { polarity: 'absent' });
    const groups = groupItems([[present, absent], [absent], [absent, present]], journal, polarity);
    const found = groups.map((items) => items.map((item) => (item === null ? '·' : polarity(item))).join(' '));
    expect(found.sort()).toEqual(['"absent" "absent" "absent"', '"present" · "present"']);
  });

  test('one item of each run: a second that is nearly the same is another', async () => {
    const iou = await likeness('pii/iou', 'span');
    // 0-10 and 0-8: 0.8; 0-10 and 2-10: 0.8; only one of them can be it.
    const groups = groupItems([[span(0, 10)], [span(0, 8), span(3, 10)]], iou, () => '');
    const places = groups.map((items) => items.map((item) => (item === null ? null : [item.start, item.end])));
    expect(places).toContainEqual([
      [0, 10],
      [0, 8],
    ]);
    expect(places).toContainEqual([null, [3, 10]]);
  });

  test('it is enough that each is like a third: a chain is one group', async () => {
    const iou = await likeness('pii/iou', 'span');
    // 0-10 and 4-14: 6/14, under 0.5; both and 2-12: 8/12.
    const groups = groupItems([[span(0, 10)], [span(2, 12)], [span(4, 14)]], iou, () => '');
    expect(groups).toHaveLength(1);
  });

  test('entities by similar names, relationships also by their inverse and with the ends renamed', async () => {
    const entities = await likeness('graph/openspec', 'entity');
    expect(groupItems([[entity('Yda Lorne')], [entity('Yda Lorn')]], entities, () => '')).toHaveLength(1);
    const relationships = await likeness('graph/openspec', 'relationship');
    const runs = [
      [relationship('Matthis Lorne', 'parent_of', 'Perrin Lorne')],
      [relationship('Perrin Lorne', 'child_of', 'Mathis Lorne')],
      [relationship('Perrin Lorne', 'parent_of', 'Matthis Lorne')],
    ];
    expect(groupItems(runs, relationships, () => '').map((items) => items.map((item) => item !== null))).toEqual([
      [true, true, false],
      [false, false, true],
    ]);
  });

  test('a threshold by label holds for either of two labels where labels are not gated', async () => {
    const mixed = await likeness(
      { extends: 'pii/strict', pair: { gate: [], similarity: 'iou', threshold: { LOC: 0.3, default: 0.9 } } },
      'span',
    );
    // 5 of 10 characters: enough for LOC, in whichever run it is.
    const runs = [[span(0, 10, 'ORG')], [span(0, 5, 'LOC')]];
    expect(groupItems(runs, mixed, () => '')).toHaveLength(1);
    expect(groupItems(runs.toReversed(), mixed, () => '')).toHaveLength(1);
    expect(groupItems([[span(0, 10, 'ORG')], [span(0, 5, 'ORG')]], mixed, () => '')).toHaveLength(2);
  });

  describe('laws, for any three runs', () => {
    const checked = { seed: 20261, numRuns: runsHere(400) };
    const kinds: readonly (readonly [string, ItemKind, fc.Arbitrary<Item[]>])[] = [
      ['journal/ashwam', 'object', journalSides.map(({ gold }) => [...gold])],
      ['pii/iou', 'span', spanSides.map(({ gold }) => [...gold])],
      ['graph/openspec', 'entity', graphSides.map(({ gold }) => gold.filter(({ kind }) => kind === 'entity'))],
      ['graph/openspec', 'relationship', graphSides.map(({ gold }) => gold.filter(({ kind }) => kind !== 'entity'))],
    ];
    /** Groups by content, with the runs put back in their first order. */
    const content = (groups: readonly ItemGroup[], order: readonly number[]): string[] =>
      groups
        .map((items) =>
          JSON.stringify(
            order.map((_, run) => {
              const item = items[order.indexOf(run)] ?? null;
              return item === null ? null : [item.label, item.text, item.start, item.end, item.fields];
            }),
          ),
        )
        .sort();

    test.each(kinds)('%s %s: every item is in one group, and no run twice', async (recipe, kind, items) => {
      const of = await likeness(recipe, kind);
      fc.assert(
        fc.property(fc.array(items, { minLength: 2, maxLength: 4 }), (runs) => {
          const groups = groupItems(runs, of, polarity);
          const found = groups.flatMap((group) => group.filter((item) => item !== null));
          expect(found).toHaveLength(runs.flat().length);
          expect(new Set(found).size).toBe(new Set(runs.flat()).size);
          groups.forEach((group) =>
            group.forEach((item, run) => expect(item === null || runs[run]!.includes(item)).toBe(true)),
          );
        }),
        checked,
      );
    });

    test.each(kinds)('%s %s: the order of runs and items does not show', async (recipe, kind, items) => {
      const of = await likeness(recipe, kind);
      fc.assert(
        fc.property(fc.tuple(items, items, items), fc.constantFrom([1, 0, 2], [2, 1, 0], [1, 2, 0]), (runs, order) => {
          const before = groupItems(runs, of, polarity);
          const after = groupItems(
            order.map((run) => runs.at(run)?.toReversed() ?? []),
            of,
            polarity,
          );
          expect(content(after, order)).toEqual(content(before, [0, 1, 2]));
        }),
        checked,
      );
    });

    test.each(kinds)('%s %s: runs that say the same agree in everything', async (recipe, kind, items) => {
      const of = await likeness(recipe, kind);
      fc.assert(
        fc.property(items, (own) => {
          const groups = groupItems([own, own.toReversed(), own], of, polarity);
          expect(groups).toHaveLength(own.length);
          expect(groups.every((group) => group.every((item) => item !== null))).toBe(true);
        }),
        checked,
      );
    });
  });
});
