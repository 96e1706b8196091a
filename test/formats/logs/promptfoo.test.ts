import { readFileSync } from 'node:fs';

import { describe, expect, test } from 'vitest';

import { reportedComparisons } from '../../../src/audit/checks/reported-values.ts';
import type { Run } from '../../../src/score/run.ts';
import { noReference, referencePath } from '../../reference/reference-data.ts';
import { jsonl, logsOf, runOf } from './made-logs.ts';

/** One result as promptfoo writes it. `failureReason`: 0 passed, 1 an assertion failed, 2 an error. */
function result(testIdx: number, score: number, more: Record<string, unknown> = {}) {
  const vars = { city: `City ${testIdx}`, language: 'French' };
  const success = score === 1;
  return {
    id: `id-${testIdx}`,
    promptIdx: 0,
    testIdx,
    testCase: { vars, assert: [{ type: 'contains', value: 'x' }], options: {}, metadata: { topic: 'cities' } },
    promptId: 'p',
    provider: { id: 'acme:small', label: '' },
    prompt: { raw: `Name ${vars.city}`, label: 'Name {{city}}' },
    vars,
    response: { output: `answer ${testIdx}`, tokenUsage: { total: 9 } },
    error: success ? null : 'Expected output to contain "x"',
    failureReason: success ? 0 : 1,
    success,
    score,
    latencyMs: 12 + testIdx,
    namedScores: {},
    gradingResult: {
      pass: success,
      score,
      reason: success ? 'All assertions passed' : 'Expected output to contain "x"',
    },
    ...more,
  };
}

const failed = (testIdx: number, more = {}) =>
  result(testIdx, 0, { failureReason: 2, error: 'API error: 429', gradingResult: null, response: {}, ...more });

const metrics = (more: Record<string, unknown> = {}) => ({
  score: 1.5,
  testPassCount: 1,
  testFailCount: 1,
  testErrorCount: 0,
  namedScores: {},
  namedScoresCount: {},
  ...more,
});

const agreement = (run: Run): Record<string, boolean> =>
  Object.fromEntries(reportedComparisons(run).map(({ score, agrees }) => [score, agrees]));

const output = (results: readonly object[], prompts: readonly object[] = []) => ({
  evalId: 'eval-1',
  results: {
    version: 3,
    timestamp: '2026-01-02T03:04:05Z',
    prompts,
    results,
    stats: { successes: 1, failures: 1, errors: 0 },
  },
  config: { description: 'capitals' },
  shareableUrl: null,
  metadata: { promptfooVersion: '0.118.14', exportedAt: '2026-01-02T03:04:05Z' },
});

