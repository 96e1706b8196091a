import { describe, expect, test } from 'vitest';

import { logOf, runOf } from './made-logs.ts';

const metric = (name: string, score: number | null, more: Record<string, unknown> = {}) => ({
  name,
  threshold: 0.5,
  success: score !== null && score >= 0.5,
  ...(score === null ? { error: 'Evaluation LLM outputted an invalid JSON' } : { score, reason: `it is ${score}` }),
  strictMode: false,
  evaluationModel: 'gpt-judge',
  evaluationCost: 0.001,
  ...more,
});

function testCase(
  order: number,
  metricsData: readonly ReturnType<typeof metric>[],
  more: Record<string, unknown> = {},
) {
  return {
    name: `test_case_${order}`,
    input: `Question ${order}?`,
    actualOutput: `Answer ${order}.`,
    expectedOutput: `Gold ${order}.`,
    success: metricsData.every(({ success }) => success),
    metricsData,
    runDuration: 1.5 + order,
    order,
    ...more,
  };
}

const testRun = (testCases: readonly object[], more: Record<string, unknown> = {}) => ({
  testCases,
  conversationalTestCases: [],
  metricsScores: [],
  runDuration: 3.2,
  ...more,
});

const RELEVANCY = 'Answer Relevancy';

describe('a test run of DeepEval', () => {
  test('each metric is a measure, and so is whether the test cases passed', async () => {
    const cases = [
      testCase(0, [metric(RELEVANCY, 0.75), metric('Bias', 0)]),
      testCase(1, [metric(RELEVANCY, 0.25), metric('Bias', 1)]),
    ];
    const log = await logOf(testRun(cases, { hyperparameters: { model: 'gpt-x' }, datasetAlias: 'faq' }));
    const { values, cases: made } = await runOf(log);
    expect(values).toEqual({ [RELEVANCY]: [0.5, 2], Bias: [0.5, 2], pass: [0, 2] });
    expect(log).toMatchObject({ tool: 'deepeval', version: null, task: 'faq', model: 'gpt-x' });
    expect(log.scores.get(RELEVANCY)!.settings).toEqual({ threshold: 0.5, strict: false, judge: 'gpt-judge' });
    expect(made[0]).toMatchObject({ id: 'test_case_0', text: 'Question 0?\n\nTarget: Gold 0.' });
    expect(made[0]!.logged!.map(({ item, verdict, because }) => [item.label, verdict, because])).toEqual([
      ['answer', 'excused', undefined],
      [RELEVANCY, 'hit', 'it is 0.75'],
      ['Bias', 'spurious', 'it is 0'],
      ['pass', 'spurious', undefined],
    ]);
  });

  test('the file under .deepeval has the run under a key, and an API result other names', async () => {
    const run = testRun([testCase(0, [metric(RELEVANCY, 0.75)])]);
    expect(
      (await runOf(await logOf({ testRunData: run, testRunLink: null }, '.latest_test_run.json'))).values,
    ).toMatchObject({ pass: [1, 1] });
    const { metricsData, actualOutput: _, ...rest } = testCase(0, [metric(RELEVANCY, 0.75)]);
    const results = { test_results: [{ ...rest, metrics_data: metricsData, actual_output: 'x' }] };
    expect((await runOf(await logOf(results))).values).toEqual({ [RELEVANCY]: [0.75, 1], pass: [1, 1] });
  });

  test('less is better where scores below the threshold pass', async () => {
    const toxic = (score: number) => metric('Toxicity', score, { success: score <= 0.5 });
    const log = await logOf(
      testRun([testCase(0, [toxic(0.1), metric(RELEVANCY, 0.9)]), testCase(1, [toxic(0.8), metric(RELEVANCY, 0.5)])]),
    );
    const directions = [...log.scores].map(([name, { direction }]) => [name, direction]);
    expect(directions).toEqual([
      ['Toxicity', 'lower'],
      [RELEVANCY, 'higher'],
      ['pass', 'higher'],
    ]);
    const unclear = await logOf(testRun([testCase(0, [metric(RELEVANCY, 0.5)])]));
    expect(unclear.scores.get(RELEVANCY)!.direction).toBeNull();
  });

  test('a metric that failed has no score, and nobody knows whether its test case passed', async () => {
    const log = await logOf(
      testRun([testCase(0, [metric(RELEVANCY, null)]), testCase(1, [metric(RELEVANCY, 0.75)])], {
        testPassed: 1,
        testFailed: 1,
      }),
    );
    const { values } = await runOf(log);
    expect(values).toEqual({ [RELEVANCY]: [0.75, 1], pass: [1, 1] });
    expect(log.notices).toEqual(['1 score missing because the metric itself failed: neither 0 nor a failed test']);
    expect(log.reported).toEqual([{ score: 'pass', metric: 'pass rate', value: 0.5, n: 2 }]);
  });

  test('its means are compared, but for metrics that single spans of a trace have too', async () => {
    const metricsScores = [
      { metric: RELEVANCY, scores: [0.5, 1], passes: 2, fails: 0, errors: 0 },
      { metric: 'Faithfulness', scores: [1, 0, 0] },
    ];
    const trace = { agentSpans: [{ name: 'agent', metricsData: [metric('Faithfulness', 0)] }], llmSpans: [] };
    const cases = [
      testCase(0, [metric(RELEVANCY, 0.5), metric('Faithfulness', 1)], { trace }),
      testCase(1, [metric(RELEVANCY, 1)]),
    ];
    const log = await logOf(testRun(cases, { metricsScores }));
    expect(log.reported).toEqual([{ score: RELEVANCY, metric: 'mean of metricsScores', value: 0.75, n: 2 }]);
    expect(log.notices).toEqual(['scores of single spans of a trace are left out (Faithfulness)']);
  });

  test('a name that comes again with the same input is a repeat, with another input another case', async () => {
    const named = (input: string) => testCase(0, [metric(RELEVANCY, 1)], { name: 'test_faq', input });
    const { cases } = await runOf(await logOf(testRun([named('a'), named('b'), named('a')])));
    expect(cases.map(({ id, from }) => [id, from])).toEqual([
      ['test_faq', 'test_faq'],
      ['test_faq (repeat 2)', 'test_faq'],
      ['test_faq #2', undefined],
    ]);
  });

  test('conversations have their turns as output', async () => {
    const turns = [
      { role: 'user', content: 'Hi', order: 0 },
      { role: 'assistant', content: 'Hello', order: 1 },
    ];
    const {
      input: _,
      actualOutput: _output,
      ...rest
    } = testCase(0, [metric('Role Adherence', 1)], { turns, scenario: 'Greeting' });
    const log = await logOf({ testCases: [], conversationalTestCases: [rest] });
    expect(log.samples[0]).toMatchObject({ input: 'Greeting', output: 'user: Hi\n\nassistant: Hello' });
  });
});
