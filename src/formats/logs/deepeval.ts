import type { Fields } from '../../data/item.ts';
import type { Problems } from '../../data/problems.ts';
import { describe, isRecord } from '../../data/record-fields.ts';
import type { Direction } from '../../measure/measure.ts';
import type { ReportedValue } from '../../recipe/plan.ts';
import { plural } from '../../text/figures.ts';
import type { LogFile } from './log-file.ts';
import { entriesOf, finiteNumber, keptFields, measureName, reasonText, recordOf, logText, wordOf } from './log-text.ts';
import type { LogReader, LogSample, LogScore, ScoreFacts, ScoreLog } from './score-log.ts';

const NAME = 'deepeval';
const PASS = 'pass';

/**
 * Test runs of DeepEval: `.deepeval/.latest_test_run.json`, `.latest_run_full.json`, or the `test_run_….json` of a results
 * folder; deepeval/test_run there has their fields. Each metric is a score, and `pass` is whether the test case passed.
 */
export const deepeval: LogReader = {
  name: NAME,
  title: 'DeepEval',
  about: '.deepeval/.latest_test_run.json, or test_run_….json of a results folder',
  recognises: ({ first, entries }) => entries === null && first !== null && testRun(first) !== null,
  async read(files, problems) {
    const logs: ScoreLog[] = [];
    for (const file of files) logs.push(await logOf(file, problems));
    return logs;
  },
};

const LISTS = ['testCases', 'conversationalTestCases', 'test_cases', 'test_results', 'testResults'] as const;

/** The test run of a file, which some files have under a key. */
function testRun(record: Fields): Fields | null {
  const inner = isRecord(record['testRunData']) ? record['testRunData'] : record;
  const lists = LISTS.flatMap((key) => entriesOf(inner[key]));
  return lists.some((one) => isRecord(one) && metricsOf(one) !== null) ? inner : null;
}

function metricsOf(testCase: Fields): readonly unknown[] | null {
  const given = testCase['metricsData'] ?? testCase['metrics_data'];
  return Array.isArray(given) ? given : null;
}

async function logOf(file: LogFile, problems: Problems): Promise<ScoreLog> {
  let run: Fields = {};
  for await (const { values } of file.records()) run = testRun(values) ?? run;
  const cases: Fields[] = [];
  for (const value of LISTS.flatMap((key) => entriesOf(run[key]))) {
    if (isRecord(value)) cases.push(value);
    else problems.add({ file: file.name, line: null, message: `expected a test case, found ${describe(value)}` });
  }
  const metrics = cases.flatMap((one) => metricsOf(one) ?? []).filter(isRecord);
  const samples = samplesOf(cases);
  const names = [...new Set(samples.flatMap(({ scores }) => scores.map(({ name }) => name)))];
  const hyperparameters = keptFields(run['hyperparameters']);
  const ofSpans = spanMetrics(cases);
  const errors = metrics.filter((metric) => reasonText(metric['error']) !== null).length;
  return {
    tool: NAME,
    version: null,
    task: wordOf(run['datasetAlias']) ?? wordOf(run['testFile']),
    model: logText(hyperparameters['model']),
    config: keptFields({ hyperparameters, prompts: run['prompts'] }),
    system: wordOf(run['identifier']) ?? logText(hyperparameters['model']) ?? NAME,
    scores: new Map(names.map((name) => [name, factsOf(name, metrics)])),
    samples,
    slices: [],
    reported: reportedOf(run).filter(({ score }) => !ofSpans.has(score)),
    notices: [
      ...(errors === 0
        ? []
        : [`${plural(errors, 'score')} missing because the metric itself failed: neither 0 nor a failed test`]),
      ...(ofSpans.size === 0 ? [] : [`scores of single spans of a trace are left out (${[...ofSpans].join(', ')})`]),
    ],
    files: [await file.done(NAME, samples.length)],
  };
}

