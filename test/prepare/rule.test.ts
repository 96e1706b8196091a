import { describe, expect, test } from 'vitest';
import { z } from 'zod';

import { UsageError } from '../../src/data/problems.ts';
import { JUDGE_RULES } from '../../src/judge/rules.ts';
import { makeRule, findRule } from '../../src/prepare/rule.ts';
import { PREPARE_RULES } from '../../src/prepare/rules.ts';
import { schemaProblems } from '../../src/prepare/schema-problems.ts';
import { SettingError } from '../../src/prepare/setting-error.ts';

const rule = makeRule<() => string, { labels: string[]; share: number; side: 'gold' | 'both' }>({
  name: 'sample',
  about: 'a rule for this test',
  params: z.strictObject({
    labels: z.array(z.string()),
    share: z.number().min(0).max(1).default(0.5),
    side: z.enum(['gold', 'both']).default('both'),
  }),
  step:
    ({ share }, instance) =>
    () =>
      `${instance} ${share}`,
});

function thrown(params: unknown): SettingError {
  try {
    rule.build(params, 'mine', 'judge');
  } catch (error) {
    if (error instanceof SettingError) return error;
  }
  throw new Error('nothing was thrown');
}

describe('a rule', () => {
  test('fills in its defaults and knows the name it stands under', () => {
    const { params, step } = rule.build({ labels: [] }, 'mine');
    expect(params).toEqual({ labels: [], share: 0.5, side: 'both' });
    expect(step()).toBe('mine 0.5');
  });

  test.each([
    [
      { labels: [], shares: 1 },
      'judge.mine.shares: there is no setting called shares',
      'did you mean judge.mine.share?',
    ],
    [{ labels: [], share: 'half' }, 'judge.mine.share: expected a number, found "half"', null],
    [{ labels: [], share: 2 }, 'judge.mine.share: expected a number of at most 1, found 2', null],
    [{ labels: [1] }, 'judge.mine.labels.0: expected text, found 1', null],
    [{ labels: [], side: 'god' }, 'judge.mine.side: expected one of gold, both, found "god"', 'did you mean gold?'],
    [{}, 'judge.mine.labels: expected a list, found nothing', null],
    [null, 'judge.mine.labels: expected a list, found nothing', null],
    ['off-ish', 'judge.mine: expected a mapping, found "off-ish"', null],
  ])('%j is refused with what was expected', (params, message, next) => {
    const error = thrown(params);
    expect(error).toBeInstanceOf(UsageError);
    expect(error.message).toBe(message);
    expect(error.next).toBe(next);
  });

  test('says everything that is wrong at once', () => {
    const error = thrown({ label: [], share: 'x' });
    expect(error.message.split('\n')).toEqual([
      'judge.mine.labels: expected a list, found nothing',
      'judge.mine.share: expected a number, found "x"',
      'judge.mine.label: there is no setting called label (did you mean judge.mine.labels?)',
    ]);
  });

  test('that does not exist gets the nearest name, or the whole list', () => {
    expect(() => findRule(PREPARE_RULES, 'grond', 'prepare')).toThrow(
      expect.objectContaining({
        message: expect.stringContaining('no rule called grond'),
        next: 'did you mean ground?',
      }),
    );
    expect(() => findRule(JUDGE_RULES, 'zzz', 'judge')).toThrow(
      expect.objectContaining({ next: expect.stringContaining('rules: loc-in-org, excuse-missed') }),
    );
  });
});

test('every rule has a name of its own, a line about it and a schema', () => {
  const all = [...PREPARE_RULES, ...JUDGE_RULES];
  expect(new Set(all.map(({ name }) => name)).size).toBe(all.length);
  for (const { about, params } of all) {
    expect(about.length).toBeGreaterThan(15);
    expect(params).toBeInstanceOf(z.ZodType);
  }
});

describe('problems of a schema', () => {
  const inner = z.strictObject({ threshold: z.number() }).partial();
  const schema = z.strictObject({
    pair: z.record(z.string(), z.union([inner, z.literal('off')])).optional(),
    list: z.array(inner).default([]),
    either: z.union([z.number(), z.array(z.string())]).optional(),
  });
  const problems = (value: unknown): unknown => {
    const parsed = schema.safeParse(value);
    if (parsed.success) throw new Error('it fits');
    return schemaProblems(schema, value, parsed.error, []).map(({ path, message, next }) => [
      path.join('.'),
      message,
      next,
    ]);
  };

  test('look through unions, records, lists and defaults for the nearest name', () => {
    expect(problems({ pair: { a: { treshold: 1 } } })).toEqual([
      ['pair.a.treshold', 'there is no setting called treshold', 'did you mean pair.a.threshold?'],
    ]);
    expect(problems({ list: [{ treshold: 1 }] })).toEqual([
      ['list.0.treshold', 'there is no setting called treshold', 'did you mean list.0.threshold?'],
    ]);
  });

  test('say what a union would have taken', () => {
    expect(problems({ either: true })).toEqual([['either', 'expected a number or a list, found true', null]]);
    expect(problems({ pair: { a: 3 } })).toEqual([['pair.a', 'expected a mapping or off, found 3', null]]);
    expect(problems({ pair: { a: { threshold: 'x' } } })).toEqual([
      ['pair.a.threshold', 'expected a number, found "x"', null],
    ]);
  });
});
