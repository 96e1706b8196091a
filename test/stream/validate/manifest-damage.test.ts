import { gzipSync } from 'node:zlib';

import { describe, expect, it } from 'vitest';

import { type Damage, set, without } from './damage.ts';
import { CASE_LIST, linesOf, type Made, madeUpManifest, madeUpTrace, sha256, validate } from './made-up-files.ts';

const swap =
  (a: number, b: number) =>
  (records: Made[]): void => {
    const [first, second] = [records[a - 1]!, records[b - 1]!];
    records[a - 1] = second;
    records[b - 1] = first;
  };
/** For changes after which the hash of the set cannot be right. */
const withoutHash =
  (...changes: ((records: Made[]) => void)[]) =>
  (records: Made[]): void => {
    delete records[1]!['trace_dataset_hash'];
    for (const change of changes) change(records);
  };

const files = {
  'traces/case-1.trace.jsonl.gz': madeUpTrace(),
  'traces/case-2.trace.jsonl.gz': madeUpTrace('case-2'),
  'set.case_list.jsonl': CASE_LIST,
};

const DAMAGES: readonly Damage[] = [
  ['no manifest_meta', without(1), [' order']],
  ['no provenance', without(2), [' order']],
  ['no summary', without(5), [' order']],
  ['a second summary', (records) => void records.push({ ...records[4]! }), ['6 order']],
  ['a summary before the entries', swap(3, 5), ['4 order']],
  ['a provenance before the meta', swap(1, 2), ['2 order']],
  ['a count that is text', set(3, { delta_count: '5' }), ['3 schema']],
  ['a hash that is none', set(3, { sha256: 'abc' }), ['3 schema']],

  ['another hash of the set', set(2, { trace_dataset_hash: sha256('other') }), ['2 dataset-hash']],
  ['another id of the run', set(1, { mas_run_id: 'other' }), ['2 dataset-hash']],
  ['another case list', withoutHash(set(2, { case_list_hash: sha256('other') })), ['2 case-list-hash']],
  ['another hash of a trace', withoutHash(set(3, { sha256: sha256('other') })), ['3 file-hash']],
  [
    'the hash of the packed trace',
    withoutHash(set(3, { sha256: sha256(gzipSync(linesOf(madeUpTrace()))) })),
    ['3 file-hash'],
  ],
  [
    'another count of deltas',
    (records) => {
      set(3, { delta_count: 6 })(records);
      set(5, { total_deltas: 11 })(records);
    },
    ['3 count'],
  ],
  [
    'another count of turns',
    (records) => {
      set(3, { turn_count: 1 })(records);
      set(5, { total_turns: 3 })(records);
    },
    ['3 count'],
  ],
  ['a wrong sum of cases', set(5, { total_cases: 3 }), ['5 count']],
  ['a wrong sum of deltas', set(5, { total_deltas: 9 }), ['5 count']],
  ['a wrong sum of turns', set(5, { total_turns: 9 }), ['5 count']],
  ['a wrong number of successes', set(5, { successful_cases: 1 }), ['5 count']],
  ['cases that failed and are counted', set(5, { total_cases: 3, failed_cases: 1 }), []],
  ['a file of another name', set(3, { file: 'other.jsonl.gz' }), ['3 missing']],
  ['a file of another case', set(3, { file: 'case-2.trace.jsonl.gz' }), ['4 duplicate', '3 missing']],
  [
    'a case that comes twice',
    (records) => void records.splice(3, 0, { ...records[2]! }),
    ['4 duplicate', '4 duplicate', '6 count', '6 count', '6 count', '2 dataset-hash'],
  ],
];

describe('a manifest with one damage', () => {
  it('is found good before it is damaged', async () => {
    expect(await validate({ ...files, 'm.jsonl': madeUpManifest() }, { complete: true })).toMatchObject({
      problems: 0,
      notices: {},
      files: { trace: 2, manifest: 1, 'case-list': 1 },
    });
  });

  it.each(DAMAGES)('%s: told where it is, and nothing else', async (_, change, expected) => {
    const records = madeUpManifest();
    change(records);
    const { places } = await validate({ ...files, 'm.jsonl': records });
    expect(places).toEqual(expected.map((place) => `m.jsonl${place.startsWith(' ') ? '' : ':'}${place}`));
  });
});

