import { gzipSync } from 'node:zlib';

import { describe, expect, test } from 'vitest';

import { deepeval } from '../../../src/formats/logs/deepeval.ts';
import { inspect } from '../../../src/formats/logs/inspect.ts';
import { langfuse } from '../../../src/formats/logs/langfuse.ts';
import { lmEval } from '../../../src/formats/logs/lm-eval.ts';
import { promptfoo } from '../../../src/formats/logs/promptfoo.ts';
import { LOG_FORMATS } from '../../../src/formats/logs/read-logs.ts';
import { inspectLog, inspectSample, logOf, logsOf, runOf, scored } from './made-logs.ts';
import { makeZip } from './make-zip.ts';

const LOG = inspectLog([inspectSample(1, { match: scored('C'), tone: scored(0.5) })]);

describe('which tool a log is of', () => {
  test('is seen from the file, also from a compressed one', async () => {
    expect((await logOf(gzipSync(JSON.stringify(LOG)), 'log.json.gz')).tool).toBe('inspect');
  });

  test('every tool can be named', () => {
    expect(LOG_FORMATS).toEqual([inspect, promptfoo, deepeval, lmEval, langfuse].map(({ name }) => name));
    expect(LOG_FORMATS).toEqual(['inspect', 'promptfoo', 'deepeval', 'lm-eval', 'langfuse']);
  });

  test('logs of several tools are read in one call', async () => {
    const results = { results: { results: [{ promptIdx: 0, success: true, score: 1, vars: { a: 1 } }], stats: {} } };
    expect((await logsOf({ 'a.json': LOG, 'b.json': results })).map(({ tool }) => tool)).toEqual([
      'inspect',
      'promptfoo',
    ]);
  });

  test('a table of something else is refused', async () => {
    await expect(logsOf({ 'log.csv': 'doc,label\n1,2\n' })).rejects.toThrow(
      'log.csv: not a log that is known: a table with the columns doc, label',
    );
  });

  test.each<[string, unknown, string]>([
    [
      'another JSON file',
      { name: 'x', version: 1 },
      'log.json: not a log that is known: JSON with the keys name, version (the files of Inspect, promptfoo',
    ],
    ['text that is no JSON', 'doc,label\n', 'log.json:1: not JSON'],
    ['another archive', makeZip([{ name: 'word/document.xml', content: 'x' }]), 'a zip archive with word/document.xml'],
    ['an empty file', '', 'the file is empty, expected a log'],
    ['a blank file', '\n\n', 'no record was found in this file'],
    ['a list of numbers', [1, 2], 'expected a JSON object, found 1'],
    ['JSON that is cut off', JSON.stringify(LOG).slice(0, -30), 'the JSON is cut off'],
    ['a log that is called something else', '{"eval"', 'cut off'],
  ])('%s is refused', async (_, content, message) => {
    await expect(logsOf({ 'log.json': content })).rejects.toThrow(message);
  });

  test('a format that is named is the only one that is tried', async () => {
    await expect(logsOf({ 'log.json': LOG }, 'promptfoo')).rejects.toThrow('expected promptfoo: --output results.json');
    await expect(logsOf({ 'log.json': LOG }, 'inspct')).rejects.toThrow('--format inspct: no such log format');
  });

  test('what is wrong with several files is said at once', async () => {
    await expect(logsOf({ 'a.json': {}, 'b.json': '' })).rejects.toThrow(
      /a\.json: not a log[^]*b\.json: the file is empty/,
    );
  });
});