describe('results of promptfoo', () => {
  test('pass, score and named scores are measures; a failed assertion is 0, an error is a failed case', async () => {
    const rows = [
      result(0, 1, { namedScores: { Tone: 0.5 } }),
      result(1, 0.25),
      failed(2),
      result(3, 0, { namedScores: { Tone: 1 } }),
    ];
    const [log] = await logsOf({ 'results.json': output(rows) });
    const { values, run, cases } = await runOf(log!);
    expect(values).toEqual({ Tone: [0.75, 2], pass: [1 / 3, 3], score: [1.25 / 3, 3] });
    expect(run.measures.cases).toEqual({ total: 4, failed: 1, unanswered: 0 });
    expect(cases[2]!.failed).toBe('API error: 429');
    expect(cases[0]).toMatchObject({ id: '0', text: 'city: City 0\nlanguage: French', fields: { topic: 'cities' } });
    expect(log).toMatchObject({ tool: 'promptfoo', version: '0.118.14', task: 'capitals', model: 'acme:small' });
  });

  test('JSONL and JSON give the same cases', async () => {
    const rows = [result(0, 1), result(1, 0.25), failed(2)];
    const [whole] = await logsOf({ 'results.json': output(rows) });
    const [lines] = await logsOf({ 'results.jsonl': jsonl(rows.toReversed()) });
    const withoutLines = async (log: NonNullable<typeof whole>) =>
      JSON.stringify((await runOf(log)).cases).replaceAll(/"line":\d+/g, '');
    expect(await withoutLines(lines!)).toEqual(await withoutLines(whole!));
  });

  test('each column is a system, called after what tells it apart', async () => {
    const column = (promptIdx: number, provider: string, label: string) =>
      result(0, 1, { promptIdx, provider: { id: provider }, prompt: { raw: 'r', label } });
    const names = async (...columns: [string, string][]) =>
      (await logsOf({ 'r.json': output(columns.map(([provider, label], at) => column(at, provider, label))) })).map(
        ({ system }) => system,
      );
    expect(await names(['a:1', 'short'], ['b:1', 'short'])).toEqual(['a:1', 'b:1']);
    expect(await names(['a:1', 'short'], ['a:1', 'long'])).toEqual(['short', 'long']);
    expect(await names(['a:1', 'short'], ['a:1', 'Say {{x}}'])).toEqual(['prompt 1', 'prompt 2']);
    expect(await names(['a:1', 'v1'], ['a:1', 'v2'], ['b:1', 'v1'])).toEqual(['a:1 v1', 'a:1 v2', 'b:1']);
  });

  test('tests that are the same in everything are repeats of one case', async () => {
    const same = { testCase: { vars: { city: 'Oslo' } } };
    const [log] = await logsOf({ 'r.json': output([result(0, 1, same), result(1, 0.5, same), result(2, 1)]) });
    const { cases } = await runOf(log!);
    expect(cases.map(({ id, from }) => [id, from])).toEqual([
      ['0', '0'],
      ['0 (repeat 2)', '0'],
      ['1', undefined],
    ]);
  });

  test('its own totals are compared as it shows them, with errors among the tests', async () => {
    const rows = [
      result(0, 1, { namedScores: { Tone: 0.5 } }),
      result(1, 0.5, { namedScores: { Tone: 1 } }),
      failed(2),
    ];
    const named = { namedScores: { Tone: 1.5 }, namedScoresCount: { Tone: 2 } };
    const [log] = await logsOf({
      'r.json': output(rows, [{ provider: 'acme:small', metrics: metrics({ ...named, testErrorCount: 1 }) }]),
    });
    expect(log!.reported).toEqual([
      { score: 'pass', metric: 'pass rate', value: 1 / 3, n: 3 },
      { score: 'score', metric: 'mean score', value: 0.5, n: 3 },
      { score: 'Tone', metric: 'named score', value: 0.75, n: 2 },
    ]);
    const { values, run } = await runOf(log!);
    expect(values).toEqual({ Tone: [0.75, 2], pass: [0.5, 2], score: [0.75, 2] });
    expect(agreement(run)).toEqual({ Tone: true, pass: false, score: false });
  });

  test.each([
    ['without errors', [result(0, 1), result(1, 0.5)], {}, [0.5, 2], true],
    [
      'with errors only',
      [failed(0)],
      { testPassCount: 0, testFailCount: 0, testErrorCount: 1, score: 0 },
      [0, 1],
      false,
    ],
    [
      'from before errors were counted',
      [result(0, 1), failed(1)],
      { testErrorCount: undefined, score: 1 },
      [0.5, 2],
      false,
    ],
  ])('a pass rate agrees only if the samples give it: %s', async (_, rows, counts, [value, n], agrees) => {
    const [log] = await logsOf({ 'r.json': output(rows, [{ metrics: metrics(counts) }]) });
    expect(log!.reported[0]).toEqual({ score: 'pass', metric: 'pass rate', value, n });
    expect(agreement((await runOf(log!)).run)).toEqual({ pass: agrees, score: agrees });
  });

  test('a named score of several assertions in one test is not compared with a mean over tests', async () => {
    const named = { namedScores: { Tone: 1 }, namedScoresCount: { Tone: 2 } };
    const [log] = await logsOf({
      'r.json': output([result(0, 1, { namedScores: { Tone: 1 } })], [{ metrics: metrics(named) }]),
    });
    expect(log!.reported.map(({ score }) => score)).toEqual(['pass', 'score']);
  });

  test('other assertions make runs that are not comparable, another provider does not', async () => {
    const comparable = async (more: object) => {
      const [log] = await logsOf({ 'r.json': output([result(0, 1, more as Record<string, unknown>)]) });
      return (await runOf(log!)).run.manifest.comparable;
    };
    const base = await comparable({});
    expect(await comparable({ provider: { id: 'other' } })).toBe(base);
    const vars = { city: 'City 0', language: 'French' };
    expect(await comparable({ testCase: { vars, assert: [{ type: 'contains', value: 'y' }] } })).not.toBe(base);
  });

  test('a log of the first versions has no column and no score', async () => {
    const old = (display: string, success: boolean) => ({
      prompt: { raw: 'r', display },
      vars: { body: 'Hello' },
      response: { output: 'x' },
      success,
    });
    const logs = await logsOf({
      'r.json': { version: 1, results: [old('A', true), old('B', false)], stats: { successes: 1, failures: 1 } },
    });
    expect(logs.map(({ system }) => system)).toEqual(['A', 'B']);
    expect(await Promise.all(logs.map(async (log) => (await runOf(log)).values))).toEqual([
      { pass: [1, 1] },
      { pass: [0, 1] },
    ]);
  });

  test('a log without results is refused', async () => {
    await expect(logsOf({ 'r.json': output([]) })).rejects.toThrow('r.json: the log has no results');
    await expect(logsOf({ 'r.json': output([result(0, 1), { broken: true }]) })).rejects.toThrow(
      'expected the result of a test',
    );
  });
});

