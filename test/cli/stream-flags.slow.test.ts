import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { beforeAll, describe, expect, it } from 'vitest';

import { keptFolder } from '../examples/kept-folder.ts';
import { assay, example } from './run-assay.ts';
import { files } from './stream-files.ts';

const SAMPLES = ['--bootstrap-samples', '300'];

/** The commands of the evaluation that this follows, with its flags and in its order. */
describe('--output, --verbose and --bootstrap-samples of the stream commands', () => {
  const folder = keptFolder();
  const traces = example('stream/traces');
  const model = ['--model', `recorded:${example('stream/answers')}`, '--variants', 'V2'];
  const calls = {
    stoplist: ['stoplist', '--traces', traces, '--output', 'configs', '--verbose'],
    replay: ['replay', '--traces', traces, '--output', 'runs', '--verbose', ...model],
    measure: ['measure', '--runs', 'runs', '--traces', traces, '--output', 'metrics', '--verbose', ...SAMPLES],
  };
  const finished = new Map<string, ReturnType<typeof assay>>();

  beforeAll(() => {
    for (const [name, call] of Object.entries(calls)) finished.set(name, assay(['stream', ...call], { cwd: folder }));
  }, 300_000);

  it('write into the folder that --output names, as --out does', () => {
    expect([...finished.values()].map(({ code }) => code)).toEqual([0, 0, 0]);
    const names = Object.keys(files(folder));
    expect(names).toContain('configs/stop_cuis.txt');
    expect(names).toContain('runs/V2/case-05.run.jsonl.gz');
    expect(names).toContain('metrics/per_case.metrics.jsonl');
  });

  it('print a line for each trace and case, on standard error', () => {
    expect(finished.get('stoplist')!.stderr).toMatch(/^1 of 5: .*case-01\.trace\.jsonl\.gz: case-01, \d+ concepts$/m);
    expect(finished.get('replay')!.stderr).toMatch(/^5 of 5: V2 case-05: \d+ flushes, 0 decisions, \d+ summaries$/m);
    expect(finished.get('measure')!.stderr).toMatch(/^3 of 5: V2 case-03$/m);
    const again = assay(['stream', ...calls.replay, '--quiet'], { cwd: folder });
    expect(again).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(assay(['stream', ...calls.replay], { cwd: folder }).stderr).toContain('(done before)');
  });

  it('resample as often as is asked for, and say so in the signature', () => {
    const manifest = JSON.parse(readFileSync(join(folder, 'metrics/V2/manifest.json'), 'utf8')) as {
      recipe: { resolved: { interval: unknown }; set: readonly string[] };
    };
    expect(manifest.recipe.resolved.interval).toMatchObject({ resamples: 300, seed: 42 });
    expect(manifest.recipe.set).toEqual(['interval.resamples=300']);
    const wrong = assay(['stream', ...calls.measure.slice(0, -1), 'many'], { cwd: folder });
    expect(wrong.code).toBe(2);
    expect(wrong.stderr).toContain('--bootstrap-samples many: expected a whole number from 1 to 10000000');
  });

  it('are those of stream run too', () => {
    const done = assay(
      ['stream', 'run', '--traces', traces, '--output', 'all', '--bootstrap-samples', '50', '--verbose', ...model],
      { cwd: folder },
    );
    expect(done.code).toBe(0);
    expect(done.stdout.replaceAll(/\s+/g, ' ')).toContain(
      'case-02.trace.jsonl.gz: trace case-02, 11 turns, 490 deltas included_message_chunks',
    );
    expect(done.stderr).toMatch(/^5 of 5: V2 case-05: /m);
    expect(readFileSync(join(folder, 'all/measures/aggregate.metrics.json'), 'utf8')).toContain('"resamples": 50');
  });

  it('puts the parsing statistics into the record of each case and into both reports', () => {
    const lines = readFileSync(join(folder, 'metrics/per_case.metrics.jsonl'), 'utf8').trim().split('\n');
    const records = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(records.map(({ parsing_statistics: own }) => own)[1]).toEqual({
      included_message_chunks: 489,
      excluded_orchestrator_summary: 0,
      excluded_system_note: 1,
      excluded_other_subtype: 0,
      excluded_by_agent: 0,
      missing_event_subtype: 489,
    });
    const report = readFileSync(join(folder, 'metrics/report.md'), 'utf8');
    expect(report).toContain('| case-03 | 463 | 3 | 0 | 0 | 0 | 0 |\n');
    expect(report).toContain('| all cases | 2,671 | 3 | 1 | 0 | 0 | 2,208 |\n');
    const ledger = readFileSync(join(folder, 'metrics/V2/ledger.jsonl'), 'utf8');
    expect(ledger).toContain('"excluded_orchestrator_summary":3');
  });
});
