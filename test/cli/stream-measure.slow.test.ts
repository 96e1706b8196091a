import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { assay, type Finished, temporaryFolder } from './run-assay.ts';
import { files, writeTraces } from './stream-files.ts';

// Three cases, replayed once by the heuristic through two variants.
let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'assay-measure-'));
  writeTraces(folder, 3);
  assay(
    [
      'stream',
      'replay',
      '--traces',
      'traces',
      '--variants',
      'V0,V2',
      '--model',
      'heuristic',
      '--out',
      'runs',
      '--quiet',
    ],
    {
      cwd: folder,
    },
  );
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function measure(out: string, more: readonly string[] = []): Finished {
  return assay(['stream', 'measure', '--traces', 'traces', '--runs', 'runs', '--out', out, ...more], { cwd: folder });
}

describe('assay stream measure', () => {
  it('says what the numbers claim and what they do not, and that a heuristic answered', () => {
    const done = measure(join(temporaryFolder(), 'm'));
    expect(done).toMatchObject({ code: 0, stderr: '' });
    const words = done.stdout.replaceAll(/\s+/g, ' ');
    expect(words).toContain('No clinical outcome is claimed');
    expect(words).toContain('unsupported fractions: lower is better');
    expect(words).toContain('answered by a heuristic stand-in, not by a language model');
    expect(words).toContain('intervals rest on 3 cases');
  });

  it('gives the same bytes for every file, and none of them holds a time of its making', () => {
    const out = temporaryFolder();
    measure(join(out, 'one'));
    measure(join(out, 'two'));
    const one = files(join(out, 'one'));
    expect(files(join(out, 'two'))).toEqual(one);
    expect(Object.keys(one)).toEqual([
      'V0/audit.json',
      'V0/cases.jsonl',
      'V0/figures.json',
      'V0/ledger.jsonl',
      'V0/manifest.json',
      'V0/measures.json',
      'V0/report.html',
      'V0/report.md',
      'V2/audit.json',
      'V2/cases.jsonl',
      'V2/figures.json',
      'V2/ledger.jsonl',
      'V2/manifest.json',
      'V2/measures.json',
      'V2/report.html',
      'V2/report.md',
      'aggregate.metrics.json',
      'per_case.metrics.jsonl',
      'report.md',
    ]);
    const year = String(new Date().getFullYear());
    for (const [name, bytes] of Object.entries(one))
      expect(Buffer.from(bytes, 'base64').toString('utf8'), name).not.toContain(`${year}-`);
  });

  it('makes runs that can be compared, case by case, with Holm’s correction over the family', () => {
    const out = temporaryFolder();
    measure(join(out, 'm'));
    const done = assay(['compare', 'm/V0', 'm/V2', '--measure', 'trace_coverage,summary_count'], { cwd: out });
    expect(done.code).toBe(0);
    expect(done.stdout).toContain('V2 against V0\n3 cases paired.');
    expect(done.stdout).toContain('Holm’s correction over 2');
    expect(done.stdout).toContain('No clinical outcome is claimed');
  });

  it('numbers of different extractors refuse to be compared', () => {
    const out = temporaryFolder();
    measure(join(out, 'own'));
    writeFileSync(
      join(out, 'kb.jsonl'),
      '{"concept_id":"C0015967","canonical_name":"Fever","aliases":["pyrexia"],"types":["T184"]}\n',
    );
    measure(join(out, 'other'), ['--concepts', `kb:${join(out, 'kb.jsonl')}`]);
    const done = assay(['compare', join(out, 'own/V0'), join(out, 'other/V2')]);
    expect(done.code).toBe(2);
    expect(done.stderr).toContain('the concept extractors differ');
  });

  it('a case without a log is a failed case, in no average, and is counted', () => {
    const out = temporaryFolder();
    const runs = join(out, 'runs');
    assay([
      'stream',
      'replay',
      '--traces',
      join(folder, 'traces'),
      '--variants',
      'V2',
      '--model',
      'heuristic',
      '--out',
      runs,
      '--quiet',
    ]);
    rmSync(join(runs, 'V2/case-001.run.jsonl.gz'));
    const done = assay([
      'stream',
      'measure',
      '--traces',
      join(folder, 'traces'),
      '--runs',
      runs,
      '--out',
      join(out, 'm'),
    ]);
    expect(done.code).toBe(0);
    expect(done.stdout).toContain('cases without a run log, in no average: V2 1 of 3');
    const measures: { cases: object; measures: { name: string; n: number }[] } = JSON.parse(
      readFileSync(join(out, 'm/V2/measures.json'), 'utf8'),
    );
    expect(measures.cases).toEqual({ total: 3, failed: 1, unanswered: 0 });
    expect(measures.measures.find(({ name }) => name === 'trace_coverage')?.n).toBe(2);
  });

  it('a log of another trace is refused, and measured all the same with --force', () => {
    const out = temporaryFolder();
    const [traces, runs] = [join(out, 'traces'), join(out, 'runs')];
    cpSync(join(folder, 'traces'), traces, { recursive: true });
    cpSync(join(folder, 'runs'), runs, { recursive: true });
    const file = join(traces, 'case-001.trace.jsonl');
    writeFileSync(file, readFileSync(file, 'utf8').replace('fever', 'fewer'));
    const call = ['stream', 'measure', '--traces', traces, '--runs', runs, '--out', join(out, 'm')];
    const refused = assay(call);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toMatch(/case-001\.run\.jsonl\.gz was made of another trace than .*case-001\.trace\.jsonl/);
    expect(assay([...call, '--force']).code).toBe(0);
  });

  it('cases without a summary, and logs of two settings in one variant, are said', () => {
    const out = temporaryFolder();
    const runs = join(out, 'runs');
    const replay = (settings: string, to: string): Finished =>
      assay([
        'stream',
        'replay',
        '--traces',
        join(folder, 'traces'),
        '--variants',
        'V0',
        '--model',
        'heuristic',
        '--set',
        settings,
        '--out',
        to,
      ]);
    replay('minWords=60', runs);
    replay('minWords=99', join(out, 'other'));
    cpSync(join(out, 'other/V0/case-001.run.jsonl.gz'), join(runs, 'V0/case-001.run.jsonl.gz'));
    const log = join(runs, 'V0/case-002.run.jsonl.gz');
    const lines = gunzipSync(readFileSync(log)).toString('utf8').split('\n');
    writeFileSync(log, gzipSync(lines.filter((line) => !line.includes('"summary_event"')).join('\n')));
    const done = assay([
      'stream',
      'measure',
      '--traces',
      join(folder, 'traces'),
      '--runs',
      runs,
      '--out',
      join(out, 'm'),
    ]);
    const words = done.stdout.replaceAll(/\s+/g, ' ');
    expect(words).toContain('because there is no text: V0 1 of 3');
    expect(words).toContain('whose figures are averages over both: V0 2');
    expect(words).toContain('Concepts: vocabulary, the small one that ships');
  });

  it.each([
    [['--runs', 'nowhere'], 'cannot be read (ENOENT)'],
    [['--runs', 'traces'], 'this is a trace, expected a run log'],
    [['--variants', 'V0,V9'], 'there is no variant V9 in runs'],
    [['--concepts', 'umls'], 'umls'],
    [['--recipe', 'pii/strict'], 'is a recipe for pii'],
  ])('refuses %j', (flags, message) => {
    const done = measure(join(temporaryFolder(), 'm'), flags);
    expect(done.code).toBe(2);
    expect(done.stderr).toContain(message);
  });
});

