import { describe, expect, test } from 'vitest';

import { noValues } from '../../../src/audit/checks/no-values.ts';
import { look } from '../audited.ts';
import { spanCase, STRICT, times } from '../made-items.ts';

const given = (gold: readonly string[], predicted: readonly string[]) =>
  times(5, (at) => spanCase(`c${at}`, gold, predicted));

describe('nothing was measured', () => {
  test.each([
    [[], ['A 0'], 'There is no gold in any of 5 cases', ['gold']],
    [['A 0'], [], 'There is no prediction in any of 5 cases', ['predictions']],
    [[], [], 'There is neither gold nor a prediction in any of 5 cases', ['gold', 'predictions']],
  ])('where gold is %j and predictions are %j everywhere', async (gold, predicted, title, subjects) => {
    const { said, findings } = await look(noValues, STRICT, given(gold, predicted));
    expect(said).toEqual([`error: ${title}: nothing was measured`]);
    expect(findings[0]?.subjects).toEqual(subjects);
  });

  test('nor where all items are set aside and no measure has a value', async () => {
    const recipe = { ...STRICT, prepare: { drop: { labels: ['A'], because: 'not asked for' } } };
    expect((await look(noValues, recipe, given(['A 0'], ['A 0']))).said).toEqual([
      'error: No measure has a value, in 5 cases: nothing was measured',
    ]);
  });
});

describe('it is silent', () => {
  test('where one case has gold and another one a prediction', async () => {
    const apart = [...given([], []), spanCase('g', ['A 0'], []), spanCase('p', [], ['A 0'])];
    expect((await look(noValues, STRICT, apart)).said).toEqual([]);
  });

  test('where all cases failed: another check says so', async () => {
    const failed = times(5, (at) => spanCase(`c${at}`, ['A 0'], [], { failed: 'no answer' }));
    expect((await look(noValues, STRICT, failed)).said).toEqual([]);
  });
});
