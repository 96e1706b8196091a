import { expect, test } from 'vitest';
import { z } from 'zod';

import { schemaProblems } from '../../src/prepare/schema-problems.ts';

function messages(schema: z.ZodType, value: unknown): string[] {
  const parsed = schema.safeParse(value);
  return parsed.success ? [] : schemaProblems(schema, value, parsed.error, []).map(({ message }) => message);
}

test.each<[z.ZodType, unknown, string]>([
  [z.string().min(1), '', 'expected a text that is not empty, found ""'],
  [z.string().min(3), 'a', 'expected a text of at least 3 characters, found "a"'],
  [z.string().max(2), 'abc', 'expected a text of at most 2 characters, found "abc"'],
  [z.array(z.string()).min(1), [], 'expected a list that is not empty, found a list of 0'],
  [z.number().min(0), -1, 'expected a number of at least 0, found -1'],
  [z.number().max(2), 2.5, 'expected a number of at most 2, found 2.5'],
  [z.number().positive(), 0, 'expected a number above 0, found 0'],
  [z.number().min(1, 'expected some'), 0, 'expected some'],
])('what is too small or too large is said in plain words', (schema, value, message) => {
  expect(messages(schema, value)).toEqual([message]);
});

test('a name is not suggested in place of itself, also where another branch of a union has it', () => {
  const schema = z.discriminatedUnion('use', [
    z.strictObject({ use: z.literal('a'), model: z.string() }),
    z.strictObject({ use: z.literal('b') }),
  ]);
  const value = { use: 'b', model: 'x' };
  const parsed = schema.safeParse(value);
  const [problem] = schemaProblems(schema, value, parsed.error!, []);
  expect(problem).toMatchObject({ path: ['model'], message: 'there is no setting called model' });
  expect(problem?.next).not.toContain('model');
});
