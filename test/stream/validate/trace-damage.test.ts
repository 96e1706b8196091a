import { describe, expect, it } from 'vitest';

import { type Damage, set, without } from './damage.ts';
import { type Made, madeUpTrace, sha256, T0, validate } from './made-up-files.ts';

const all =
  (...changes: ((records: Made[]) => void)[]) =>
  (records: Made[]): void => {
    for (const change of changes) change(records);
  };

const changed = (records: Made[], ...changes: ((records: Made[]) => void)[]): Made[] => {
  all(...changes)(records);
  return records;
};

const DAMAGES: readonly Damage[] = [
  ['no trace_meta', without(1), ['1 order']],
  ['a second trace_meta', (records) => void records.push({ ...records[0]! }), ['11 order']],
  ['another sort of record', set(4, { record_type: 'run_meta' }), ['4 schema']],
  ['no record type', set(4, { record_type: undefined }), ['4 schema']],
  ['a delta without text', set(4, { delta_text: undefined }), ['4 schema']],
  ['a text that is a number', set(4, { delta_text: 7 }), ['4 schema']],
  ['a seq below zero', set(4, { seq: -1 }), ['4 schema']],
  ['half a turn', set(7, { turn_id: 1.5 }), ['7 schema']],
  ['a case that is a path', set(1, { case_id: '../case-1' }), ['1 schema']],
  ['a hash that is none', set(6, { content_hash: 'sha256:abc' }), ['6 schema']],
  ['a boundary that is neither', set(6, { boundary: 'middle' }), ['6 schema']],

  ['a seq that comes twice', set(4, { seq: 1 }), ['4 seq']],
  ['a seq that falls', set(5, { seq: 0 }), ['5 seq']],
  ['a seq far ahead', set(4, { seq: 900 }), ['5 seq']],

  ['a turn that never ends', without(10), ['7 turn']],
  ['a turn without a start', without(7), ['7 turn']],
  ['a delta 3 ms after the end of its turn', (records) => void records.splice(0, 10, ...withLateDelta(3)), ['6 turn']],
  [
    'a late delta of another agent',
    (records) => void records.splice(0, 10, ...changed(withLateDelta(1), set(6, { agent_id: 'bob' }))),
    ['6 turn'],
  ],
  [
    'a delta before the start of its turn',
    (records) => void records.splice(0, 10, ...inOrder([2, 3, 4, 5, 6, 8, 7, 9, 10])),
    ['7 turn'],
  ],
  [
    'a delta that was lost where turns overlap',
    (records) =>
      void records.splice(
        0,
        10,
        ...changed(inOrder([2, 3, 7, 4, 5, 6, 8, 9, 10]), without(5), set(1, { total_deltas: 4 })),
      ),
    ['6 content-hash'],
  ],
  ['an end too many', (records) => void records.push({ ...records[9]!, seq: 9 }), ['11 turn']],
  ['a turn that never ends although the next one starts', without(6), ['2 turn']],
  [
    'a turn that is opened again',
    all(set(7, { turn_id: 1 }), set(8, { turn_id: 1 }), set(9, { turn_id: 1 }), set(10, { turn_id: 1 })),
    ['7 turn'],
  ],
  ['a delta of another turn', set(4, { turn_id: 9 }), ['4 turn']],
  ['a delta of another agent', set(4, { agent_id: 'bob' }), ['4 turn']],
  ['a start of another turn', set(7, { turn_id: 9 }), ['8 turn']],
  ['a start of another agent', set(7, { agent_id: 'alice' }), ['8 turn']],
  ['an end of another turn', set(10, { turn_id: 9 }), ['10 turn']],
  ['an end of another agent', set(10, { agent_id: 'alice' }), ['10 turn']],

  ['a word that was changed', set(4, { delta_text: ' ended' }), ['6 content-hash']],
  ['a hash that was changed', set(6, { content_hash: sha256('another') }), ['6 content-hash']],
  ['a delta that was lost', all(without(4), set(1, { total_deltas: 4 })), ['5 content-hash']],
  [
    'deltas that changed places',
    all(set(3, { delta_text: ' began' }), set(4, { delta_text: 'The fever' })),
    ['6 content-hash'],
  ],

  ['a t0 that is not the first delta', set(1, { t0_emitted_ms: T0 - 500 }), ['1 t0']],
  ['a relative time 3 ms off', set(4, { t_rel_ms: 103 }), ['4 time']],
  ['a relative time of a boundary 3 ms off', set(6, { t_rel_ms: 213 }), ['6 time']],
  ['a relative time of the first start 3 ms off', set(2, { t_rel_ms: -497 }), ['2 time']],
  ['a delta before the one before', set(5, { t_emitted_ms: T0 + 97, t_rel_ms: 97 }), ['5 time']],
  ['an end before its last delta', set(6, { t_ms: T0 + 197, t_rel_ms: 197 }), ['6 time']],
  ['a start after its first delta', set(7, { t_ms: T0 + 1003, t_rel_ms: 1003 }), ['8 time']],
  [
    'time that creeps backwards, 2 ms at a time',
    all(
      set(4, { t_emitted_ms: T0 + 200, t_rel_ms: 200 }),
      set(5, { t_emitted_ms: T0 + 198, t_rel_ms: 198 }),
      set(6, { t_ms: T0 + 196, t_rel_ms: 196 }),
    ),
    ['6 time'],
  ],

  ['a wrong count of deltas', set(1, { total_deltas: 6 }), ['1 count']],
  ['a wrong count of turns', set(1, { total_turns: 3 }), ['1 count']],
  ['a record of another case', set(4, { case_id: 'case-9' }), ['4 case-id']],
  ['a trace_meta of another case', set(1, { case_id: 'case-9' }), ['2 case-id']],
  [
    'nothing but notes',
    (records) => {
      for (const record of records)
        if (record['record_type'] === 'stream_delta') record['event_subtype'] = 'system_note';
    },
    [' no-message'],
  ],
  [
    'nobody who speaks',
    (records) => {
      for (const record of records) if ('agent_id' in record) record['agent_id'] = 'System';
    },
    [' no-message'],
  ],
];

