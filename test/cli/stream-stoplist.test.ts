import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

import { describe, expect, it } from 'vitest';

import stoplistCommand from '../../src/cli/stream/stoplist.ts';
import { traceText, turn } from '../stream/made-trace.ts';
import { type Finished, temporaryFolder } from './run-assay.ts';
import { runCommand } from './run-command.ts';

function stoplist(...args: string[]): Promise<Finished> {
  return runCommand(stoplistCommand, args);
}

/** Deltas are pieces of words, as models stream them. */
const TEXTS: Readonly<Record<string, readonly string[]>> = {
  a: ['The pati', 'ent has atax', 'ia. MRI of the bra', 'in.'],
  b: ['The patient has fe', 'ver.'],
  c: ['Patient: atax', 'ia, fever. =SUM'],
};

function traces(texts: Readonly<Record<string, readonly string[]>> = TEXTS): string {
  const folder = join(temporaryFolder(), 'traces');
  mkdirSync(folder);
  for (const [id, deltas] of Object.entries(texts)) {
    const text = traceText(id, [
      { agent: 'doctor', subtype: 'message', deltas: deltas.map((delta, at) => [delta, at * 10] as const) },
    ]);
    writeFileSync(join(folder, `${id}.trace.jsonl.gz`), gzipSync(text));
  }
  return folder;
}

const read = (folder: string, name: string): string => readFileSync(join(folder, name), 'utf8');
const entries = (folder: string, name: string): string[] =>
  read(folder, name)
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));

