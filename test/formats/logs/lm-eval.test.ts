import { describe, expect, test } from 'vitest';

import { filteredName } from '../../../src/formats/logs/lm-eval-metrics.ts';
import { jsonl, logsOf, runOf } from './made-logs.ts';

const DATE = '2026-01-28T01-08-13.454441';
const samplesFile = (task: string, folder = 'out/acme__small') => `${folder}/samples_${task}_${DATE}.jsonl`;
const resultsFile = (folder = 'out/acme__small') => `${folder}/results_${DATE}.json`;

/** One line of `samples_*.jsonl` as lm-eval 0.4 writes it. */
const sample = (doc_id: number, metrics: Record<string, unknown>, filter = 'none') => ({
  doc_id,
  doc: { question: `What is ${doc_id} + 1?`, answer: String(doc_id + 1) },
  target: String(doc_id + 1),
  arguments: { gen_args_0: { arg_0: 'few-shot text that differs by model', arg_1: {} } },
  resps: [[' 2.']],
  filtered_resps: ['2'],
  filter,
  metrics: Object.keys(metrics),
  doc_hash: `hash${doc_id}`,
  prompt_hash: 'p',
  target_hash: 't',
  ...metrics,
});

const results = (tasks: Record<string, Record<string, unknown>>, metricList: readonly object[] = []) => ({
  results: Object.fromEntries(Object.entries(tasks).map(([task, own]) => [task, { alias: task, ...own }])),
  configs: Object.fromEntries(
    Object.keys(tasks).map((task) => [task, { task, metric_list: metricList, num_fewshot: 5 }]),
  ),
  versions: Object.fromEntries(Object.keys(tasks).map((task) => [task, 1])),
  'n-shot': Object.fromEntries(Object.keys(tasks).map((task) => [task, 5])),
  higher_is_better: Object.fromEntries(Object.keys(tasks).map((task) => [task, { acc: true, wer: false }])),
  'n-samples': {},
  config: { model: 'hf', model_args: 'pretrained=acme/small,dtype=float', batch_size: '8', device: 'cuda:0' },
  git_hash: 'abc1234',
  date: 1.7e9,
  lm_eval_version: '0.4.9',
  model_name: 'acme/small',
  total_evaluation_time_seconds: '12.5',
});

