import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { InputError } from '../../../src/data/problems.ts';
import { readManifest } from '../../../src/stream/manifest.ts';
import { freeze, type FreezeOptions } from '../../../src/stream/record/freeze.ts';
import { validateFiles } from '../../../src/stream/validate/validate.ts';
import { CASE_LIST, linesOf, madeUpManifest, madeUpTrace, sha256, writeFiles } from '../validate/made-up-files.ts';

const TRACES = { 'case-2.trace.jsonl.gz': madeUpTrace('case-2'), 'case-1.trace.jsonl.gz': madeUpTrace() };

const options = (folder: string, more: Partial<FreezeOptions> = {}): FreezeOptions => ({
  folder,
  dataset: 'set',
  masRunId: null,
  force: false,
  ...more,
});

/** In every manifest, by the published schema. */
const STATED = {
  case_list_hash_input: 'SHA256 of case_list.jsonl file bytes',
  trace_dataset_hash_definition: 'SHA256 of JSON: {mas_run_id, case_list_hash, sorted [(case_id, trace_sha256)]}',
  exaid_commit: 'assay',
};

describe('a frozen folder', () => {
  it('has a manifest of its traces, and a case list, without a clock', async () => {
    const folder = writeFiles(TRACES);
    const frozen = await freeze(options(folder));
    expect(readFileSync(join(folder, 'set.case_list.jsonl'), 'utf8')).toBe(CASE_LIST);
    // What the test made by hand, with what the published schema wants besides.
    const [meta, provenance, ...rest] = madeUpManifest();
    const { entries, ...others } = await readManifest(join(folder, 'set.manifest.jsonl'));
    expect([others.meta, others.provenance, ...entries, others.summary]).toEqual([
      {
        ...meta,
        schema_version: '2.0.0',
        dataset_id: 'exaid_traces_set',
        // When the latest conversation began.
        created_at: '2026-01-05T10:00:00.000Z',
      },
      { ...provenance, ...STATED },
      ...rest,
    ]);
    expect(frozen).toMatchObject({ cases: 2, deltas: 10, turns: 4, datasetHash: provenance!['trace_dataset_hash'] });
    const result = await validateFiles({ paths: [folder], complete: true, report: () => undefined });
    expect(result).toMatchObject({ problems: 0, notices: {} });
  });

  it('names the version of the agents that all traces name, and takes no two', async () => {
    const spoken = (id: string, commit: string): string =>
      linesOf([{ ...madeUpTrace(id)[0], mac_commit: commit }, ...madeUpTrace(id).slice(1)]);
    const folder = writeFiles({ 'a.jsonl': spoken('case-1', 'aaa'), 'b.jsonl': spoken('case-2', 'aaa') });
    await freeze(options(folder));
    const { provenance } = await readManifest(join(folder, 'set.manifest.jsonl'));
    expect(provenance.mac_commit).toBe('aaa');
    writeFileSync(join(folder, 'c.jsonl'), spoken('case-3', 'bbb'));
    await expect(freeze(options(folder))).rejects.toThrow('the traces have different mac_commit: aaa, bbb');
    writeFileSync(join(folder, 'c.jsonl'), linesOf(madeUpTrace('case-3')));
    await expect(freeze(options(folder))).rejects.toThrow('the traces have different mac_commit: aaa, none');
  });

  it('refuses traces of another commit than the one that is stated for the set', async () => {
    const ours = linesOf([{ ...madeUpTrace()[0], mac_commit: 'aaa' }, ...madeUpTrace().slice(1)]);
    const folder = writeFiles({ 'a.jsonl': ours });
    await expect(freeze(options(folder, { provenance: { mac_commit: 'bbb' } }))).rejects.toThrow(
      'the traces have mac_commit aaa, the configuration bbb',
    );
    await freeze(options(folder, { provenance: { mac_commit: 'aaa', mac_fork_url: 'https://example.org/agents' } }));
    const { provenance } = await readManifest(join(folder, 'set.manifest.jsonl'));
    expect(provenance).toMatchObject({ mac_commit: 'aaa', mac_fork_url: 'https://example.org/agents' });
  });

  it('gives the same bytes again, and takes new traces in', async () => {
    const folder = writeFiles(TRACES);
    await freeze(options(folder));
    const before = readFileSync(join(folder, 'set.manifest.jsonl'), 'utf8');
    await freeze(options(folder));
    expect(readFileSync(join(folder, 'set.manifest.jsonl'), 'utf8')).toBe(before);
    writeFileSync(join(folder, 'case-0.jsonl'), linesOf(madeUpTrace('case-0')));
    expect(await freeze(options(folder))).toMatchObject({ cases: 3 });
    const { entries } = await readManifest(join(folder, 'set.manifest.jsonl'));
    expect(entries.map(({ file }) => file)).toEqual(['case-0.jsonl', 'case-1.trace.jsonl.gz', 'case-2.trace.jsonl.gz']);
  });

  it('is not frozen anew where frozen traces are gone or are others, unless that is wanted', async () => {
    const folder = writeFiles(TRACES);
    await freeze(options(folder));
    rmSync(join(folder, 'case-1.trace.jsonl.gz'));
    await expect(freeze(options(folder))).rejects.toThrow('of the frozen traces case-1 is gone');
    const other = madeUpTrace();
    other[0]!['model'] = 'another';
    writeFileSync(join(folder, 'case-1.trace.jsonl'), linesOf(other));
    await expect(freeze(options(folder))).rejects.toThrow('of the frozen traces case-1 has changed');
    expect(await freeze(options(folder, { force: true }))).toMatchObject({ cases: 2 });
  });

  it('keeps what an earlier manifest said of where the traces came from', async () => {
    const manifest = madeUpManifest();
    manifest[1]!['config_hash'] = sha256('config');
    const folder = writeFiles({ ...TRACES, 'set.manifest.jsonl': manifest });
    await freeze(options(folder));
    const { provenance } = await readManifest(join(folder, 'set.manifest.jsonl'));
    expect(provenance).toEqual({ ...manifest[1], ...STATED });
  });

  it('is refused, and nothing is written, where a trace is wrong, doubled or missing', async () => {
    const broken = madeUpTrace();
    broken[3]!['seq'] = 0;
    for (const [files, message] of [
      [{ 'a.jsonl': broken }, 'seq: found 0, expected more than 1 of record 3'],
      [{ 'a.jsonl': madeUpTrace(), 'b.jsonl': madeUpTrace() }, 'the case of'],
    ] as const) {
      const folder = writeFiles(files);
      await expect(freeze(options(folder))).rejects.toThrow(InputError);
      await expect(freeze(options(folder))).rejects.toThrow(message);
      expect(readdirSync(folder)).toEqual(Object.keys(files));
    }
    await expect(freeze(options(writeFiles({ 'a.txt': 'x' })))).rejects.toThrow('no traces there');
  });

  it.each<[string, string | Record<string, unknown>[], string]>([
    ['case-2.trace.jsonl', '', 'found no record at all'],
    ['case-2.jsonl', '', 'found no record at all'],
    ['case-2.trace.jsonl.gz', '\u0001\u0002random', 'found no record that can be read'],
    ['case-2.trace.jsonl', [{ some: 'thing' }], 'found records of another sort'],
    ['case-2.trace.jsonl', [{ case_id: 'case-2', index: 0 }], 'found a case list'],
  ])('is refused where %s is damaged or foreign', async (name, content, message) => {
    const folder = writeFiles({ 'a.jsonl': madeUpTrace() });
    writeFileSync(join(folder, name), typeof content === 'string' ? content : linesOf(content));
    const freezing = freeze(options(folder));
    await expect(freezing).rejects.toThrow(InputError);
    await expect(freezing).rejects.toThrow(`${join(folder, name)}: expected a trace`);
    await expect(freezing).rejects.toThrow(message);
    expect(readdirSync(folder)).toEqual(['a.jsonl', name]);
  });

  it('leaves alone what is something else', async () => {
    const folder = writeFiles({ 'a.jsonl': madeUpTrace(), 'notes.jsonl': [{ some: 'thing' }] });
    writeFileSync(join(folder, 'case-1.run.jsonl'), '');
    expect(await freeze(options(folder))).toMatchObject({ cases: 1 });
  });

  it('needs a name for what produced traces of several runs', async () => {
    const second = madeUpTrace('case-2');
    second[0]!['mas_run_id'] = 'another';
    const folder = writeFiles({ 'a.jsonl': madeUpTrace(), 'b.jsonl': second });
    await expect(freeze(options(folder))).rejects.toThrow('the traces have different mas_run_id: mas, another');
    await freeze(options(folder, { masRunId: 'both' }));
    expect((await readManifest(join(folder, 'set.manifest.jsonl'))).meta.mas_run_id).toBe('both');
  });
});