describe('assay stream run', () => {
  it('goes through all phases, and a second call gives the same bytes', () => {
    const out = temporaryFolder();
    const call = [
      'stream',
      'run',
      '--traces',
      join(folder, 'traces'),
      '--model',
      'heuristic',
      '--variants',
      'V0,V2',
      '--stoplist',
      '0.9',
    ];
    const done = assay([...call, '--out', join(out, 'one')]);
    expect(done).toMatchObject({ code: 0, stderr: '' });
    assay([...call, '--out', join(out, 'two'), '--quiet']);
    const one = files(join(out, 'one'));
    expect(files(join(out, 'two'))).toEqual(one);
    for (const name of [
      'figures/coverage.svg',
      'figures/faithfulness.svg',
      'measures/report.md',
      'runs/V0/case-000.run.jsonl.gz',
      'stoplists/stop_cuis.txt',
    ])
      expect(Object.keys(one)).toContain(name);
  });

  it('stops at a trace that does not hold together, with code 2', () => {
    const out = temporaryFolder();
    const traces = writeTraces(out, 1);
    const file = join(traces, 'case-000.trace.jsonl');
    writeFileSync(file, readFileSync(file, 'utf8').replace('"seq":3,', '"seq":2,'));
    const done = assay(['stream', 'run', '--traces', traces, '--model', 'heuristic', '--out', join(out, 'all')]);
    expect(done.code).toBe(2);
    expect(done.stdout + done.stderr).toContain('case-000.trace.jsonl');
    expect(Object.keys(files(out))).toEqual(['traces/case-000.trace.jsonl']);
  });
});