describe('samples of lm-evaluation-harness', () => {
  test('metrics are measures; the results file says which way is better and what the means are', async () => {
    const rows = [sample(0, { acc: 1, wer: 0.5 }), sample(1, { acc: 0, wer: 0 }), sample(2, { acc: 1, wer: 0.25 })];
    const [log, ...others] = await logsOf({
      [samplesFile('sums')]: jsonl(rows),
      [resultsFile()]: results({
        sums: { 'acc,none': 2 / 3, 'acc_stderr,none': 0.2, 'wer,none': 0.25, sample_len: 3 },
      }),
    });
    expect(others).toEqual([]);
    const { values, run, cases } = await runOf(log!);
    expect(values).toEqual({ acc: [2 / 3, 3], wer: [0.25, 3] });
    expect(run.measures.measures.map(({ name, direction }) => [name, direction])).toEqual([
      ['acc', 'higher'],
      ['wer', 'lower'],
    ]);
    expect(log).toMatchObject({ tool: 'lm-eval', version: '0.4.9', task: 'sums', model: 'acme/small', notices: [] });
    expect(log!.reported).toEqual([
      { score: 'acc', metric: 'acc,none', value: 2 / 3, n: 3 },
      { score: 'wer', metric: 'wer,none', value: 0.25, n: 3 },
    ]);
    expect(cases[0]).toMatchObject({
      id: 'sums/0',
      text: 'question: What is 0 + 1?\nanswer: 1\n\nTarget: 1',
      fields: { task: 'sums', doc_hash: 'hash0' },
    });
    expect(run.manifest.inputs.map(({ name, rows: n }) => [name, n])).toEqual([
      [`samples_sums_${DATE}.jsonl`, 3],
      [`results_${DATE}.json`, 0],
    ]);
  });

  test('filters of one document are scores of one case', async () => {
    expect([filteredName('acc', 'none'), filteredName('acc', 'strict'), filteredName('', 'none')]).toEqual([
      'acc',
      'acc/strict',
      null,
    ]);
    const rows = [
      sample(0, { exact_match: 1 }, 'strict-match'),
      sample(1, { exact_match: 0 }, 'strict-match'),
      sample(0, { exact_match: 1 }, 'flexible-extract'),
      sample(1, { exact_match: 1 }, 'flexible-extract'),
    ];
    const [log] = await logsOf({ [samplesFile('gsm8k')]: jsonl(rows) });
    const { values, cases } = await runOf(log!);
    expect(cases.length).toBe(2);
    expect(values).toEqual({ 'exact_match/flexible-extract': [1, 2], 'exact_match/strict-match': [0.5, 2] });
    expect(log!.notices).toEqual(['without results_….json the direction of the metrics is unknown: higher is assumed']);
  });

  test('several tasks of one run are one system, sliced by task, each compared with its own mean', async () => {
    const [log] = await logsOf({
      [samplesFile('b_sums')]: jsonl([sample(0, { acc: 1 }), sample(1, { acc: 1 })]),
      [samplesFile('a_sums')]: jsonl([sample(0, { acc: 0 })]),
      [resultsFile()]: results({ a_sums: { 'acc,none': 0, sample_len: 1 }, b_sums: { 'acc,none': 1, sample_len: 2 } }),
    });
    const { values, cases } = await runOf(log!);
    expect(cases.map(({ id }) => id)).toEqual(['a_sums/0', 'b_sums/0', 'b_sums/1']);
    expect(values).toEqual({ acc: [2 / 3, 3], 'acc a_sums': [0, 1], 'acc b_sums': [1, 2] });
    expect(log!.reported.map(({ slice, value }) => [slice, value])).toEqual([
      [{ task: 'b_sums' }, 1],
      [{ task: 'a_sums' }, 0],
    ]);
  });

  test('the samples of two folders are two systems, by their model or their folder', async () => {
    const logs = await logsOf({
      [samplesFile('sums', 'out/a')]: jsonl([sample(0, { acc: 1 })]),
      [resultsFile('out/a')]: results({ sums: {} }),
      [samplesFile('sums', 'out/b')]: jsonl([sample(0, { acc: 0 })]),
    });
    expect(logs.map(({ system }) => system)).toEqual(['acme/small', 'b']);
  });

  test('what lm-eval does not average over documents is no measure unless it is asked for', async () => {
    const rows = [sample(0, { acc: 1, perplexity: -2.5, bleu: ['a', 'b'], custom: 3 })];
    const [log] = await logsOf({
      [samplesFile('lambada')]: jsonl(rows),
      [resultsFile()]: results({ lambada: { 'perplexity,none': 12.2 } }, [{ metric: 'custom', aggregation: 'median' }]),
    });
    const { values, leftOut } = await runOf(log!);
    expect(values).toEqual({ acc: [1, 1] });
    expect(leftOut).toEqual([
      ['bleu', 'a document has a list of 2 for it, not one number'],
      ['custom', 'lm-eval does not average it over documents (median)'],
      ['perplexity', 'lm-eval does not average it over documents (perplexity)'],
    ]);
    expect((await runOf(log!, { scores: ['perplexity'] })).values).toEqual({ perplexity: [-2.5, 1] });
    expect(log!.reported).toEqual([]);
  });

  test('a document without a value is left out of the mean, wherever it is', async () => {
    const text = jsonl([sample(0, { acc: null }), sample(1, { acc: 1 }), sample(2, { acc: 0 })]).replace(
      '"acc":null',
      '"acc":NaN',
    );
    expect((await runOf((await logsOf({ [samplesFile('sums')]: text }))[0]!)).values).toEqual({ acc: [0.5, 2] });
  });

  test('a results file alone, and a file that was appended to, are refused', async () => {
    await expect(logsOf({ [resultsFile()]: results({ sums: {} }) })).rejects.toThrow('a results file without samples');
    const twice = jsonl([sample(0, { acc: 1 }), sample(0, { acc: 1 })]);
    await expect(logsOf({ [samplesFile('sums')]: twice })).rejects.toThrow(
      `${samplesFile('sums')}:2: doc_id: document "0" with the filter "none" was given before`,
    );
  });

  test('two models are comparable although the prompts they saw differ; another number of shots is not', async () => {
    const comparable = async (change: (r: ReturnType<typeof results>) => object, prompt: string) => {
      const row = { ...sample(0, { acc: 1 }), arguments: { gen_args_0: { arg_0: prompt } } };
      const [log] = await logsOf({
        [samplesFile('sums')]: jsonl([row]),
        [resultsFile()]: change(results({ sums: {} })),
      });
      return (await runOf(log!)).run.manifest.comparable;
    };
    const base = await comparable((given) => given, '<user>a');
    expect(await comparable((given) => ({ ...given, model_name: 'acme/large' }), '[INST]b')).toBe(base);
    expect(await comparable((given) => ({ ...given, 'n-shot': { sums: 0 } }), '<user>a')).not.toBe(base);
  });
});