describe('which scores become measures', () => {
  test('all that have numbers, or those that are named', async () => {
    const log = await logOf(LOG);
    expect(Object.keys((await runOf(log)).values)).toEqual(['match', 'tone']);
    const { values, leftOut } = await runOf(log, { scores: ['tone'] });
    expect([Object.keys(values), leftOut]).toEqual([['tone'], [['match', 'not asked for']]]);
  });

  test('a name with a typo is refused with the closest one', async () => {
    const log = await logOf(LOG);
    await expect(runOf(log, { scores: ['mach'] })).rejects.toMatchObject({
      message: '--score mach: the log has no such score',
      next: 'did you mean match?',
    });
    await expect(runOf(log, { lower: ['ton'] })).rejects.toMatchObject({
      message: '--lower ton: the log has no such score',
    });
    await expect(runOf(log, { slices: ['topics'] })).rejects.toMatchObject({
      message: '--slice topics: no sample has this field',
      next: 'did you mean topic?',
    });
  });

  test('the direction is the log’s, or what is asked for; higher is only assumed', async () => {
    const log = await logOf(LOG);
    const { run, assumed } = await runOf(log, { lower: ['tone'] });
    expect(run.measures.measures.map(({ name, direction }) => [name, direction])).toEqual([
      ['match', 'higher'],
      ['tone', 'lower'],
    ]);
    expect(assumed).toEqual(['match']);
  });

  test('fields of the samples slice', async () => {
    const samples = ['a', 'b', 'b'].map((topic, at) =>
      inspectSample(at, { match: scored(at === 1 ? 'C' : 'I') }, { metadata: { topic } }),
    );
    const { values } = await runOf(await logOf(inspectLog(samples)), { slices: ['topic'] });
    expect(values).toEqual({ match: [1 / 3, 3], 'match a': [0, 1], 'match b': [0.5, 2] });
  });
});

describe('hostile logs', () => {
  test('__proto__ as a score, as metadata and in settings changes nothing', async () => {
    const text = JSON.stringify(
      inspectLog([
        inspectSample(1, { match: scored('C'), PROTO: scored('C') }, { metadata: { PROTO: { polluted: 1 } } }),
      ]),
    )
      .replaceAll('PROTO', '__proto__')
      .replace('"location":"end"', '"__proto__":{"polluted":1}');
    const { values, cases } = await runOf(await logOf(text));
    expect(values).toEqual({ match: [1, 1] });
    expect(cases[0]!.fields).toEqual({});
    expect(Reflect.get({}, 'polluted')).toBeUndefined();
  });

  test('input that is nested without end is not shown, and the scores are read', async () => {
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    const text = JSON.stringify(
      inspectLog([inspectSample(1, { match: scored('C') }, { input: 'DEEP', metadata: { a: 'DEEP' } })]),
    ).replaceAll('"DEEP"', deep);
    const { cases, values } = await runOf(await logOf(text));
    expect(cases[0]!.text).toContain('(nested too deeply to show)');
    expect(values).toEqual({ match: [1, 1] });
  });

  test('a log cannot claim more samples than anybody has, nor forge the signature', async () => {
    const claims = {
      dataset: { sample_ids: [1, 2, 3] },
      config: { epochs: 1e9 },
      task: 'a|gold:x\nb',
      model: 'm'.repeat(999),
    };
    const { cases, run } = await runOf(
      await logOf(inspectLog([inspectSample(1, { match: scored('C') })], { eval: claims })),
    );
    expect(cases.length).toBe(1);
    expect(run.manifest.signature).toContain('|log:inspect a/gold:x\\u000ab|');
    expect(run.manifest.signature.length).toBeLessThan(800);
  });

  test('names of scores are cut and made harmless, and there may not be thousands of them', async () => {
    const odd = inspectSample(1, { [`\u001b[2J ${'x'.repeat(500)}`]: scored(1) });
    const [name] = Object.keys((await runOf(await logOf(inspectLog([odd])))).values);
    expect(name).toMatch(/^\\u001b\[2J x+…$/);
    expect(name!.length).toBeLessThan(130);
    const many = inspectSample(1, Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`s${at}`, scored(1)])));
    await expect(async () => runOf(await logOf(inspectLog([many])))).rejects.toThrow(
      'the log has 300 scores, at most 200 become measures',
    );
  });
});