/** The records of a trace, by number, in another order; 100 ms apart, the first delta at 0. */
function inOrder(order: readonly number[], records: readonly Made[] = madeUpTrace()): Made[] {
  const isDelta = (number: number): boolean => records[number - 1]!['record_type'] === 'stream_delta';
  const first = order.findIndex(isDelta);
  const moved = order.map((number, seq): Made => {
    const since = (seq - first) * 100;
    return { ...records[number - 1]!, seq, t_rel_ms: since, [isDelta(number) ? 't_emitted_ms' : 't_ms']: T0 + since };
  });
  return [records[0]!, ...moved];
}

/** Alice's turn ends before her last delta, which is not in its hash. */
function withLateDelta(ms: number): Made[] {
  const records = madeUpTrace();
  const [delta, end] = [records[4]!, records[5]!];
  const time = { t_emitted_ms: T0 + 210 + ms, t_rel_ms: 210 + ms };
  records.splice(4, 2, { ...end, seq: 3, content_hash: sha256('The fever began') }, { ...delta, ...time, seq: 4 });
  return records;
}

describe('a trace with one damage', () => {
  it('is found good before it is damaged', async () => {
    expect(await validate({ 'a.jsonl': madeUpTrace() })).toMatchObject({ problems: 0, records: 10, notices: {} });
  });

  it.each(DAMAGES)('%s: told where it is, and nothing else', async (_, change, expected) => {
    const records = madeUpTrace();
    change(records);
    const { places, problems } = await validate({ 'a.jsonl.gz': records });
    expect(places).toEqual(expected.map((place) => `a.jsonl.gz${place.startsWith(' ') ? '' : ':'}${place}`));
    expect(problems).toBe(expected.length);
  });

  it('says what was found and what was expected', async () => {
    const records = madeUpTrace();
    records[3]!['seq'] = 1;
    records[0]!['total_turns'] = 3;
    const { found } = await validate({ 'a.jsonl': records });
    expect(found.map(({ message }) => message)).toEqual([
      'seq: found 1, expected more than 1 of record 3',
      'total_turns: found 3, expected 2, the number of turns in the trace',
    ]);
  });

  it('names the trace that has no message', async () => {
    const records = madeUpTrace().map((record) => ({ ...record, event_subtype: 'system_note' }));
    const { found } = await validate({ 'a.jsonl': records });
    expect(found[0]?.message).toContain('the trace case-1 has no message: found 5 deltas');
  });
});

