import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { datasetHashOf } from '../../src/stream/dataset-hash.ts';
import { traceFiles } from '../../src/stream/read-trace.ts';
import { type Made, madeUpManifest, madeUpTrace, writeFiles } from './validate/made-up-files.ts';

const GOOD = {
  'case-1.trace.jsonl.gz': madeUpTrace(),
  'case-2.trace.jsonl.gz': madeUpTrace('case-2'),
  'set.manifest.jsonl': madeUpManifest(),
};

function spoken(records: Made[], commit: string): Made[] {
  return records.map((record, at) => (at === 0 ? { ...record, mac_commit: commit } : record));
}

/** A manifest of traces that state a commit, and that states one itself. */
function manifestOf(traces: readonly Made[][], commit: string): Made[] {
  return madeUpManifest(traces).map((record, at) => (at === 1 ? { ...record, mac_commit: commit } : record));
}

describe('traces and their manifest', () => {
  it('as they were frozen: the hash of the manifest', async () => {
    const folder = writeFiles(GOOD);
    expect(await datasetHashOf(traceFiles(folder))).toEqual({
      hash: GOOD['set.manifest.jsonl'][1]!['trace_dataset_hash'],
      untimed: [],
      notices: [],
      differences: null,
    });
  });

  it('names the cases without any time of emission, not those that have one', async () => {
    const untimed = (id: string, from: number): Made[] =>
      madeUpTrace(id).map(({ t_emitted_ms: time, ...record }, at) =>
        time === undefined || at >= from ? record : { ...record, t_emitted_ms: time },
      );
    const folder = writeFiles({ 'a.jsonl': untimed('case-1', 0), 'b.jsonl': untimed('case-2', 3) });
    expect((await datasetHashOf(traceFiles(folder))).untimed).toEqual(['case-1']);
  });

  it.each([
    ['changed', { 'case-2.trace.jsonl.gz': spoken(madeUpTrace('case-2'), 'x') }, '1 changed (case-2)'],
    ['missing', { 'case-2.trace.jsonl.gz': '{"other":1}\n' }, '1 missing (case-2)'],
    ['not listed', { 'case-3.trace.jsonl.gz': madeUpTrace('case-3') }, '1 not listed (case-3)'],
  ])('a trace that is %s is refused, and with --force stated', async (_, change, words) => {
    const folder = writeFiles({ ...GOOD, ...change });
    const traces = traceFiles(folder).filter((file) => !words.includes('missing') || !file.includes('case-2'));
    await expect(datasetHashOf(traces)).rejects.toThrow(
      `the traces are not as set.manifest.jsonl froze them: ${words}`,
    );
    const forced = await datasetHashOf(traces, { force: true });
    expect(forced.hash).not.toBe(GOOD['set.manifest.jsonl'][1]!['trace_dataset_hash']);
    expect(forced.notices).toEqual([expect.stringContaining(`${words}; --force continued`)]);
    expect(forced.differences).toMatchObject({ manifest: 'set.manifest.jsonl' });
  });

  it('one trace that is named by itself misses no others', async () => {
    const folder = writeFiles(GOOD);
    const one = [join(folder, 'case-1.trace.jsonl.gz')];
    expect(await datasetHashOf(one, { whole: false })).toMatchObject({ notices: [], differences: null });
    await expect(datasetHashOf(one)).rejects.toThrow('1 missing (case-2)');
  });

  it('a manifest of other agents than those of the traces is refused, forced or not', async () => {
    const traces = [spoken(madeUpTrace(), 'aaa'), spoken(madeUpTrace('case-2'), 'aaa')];
    const files = { 'case-1.trace.jsonl.gz': traces[0]!, 'case-2.trace.jsonl.gz': traces[1]! };
    const good = writeFiles({ ...files, 'set.manifest.jsonl': manifestOf(traces, 'aaa') });
    expect(await datasetHashOf(traceFiles(good))).toMatchObject({ notices: [], differences: null });
    const bad = writeFiles({ ...files, 'set.manifest.jsonl': manifestOf(traces, 'bbb') });
    for (const force of [false, true])
      await expect(datasetHashOf(traceFiles(bad), { force })).rejects.toThrow(
        /set\.manifest\.jsonl:2: mac_commit: found bbb, expected aaa as in .*case-1\.trace\.jsonl\.gz and 1 more \(record the traces again/,
      );
  });

  it('without a manifest, traces of two versions of the agents are refused', async () => {
    const folder = writeFiles({
      'a.jsonl': spoken(madeUpTrace(), 'aaa'),
      'b.jsonl': spoken(madeUpTrace('case-2'), 'bbb'),
    });
    await expect(datasetHashOf(traceFiles(folder), { force: true })).rejects.toThrow(
      /b\.jsonl: mac_commit: found bbb, expected aaa as in .*a\.jsonl \(replay the traces of each apart\)/,
    );
    expect((await datasetHashOf(traceFiles(folder).slice(0, 1))).notices).toEqual([]);
  });

  it('of two manifests none is taken, which is reported; one that is named is', async () => {
    const folder = writeFiles({ ...GOOD, 'other.manifest.jsonl': madeUpManifest() });
    const traces = traceFiles(folder).filter((file) => file.includes('case-'));
    expect((await datasetHashOf(traces)).notices).toEqual([
      'none of other.manifest.jsonl, set.manifest.jsonl was compared with the traces: name one with --manifest',
    ]);
    expect(await datasetHashOf(traces, { manifest: join(folder, 'other.manifest.jsonl') })).toMatchObject({
      notices: [],
    });
  });
});