describe('assay stream stoplist', () => {
  it('lists what at least the threshold of traces has, with words put together again', async () => {
    const out = join(temporaryFolder(), 'lists');
    const { stdout } = await stoplist('--traces', traces(), '--out', out, '--threshold', '0.6');
    // ceil(0.6 * 3) = 2: the patient is in 3, ataxia and fever are in 2, MRI and brain in 1.
    expect(entries(out, 'stop_cuis.txt')).toEqual(['C0004134', 'C0015967', 'C0030705']);
    expect(entries(out, 'stop_entities.txt')).toEqual(expect.arrayContaining(['ataxia', 'fever', 'patient']));
    const report = read(out, 'stoplist_df_report.csv');
    expect(report).toContain('\nC0030705,CUI,3,1.0,STOPLISTED\n');
    expect(report).toContain('\nC0004134,CUI,2,0.6666666666666666,STOPLISTED\n');
    expect(report).toContain('\nC0006104,CUI,1,0.3333333333333333,KEPT\n');
    expect(report).toContain('\n# SUMMARY\n# n_cases,3\n# threshold,0.6\n# cutoff_count,2\n# stoplisted_cuis,3\n');
    expect(stdout).toContain('In at least 2 of 3 traces:');
    expect(stdout).toContain('3 concepts of 5');
    expect(stdout).toContain('There are few traces');
    expect(stdout.split('\n').every((line) => line.length <= 120)).toBe(true);
  });

  it('gives the same bytes each time, without a clock or a path, and hashes of all that is behind them', async () => {
    const folders = [join(temporaryFolder(), 'x'), join(temporaryFolder(), 'y')];
    for (const out of folders) await stoplist('--traces', traces(), '--out', out, '--quiet');
    const [x, y] = folders.map((out) =>
      readdirSync(out)
        .toSorted()
        .map((name) => [name, read(out, name)]),
    );
    expect(x).toEqual(y);
    expect(x!.map(([name]) => name)).toEqual([
      'stop_cuis.txt',
      'stop_entities.txt',
      'stoplist_df_report.csv',
      'stoplists_metadata.json',
    ]);
    const metadata = JSON.parse(read(folders[0]!, 'stoplists_metadata.json')) as Record<string, unknown>;
    expect(metadata).toMatchObject({
      n_cases: 3,
      threshold: 0.9,
      cutoff_count: 3,
      join: 'concat',
      extractor: { name: 'vocabulary', stoplist: null },
      traces: [{ case_id: 'a' }, { case_id: 'b' }, { case_id: 'c' }],
    });
    for (const key of [
      'traces_hash',
      'extractor_hash',
      'stop_cuis_hash',
      'stop_entities_hash',
      'stoplist_df_report_hash',
    ])
      expect(metadata[key], key).toMatch(/^sha256:[0-9a-f]{64}$/);
    expect(JSON.stringify(x)).not.toMatch(/\/tmp|20\d\d-\d\d/);
  });

  it('switches off stoplists that settings name, and says so; takes the threshold that they name', async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'stop_cuis.txt'), 'C0030705\n');
    writeFileSync(
      join(folder, 'extractor.yaml'),
      'concept_extractor:\n  stop_cuis_file: stop_cuis.txt\nstoplist_generation:\n  df_threshold: 0.6\n',
    );
    const out = join(folder, 'lists');
    const { stdout } = await stoplist('--traces', traces(), '--out', out, '--config', join(folder, 'extractor.yaml'));
    expect(stdout).toContain('The settings name stoplists; they were off here');
    expect(entries(out, 'stop_cuis.txt')).toContain('C0030705');
    expect(read(out, 'stoplist_df_report.csv')).toContain('# threshold,0.6\n');
    // The folder of the file is the configuration of the other commands.
    const again = join(folder, 'again');
    await stoplist('--traces', traces(), '--out', again, '--config', folder);
    expect(read(again, 'stoplists_metadata.json')).toBe(read(out, 'stoplists_metadata.json'));
  });

  it('shreds words as the published figures did, when asked to', async () => {
    const out = join(temporaryFolder(), 'lists');
    await stoplist('--traces', traces(), '--out', out, '--join', 'space', '--threshold', '0.3', '--quiet');
    expect(read(out, 'stoplist_df_report.csv')).not.toContain('C0004134');
  });

  it('prints the metadata as JSON, and the rest on standard error', async () => {
    const out = join(temporaryFolder(), 'lists');
    const { stdout, stderr } = await stoplist('--traces', traces(), '--out', out, '--json');
    expect(stdout).toBe(read(out, 'stoplists_metadata.json'));
    expect(stderr).toContain('In at least 3 of 3 traces:');
  });

  it('makes lists of concepts where surfaces are not known, and says so', async () => {
    const folder = temporaryFolder();
    const lines = Object.values(TEXTS).map((deltas) => JSON.stringify({ text: deltas.join(''), concepts: ['C1'] }));
    writeFileSync(join(folder, 'recorded.jsonl'), lines.join('\n'));
    const out = join(folder, 'lists');
    const { stdout } = await stoplist(
      '--traces',
      traces(),
      '--out',
      out,
      '--concepts',
      `recorded:${folder}/recorded.jsonl`,
    );
    expect(entries(out, 'stop_cuis.txt')).toEqual(['C1']);
    expect(entries(out, 'stop_entities.txt')).toEqual([]);
    expect(stdout).toContain('Surface forms are not known');
    expect(read(out, 'stoplist_df_report.csv')).toContain('# total_unique_surfaces,not known\n');
  });

  it.each([
    [['--threshold', '90'], '--threshold 90: expected a number above 0, at most 1'],
    [['--concepts', 'vocabulary', '--config', 'x.yaml'], '--concepts and --config both name the concept extractor'],
  ])('refuses %j', async (args, message) => {
    const out = join(temporaryFolder(), 'lists');
    await expect(stoplist('--traces', traces(), '--out', out, ...args)).rejects.toThrow(message);
  });

  it('refuses a case that comes twice, which would count twice', async () => {
    const folder = traces();
    writeFileSync(join(folder, 'again.jsonl'), traceText('a', [turn('x', 'hello@0')]));
    const out = join(temporaryFolder(), 'lists');
    await expect(stoplist('--traces', folder, '--out', out)).rejects.toThrow(
      /again\.jsonl: the case a is in .*a\.trace\.jsonl\.gz too/,
    );
    expect(() => readdirSync(out)).toThrow('ENOENT');
  });
});