describe('a trace that is unusual but good', () => {
  it('may have times 2 ms off and 2 ms backwards', async () => {
    const records = madeUpTrace();
    set(4, { t_rel_ms: 102 })(records);
    set(6, { t_ms: T0 + 198, t_rel_ms: 196 })(records);
    expect((await validate({ 'a.jsonl': records })).places).toEqual([]);
  });

  it('may leave gaps in seq, and the times and hashes out, which is counted', async () => {
    const records = madeUpTrace().map(({ content_hash: _, t_emitted_ms: __, ...record }, at) =>
      'seq' in record ? { ...record, seq: at * 10 } : record,
    );
    expect(await validate({ 'a.jsonl': records })).toMatchObject({
      problems: 0,
      notices: { 'no-content-hash': 2, 'no-emission-time': 5, 'untimed-trace': 1 },
    });
  });

  // As published traces have it: a recorder sorts starts before deltas before ends within a millisecond.
  it.each<[overlap: string, order: readonly number[], line: number]>([
    ['without a delta between', [2, 3, 4, 5, 7, 6, 8, 9, 10], 6],
    ['by one delta', [2, 3, 4, 7, 5, 6, 8, 9, 10], 5],
    ['by two deltas', [2, 3, 7, 4, 5, 6, 8, 9, 10], 4],
    ['delta by delta', [2, 7, 3, 8, 4, 9, 5, 6, 10], 3],
    ['up to the end of the trace', [2, 3, 4, 5, 7, 8, 9, 10, 6], 6],
  ])('may have turns that overlap %s, which is counted with its place', async (_, order, line) => {
    expect(await validate({ 'a.jsonl': inOrder(order) })).toMatchObject({
      problems: 0,
      notices: { 'overlapping-turns': 1 },
      noticePlaces: { 'overlapping-turns': [{ record: line }] },
      traces: [{ turns: 2, deltas: 5 }],
    });
  });

  it('may have three turns at a time, each of which but the first is counted', async () => {
    const records = madeUpTrace();
    const [start, end] = [records[6]!, records[9]!];
    records.splice(6, 0, { ...start, turn_id: 3, agent_id: 'carol' });
    records.push({ ...end, turn_id: 3, agent_id: 'carol', content_hash: sha256('') });
    set(1, { total_turns: 3 })(records);
    const order = [2, 3, 7, 8, 4, 5, 6, 9, 10, 11, 12];
    expect(await validate({ 'a.jsonl': inOrder(order, records) })).toMatchObject({
      problems: 0,
      notices: { 'overlapping-turns': 2 },
      noticePlaces: { 'overlapping-turns': [{ record: 4 }, { record: 5 }] },
    });
  });

  it('may have a delta up to 2 ms after the end of its turn, which is counted with its place', async () => {
    const records = withLateDelta(2);
    expect(await validate({ 'a.jsonl': records })).toMatchObject({
      problems: 0,
      notices: { 'late-delta': 1 },
      noticePlaces: { 'late-delta': [{ record: 6 }] },
      traces: [{ turns: 2, deltas: 5 }],
    });
  });

  it('may cut a character of two UTF-16 units between two deltas', async () => {
    const records = madeUpTrace();
    set(4, { delta_text: 'tea \ud83c' })(records);
    set(5, { delta_text: '\udf75' })(records);
    set(6, { content_hash: sha256('The fevertea 🍵') })(records);
    expect((await validate({ 'a.jsonl': records })).places).toEqual([]);
  });

  it('may say that it is no real conversation, which is counted', async () => {
    const records = madeUpTrace();
    set(1, { stub_mode: true })(records);
    expect(await validate({ 'a.jsonl': records })).toMatchObject({ problems: 0, notices: { 'stub-trace': 1 } });
  });
});

describe('several traces', () => {
  it('of one case are told, at the second', async () => {
    const { places } = await validate({ 'a.jsonl': madeUpTrace(), 'b/c.jsonl.gz': madeUpTrace() });
    expect(places).toEqual(['b/c.jsonl.gz:1 duplicate']);
  });

  it('are told by their records, whatever they are called', async () => {
    const { files, places } = await validate({
      'a.jsonl': madeUpTrace('case-1'),
      'b.manifest.jsonl': madeUpTrace('case-2'),
      'c.case_list.ndjson': madeUpTrace('case-3'),
      'notes.yaml': 'a: 1',
      'table.csv': 'a,b\n',
      'metrics.jsonl': '{"case_id":"case-1","f1":0.5}\n',
    });
    expect(places).toEqual([]);
    expect(files).toEqual({ trace: 3, 'run-log': 0, manifest: 0, 'case-list': 0, metrics: 0, other: 3, unknown: 0 });
  });
});
