import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { beforeAll, describe, expect, it } from 'vitest';

import { UsageError } from '../../src/data/problems.ts';
import { compareRuns } from '../../src/compare/compare-runs.ts';
import { readCaseResults, readLedger, readRun } from '../../src/score/run-file.ts';
import { repeatRuns } from '../../src/compare/repeats/repeats.ts';
import { runFolder } from '../../src/score/run-folder.ts';
import { assay, GRAPH } from '../cli/run-assay.ts';
import { temporaryFolder } from '../report/made-up-run.ts';
import { folders, spansCases } from './scored-folders.ts';

const scored = folders();
let experiment = '';
let other = '';
let repeated = '';

beforeAll(async () => {
  const first = await scored(
    'a/score',
    spansCases([
      [1, 0, 1],
      [2, 1, 0],
    ]),
  );
  await scored(
    'b/score',
    spansCases([
      [2, 0, 0],
      [2, 0, 0],
    ]),
  );
  experiment = join(first.folder, '..');
  other = join(experiment, '../b');
  repeated = join(experiment, '../r');
  for (const name of ['score-1', 'score-2', 'score-10', 'score-3.partial-77'])
    cpSync(first.folder, join(repeated, name), { recursive: true });
});

function mistake(folder: string): { message: string; next: string | null } {
  try {
    runFolder(folder);
  } catch (error) {
    if (error instanceof UsageError) return { message: error.message, next: error.next };
  }
  return { message: '', next: null };
}

describe('the folder of a run', () => {
  it('is the folder itself, or score in the folder of an experiment', () => {
    expect(runFolder(experiment)).toBe(join(experiment, 'score'));
    expect(runFolder(join(experiment, 'score'))).toBe(join(experiment, 'score'));
  });

  it('stays as given where there is none: what is wrong is said where it is read', () => {
    const empty = temporaryFolder();
    for (const folder of [empty, join(empty, 'gone'), join(experiment, 'score', 'cases.jsonl')])
      expect(runFolder(folder)).toBe(folder);
  });

  it('is not to be guessed among repeats', () => {
    const runs = ['score-1', 'score-2', 'score-10'].map((name) => join(repeated, name));
    expect(mistake(repeated)).toEqual({
      message: `${repeated} is an experiment with 3 repeats, each a separate run`,
      next: `name one of ${runs.join(', ')}`,
    });
  });

  it('is not there yet in an experiment that was not scored', () => {
    const folder = join(temporaryFolder(), 'x');
    mkdirSync(folder);
    writeFileSync(join(folder, 'experiment.json'), '{}');
    expect(mistake(folder).message).toBe(`${folder} is an experiment without scores`);
  });
});

describe('an experiment’s folder works where a run’s does', () => {
  it('in reading', async () => {
    const run = await readRun(experiment);
    expect(run).toEqual(await readRun(join(experiment, 'score')));
    expect(await Array.fromAsync(readCaseResults(experiment), (result) => result.case)).toEqual(['c01', 'c02']);
    expect(await Array.fromAsync(readLedger(experiment))).toHaveLength(5);
  });

  it('in comparing, where it is called by the experiment', async () => {
    const { systems } = await compareRuns([experiment, other], { resamples: 100 });
    expect(systems.map(({ name }) => name)).toEqual(['a', 'b']);
  });

  it('in repeats, and one run under two names is noticed', async () => {
    expect((await repeatRuns([experiment, other])).cases.compared).toBe(2);
    await expect(repeatRuns([experiment, join(experiment, 'score')])).rejects.toThrow('was given twice');
    await expect(compareRuns([experiment, join(experiment, 'score')])).rejects.toThrow('named twice');
  });

  it('and is offered where a name was mistyped', async () => {
    const slip: unknown = await readRun(`${experiment}a`).catch((error: unknown) => error);
    expect(slip).toMatchObject({ next: `did you mean ${experiment}?` });
  });
});

it('the commands take it too', () => {
  const folder = temporaryFolder();
  const run = join(folder, 'mine');
  expect(assay([...GRAPH, '--out', join(run, 'score'), '--quiet']).code).toBe(0);
  const direct = assay(['explain', join(run, 'score'), '--all']);
  expect(assay(['explain', run, '--all'])).toEqual({ code: 0, stdout: direct.stdout, stderr: '' });
  expect(assay(['report', run]).stdout).toContain('entity_f1');
  writeFileSync(join(folder, 'rules.yaml'), 'rules:\n  - { measure: entity_f1, notWorseThan: { margin: 0.1 } }\n');
  const gate = assay(['gate', run, '--rules', join(folder, 'rules.yaml'), '--baseline', join(run, 'score')]);
  expect([gate.code, gate.stderr]).toEqual([2, expect.stringContaining('is the run itself')]);
});
