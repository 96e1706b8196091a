import { describe, expect, test } from 'vitest';

import { planRecipe } from '../../src/recipe/plan.ts';
import { recipeHash } from '../../src/score/signature.ts';

const PLAIN = { task: 'pii', pair: { gate: ['label'], similarity: 'exact' } };
const accepting = (accept: unknown): object => ({ ...PLAIN, audit: { accept } });

describe('what a recipe accepts of an audit', () => {
  test('is a reason, or a reason for some subjects', async () => {
    const { resolved } = await planRecipe(
      accepting({ 'dropped-data': 'a pilot', 'excused-hits': { because: 'agreed', subjects: ['ORG'] } }),
    );
    expect(resolved['audit']).toEqual({
      accept: { 'dropped-data': 'a pilot', 'excused-hits': { because: 'agreed', subjects: ['ORG'] } },
    });
  });

  test('is not in the manifest where it is not said', async () => {
    expect((await planRecipe(PLAIN)).resolved).not.toHaveProperty('audit');
  });

  test('changes no signature', async () => {
    expect(recipeHash(await planRecipe(accepting({ 'dropped-data': 'a pilot' })))).toBe(
      recipeHash(await planRecipe(PLAIN)),
    );
  });

  test('can be said on the command line', async () => {
    const { resolved } = await planRecipe(PLAIN, ['audit.accept.too-few-cases=a first look']);
    expect(resolved['audit']).toEqual({ accept: { 'too-few-cases': 'a first look' } });
  });

  test('is refused with the nearest name where a check is misspelt', async () => {
    await expect(planRecipe(accepting({ 'excused-hit': 'agreed' }))).rejects.toMatchObject({
      message: expect.stringContaining('audit.accept.excused-hit: there is no check called excused-hit'),
      next: 'did you mean excused-hits?',
    });
  });

  test.each([
    ['an empty reason', ''],
    ['blanks', '  '],
    ['no reason', { subjects: ['ORG'] }],
    ['no subjects', { because: 'x', subjects: [] }],
  ])('is refused with %s', async (_, given) => {
    await expect(planRecipe(accepting({ 'dropped-data': given }))).rejects.toThrow(/audit\.accept\.dropped-data/);
  });

  test('no check can be switched off', async () => {
    await expect(planRecipe({ ...PLAIN, audit: { off: ['dropped-data'] } })).rejects.toThrow(
      'there is no setting called off',
    );
    await expect(planRecipe(accepting({ 'dropped-data': true }))).rejects.toThrow(/audit\.accept\.dropped-data/);
  });
});
