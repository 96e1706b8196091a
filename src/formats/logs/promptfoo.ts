import { hash } from 'node:crypto';

import type { Fields } from '../../data/item.ts';
import type { Problems } from '../../data/problems.ts';
import { describe, isRecord } from '../../data/record-fields.ts';
import { sortedJson } from '../../data/sorted-json.ts';
import type { ReportedValue } from '../../recipe/plan.ts';
import { compareNatural } from '../../text/compare.ts';
import { plural } from '../../text/figures.ts';
import type { LogFile } from './log-file.ts';
import {
  entriesOf,
  fieldsText,
  finiteNumber,
  keptFields,
  reasonText,
  recordOf,
  measureName,
  logText,
  wordOf,
} from './log-text.ts';
import type { LogReader, LogSample, LogScore, ScoreFacts, ScoreLog } from './score-log.ts';

const NAME = 'promptfoo';
/** What promptfoo calls a test that did not run through, in `failureReason`. */
const ERROR = 2;
const PASS = 'pass';
const SCORE = 'score';

/**
 * Results of promptfoo, `--output results.json` or `.jsonl`: src/types/index.ts there has their fields. Each column of its
 * table, a provider with a prompt, is a system. A test fails by its assertions, which is a `pass` of 0, or by an error,
 * which is no score at all.
 */
export const promptfoo: LogReader = {
  name: NAME,
  title: 'promptfoo',
  about: '--output results.json or results.jsonl',
  recognises: ({ first, entries }) =>
    entries === null && first !== null && (isResult(first) || resultsIn(first) !== null),
  async read(files, problems) {
    const logs: ScoreLog[] = [];
    for (const file of files) logs.push(...(await logsOf(file, problems)));
    return logs;
  },
};

function isResult(record: Fields): boolean {
  return typeof record['success'] === 'boolean' && ('promptIdx' in record || isRecord(record['prompt']));
}

/** The summary of a file with its list of results; null where it has none. */
function resultsIn(record: Fields): Fields | null {
  const summary = isRecord(record['results']) ? record['results'] : record;
  const { results } = summary;
  if (!Array.isArray(results)) return null;
  const isOurs = results.length === 0 ? 'stats' in summary : isRecord(results[0]) && isResult(results[0]);
  return isOurs ? summary : null;
}

interface Row {
  readonly value: Fields;
  readonly line: number;
}

async function logsOf(file: LogFile, problems: Problems): Promise<ScoreLog[]> {
  const rows: Row[] = [];
  let summary: Fields = {};
  let head: Fields = {};
  for await (const { line, values } of file.records()) {
    const own = isResult(values) ? null : resultsIn(values);
    if (own !== null) [summary, head] = [own, values];
    const list = own === null ? [values] : entriesOf(own['results']);
    for (const value of list) {
      if (isRecord(value) && isResult(value)) rows.push({ value, line });
      else problems.add({ file: file.name, line, message: `expected the result of a test, found ${describe(value)}` });
    }
  }
  const read = await file.done(NAME, rows.length);
  if (rows.length === 0) problems.add({ file: file.name, line: null, message: 'the log has no results' });
  const version = wordOf(recordOf(head['metadata'])['promptfooVersion']);
  const task = wordOf(recordOf(head['config'])['description']);
  const listed = entriesOf(
    summary['prompts'] ?? head['prompts'] ?? recordOf(recordOf(summary['table'])['head'])['prompts'],
  );
  const columns = [...Map.groupBy(rows, columnOf)].sort(([a], [b]) => compareNatural(a, b));
  const labels = systemNames(columns.map(([, own]) => own[0]!.value));
  return columns.map(([column, own], at): ScoreLog => {
    const samples = samplesOf(own);
    const names = [...new Set(samples.flatMap(({ scores }) => scores.map(({ name }) => name)))];
    const first = own[0]!.value;
    return {
      tool: NAME,
      version,
      task,
      model: providerOf(first),
      config: keptFields({ prompt: promptOf(first), provider: first['provider'] }),
      system: labels[at]!,
      scores: new Map(names.map((name) => [name, factsOf(name, own)])),
      samples,
      slices: [],
      reported: reportedOf(listed[Number(column)], samples),
      notices: errorNotice(samples),
      files: [read],
    };
  });
}

/** The number of the column; logs before it was written have the provider and the prompt. */
function columnOf({ value }: Row): string {
  const { promptIdx } = value;
  return typeof promptIdx === 'number' ? String(promptIdx) : `${providerOf(value) ?? ''} ${promptOf(value) ?? ''}`;
}

function providerOf({ provider }: Fields): string | null {
  if (!isRecord(provider)) return wordOf(provider);
  return wordOf(provider['label']) ?? wordOf(provider['id']);
}

function promptOf({ prompt }: Fields): string | null {
  const { label, display, raw } = recordOf(prompt);
  return wordOf(label) ?? wordOf(display) ?? wordOf(raw) ?? wordOf(prompt);
}