describe('a manifest and the traces at hand', () => {
  const { 'traces/case-2.trace.jsonl.gz': second, ...others } = files;

  it('a trace that is not there is counted, and a problem only where all should be there', async () => {
    const part = { ...others, 'm.jsonl': madeUpManifest() };
    expect(await validate(part)).toMatchObject({ problems: 0, notices: { 'trace-not-at-hand': 1 } });
    expect(await validate(part, { complete: true })).toMatchObject({ places: ['m.jsonl:4 missing'], notices: {} });
  });

  it('a trace that it does not list is told', async () => {
    const more = { ...files, 'm.jsonl': madeUpManifest(), 'traces/case-3.jsonl': madeUpTrace('case-3') };
    expect((await validate(more)).places).toEqual(['traces/case-3.jsonl:1 unlisted']);
  });

  it('a trace that was changed afterwards is told by its hash and counts', async () => {
    const changed = second
      .slice(0, 7)
      .map((record, at) => (at === 0 ? { ...record, total_deltas: 3, total_turns: 1 } : record));
    const { places } = await validate({
      ...others,
      'm.jsonl': madeUpManifest(),
      'x/case-2.trace.jsonl.gz': changed.slice(0, 6),
    });
    expect(places).toEqual(['m.jsonl:4 file-hash', 'm.jsonl:4 count', 'm.jsonl:4 count']);
  });

  it('a name that leads out of the folder is looked for among the files, and never opened', async () => {
    const records = madeUpManifest();
    records[2]!['file'] = '../../../../../etc/passwd';
    const { found } = await validate({ ...files, 'm.jsonl': records });
    expect(found.map(({ record, check }) => `${record ?? 0} ${check}`)).toEqual(['3 missing']);
  });

  it('a commit of other agents than those of the traces is told once, at the provenance', async () => {
    const spoken = (id: string): Made[] => {
      const [meta, ...rest] = madeUpTrace(id);
      return [{ ...meta, mac_commit: 'aaa' }, ...rest];
    };
    const traces = [spoken('case-1'), spoken('case-2')];
    const said = (commit: string | null): Made[] => {
      const records = madeUpManifest(traces);
      set(2, { mac_commit: commit })(records);
      return records;
    };
    const at = { 'traces/case-1.trace.jsonl.gz': traces[0]!, 'traces/case-2.trace.jsonl.gz': traces[1]! };
    expect((await validate({ ...at, 'm.jsonl': said('aaa') })).places).toEqual([]);
    // A manifest that names none says nothing about the agents.
    expect((await validate({ ...at, 'm.jsonl': said(null) })).places).toEqual([]);
    // Without a manifest, traces of two commits contradict each other.
    const mixed = {
      'a.jsonl': traces[0]!,
      'b.jsonl': [{ ...madeUpTrace('case-2')[0], mac_commit: 'bbb' }, ...traces[1]!.slice(1)],
    };
    const apart = await validate(mixed);
    expect(apart.places).toEqual(['b.jsonl:1 mac-commit']);
    expect(apart.found[0]!.message).toMatch(/^mac_commit: found bbb, expected aaa as in .*a\.jsonl$/);
    const { places, found } = await validate({ ...at, 'm.jsonl': said('bbb') });
    expect(places).toEqual(['m.jsonl:2 mac-commit']);
    expect(found[0]!.message).toMatch(
      /^mac_commit: found bbb, expected aaa as in .*case-1\.trace\.jsonl\.gz and 1 more \(record the traces again/,
    );
  });

  it('without a case list at hand, its hash is not checked', async () => {
    const { 'set.case_list.jsonl': _, ...traces } = files;
    const records = madeUpManifest();
    delete records[1]!['trace_dataset_hash'];
    records[1]!['case_list_hash'] = sha256('other');
    expect((await validate({ ...traces, 'm.jsonl': records })).places).toEqual([]);
  });
});
