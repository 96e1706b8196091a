import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { heuristicModel } from '../../../src/stream/replay/heuristic-model.ts';
import { readVariant } from '../../../src/stream/replay/read-variant.ts';
import { replayFolder, type ReplayOptions } from '../../../src/stream/replay/replay-folder.ts';
import { traceText, turn } from '../made-trace.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'assay-replay-'));
  for (const id of ['case-1', 'case-2', 'case-3'])
    writeFileSync(
      join(folder, `${id}.trace.jsonl`),
      traceText(id, [
        turn('a', 'The patient has fever and a cough.@0', ' A chest film shows pneumonia.@90'),
        turn('b', 'Start amoxicillin today.@2500'),
      ]),
    );
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function options(out: string, more: Partial<ReplayOptions> = {}): ReplayOptions {
  const model = heuristicModel();
  return {
    traces: ['case-1', 'case-2', 'case-3'].map((id) => join(folder, `${id}.trace.jsonl`)),
    variants: [readVariant('V2', null, ['minWords=4']), readVariant('V0', null, ['minWords=4'])],
    model,
    setting: { model, datasetHash: `sha256:${'1'.repeat(64)}`, provenance: {} },
    out: join(folder, out),
    ...more,
  };
}

function bytes(out: string): Record<string, string> {
  const root = join(folder, out);
  return Object.fromEntries(
    readdirSync(root, { recursive: true, encoding: 'utf8' })
      .filter((name) => statSync(join(root, name)).isFile())
      .map((name) => [name, readFileSync(join(root, name)).toString('base64')]),
  );
}

describe('a folder of traces through variants', () => {
  test('writes a log for each case and variant, the same bytes whenever it is run', async () => {
    const totals = await replayFolder(options('one'));
    expect(totals.map(({ variant, cases, kept, flushes }) => [variant, cases, kept, flushes])).toEqual([
      ['V2', 3, 0, 9],
      ['V0', 3, 0, 9],
    ]);
    await replayFolder(options('two', { concurrency: 3 }));
    expect(bytes('two')).toEqual(bytes('one'));
    expect(Object.keys(bytes('one')).sort()).toEqual(
      ['V0', 'V2'].flatMap((variant) => [1, 2, 3].map((n) => `${variant}/case-${n}.run.jsonl.gz`)),
    );
  });

  test('goes on where it was: finished cases are kept, what was cut off is made again', async () => {
    await replayFolder(options('one'));
    const whole = bytes('one');
    const half = join(folder, 'one/V0/case-2.run.jsonl.gz');
    writeFileSync(half, readFileSync(half).subarray(0, 200));
    rmSync(join(folder, 'one/V0/case-3.run.jsonl.gz'));
    writeFileSync(join(folder, 'one/V0/case-3.run.jsonl.gz.partial-999999999'), 'half');
    const totals = await replayFolder(options('one'));
    expect(totals.map(({ variant, kept }) => [variant, kept])).toEqual([
      ['V2', 3],
      ['V0', 1],
    ]);
    expect(bytes('one')).toEqual(whole);
  });

  test('a log of other settings is not taken for this one', async () => {
    await replayFolder(options('one'));
    const other = [readVariant('V2', null, ['minWords=5']), readVariant('V0', null, ['minWords=4'])];
    await expect(replayFolder(options('one', { variants: other }))).rejects.toThrow(/is the log of another run/);
    const totals = await replayFolder(options('one', { variants: other, force: true }));
    expect(totals.map(({ variant, kept }) => [variant, kept])).toEqual([
      ['V2', 0],
      ['V0', 3],
    ]);
  });

  test('a folder that another process writes to is left to it, and taken over when that process is gone', async () => {
    mkdirSync(join(folder, 'one'));
    writeFileSync(join(folder, 'one/.assay-lock'), String(process.ppid));
    await expect(replayFolder(options('one'))).rejects.toThrow(/is being written to by another process/);
    writeFileSync(join(folder, 'one/.assay-lock'), '999999999');
    expect((await replayFolder(options('one')))[0]).toMatchObject({ cases: 3 });
    expect(existsSync(join(folder, 'one/.assay-lock'))).toBe(false);
  });

  test('says in every log that a heuristic answered', async () => {
    const logs: string[] = [];
    await replayFolder(options('one', { done: ({ log }) => void logs.push(log.meta.model?.kind ?? '') }));
    expect(logs).toEqual(Array.from({ length: 6 }, () => 'heuristic'));
  });

  test('a stub is no conversation, and one case has one trace', async () => {
    const stub = readFileSync(join(folder, 'case-1.trace.jsonl'), 'utf8').replace(
      '"case_id":"case-1",',
      '"case_id":"case-9","stub_mode":true,',
    );
    writeFileSync(join(folder, 'stub.trace.jsonl'), stub);
    const traces = [join(folder, 'stub.trace.jsonl')];
    await expect(replayFolder(options('one', { traces }))).rejects.toThrow(/stub_mode is true/);
    expect((await replayFolder(options('one', { traces, allowStubs: true })))[0]).toMatchObject({ cases: 1 });
    const twice = [join(folder, 'case-1.trace.jsonl'), join(folder, 'case-1.trace.jsonl')];
    await expect(replayFolder(options('two', { traces: twice }))).rejects.toThrow(/are both the case case-1/);
    // Everything is looked at before anything is written.
    expect(existsSync(join(folder, 'two'))).toBe(false);
  });
});
