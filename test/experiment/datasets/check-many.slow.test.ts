import { expect, it } from 'vitest';

import { checkEach, checkMany, makeItemValidator } from '../../../src/experiment/datasets/validate-item.ts';

const validate = makeItemValidator({ input: { pattern: '^(a+)+$' } });
const texts = Array.from({ length: 1203 }, (_, at) => (at % 7 === 0 ? 'b' : 'a'));

it('many items are checked like each alone, in their order', async () => {
  const wrong = texts.map((text) => (text === 'b' ? 1 : 0));
  expect(
    checkMany(
      validate,
      texts.map((input) => ({ input })),
    ).map(({ length }) => length),
  ).toEqual(wrong);
  async function* items(): AsyncGenerator<{ readonly input: string }> {
    for (const input of texts) yield { input };
  }
  const found: [string, number][] = [];
  for await (const { item, faults } of checkEach(validate, items())) found.push([item.input, faults.length]);
  expect(found).toEqual(texts.map((text, at) => [text, wrong[at]]));
  expect(checkMany(validate, [])).toEqual([]);
});

it('checks that are slow together, and not one by one, all count', () => {
  let checks = 0;
  const slow = (): readonly never[] => {
    checks += 1;
    const until = performance.now() + 400;
    while (performance.now() < until);
    return [];
  };
  expect(checkMany(slow, [{}, {}, {}])).toEqual([[], [], []]);
  expect(checks).toBeGreaterThan(3);
});

it('one that never ends is told as the schema’s fault, also among many', () => {
  const items = [{ input: 'a' }, { input: `${'a'.repeat(50)}!` }];
  expect(() => checkMany(validate, items)).toThrow(/checking by it takes longer than 1 s/);
});