describe.skipIf(noReference)('a log that promptfoo wrote', () => {
  const read = (name: string) => logsOf({ [name]: readFileSync(referencePath(`tools/promptfoo/${name}`), 'utf8') });

  test.each(['results.json', 'results.jsonl'])(
    '%s: 16 results, of which 4 passed, 10 failed and 2 ended with an error',
    async (name) => {
      const logs = await read(name);
      expect(logs.map(({ system }) => system)).toEqual([
        'echo-a prompt 1',
        'echo-a prompt 2',
        'city-v2 prompt 1',
        'city-v2 prompt 2',
      ]);
      const samples = logs.flatMap((log) => log.samples);
      const passes = samples.filter(({ failed: why }) => why === null).map(({ scores }) => scores[0]!.value);
      expect([samples.length, passes.filter((value) => value === 1).length]).toEqual([16, 4]);
      expect([passes.filter((value) => value === 0).length, samples.length - passes.length]).toEqual([10, 2]);
    },
  );

  test('states a pass rate of 2 of 4, with which 2 of 3 does not agree', async () => {
    const logs = await read('results.json');
    const stated = logs.map(({ reported }) =>
      reported.map(({ score, value, n }) => [score, Number(value.toFixed(6)), n]),
    );
    const echo = [
      ['pass', 0, 4],
      ['score', 0.333333, 4],
      ['contains', 0.75, 4],
    ];
    const city = [
      ['pass', 0.5, 4],
      ['score', 0.5, 4],
      ['contains', 0.666667, 3],
    ];
    expect(stated).toEqual([echo, echo, city, city]);
    const agreements = await Promise.all(logs.map(async (log) => agreement((await runOf(log)).run)));
    const all = { pass: true, score: true, contains: true };
    const some = { pass: false, score: false, contains: true };
    expect(agreements).toEqual([all, all, some, some]);
    const why = 'promptfoo counts 1 test with an error as not passed, with a score of 0; here errors are not averaged';
    expect(logs.map(({ notices }) => notices)).toEqual([[], [], [why], [why]]);
  });
});
