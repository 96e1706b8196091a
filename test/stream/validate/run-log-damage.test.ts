import { gzipSync } from 'node:zlib';

import { describe, expect, it } from 'vitest';

import { type Damage, set, without } from './damage.ts';
import {
  linesOf,
  logOf,
  type Made,
  madeUpLog,
  madeUpManifest,
  madeUpTrace,
  sha256,
  T0,
  validate,
} from './made-up-files.ts';

const withoutCounts =
  (...changes: ((records: Made[]) => void)[]) =>
  (records: Made[]): void => {
    delete records[0]!['timestamp_derivation'];
    for (const change of changes) change(records);
  };
const inside =
  (record: number, field: string, fields: Made) =>
  (records: Made[]): void => {
    const value = records[record - 1]![field];
    records[record - 1]![field] = { ...(typeof value === 'object' ? value : {}), ...fields };
  };
const id = (number: number): string => `case-1-V0-se-00${number}`;

const DAMAGES: readonly Damage[] = [
  ['no run_meta', without(1), ['1 order']],
  ['a second run_meta', (records) => void records.push({ ...records[0]! }), ['17 order']],
  ['a reason that is none', set(2, { trigger_reason: 'boredom' }), ['2 schema']],
  ['a decision that is none', set(7, { decision: 'perhaps' }), ['7 schema']],
  ['a time that is none', set(2, { timestamp: 'yesterday' }), ['2 schema']],
  ['a summary without a field', inside(12, 'summary_content', { key_findings: undefined }), ['12 schema']],
  ['units below zero', set(2, { accumulated_ctu: -1 }), ['2 schema']],

  [
    'a flush after the decisions',
    (records) => {
      const [flush, decision] = [records[5]!, records[6]!];
      records[5] = decision;
      records[6] = flush;
    },
    ['7 order'],
  ],
  ['an index that is off', set(14, { event_index: 9 }), ['14 index']],
  ['an index of a flush that is off', set(3, { flush_index: 0 }), ['3 index']],
  ['a record that was lost', withoutCounts(without(14)), ['14 index']],
  ['an id of another event', set(14, { event_id: id(9) }), ['14 id']],
  ['an id of another variant', set(7, { decision_id: 'case-1-V1-bd-000' }), ['7 id']],
  ['a record of another case', set(7, { case_id: 'case-9', decision_id: 'case-9-V0-bd-000' }), ['7 case-id']],
  ['a record of another variant', set(7, { variant_id: 'V1', decision_id: 'case-1-V1-bd-000' }), ['7 variant-id']],

  ['a flush that ends before it starts', set(2, { start_seq: 3, end_seq: 1 }), ['2 window']],
  ['a summary that ends before it starts', set(16, { start_seq: 8, end_seq: 7 }), ['16 window']],
  ['a window that leaves the trace', set(12, { end_seq: 9 }), ['12 window']],
  ['a window that begins nowhere', set(12, { start_seq: 6.5 }), ['12 schema']],
  ['a timestamp a millisecond off', set(12, { timestamp: '2026-01-05T10:00:00.001Z' }), ['12 timestamp']],
  ['a timestamp of 1970', set(2, { timestamp: '1970-01-01T00:00:00.000Z' }), ['2 timestamp']],
  ['a wrong count of timestamps', inside(1, 'timestamp_derivation', { derived_from_t_emitted: 14 }), ['1 count']],
  ['a wrong count of fallbacks', inside(1, 'timestamp_derivation', { derived_from_fallback: 1 }), ['1 count']],
  ['a wrong count of missing times', inside(1, 'timestamp_derivation', { missing_t_emitted_ms_count: 1 }), ['1 count']],

  ['a latest summary that is older', set(16, { latest_summary_event_id: id(2) }), ['16 history']],
  ['a latest summary before any', set(12, { latest_summary_event_id: id(4) }), ['12 history']],
  ['no latest summary', set(16, { latest_summary_event_id: null }), ['16 history']],
  ['a history of two', set(16, { summary_history_event_ids: [id(1), id(2)] }), ['16 history']],
  ['a history with the latest in it', set(16, { summary_history_event_ids: [id(1), id(2), id(3)] }), ['16 history']],
  ['a history in another order', set(16, { summary_history_event_ids: [id(2), id(1), id(0)] }), ['16 history']],
  [
    'a history of two where history_k is 2',
    (records) => {
      records[0]!['history_k'] = 2;
      records[15]!['summary_history_event_ids'] = [id(1), id(2)];
    },
    [],
  ],

  ['a text that the fields do not make', set(12, { summary_semantics_text: 'x'.repeat(70) }), ['12 semantics-text']],
  ['units that are off', set(12, { summary_ctu: 17 }), ['12 ctu']],
  ['a hash of another input', set(12, { summarizer_input_hash: sha256('other') }), ['12 input-hash']],
  ['a hash of another flush', set(2, { text_hash: sha256('other') }), ['2 flush-text']],
  ['units of a flush that are off', set(2, { accumulated_ctu: 4 }), ['2 ctu']],
  ['another trace', set(1, { trace_file_hash: sha256('other') }), ['1 trace-hash']],
];

