import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { expect, it } from 'vitest';

import { assay, temporaryFolder } from './run-assay.ts';

it('the demo measures the five examples, fits 80 columns and says where the reports are', () => {
  const cwd = temporaryFolder();
  const done = assay(['demo'], { cwd });
  expect(done).toMatchObject({ code: 0, stderr: '' });
  for (const report of [
    ...['journal', 'pii', 'graph', 'stream/V2'].map((task) => join('runs/demo', task, 'report.html')),
    'runs/demo/consult/evaluation_summary_report.html',
  ]) {
    expect(done.stdout).toContain(report);
    expect(existsSync(join(cwd, report))).toBe(true);
  }
  // Two variants side by side, with what the figures do not claim.
  expect(done.stdout).toMatch(/Measures +V0 +V2\n +compression_ratio \(M1\) +↑ +0\.643 .+ 0\.278 /);
  expect(done.stdout.replaceAll(/\s+/g, ' ')).toContain('No clinical outcome is claimed');
  expect(done.stdout.replaceAll(/\s+/g, ' ')).toContain('unsupported share, lower is better');
  expect(existsSync(join(cwd, 'runs/demo/stream/V0/ledger.jsonl'))).toBe(true);
  // By hand: docs/tasks/consult.md. What nobody rated has no value, and the reason stands below.
  expect(done.stdout).toMatch(/Measures +plain +guided\n {2}accuracy +↑ +0\.200 .+ 0\.857 /);
  expect(done.stdout).toMatch(/\n {2}hallucination_rate +↓ +– +0\.231 /);
  expect(done.stdout).toContain('hallucination_rate: undefined in plain: no claim is labelled');
  expect(existsSync(join(cwd, 'runs/demo/consult/guided/ledger.jsonl'))).toBe(true);
  const long = done.stdout.split('\n').filter((line) => [...line].length > 80);
  // Commands carry the path of the program and of the folder, however long they are.
  expect(long.filter((line) => !line.includes('bin/assay.js'))).toEqual([]);
});
