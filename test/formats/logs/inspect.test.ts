import { describe, expect, test } from 'vitest';

import { isInspectArchive } from '../../../src/formats/logs/inspect-parts.ts';
import { inspectArchive, inspectLog, inspectSample, logOf, logsOf, runOf, scored } from './made-logs.ts';

const sample = (id: number | string, value: unknown, more = {}) => inspectSample(id, { match: scored(value) }, more);

describe('scores of an Inspect log', () => {
  test.each([
    ['C', 1],
    ['I', 0],
    ['P', 0.5],
    ['N', 0],
    [true, 1],
    [false, 0],
    ['yes', 1],
    ['No', 0],
    ['0.25', 0.25],
    [7, 7],
    [null, null],
    ['maybe', null],
    [[1, 2], null],
  ])('%j is %j, as Inspect documents it', async (value, expected) => {
    const log = await logOf(inspectLog([sample(1, value)]));
    expect(log.samples[0]!.scores).toMatchObject([{ name: 'match', value: expected }]);
  });

  test('NaN, which Inspect writes for what it did not score, is no value and not 0', async () => {
    const text = JSON.stringify(inspectLog([sample(1, 'C'), sample(2, 'nan-here')])).replace('"nan-here"', 'NaN');
    const { values, run } = await runOf(await logOf(text));
    expect(values).toEqual({ match: [1, 1] });
    expect(run.measures.measures[0]!.note).toContain('1 of 2 cases left out');
  });

  test('a mapping is one score for each of its keys', async () => {
    const log = await logOf(inspectLog([inspectSample(1, { grader: scored({ tone: 0.5, facts: 'C' }) })]));
    expect(log.samples[0]!.scores).toMatchObject([
      { name: 'grader/tone', value: 0.5 },
      { name: 'grader/facts', value: 1 },
    ]);
  });

  test('the mean is over samples, failed ones are counted and left out', async () => {
    const failed = sample(4, 'C', { error: { message: 'Timeout\n  at line 3', traceback: '…' } });
    const invalid = sample(5, 'C', { invalidation: { author: 'a', reason: 'leaked' } });
    const log = await logOf(inspectLog([sample(1, 'C'), sample(2, 'I'), sample(3, 'P'), failed, invalid]));
    const { values, run, cases } = await runOf(log);
    expect(values).toEqual({ match: [0.5, 3] });
    expect(run.measures.cases).toEqual({ total: 5, failed: 2, unanswered: 0 });
    expect(cases.map((one) => one.failed)).toEqual([null, null, null, 'Timeout at line 3', 'invalidated: leaked']);
  });

  test('what is right and wrong is a verdict, what is between is neither', async () => {
    const { cases } = await runOf(await logOf(inspectLog([sample(1, 'C'), sample(2, 'I'), sample(3, 'P')])));
    const verdicts = cases.map(({ logged = [] }) =>
      logged.map(({ item, verdict }) => `${item.kind} ${item.text} ${verdict}`),
    );
    expect(verdicts).toEqual([
      ['answer Yes excused', 'score 1 hit'],
      ['answer Yes excused', 'score 0 spurious'],
      ['answer Yes excused', 'score 0.5 excused'],
    ]);
  });
});

describe('samples of an Inspect log', () => {
  test('epochs of a sample are variants of one case', async () => {
    const epochs = [1, 2, 3].map((epoch) => sample('a', epoch === 2 ? 'I' : 'C', { epoch }));
    const { cases } = await runOf(await logOf(inspectLog([...epochs, sample('b', 'C')])));
    expect(cases.map(({ id, from }) => [id, from])).toEqual([
      ['a', 'a'],
      ['a (epoch 2)', 'a'],
      ['a (epoch 3)', 'a'],
      ['b', undefined],
    ]);
  });

  test('the same log gives the same cases as .json and as .eval, deflated or with zstd', async () => {
    const log = inspectLog([sample(2, 'C'), sample(10, 'I'), sample(1, 'P')], { accuracy: 0.5 });
    const [plain, ...archives] = [
      await logOf(log),
      await logOf(inspectArchive(log), 'a.eval'),
      await logOf(inspectArchive(log, 'zstd'), 'b.eval'),
    ];
    const expected = await runOf(plain);
    expect(expected.cases.map(({ id }) => id)).toEqual(['1', '2', '10']);
    for (const one of archives) {
      const { cases, run } = await runOf(one);
      expect(cases).toEqual(expected.cases);
      expect(run.manifest.signature).toBe(expected.run.manifest.signature);
    }
  });

  test('an archive that was cut off before its header has its samples, and is said to be unfinished', async () => {
    const {
      status: _,
      results: _results,
      stats: _stats,
      samples,
      ...start
    } = inspectLog([sample(1, 'C'), sample(2, 'I')]);
    const { makeZip } = await import('./make-zip.ts');
    const entries = (samples as { id: number }[]).map((one) => ({
      name: `samples/${one.id}_epoch_1.json`,
      content: JSON.stringify(one),
    }));
    const log = await logOf(
      makeZip([{ name: '_journal/start.json', content: JSON.stringify(start) }, ...entries]),
      'x.eval',
    );
    expect(log.notices).toEqual(['the log has the status started, not success']);
    expect((await runOf(log)).values).toEqual({ match: [0.5, 2] });
  });

  test('samples that the dataset has and the log has not are failed cases', async () => {
    const dataset = { dataset: { sample_ids: [1, 2, 3] }, config: { epochs: 1 } };
    const log = await logOf(inspectLog([sample(1, 'C'), sample(3, 'C')], { eval: dataset, status: 'cancelled' }));
    const { run, cases } = await runOf(log);
    expect(run.measures.cases).toEqual({ total: 3, failed: 1, unanswered: 0 });
    expect(cases[1]).toMatchObject({ id: '2', failed: 'not in the log' });
    expect(log.notices).toEqual([
      'the log has the status cancelled, not success',
      '1 sample of the dataset not in the log: counted as failed',
    ]);
  });

  test('messages and stored texts are shown as text, with the target', async () => {
    const more = {
      input: [
        { role: 'system', content: 'Be brief.' },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'attachment://0123abcd' },
            { type: 'image', image: 'x' },
          ],
        },
      ],
      target: ['even', 'Even'],
      attachments: { '0123abcd': 'Is 4 even?' },
    };
    const { cases } = await runOf(await logOf(inspectLog([sample(4, 'C', more)])));
    expect(cases[0]!.text).toBe('system: Be brief.\n\nuser: Is 4 even?\n(image)\n\nTarget: ["even","Even"]');
  });

  test('a log of an earlier version has one score, and no name for it', async () => {
    const old = { ...inspectSample(1, null), score: scored('C') };
    expect((await runOf(await logOf(inspectLog([old])))).values).toEqual({ score: [1, 1] });
  });
});

