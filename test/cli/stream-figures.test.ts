import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

import { describe, expect, it } from 'vitest';

import figuresCommand from '../../src/cli/stream/figures.ts';
import { UsageError } from '../../src/data/problems.ts';
import { measure, temporaryFolder, writeRun } from '../report/made-up-run.ts';
import { LOG, TRACE } from '../stream/report/made-up-stream.ts';
import type { Finished } from './run-assay.ts';
import { runCommand } from './run-command.ts';

const BUDGETS = [250, 500, 1000, 2000];

/** A folder as `stream measure` makes it: a run for each variant. */
function measuredFolder(
  variants: Readonly<Record<string, { readonly task?: string; readonly comparable?: string }>>,
): string {
  const folder = temporaryFolder();
  for (const [name, { task = 'stream', comparable = 'assay:0|task:stream|concepts:a#1|gold:1(2)' }] of Object.entries(
    variants,
  )) {
    const interval = { low: 0.2, high: 0.4, level: 0.95, method: 'bootstrap-percentile' };
    const values = ['compression_ratio', 'unsupported_in_window', 'unsupported_in_contract'];
    const measures = [...BUDGETS.map((budget) => `coverage_at_${budget}`), ...values];
    const counts = { hit: 1, missed: 0, spurious: 0, excused: 0 };
    const written = writeRun(
      {
        folder,
        measures: { measures: measures.map((one) => measure(one, 0.3, { interval, noInterval: null })) },
        manifest: { task, comparable, outputs: {} },
      },
      ['a', 'b'].map((one) => ({
        case: one,
        counts,
        measures: Object.fromEntries(values.map((value) => [value, 0.3])),
      })),
      [],
    );
    renameSync(written, join(folder, name));
  }
  return folder;
}

/** Traces and run logs of two cases; the logs are called after the file, as those of others are. */
function streamFolder(): { traces: string; runs: string } {
  const folder = temporaryFolder();
  const [traces, runs] = [join(folder, 'traces'), join(folder, 'runs')];
  mkdirSync(traces);
  mkdirSync(join(runs, 'V0'), { recursive: true });
  for (const id of ['a', 'b']) {
    const own = (text: string): string => text.replaceAll('"case_id":"a', `"case_id":"${id}`);
    writeFileSync(join(traces, `${id}.trace.jsonl.gz`), gzipSync(own(TRACE)));
    writeFileSync(join(runs, 'V0', `${id}.trace.jsonl.gz`), gzipSync(own(LOG)));
  }
  return { traces, runs };
}

function figures(...args: string[]): Promise<Finished> {
  return runCommand(figuresCommand, args);
}

