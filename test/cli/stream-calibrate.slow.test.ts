import { createHash } from 'node:crypto';
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import calibrateCommand from '../../src/cli/stream/calibrate.ts';
import { InputError, UsageError } from '../../src/data/problems.ts';
import { DOZEN } from '../stream/calibrate/dozen-deltas.ts';
import { traceText, turn } from '../stream/made-trace.ts';
import { assay, type Finished, temporaryFolder } from './run-assay.ts';
import { runCommand } from './run-command.ts';

const SMALL = `parameter_grid: { min_words: [2, 3], max_words: [4, 5], silence_timer_ms: [1000], max_wait_timeout_ms: [4000] }
validity_constraints: { min_gap_between_min_max: 1 }
constraints: { spam_pct_mean: null, timer_under_min_pct_mean: null, chunk_size_p50_min: null }
selection: { resamples: 100 }
safety: { strict_stub_guard: true }
`;

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'assay-calibrate-'));
  mkdirSync(join(folder, 'traces'));
  for (const [name, turns] of [
    ['case-1', DOZEN],
    ['case-2', DOZEN.slice(0, 3)],
  ] as const)
    writeFileSync(join(folder, 'traces', `${name}.trace.jsonl`), traceText(name, turns));
  writeFileSync(join(folder, 'grid.yaml'), SMALL);
  writeFileSync(join(folder, 'cases.jsonl'), '{"case_id":"case-2"}\n{"case_id":"case-1"}\n{"case_id":"case-3"}\n');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** In this process, which is many times quicker; the exit code. */
async function calibrateHere(...args: readonly string[]): Promise<number | null> {
  return (await runCommand(calibrateCommand, [...args, '--quiet'])).code;
}

const calibrate = (...args: readonly string[]): Finished => assay(['stream', 'calibrate', ...args], { cwd: folder });
const inFolder = (name: string): string => join(folder, name);
const SWEEP = ['--traces', 'traces', '--sweep', '--grid', 'grid.yaml'];

function sums(out: string): Record<string, string> {
  return Object.fromEntries(
    readdirSync(out)
      .sort()
      .map((name) => [
        name,
        createHash('md5')
          .update(readFileSync(join(out, name)))
          .digest('hex'),
      ]),
  );
}

