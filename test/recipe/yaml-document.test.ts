import { expect, test } from 'vitest';

import { InputError } from '../../src/data/problems.ts';
import { parseYaml } from '../../src/recipe/yaml-document.ts';

function faults(text: string): InputError {
  try {
    parseYaml(text, 'notes');
  } catch (error) {
    if (error instanceof InputError) return error;
    throw error;
  }
  throw new Error('it was taken');
}

test('a file that is no YAML at all is told in a few lines, none of which shows what it holds', () => {
  const secret = 'SECRET-4711';
  const lines = Array.from({ length: 500 }, (_, at) => JSON.stringify({ id: `${secret}-${at}`, text: secret }));
  const { message, problems, total } = faults(lines.join('\n'));
  expect(problems).toHaveLength(3);
  expect(total).toBeGreaterThan(500);
  expect(message).not.toContain(secret);
  expect(message).toMatch(/^notes:2: not YAML: /);
  expect(message).toMatch(/\n… and \d+ more$/);
  expect(message.length).toBeLessThan(500);
});

test('a single slip is told with its line once', () => {
  const { message, total } = faults('a: 1\nb: 2\na: 3\n');
  expect(total).toBe(1);
  expect(message).toBe('notes:3: not YAML: Map keys must be unique');
});

test('a list as a key is refused, which JavaScript would make a text of', () => {
  expect(faults('a: 1\n? [b, c]\n: 2\n').message).toBe('notes:2: not YAML: a key must be a word, not a list or a map');
});

test('twice the same key is found within any map, the same key of two maps is not', () => {
  expect(parseYaml('a: {k: 1}\nb: {k: 1}\n', 'notes').value).toEqual({ a: { k: 1 }, b: { k: 1 } });
  expect(faults('a: {k: 1}\nb: [{k: 1}, {k: 1, k: 2}]\n').message).toBe('notes:2: not YAML: Map keys must be unique');
});
