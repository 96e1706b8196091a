import { expect, it } from 'vitest';

import { checkEach, type ItemValidator, makeItemValidator } from '../../../src/experiment/datasets/validate-item.ts';

const validate = makeItemValidator({ input: { pattern: '^(a+)+$' } });
const texts = Array.from({ length: 1203 }, (_, at) => (at % 7 === 0 ? 'b' : 'a'));

async function faultsOf(check: ItemValidator, inputs: readonly string[]): Promise<[string, number][]> {
  async function* items(): AsyncGenerator<string> {
    yield* inputs;
  }
  const found: [string, number][] = [];
  for await (const { item, faults } of checkEach(check, items(), (input) => ({ input })))
    found.push([item, faults.length]);
  return found;
}

it('many items are checked like each alone, in their order', async () => {
  expect(await faultsOf(validate, texts)).toEqual(texts.map((text) => [text, text === 'b' ? 1 : 0]));
  expect(await faultsOf(validate, [])).toEqual([]);
});

it('checks that are slow together, and not one by one, all count', async () => {
  let checks = 0;
  const slow = (): readonly never[] => {
    checks += 1;
    const until = performance.now() + 400;
    while (performance.now() < until);
    return [];
  };
  expect(await faultsOf(slow, ['a', 'b', 'c'])).toHaveLength(3);
  expect(checks).toBeGreaterThan(3);
});

it('one that never ends is told as the schema’s fault, also among many', async () => {
  await expect(faultsOf(validate, ['a', `${'a'.repeat(50)}!`])).rejects.toThrow(/checking by it takes longer than 1 s/);
});
