import { describe, expect, test } from 'vitest';

import type { Item } from '../../../src/data/item.ts';
import { findFlips, type Flip } from '../../../src/compare/repeats/flips.ts';
import { findGroups } from '../../../src/compare/repeats/item-groups.ts';
import { entity, object, relationship, span } from '../../pair/items.ts';
import { questionOf, repeatedCase } from './questions.ts';

type Found = ReturnType<typeof findFlips>;

async function flipsOf(
  recipe: string | object,
  runs: readonly (readonly Item[])[],
  undecided?: readonly string[],
): Promise<Found> {
  const question = await questionOf(recipe);
  const { runs: read } = repeatedCase(question, runs);
  return findFlips(question.plan, findGroups(question.plan, read, ['c1']), undecided);
}

const values = (flips: readonly Flip[]): string[] =>
  flips.map(
    ({ attribute, change, values: own }) => `${attribute} ${change}: ${own.map((one) => one ?? '·').join(' ')}`,
  );

const pain = (polarity: string | undefined, more: object = {}): Item =>
  object('symptom', 'pain in my knees', { ...(polarity === undefined ? {} : { polarity }), ...more });

describe('findFlips', () => {
  test('two runs that say different things are a flip, of the attribute and of no other', async () => {
    const { attributes, flips } = await flipsOf('journal/ashwam', [
      [pain('absent')],
      [pain('present')],
      [pain('absent')],
    ]);
    expect(values(flips)).toEqual(['polarity flip: absent present absent']);
    expect(attributes).toEqual([
      { attribute: 'polarity', compared: 1, flips: 1, undecided: 0, share: { value: 1, undefined: null } },
      { attribute: 'intensity', compared: 1, flips: 0, undecided: 0, share: { value: 0, undefined: null } },
      // Arousal is of emotions only.
      {
        attribute: 'arousal',
        compared: 0,
        flips: 0,
        undecided: 0,
        share: { value: null, undefined: 'no item of two or more runs has it' },
      },
      { attribute: 'time', compared: 1, flips: 0, undecided: 0, share: { value: 0, undefined: null } },
    ]);
  });

  test('a value that says “I do not know” contradicts nothing', async () => {
    const { attributes, flips } = await flipsOf('journal/ashwam', [
      [pain('present', { intensity_bucket: 'low' })],
      [pain('uncertain')],
    ]);
    // The missing intensity stands for unknown, as the recipe says.
    expect(values(flips)).toEqual(['polarity undecided: present uncertain', 'intensity undecided: low unknown']);
    expect(attributes[0]).toMatchObject({ compared: 1, flips: 0, undecided: 1, share: { value: 0 } });
  });

  test('which values say that is the caller’s to say', async () => {
    const runs = [[pain('present')], [pain('uncertain')]];
    expect(values((await flipsOf('journal/ashwam', runs, [])).flips)).toEqual(['polarity flip: present uncertain']);
    const maybe = [[pain('present')], [pain('maybe')]];
    expect((await flipsOf('journal/ashwam', maybe)).flips[0]?.change).toBe('flip');
    expect((await flipsOf('journal/ashwam', maybe, ['maybe'])).flips[0]?.change).toBe('undecided');
  });

  test('three values, one of them undecided, are still a flip', async () => {
    const { flips } = await flipsOf('journal/ashwam', [[pain('present')], [pain('uncertain')], [pain('absent')]]);
    expect(values(flips)).toEqual(['polarity flip: present uncertain absent']);
  });

  test('an item of one run has nothing to be compared with, and a run without the item says nothing', async () => {
    const { attributes, flips } = await flipsOf('journal/ashwam', [[pain('present')], [], []]);
    expect(flips).toEqual([]);
    expect(attributes.map(({ compared }) => compared)).toEqual([0, 0, 0, 0]);
    const two = await flipsOf('journal/ashwam', [[pain('present')], [], [pain('absent')]]);
    expect(two.flips[0]).toMatchObject({ found: [true, false, true], values: ['present', null, 'absent'] });
  });

  test('a value where the other run has none differs; where none has one nothing is compared', async () => {
    const one = await flipsOf('journal/ashwam', [[pain('present')], [pain(undefined)]]);
    expect(one.flips[0]).toMatchObject({ attribute: 'polarity', change: 'undecided', values: ['present', null] });
    const none = await flipsOf('journal/ashwam', [[pain(undefined)], [pain(undefined)]]);
    expect(none.attributes[0]).toMatchObject({ attribute: 'polarity', compared: 0 });
  });

  test('values that the recipe takes for the same do not flip', async () => {
    const recipe = {
      extends: 'journal/ashwam',
      attributes: { polarity: { normalise: ['lower'], equivalent: [['present', 'yes']] } },
    };
    expect((await flipsOf(recipe, [[pain('Present')], [pain('yes')]])).flips).toEqual([]);
    expect((await flipsOf(recipe, [[pain('Present')], [pain('yes')], [pain('no')]])).flips).toHaveLength(1);
  });

  test('the label itself flips where the recipe pairs whatever the label', async () => {
    const runs = [[span(0, 5, 'PERSON')], [span(0, 5, 'LOC')]];
    expect(values((await flipsOf('pii/exact', runs)).flips)).toEqual(['label flip: PERSON LOC']);
    expect((await flipsOf('pii/strict', runs)).attributes).toEqual([]);
  });

  test('an entity’s type is not counted a second time as its label; inverse relationship types are no flip', async () => {
    const { attributes, flips } = await flipsOf('graph/openspec', [
      [entity('Dunmere', 'Place'), relationship('A', 'parent_of', 'B')],
      [entity('Dunmere', 'Town'), relationship('B', 'child_of', 'A')],
    ]);
    expect(attributes.map(({ attribute }) => attribute)).toEqual(['type']);
    expect(values(flips)).toEqual(['type flip: place town']);
  });
});
