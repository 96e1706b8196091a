import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { memorySource } from '../../src/data/source.ts';
import { audit, compare, importLog, readRun } from '../../src/index.ts';
import { temporaryFolder } from '../cli/run-assay.ts';
import { inspectArchive, inspectLog, inspectSample, scored } from '../formats/logs/made-logs.ts';

const sample = (id: number | string, value: unknown, more = {}) => inspectSample(id, { match: scored(value) }, more);
const log = (values: string, more: Readonly<Record<string, unknown>> = {}) =>
  inspectLog(
    [...values].map((value, at) => sample(at + 1, value, value === 'E' ? { error: { message: 'crashed' } } : {})),
    more,
  );
const source = (content: object, name = 'log.json') => memorySource(name, JSON.stringify(content));
const QUICK = { set: ['interval.resamples=200'], texts: 'off' } as const;

describe('a run that was made from a log', () => {
  test('has the files of any run, with n, direction and interval, and the same bytes each time', async () => {
    const folder = temporaryFolder();
    const file = join(folder, 'log.eval');
    writeFileSync(file, inspectArchive(log('CICPCIIE', { accuracy: 0.5 })));
    for (const out of ['a', 'b']) await importLog(file, { out: join(folder, out), set: ['interval.resamples=200'] });
    const names = readdirSync(join(folder, 'a')).toSorted();
    expect(names).toEqual(
      'audit.json cases.jsonl figures.json ledger.jsonl manifest.json measures.json report.html report.md timing.json'.split(
        ' ',
      ),
    );
    for (const name of names.filter((one) => one !== 'timing.json'))
      expect(readFileSync(join(folder, 'b', name)).equals(readFileSync(join(folder, 'a', name))), name).toBe(true);
    // 1 + 0 + 1 + 0.5 + 1 + 0 + 0 of the seven that did not fail.
    const measure = (await readRun(join(folder, 'a'))).measure('match');
    expect(measure).toMatchObject({ value: 0.5, n: 7, units: 7, direction: 'higher' });
    expect(measure.interval).toMatchObject({ level: 0.95 });
    expect(measure.interval!.low).toBeLessThan(0.5);
  });

  test('epochs of a sample are resampled together: 4 scores of 2 samples are 2 units', async () => {
    const epochs = [sample('a', 'C'), sample('a', 'C', { epoch: 2 }), sample('b', 'I'), sample('b', 'C', { epoch: 2 })];
    const out = join(temporaryFolder(), 'run');
    await importLog(source(inspectLog(epochs)), { ...QUICK, out });
    expect((await readRun(out)).measure('match')).toMatchObject({ value: 0.75, n: 4, units: 2 });
  });
});

describe('two imported runs', () => {
  test('are compared sample by sample', async () => {
    const folder = temporaryFolder();
    const [a, b] = [join(folder, 'a'), join(folder, 'b')];
    await importLog(source(log('CICICIIIE')), { ...QUICK, out: a });
    await importLog(source(log('CCCCCIICC', { eval: { model: 'acme/next' } })), { ...QUICK, out: b });
    const { paired, failed, notices, measures } = await compare([a, b]);
    expect([paired, failed]).toEqual([8, 1]);
    expect(notices.filter((notice) => !notice.startsWith('The scores are'))).toEqual([]);
    // Over the 8 that neither failed on: 3/8 and 6/8. Samples 2, 4 and 8 differ, all one way: of the 2³ ways to swap
    // them, 2 give a difference as large.
    expect(measures).toMatchObject([
      {
        name: 'match',
        baseline: 0.375,
        other: 0.75,
        difference: 0.375,
        wins: 3,
        losses: 0,
        ties: 5,
        permutation: { pValue: 0.25 },
        wilcoxon: { pValue: 0.25 },
      },
    ]);
  });

  test('are not compared if they are of different tasks, and the version of the tool is named if it differs', async () => {
    const folder = temporaryFolder();
    const run = async (name: string, more: object) => {
      await importLog(source(log('CI', { eval: more })), { ...QUICK, out: join(folder, name) });
      return join(folder, name);
    };
    const base = await run('base', {});
    await expect(compare([base, await run('task', { task: 'other' })])).rejects.toThrow(
      'scores.task is parity and other',
    );
    const { notices } = await compare([base, await run('version', { packages: { inspect_ai: '0.4.0' } })]);
    expect(notices).toContain(
      'the scores were logged by inspect 0.3.154 and inspect 0.4.0: a scorer may have changed in between',
    );
  });
});

