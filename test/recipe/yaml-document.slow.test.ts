import { expect, test } from 'vitest';

import { parseYaml } from '../../src/recipe/yaml-document.ts';

test.each([
  ['keys', (at: number) => `k${at}: 1`],
  ['values', (at: number) => `- ${at}`],
])('20,001 %s are refused with advice, 20,000 are read', (_, line) => {
  const text = (entries: number): string => Array.from({ length: entries }, (__, at) => line(at)).join('\n');
  expect(Object.keys(parseYaml(text(20_000), 'notes').value ?? {})).toHaveLength(20_000);
  expect(() => parseYaml(text(20_001), 'notes')).toThrow(
    /^notes: a recipe with more than 20000 keys and values; put data in separate files$/,
  );
});