describe('assay stream figures', () => {
  it('draws coverage and faithfulness of all variants, in natural order, and says what it wrote', async () => {
    const [measured, out] = [measuredFolder({ V10: {}, V2: {} }), join(temporaryFolder(), 'figures')];
    const said = await figures(measured, '--out', out);
    expect(readdirSync(out).toSorted()).toEqual(['coverage.svg', 'faithfulness.svg']);
    expect(said.stdout).toMatch(/coverage\.svg +V2, V10\n/);
    expect(said.stdout).toContain('From so few cases, resampling gives intervals too narrow.');
    expect(said.stderr).toBe('');
    expect(readFileSync(join(out, 'faithfulness.svg'), 'utf8')).toContain('(lower is better)');
  });

  it('draws the timeline of the first case, or of those that are named', async () => {
    const [measured, out, { traces, runs }] = [measuredFolder({ V0: {} }), temporaryFolder(), streamFolder()];
    await figures(measured, '--out', out, '--traces', traces, '--runs', runs, '--quiet');
    expect(readdirSync(out)).toContain('timeline-a.svg');
    expect(readdirSync(out)).not.toContain('timeline-b.svg');
    await figures(measured, '--out', out, '--traces', traces, '--runs', runs, '--case', 'b.trace', 'a', '--quiet');
    expect(readFileSync(join(out, 'timeline-b.svg'), 'utf8')).toContain('Timeline of b');
  });

  it('finds a case whose files are called otherwise', async () => {
    const [measured, out, { traces, runs }] = [measuredFolder({ V0: {} }), temporaryFolder(), streamFolder()];
    renameSync(join(traces, 'b.trace.jsonl.gz'), join(traces, 'x.jsonl.gz'));
    renameSync(join(runs, 'V0', 'b.trace.jsonl.gz'), join(runs, 'V0', 'y.jsonl.gz'));
    await figures(measured, '--out', out, '--traces', traces, '--runs', runs, '--case', 'b', '--quiet');
    expect(readdirSync(out)).toContain('timeline-b.svg');
  });

  it('writes the same bytes each time, with no path of this machine in them', async () => {
    const [measured, { traces, runs }] = [measuredFolder({ V0: {}, V1: {} }), streamFolder()];
    const drawn = async (): Promise<Record<string, string>> => {
      const out = temporaryFolder();
      await figures(measured, '--out', out, '--traces', traces, '--runs', runs, '--quiet');
      return Object.fromEntries(readdirSync(out).map((name) => [name, readFileSync(join(out, name), 'utf8')]));
    };
    const first = await drawn();
    expect(await drawn()).toEqual(first);
    expect(Object.values(first).join('')).not.toContain(measured);
  });

  it('prints what it wrote as JSON', async () => {
    const [measured, out] = [measuredFolder({ V0: {}, V1: {} }), temporaryFolder()];
    const { stdout: json } = await figures(measured, '--out', out, '--variants', 'V1', '--json', '--quiet');
    expect(JSON.parse(json)).toEqual({
      figures: [
        { kind: 'coverage', file: join(out, 'coverage.svg'), variants: ['V1'] },
        { kind: 'faithfulness', file: join(out, 'faithfulness.svg'), variants: ['V1'] },
      ],
      notes: ['From so few cases, resampling gives intervals too narrow.'],
    });
  });

  it('refuses variants whose concepts were found by different extractors, unless one insists', async () => {
    const other = { comparable: 'assay:0|task:stream|concepts:b#2|gold:2(2)' };
    const [measured, out] = [measuredFolder({ V0: {}, V1: other }), join(temporaryFolder(), 'figures')];
    const refused = figures(measured, '--out', out);
    await expect(refused).rejects.toThrow('V0 and V1 were not measured alike');
    await figures(measured, '--out', out, '--force', '--quiet');
    expect(readFileSync(join(out, 'coverage.svg'), 'utf8')).toContain('V0 and V1 were not');
  });

  it('lets cases differ, and says so', async () => {
    const fewer = { comparable: 'assay:0|task:stream|concepts:a#1|gold:2(1)' };
    const measured = measuredFolder({ V0: {}, V1: fewer });
    const { stdout } = await figures(measured, '--out', temporaryFolder());
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain(
      'V0 and V1 were not measured alike: the cases or their gold differ',
    );
  });

  it.each([
    ['a folder that is none', (_: string) => ['nowhere', '--out', 'x'], 'nowhere: cannot be read (ENOENT)'],
    [
      'a folder without runs',
      (m: string) => [join(m, 'V0', '..', '..'), '--out', 'x'],
      'there are no measured variants',
    ],
    ['the run of one variant', (m: string) => [join(m, 'V0'), '--out', 'x'], 'is the run of one variant'],
    ['a variant that is not there', (m: string) => [m, '--out', 'x', '--variants', 'V7'], 'there is no variant V7'],
    ['no variant', (m: string) => [m, '--out', 'x', '--variants', ','], 'expected names between commas'],
    ['a case without traces', (m: string) => [m, '--out', 'x', '--case', 'a'], '--traces is missing'],
    ['traces without runs', (m: string) => [m, '--out', 'x', '--traces', m], '--runs is missing'],
  ])('%s: a sentence that helps', async (_, args, message) => {
    const measured = join(temporaryFolder(), 'inner', 'measured');
    mkdirSync(join(measured, '..'), { recursive: true });
    renameSync(measuredFolder({ V0: {} }), measured);
    await expect(figures(...args(measured))).rejects.toThrow(message);
    await expect(figures(...args(measured))).rejects.toThrow(UsageError);
  });

  it('names the nearest case, and writes nothing where one is unknown', async () => {
    const [measured, out, { traces, runs }] = [measuredFolder({ V0: {} }), temporaryFolder(), streamFolder()];
    const asked = figures(measured, '--out', out, '--traces', traces, '--runs', runs, '--case', 'a', '--case', 'c');
    await expect(asked).rejects.toMatchObject({
      message: expect.stringContaining('there is no trace of the case c'),
      next: 'cases: a, b',
    });
    expect(readdirSync(out)).toEqual([]);
  });

  it('refuses a run of another task', async () => {
    const measured = measuredFolder({ V0: { task: 'pii' } });
    await expect(figures(measured, '--out', 'x')).rejects.toThrow('is a run of the task pii, expected stream');
  });
});