/** Labels that are longer are the prompt itself, and so are templates. */
const LABEL = /^(?!.*\{\{).{1,40}$/;

/** The provider where there are several of them, and the prompt where one provider has several. */
function systemNames(firsts: readonly Fields[]): string[] {
  const columns = firsts.map((first, at) => ({
    at,
    provider: providerOf(first) ?? 'provider',
    label: promptOf(first) ?? '',
  }));
  const names: string[] = [];
  for (const [provider, own] of Map.groupBy(columns, (column) => column.provider)) {
    const areNames =
      own.every(({ label }) => LABEL.test(label)) && new Set(own.map(({ label }) => label)).size === own.length;
    for (const [place, { at, label }] of own.entries()) {
      const prompt = areNames ? label : `prompt ${place + 1}`;
      names[at] = own.length === 1 ? provider : own.length === firsts.length ? prompt : `${provider} ${prompt}`;
    }
  }
  return names;
}

/** Tests that are the same in everything are repeats of one; tests are numbered without them, from 0 as in the file. */
function samplesOf(rows: readonly Row[]): LogSample[] {
  const tests = new Map<string, { readonly id: string; attempts: number }>();
  const ordered = rows
    .map((row, at) => ({ row, at, place: finiteNumber(row.value['testIdx']) ?? at }))
    .sort((a, b) => a.place - b.place || a.at - b.at);
  return ordered.map(({ row: { value, line }, at }): LogSample => {
    const vars = varsOf(value);
    const { description, metadata, assert } = recordOf(value['testCase']);
    const content = keptFields({ vars, assert, description });
    const key = Object.keys(content).length === 0 ? `test ${at}` : sortedJson(content);
    const test = tests.get(key) ?? { id: String(tests.size), attempts: 0 };
    test.attempts += 1;
    tests.set(key, test);
    const failed = failureOf(value);
    const { output } = recordOf(value['response'] ?? value['providerResponse']);
    return {
      id: test.id,
      attempt: test.attempts === 1 ? null : `repeat ${test.attempts}`,
      input: fieldsText(vars),
      target: null,
      output: logText(output),
      failed,
      fields: { ...keptFields(metadata), ...(wordOf(description) === null ? {} : { description }) },
      scores: scoresOf(value),
      line,
    };
  });
}

/** The variables of a test, without those that promptfoo itself adds to a run. */
function varsOf({ testCase, vars }: Fields): Fields {
  const own = recordOf(testCase)['vars'];
  return Object.fromEntries(
    Object.entries(keptFields(isRecord(own) ? own : vars)).filter(([name]) => !/^_(?:_|conversation$)/.test(name)),
  );
}

/** An assertion that fails is a result, with its reason in `error`; only other errors leave no score. */
function failureOf({ failureReason, error, gradingResult, success }: Fields): string | null {
  if (success === true) return null;
  const isError =
    typeof failureReason === 'number'
      ? failureReason === ERROR
      : !isRecord(gradingResult) && reasonText(error) !== null;
  return isError ? (reasonText(error) ?? 'the test ended with an error') : null;
}

function scoresOf({ success, score, namedScores, gradingResult }: Fields): LogScore[] {
  const reason = reasonText(recordOf(gradingResult)['reason']);
  const own = (name: string, given: unknown): LogScore => {
    const value = typeof given === 'boolean' ? Number(given) : finiteNumber(given);
    return value === null ? { name, value, missing: `found ${describe(given)}` } : { name, value };
  };
  const named = Object.entries(recordOf(namedScores)).flatMap(([written, value]) => {
    const name = measureName(written);
    return name === null ? [] : [own(name === PASS || name === SCORE ? `${name} (named)` : name, value)];
  });
  return [{ ...own(PASS, success), reason }, ...(score === undefined ? [] : [own(SCORE, score)]), ...named];
}

function factsOf(name: string, rows: readonly Row[]): ScoreFacts {
  if (name !== PASS && name !== SCORE) return { direction: 'higher', settings: {} };
  // What passes is up to the assertions: the same ones for values that mean the same.
  const tests = rows.map(({ value }) => {
    const { assert, threshold } = recordOf(value['testCase']);
    return sortedJson(keptFields({ assert, threshold }));
  });
  const assertions = hash('sha256', [...new Set(tests)].sort().join('\n')).slice(0, 16);
  return { direction: 'higher', settings: { assertions }, ...(name === PASS ? { binary: true, range: [0, 1] } : {}) };
}

/** Why the figures of promptfoo are lower than the measures. */
function errorNotice(samples: readonly LogSample[]): string[] {
  const errors = samples.filter(({ failed }) => failed !== null).length;
  if (errors === 0) return [];
  return [
    `promptfoo counts ${plural(errors, 'test')} with an error as not passed, with a score of 0; here errors are not averaged`,
  ];
}

/** As promptfoo shows them: a test with an error is one that did not pass, with a score of 0. */
function reportedOf(prompt: unknown, samples: readonly LogSample[]): ReportedValue[] {
  const metrics = recordOf(recordOf(prompt)['metrics']);
  const [passes = 0, fails = 0, errors = 0] = ['testPassCount', 'testFailCount', 'testErrorCount'].map(
    (name) => finiteNumber(metrics[name]) ?? 0,
  );
  const n = passes + fails + errors;
  const total = finiteNumber(metrics['score']);
  const sums = recordOf(metrics['namedScores']);
  const weights = recordOf(metrics['namedScoreWeights'] ?? metrics['namedScoresCount']);
  const scores = samples.filter(({ failed }) => failed === null).flatMap((sample) => sample.scores);
  const counts = Map.groupBy(scores, ({ name }) => name);
  return [
    ...(n === 0 ? [] : [{ score: PASS, metric: 'pass rate', value: passes / n, n }]),
    ...(n === 0 || total === null ? [] : [{ score: SCORE, metric: 'mean score', value: total / n, n }]),
    ...Object.entries(sums).flatMap(([name, sum]): ReportedValue[] => {
      const [value, weight] = [finiteNumber(sum), finiteNumber(weights[name])];
      // If a test weighs more than others, promptfoo's mean is not one over tests.
      const tests = counts.get(name)?.length ?? 0;
      if (value === null || weight === null || tests === 0 || weight !== tests) return [];
      return [{ score: name, metric: 'named score', value: value / weight, n: tests }];
    }),
  ];
}