describe('a run log with one damage', () => {
  it('is found good before it is damaged', async () => {
    expect(await validate({ 'a.jsonl': madeUpTrace(), 'log.jsonl': madeUpLog() })).toMatchObject({
      problems: 0,
      records: 26,
      notices: { 'hash-of-unpacked-trace': 1 },
    });
  });

  it.each(DAMAGES)('%s: told where it is, and nothing else', async (_, change, expected) => {
    const log = madeUpLog();
    change(log);
    const { places } = await validate({ 'a.jsonl': madeUpTrace(), 'log.jsonl.gz': log });
    expect(places).toEqual(expected.map((place) => `log.jsonl.gz:${place}`));
  });

  it('is checked for itself where its trace is not at hand, which is counted', async () => {
    const log = madeUpLog();
    log[11]!['summary_ctu'] = 17;
    log[1]!['text_hash'] = sha256('not to be checked');
    const alone = await validate({ 'log.jsonl': log });
    expect(alone).toMatchObject({ places: ['log.jsonl:12 ctu'], notices: { 'log-without-trace': 1 } });
    const complete = await validate({ 'a.jsonl': madeUpTrace('case-2'), 'log.jsonl': log }, { complete: true });
    expect(complete.places).toEqual(['log.jsonl missing', 'log.jsonl:12 ctu']);
  });
});

describe('a run log and its trace', () => {
  it('may call the case by the name of the trace’s file, and hash its packed bytes; both are counted', async () => {
    const packed = gzipSync(linesOf(madeUpTrace()));
    const log = madeUpLog(madeUpTrace(), 'case-1.trace');
    log[0]!['trace_file_hash'] = sha256(packed);
    expect(await validate({ 'traces/case-1.trace.jsonl.gz': packed, 'runs/V0/x.jsonl': log })).toMatchObject({
      problems: 0,
      notices: { 'case-named-after-file': 1, 'hash-of-packed-trace': 1 },
    });
  });

  it('may have timestamps that are the start of the trace and a second for each seq, which is counted', async () => {
    const log = madeUpLog();
    log[2]!['timestamp'] = '2026-01-05T10:00:02.000Z';
    log[0]!['timestamp_derivation'] = { derived_from_t_emitted: 14, derived_from_fallback: 1 };
    expect(await validate({ 'a.jsonl': madeUpTrace(), 'log.jsonl': log })).toMatchObject({
      problems: 0,
      notices: { 'fallback-timestamp': 1 },
    });
  });

  it('may have windows that are a turn’s boundaries, with the time of the turn’s last delta', async () => {
    const log = logOf({ summaries: [[5, 8, 'turn_end', 'bob:\nI see no rash.']] });
    expect((await validate({ 'a.jsonl': madeUpTrace(), 'log.jsonl': log })).places).toEqual([]);
    log[1]!['timestamp'] = '2026-01-05T10:00:01.105Z';
    expect((await validate({ 'a.jsonl': madeUpTrace(), 'log.jsonl': log })).places).toEqual(['log.jsonl:2 timestamp']);
  });

  it('agree on a flush that goes over a turn which only says who is next', async () => {
    const trace = madeUpTrace();
    // Alice says "Bob", and then goes on herself: the gate sees her first and her last turn.
    trace[6] = { ...trace[6]!, agent_id: 'alice' };
    trace[7] = { ...trace[7]!, agent_id: 'alice', delta_text: 'Bob' };
    trace[8] = { ...trace[8]!, agent_id: 'alice', delta_text: ' ' };
    trace[9] = { ...trace[9]!, agent_id: 'alice', content_hash: sha256('Bob ') };
    const turn = { turn_id: 3, agent_id: 'alice' };
    trace.push(
      { ...trace[6], ...turn, seq: 9, t_ms: T0 + 1200, t_rel_ms: 1200 },
      { ...trace[7], ...turn, seq: 10, t_emitted_ms: T0 + 1300, t_rel_ms: 1300, delta_text: ' Rash?' },
      { ...trace[9], ...turn, seq: 11, t_ms: T0 + 1400, t_rel_ms: 1400, content_hash: sha256(' Rash?') },
      { ...trace[6], turn_id: 4, agent_id: 'bob', seq: 12, t_ms: T0 + 1500, t_rel_ms: 1500 },
      { ...trace[9], turn_id: 4, agent_id: 'bob', seq: 13, t_ms: T0 + 1500, t_rel_ms: 1500, content_hash: sha256('') },
    );
    trace[0] = { ...trace[0]!, total_deltas: 6, total_turns: 4 };
    // 32 code points, 8 units.
    const log = logOf({ flushes: [[1, 10, 'boundary_cue', 'The fever began on Monday. Rash?']] }, trace);
    expect((await validate({ 'a.jsonl': trace, 'log.jsonl': log })).places).toEqual([]);
    log[1]!['accumulated_ctu'] = 9;
    expect((await validate({ 'a.jsonl': trace, 'log.jsonl': log })).places).toEqual(['log.jsonl:2 ctu']);
  });

  it('that was damaged are told once, not again in every log', async () => {
    const trace = madeUpTrace();
    delete trace[3]!['delta_text'];
    const log = madeUpLog(trace);
    expect((await validate({ 'a.jsonl': trace, 'log.jsonl': log })).places).toEqual(['a.jsonl:4 schema']);
  });
});

describe('a run log and the manifest', () => {
  const traces = { 'case-1.trace.jsonl.gz': madeUpTrace(), 'case-2.trace.jsonl.gz': madeUpTrace('case-2') };
  const manifest = madeUpManifest();

  it.each([
    ['of the manifest', manifest[1]!['trace_dataset_hash'], []],
    [
      'of the same traces before there was a manifest',
      sha256(
        `{"case_list_hash":null,"mas_run_id":"mas","traces":${JSON.stringify(manifest.slice(2, 4).map((entry) => [entry['case_id'], entry['sha256']]))}}`,
      ),
      [],
    ],
    ['of other traces', sha256('other'), ['log.jsonl:1 dataset-hash']],
  ] as const)('with a hash %s', async (_, trace_dataset_hash, expected) => {
    const log = madeUpLog();
    log[0] = { ...log[0]!, trace_dataset_hash };
    const { places } = await validate({ ...traces, 'm.jsonl': manifest, 'log.jsonl': log });
    expect(places).toEqual(expected);
  });
});