describe('the means that a log states', () => {
  test('agree with its samples, or are a finding of the audit', async () => {
    const folder = temporaryFolder();
    const [right] = await importLog(source(log('CICI', { accuracy: 0.5 })), { ...QUICK, out: join(folder, 'right') });
    expect(right!.reported).toMatchObject([
      { score: 'match', metric: 'accuracy', reported: 0.5, value: 0.5, agrees: true },
    ]);
    const [wrong] = await importLog(source(log('CICIE', { accuracy: 0.6 })), { ...QUICK, out: join(folder, 'wrong') });
    expect(wrong!.reported).toMatchObject([{ reported: 0.6, reportedN: 5, value: 0.5, n: 4, agrees: false }]);
    const title = 'The log states accuracy 0.6 over 5 for match, its samples give 0.5 over 4';
    const of = (findings: readonly { name: string; title: string }[]) =>
      findings.filter(({ name }) => name === 'reported-values').map((finding) => finding.title);
    expect(of(wrong!.audit!.findings)).toEqual([title]);
    expect(of((await audit(join(folder, 'wrong'))).findings)).toEqual([title]);
    expect(of(right!.audit!.findings)).toEqual([]);
  });

  test('are looked at in imported runs only: others do not list the check', async () => {
    const { score } = await import('../../src/index.ts');
    const [folder, text] = [temporaryFolder(), '{"id":"a","text":"Al","gold":[],"predicted":[]}\n'];
    const out = join(folder, 'run');
    await score('pii/strict', { cases: memorySource('c.jsonl', text) }, { out, texts: 'off' });
    expect((await audit(out)).checks.map(({ name }) => name)).not.toContain('reported-values');
  });
});

describe('answers that are one of two words', () => {
  const answered = (words: readonly string[]) =>
    inspectLog(
      words.map((content, at) =>
        sample(at + 1, 'C', { output: { choices: [{ message: { role: 'assistant', content } }] } }),
      ),
    );
  const findings = async (words: readonly string[]) => {
    const out = join(temporaryFolder(), 'run');
    const [imported] = await importLog(source(answered(words)), { ...QUICK, out });
    return imported!.audit!.findings.map(({ name }) => name);
  };

  test('are not taken for a placeholder, unless it is always the same one', async () => {
    const half = Array.from({ length: 20 }, (_, at) => (at % 2 === 0 ? 'Yes' : 'No'));
    expect(await findings(half)).not.toContain('repeated-answers');
    expect(await findings(half.fill('Yes'))).toContain('repeated-answers');
  });
});

describe('several logs', () => {
  test('get a folder each, called after their systems; two that would be called alike are numbered', async () => {
    const out = join(temporaryFolder(), 'runs');
    const logs = ['acme/A', 'acme/a', 'b'].map((model, at) => source(log('CI', { eval: { model } }), `${at}.json`));
    const imported = await importLog(logs, { ...QUICK, out });
    expect(readdirSync(out).toSorted()).toEqual(['parity-acme-A', 'parity-acme-a-2', 'parity-b']);
    expect(imported.map(({ folder }) => folder)).toEqual(
      ['parity-acme-A', 'parity-acme-a-2', 'parity-b'].map((name) => join(out, name)),
    );
  });

  test('are all read before anything is written', async () => {
    const out = join(temporaryFolder(), 'runs');
    await expect(importLog([source(log('CI'), 'a.json'), source({}, 'b.json')], { ...QUICK, out })).rejects.toThrow(
      'b.json: not a log',
    );
    expect(() => readdirSync(out)).toThrow('ENOENT');
  });

  test('are refused if one is named twice, or if a single run is in their place', async () => {
    const out = join(temporaryFolder(), 'run');
    await expect(importLog([source(log('C')), source(log('C'))], { ...QUICK, out })).rejects.toThrow(
      'log.json was given twice',
    );
    await importLog(source(log('CI')), { ...QUICK, out });
    const both = [source(log('CI'), 'a.json'), source(log('CI'), 'b.json')];
    await expect(importLog(both, { ...QUICK, out })).rejects.toThrow('holds the run of one system');
    await expect(importLog([], { ...QUICK, out })).rejects.toThrow('no log was given');
  });
});