describe('assay stream calibrate', () => {
  it('finds V3’s chunk from traces alone: flushes of 4, 8 and 3, and of 4 and 8 CTU give medians 4 and 6, so 5', () => {
    const out = join(temporaryFolder(), 'v3');
    const done = calibrate('--traces', 'traces', '--set', 'minWords=3', '--set', 'maxWords=5', '--out', out);
    expect(done).toMatchObject({ code: 0, stderr: '' });
    expect(done.stdout).toMatch(/^V3 chunk: 5 CTU\nFrom traces passed through the gate of V0, 2 cases\.\n/);
    expect(readdirSync(out).sort()).toEqual([
      'v3_calibration_report.json',
      'v3_calibration_report.md',
      'v3_fixed_trigger.yaml',
    ]);
    const report: unknown = JSON.parse(readFileSync(join(out, 'v3_calibration_report.json'), 'utf8'));
    expect(report).toMatchObject({
      chunk_size_ctu: 5,
      median_ctu: 5,
      n_cases: 2,
      regular_flushes: 5,
      excluded_flushes: { end_of_trace: 4, turn_end: 0 },
      gate: { min_words: 3, max_words: 5 },
    });
  });

  it('takes the flushes that a replay logged, and gives the same', () => {
    const runs = join(temporaryFolder(), 'runs');
    const set = ['--set', 'minWords=3', '--set', 'maxWords=5'];
    assay(
      ['stream', 'replay', '--traces', 'traces', '--variants', 'V0', '--model', 'heuristic', '--out', runs, ...set],
      { cwd: folder },
    );
    const done = calibrate('--runs', runs, '--json');
    expect(done.code).toBe(0);
    expect(JSON.parse(done.stdout)).toMatchObject({ source: 'run logs', chunk_size_ctu: 5, gate: null });
    expect(done.stderr).toMatch(/^V3 chunk: 5 CTU/);
  });

  it('keeps to the first cases of a list, and says which are not there', async () => {
    const out = join(temporaryFolder(), 'v3');
    const call = ['--traces', inFolder('traces'), '--set', 'minWords=3', '--set', 'maxWords=5', '--out', out];
    const list = ['--case-list', inFolder('cases.jsonl')];
    expect(await calibrateHere(...call, ...list, '--first', '1')).toBe(0);
    const report = (): unknown => JSON.parse(readFileSync(join(out, 'v3_calibration_report.json'), 'utf8'));
    // Of case-2 alone: 4 and 8 CTU.
    expect(report()).toMatchObject({ chunk_size_ctu: 6, case_list: { first: 1, missing: [] } });
    await calibrateHere(...call, ...list);
    expect(report()).toMatchObject({
      chunk_size_ctu: 5,
      case_list: { first: 3, missing: ['case-3'] },
      notices: expect.arrayContaining([expect.stringContaining('1 are missing')]),
    });
  });

  it('is inconclusive, with code 3, where no case has a regular flush', async () => {
    const alone = join(temporaryFolder(), 't.jsonl');
    writeFileSync(alone, traceText('x', [turn('a', 'one two@0')]));
    expect(await calibrateHere('--traces', alone)).toBe(3);
  });

  it('sweeps a grid, shows the front and the choice, and writes its files', () => {
    const out = join(temporaryFolder(), 'sweep');
    const done = calibrate(...SWEEP, '--out', out);
    expect(done).toMatchObject({ code: 0, stderr: '' });
    expect(done.stdout).toMatch(/^TokenGate calibration\n4 policies on 2 cases; 4 keep to every constraint\./);
    expect(done.stdout).toMatch(/^Chosen: policy_\d{4}/m);
    expect(done.stdout).toContain('! no effect here: safety');
    expect(Object.keys(sums(out))).toEqual([
      'calibration_config.yaml',
      'calibration_per_case.jsonl.gz',
      'calibration_report.md',
      'calibration_results.csv',
      'calibration_summary.json',
      'chosen_tokengate_params.yaml',
      'pareto.svg',
    ]);
  });

  it('gives the same bytes again, whatever the files of the traces are called', async () => {
    const [one, two, again] = [temporaryFolder(), temporaryFolder(), temporaryFolder()];
    const moved = temporaryFolder();
    for (const [from, to] of [
      ['case-1', 'z'],
      ['case-2', 'a'],
    ] as const)
      copyFileSync(inFolder(`traces/${from}.trace.jsonl`), join(moved, `${to}.jsonl`));
    await calibrateHere('--traces', inFolder('traces'), '--sweep', '--grid', inFolder('grid.yaml'), '--out', one);
    await calibrateHere('--traces', moved, '--sweep', '--grid', inFolder('grid.yaml'), '--out', two);
    expect(sums(two)).toEqual(sums(one));
    // And from the grid as it was written, which no longer has a section without effect to be told about.
    const written = join(one, 'calibration_config.yaml');
    await calibrateHere('--traces', moved, '--sweep', '--grid', written, '--out', again);
    const { 'calibration_report.md': _page, 'calibration_summary.json': _summary, ...rest } = sums(one);
    expect(sums(again)).toMatchObject(rest);
  });

  it('is inconclusive, with code 3, where no policy keeps to every constraint; an old choice is cleared away', () => {
    const out = temporaryFolder();
    writeFileSync(join(out, 'chosen_tokengate_params.yaml'), 'old');
    const done = calibrate(...SWEEP, '--set', 'constraints.flush_count_mean=0', '--out', out);
    expect(done.code).toBe(3);
    expect(done.stdout).toContain('? Inconclusive\n  No policy keeps to every constraint.');
    expect(Object.keys(sums(out))).not.toContain('chosen_tokengate_params.yaml');
  });

  it.each([
    [[], /nothing to calibrate on/],
    [['--runs', 'a', '--traces', 'b'], /two ways to the same flushes/],
    [['--runs', 'traces', '--set', 'maxWait=every-buffer'], /--set is for --traces/],
    [['--runs', 'traces', '--sweep'], /--sweep replays traces/],
    [['--traces', 'traces', '--grid', 'grid.yaml'], /--grid is for a sweep/],
    [['--traces', 'traces', '--first', '3'], /--first needs --case-list/],
    [['--traces', 'traces', '--first', 'x', '--case-list', 'cases.jsonl'], /expected a whole number/],
    [['--traces', 'traces', '--variant', 'V1'], /V1 has no gate/],
    [['--traces', 'traces', '--sweep', '--config', '.'], /--config is for V3/],
    [['--traces', 'nowhere', '--sweep'], /nowhere: cannot be read/],
    [['--traces', 'traces', '--sweep', '--grid', 'cases.jsonl'], /not YAML|expected a mapping|grid/],
    [['--runs', 'traces'], /this is a trace, expected a run log/],
  ])('refuses %j', async (args, message) => {
    const placed = args.map((word) => (['traces', 'grid.yaml', 'cases.jsonl'].includes(word) ? inFolder(word) : word));
    const refused = calibrateHere(...placed);
    await expect(refused).rejects.toThrow(message);
    // Both are the user's mistakes: code 2.
    await expect(refused).rejects.toSatisfy((error) => error instanceof UsageError || error instanceof InputError);
  });
});