test('an archive is a log by its header, or by how it began', () => {
  const named = (...names: string[]) =>
    isInspectArchive({ names, read: () => Promise.reject(new Error()), close: async () => undefined });
  expect([
    named('header.json'),
    named('_journal/start.json', 'samples/1_epoch_1.json'),
    named('samples/1_epoch_1.json'),
  ]).toEqual([true, true, false]);
});

describe('what an Inspect log says of itself', () => {
  test('tool, version, task, model and scorer', async () => {
    const log = await logOf(inspectLog([sample(1, 'C')], { accuracy: 1 }));
    expect(log).toMatchObject({
      tool: 'inspect',
      version: '0.3.154',
      task: 'parity',
      model: 'acme/gpt-x',
      notices: [],
    });
    expect(log.scores.get('match')).toMatchObject({ direction: null, settings: { scorer: 'match', location: 'end' } });
    expect(log.reported).toEqual([{ score: 'match', metric: 'accuracy', value: 1, n: 1 }]);
  });

  test('means of another kind are not compared: another reducer, a group, parameters', async () => {
    const base = { name: 'match', scorer: 'match' };
    const accuracy = { name: 'accuracy', value: 0.5 };
    const scores = [
      { ...base, reducer: 'pass_at_2', metrics: { accuracy } },
      { ...base, metrics: { a: { ...accuracy, group: 'grouped' }, b: { ...accuracy, params: { to_float: 'x' } } } },
      { ...base, metrics: { c: { name: 'stderr', value: 0.1 }, d: { name: 'inspect_ai/mean', value: 1 } } },
    ];
    const log = await logOf(inspectLog([sample(1, 'C')], { results: { scores } }));
    expect(log.reported).toEqual([{ score: 'match', metric: 'mean', value: 1, n: null }]);
  });

  test('the model, not its run id or its times, is in the signature', async () => {
    const one = await runOf(await logOf(inspectLog([sample(1, 'C')])));
    const later = { stats: { started_at: '2027-01-01' }, eval: { run_id: 'other', created: '2027-01-01' } };
    const again = await runOf(await logOf(inspectLog([sample(1, 'C', { total_time: 9, uuid: 'u' })], later)));
    expect(again.run.manifest).toMatchObject({ signature: one.run.manifest.signature });
    expect(again.run.measures).toEqual(one.run.measures);
    const other = await runOf(await logOf(inspectLog([sample(1, 'C')], { eval: { model: 'acme/gpt-y' } })));
    expect(other.run.manifest.signature).not.toBe(one.run.manifest.signature);
    expect(other.run.manifest.comparable).toBe(one.run.manifest.comparable);
    expect(one.run.manifest.signature).toContain('|log:inspect parity|');
    expect(one.run.manifest.signature).toContain('|tool:inspect 0.3.154|model:acme/gpt-x|config:#');
  });

  test('another target, another scorer setting and another task make runs that are not comparable', async () => {
    const comparable = async (log: object) => (await runOf(await logOf(log))).run.manifest.comparable;
    const base = await comparable(inspectLog([sample(1, 'C')]));
    expect(await comparable(inspectLog([sample(1, 'C', { target: 'No' })]))).not.toBe(base);
    expect(await comparable(inspectLog([sample(1, 'C')], { eval: { task: 'other' } }))).not.toBe(base);
    expect(
      await comparable(
        inspectLog([sample(1, 'C')], { eval: { scorers: [{ name: 'match', options: { location: 'any' } }] } }),
      ),
    ).not.toBe(base);
  });
});

describe('mistakes', () => {
  test('one sample twice, a sample without an id, no samples', async () => {
    await expect(async () => runOf(await logOf(inspectLog([sample(1, 'C'), sample(1, 'I')])))).rejects.toThrow(
      'the sample "1" is in this log twice',
    );
    await expect(logOf(inspectLog([{ ...sample(1, 'C'), id: null }]))).rejects.toThrow(
      'samples.id: expected the id of a sample, found null',
    );
    await expect(logOf(inspectLog([]))).rejects.toThrow('the log has no samples');
    await expect(async () => runOf(await logOf(inspectLog([inspectSample(1, {})])))).rejects.toThrow(
      'no score that is one number per sample',
    );
  });

  test('two logs are two systems, called after task and model', async () => {
    const logs = await logsOf({
      'a.json': inspectLog([sample(1, 'C')]),
      'b.json': inspectLog([sample(1, 'I')], { eval: { model: 'acme/y' } }),
    });
    expect(logs.map(({ system }) => system)).toEqual(['parity acme/gpt-x', 'parity acme/y']);
  });
});