/** A test case of a name and input that came before is a repeat of it; one of the same name and another input is not. */
function samplesOf(cases: readonly Fields[]): LogSample[] {
  const names = new Map<string, Map<string, { readonly place: number; attempts: number }>>();
  return cases.map((value, at): LogSample => {
    const name = wordOf(value['name']) ?? `test_case_${at}`;
    const input = inputText(value);
    const inputs = names.get(name) ?? new Map<string, { readonly place: number; attempts: number }>();
    const seen = inputs.get(input) ?? { place: inputs.size + 1, attempts: 0 };
    seen.attempts += 1;
    names.set(name, inputs.set(input, seen));
    const { metadata, tags } = value;
    return {
      id: seen.place === 1 ? name : `${name} #${seen.place}`,
      attempt: seen.attempts === 1 ? null : `repeat ${seen.attempts}`,
      input,
      target: logText(value['expectedOutput'] ?? value['expected_output'] ?? value['expectedOutcome']),
      output: logText(value['actualOutput'] ?? value['actual_output'] ?? value['turns']),
      failed: null,
      fields: { ...keptFields(metadata), ...(Array.isArray(tags) ? { tags: tags.join(', ') } : {}) },
      scores: scoresOf(value),
      line: 0,
    };
  });
}

function inputText(value: Fields): string {
  return logText(value['input']) ?? logText(value['scenario']) ?? '';
}

function scoresOf(value: Fields): LogScore[] {
  const metrics = (metricsOf(value) ?? []).filter(isRecord);
  const own = metrics.flatMap((metric): LogScore[] => {
    const name = measureName(metric['name']);
    if (name === null) return [];
    const number = finiteNumber(metric['score']);
    const reason = reasonText(metric['reason']);
    const { success } = metric;
    if (number === null)
      return [{ name, value: null, missing: reasonText(metric['error']) ?? 'no score in the log', reason }];
    return [{ name, value: number, reason, ...(typeof success === 'boolean' ? { passed: success } : {}) }];
  });
  return [...own, passOf(value, own)];
}

/** A test case whose metric failed itself counts as failed in DeepEval; here nobody knows. */
function passOf({ success }: Fields, scores: readonly LogScore[]): LogScore {
  const without = scores.find(({ value }) => value === null);
  if (success === false && without !== undefined)
    return { name: PASS, value: null, missing: `${without.name} has no score: ${without.missing ?? ''}` };
  if (typeof success !== 'boolean')
    return { name: PASS, value: null, missing: 'the log does not say whether it passed' };
  return { name: PASS, value: Number(success) };
}

function factsOf(name: string, metrics: readonly Fields[]): ScoreFacts {
  if (name === PASS) return { direction: 'higher', range: [0, 1], binary: true, settings: {} };
  const own = metrics.filter((metric) => measureName(metric['name']) === name);
  const { threshold, strictMode, evaluationModel } = own[0] ?? {};
  const settings = { threshold: finiteNumber(threshold), strict: strictMode === true, judge: wordOf(evaluationModel) };
  return { direction: directionOf(own), range: [0, 1], settings };
}

/** By what passed: below its threshold only a score of which less is better passes. */
function directionOf(metrics: readonly Fields[]): Direction | null {
  const found = new Set<Direction>();
  for (const { score, threshold, success } of metrics) {
    const [value, bound] = [finiteNumber(score), finiteNumber(threshold)];
    if (value === null || bound === null || value === bound || typeof success !== 'boolean') continue;
    found.add(value > bound === success ? 'higher' : 'lower');
  }
  return found.size === 1 ? [...found][0]! : null;
}

function reportedOf(run: Fields): ReportedValue[] {
  const lists = run['metricsScores'] ?? run['metrics_scores'];
  const means = entriesOf(lists)
    .filter(isRecord)
    .flatMap(({ metric, scores }): ReportedValue[] => {
      const values = entriesOf(scores).flatMap((one) => finiteNumber(one) ?? []);
      const name = measureName(metric);
      if (name === null || values.length === 0) return [];
      const value = values.reduce((sum, one) => sum + one, 0) / values.length;
      return [{ score: name, metric: 'mean of metricsScores', value, n: values.length }];
    });
  const [passed, failed] = [finiteNumber(run['testPassed']), finiteNumber(run['testFailed'])];
  const n = (passed ?? 0) + (failed ?? 0);
  return [
    ...means,
    ...(passed === null || n === 0 ? [] : [{ score: PASS, metric: 'pass rate', value: passed / n, n }]),
  ];
}

/** Metrics of single spans of a trace: the tool's own means have them, but they are no scores of the test case. */
function spanMetrics(cases: readonly Fields[]): ReadonlySet<string> {
  const spans = cases.flatMap(({ trace }) => Object.values(recordOf(trace)).flatMap(entriesOf));
  const metrics = spans.filter(isRecord).flatMap((span) => metricsOf(span) ?? []);
  return new Set(metrics.filter(isRecord).flatMap(({ name }) => measureName(name) ?? []));
}
