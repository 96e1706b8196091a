import { describe, expect, it } from 'vitest';

import { logOf, type LogParts, type Made, madeUpTrace, sha256, T0, validate } from './made-up-files.ts';

/**
 * Alice, bob, and alice again after silence, which is when her first words are let through:
 * "The fever began on Monday" (1 to 3), "I see no rash." (6, 7), "So it is." (10 to 12), "Yes." (15).
 */
function trace(): Made[] {
  const records = madeUpTrace();
  records[4] = { ...records[4]!, delta_text: ' on Monday' };
  records[5] = { ...records[5]!, content_hash: sha256('The fever began on Monday') };
  const turn = (like: number, number: number, seq: number, after: number, pieces: readonly string[]): void => {
    const [start, delta, end] = [records[like]!, records[like + 1]!, records[like === 1 ? 5 : 9]!];
    const at = (offset: number): Made => ({ turn_id: number, seq: seq + offset, t_rel_ms: after + offset * 10 });
    const last = pieces.length + 1;
    records.push(
      { ...start, ...at(0), t_ms: T0 + after },
      ...pieces.map((text, place) => ({
        ...delta,
        ...at(place + 1),
        t_emitted_ms: T0 + after + (place + 1) * 10,
        delta_text: text,
      })),
      { ...end, ...at(last), t_ms: T0 + after + last * 10, content_hash: sha256(pieces.join('')) },
    );
  };
  turn(1, 3, 9, 5000, ['So', ' it', ' is.']);
  turn(6, 4, 14, 6000, ['Yes.']);
  records[0] = { ...records[0]!, total_deltas: 9, total_turns: 4 };
  return records;
}

const ALICE = 'The fever began on Monday';
const BOB = 'I see no rash.';
const FLUSHES = [
  // Four words and the end of a sentence.
  [6, 7, 'boundary_cue', BOB],
  [1, 3, 'silence_timer', ALICE],
  [10, 12, 'end_of_trace', 'So it is.'],
  [15, 15, 'end_of_trace', 'Yes.'],
] as const;

/** 1 run_meta; 2 to 5 flushes; 6, 7 decisions; 8 the summary of bob's words and of alice's earlier ones. */
const ASKED: LogParts = {
  flushes: FLUSHES,
  decisions: [
    // "(Buffer empty)", a newline, "bob:", a newline and 14 code points: 14 + 1 + 5 + 14 = 34.
    [6, 7, 9, 'buffer'],
    // 5 + 14, a newline, "alice:", a newline and 25: 19 + 1 + 7 + 25 = 52.
    [6, 3, 13, 'summarize'],
  ],
  summaries: [[6, 3, 'buffer_agent', `bob:\n${BOB}\nalice:\n${ALICE}`]],
};

/** 1 run_meta; 2 to 5 flushes; 6 to 9 summaries. */
const NOT_ASKED: LogParts = {
  flushes: FLUSHES,
  summaries: [
    [6, 7, 'tokengate_flush', `bob:\n${BOB}`],
    [1, 3, 'tokengate_flush', `alice:\n${ALICE}`],
    [10, 12, 'tokengate_flush', 'alice:\nSo it is.'],
    [15, 15, 'tokengate_flush', 'bob:\nYes.'],
  ],
};

/** 1 run_meta; 2 to 5 summaries. */
const TURNS: LogParts = {
  summaries: [
    [0, 4, 'turn_end', `alice:\n${ALICE}`],
    [5, 8, 'turn_end', `bob:\n${BOB}`],
    [9, 13, 'turn_end', 'alice:\nSo it is.'],
    [14, 16, 'turn_end', 'bob:\nYes.'],
  ],
};

/** 1 run_meta; 2 to 4 decisions; 5, 6 summaries. The last words are a rest. */
const CHUNKS: LogParts = {
  decisions: [
    // "(Buffer empty)", "alice:" and "The fever began": 14 + 1 + 7 + 15 = 37.
    [1, 2, 10, 'buffer'],
    // "alice:", "The fever began", a space and " on Monday" are 7 + 15 + 1 + 10 = 33; a newline, "bob:" and "I see": 11.
    [1, 6, 11, 'summarize'],
    // "bob:" and " no rash." are 14; a newline, "alice:" and "So it is.": 17.
    [7, 12, 8, 'summarize'],
  ],
  summaries: [
    [1, 6, 'buffer_agent', 'alice:\nThe fever began  on Monday\nbob:\nI see'],
    [7, 12, 'buffer_agent', 'bob:\n no rash.\nalice:\nSo it is.'],
  ],
};

const LOGS = { ASKED, NOT_ASKED, TURNS, CHUNKS } as const;

/** 1 run_meta; 2 to 4 summaries: chunks that nobody was asked about. */
const UNASKED_CHUNKS: LogParts = {
  summaries: [
    [1, 2, 'tokengate_flush', 'alice:\nThe fever began'],
    [3, 6, 'tokengate_flush', 'alice:\n on Monday\nbob:\nI see'],
    [7, 12, 'tokengate_flush', 'bob:\n no rash.\nalice:\nSo it is.'],
  ],
};

const OTHER = { new_buffer_text_hash: sha256('other') };
const FAILED = { schema_ok: false, failure_mode: 'unexpected_error', schema_error: 'no answer' };

type Damage = readonly [
  what: string,
  log: keyof typeof LOGS,
  record: number,
  fields: Made,
  alone: readonly string[],
  withTrace?: readonly string[],
];

/** What is told without the trace; with it, the same where nothing else is said. */
const DAMAGES: readonly Damage[] = [
  ['a decision that is said to have waited', 'ASKED', 7, { decision: 'buffer' }, ['8 decision']],
  ['a decision that is said to have led to a summary', 'ASKED', 6, { decision: 'summarize' }, ['6 decision']],
  ['a decision that begins elsewhere', 'ASKED', 6, { start_seq: 2 }, ['6 window']],
  ['a summary that begins elsewhere', 'ASKED', 8, { start_seq: 2 }, ['8 window']],
  ['another trigger', 'ASKED', 8, { trigger_type: 'turn_end' }, ['8 trigger']],
  ['units of a question that are off', 'ASKED', 6, { input_ctu: 8 }, [], ['6 ctu']],
  ['units of a question about what is buffered', 'ASKED', 7, { input_ctu: 14 }, [], ['7 ctu']],
  ['a summary of another text', 'ASKED', 8, OTHER, [], ['8 buffer-text']],
  ['a rest that was decided on', 'ASKED', 3, { trigger_reason: 'end_of_trace' }, ['3 flush-reason']],
  [
    'a rest that is no rest',
    'ASKED',
    4,
    { trigger_reason: 'max_words' },
    ['4 decision'],
    ['4 decision', '4 flush-reason'],
  ],
  ['a decision on no flush', 'ASKED', 6, { end_seq: 12 }, ['6 window'], ['6 timestamp', '6 window']],

  ['a summary that begins elsewhere', 'NOT_ASKED', 6, { start_seq: 5 }, ['6 window']],
  ['another trigger', 'NOT_ASKED', 6, { trigger_type: 'buffer_agent' }, ['6 trigger']],
  ['a summary of another text', 'NOT_ASKED', 7, OTHER, [], ['7 buffer-text']],
  ['the end of the trace in its middle', 'NOT_ASKED', 2, { trigger_reason: 'end_of_trace' }, ['2 flush-reason']],
  ['a sentence that does not end', 'NOT_ASKED', 3, { trigger_reason: 'boundary_cue' }, [], ['3 flush-reason']],
  [
    'silence that nobody ended',
    'NOT_ASKED',
    5,
    { trigger_reason: 'silence_timer' },
    ['4 flush-reason'],
    ['4 flush-reason', '5 flush-reason'],
  ],
  ['words that were too few for another', 'NOT_ASKED', 2, { trigger_reason: 'max_words' }, [], ['2 flush-reason']],
  ['a wait that was too short', 'NOT_ASKED', 2, { trigger_reason: 'max_wait_timeout' }, [], ['2 flush-reason']],

  ['a turn that begins elsewhere', 'TURNS', 3, { start_seq: 6 }, [], ['3 window']],
  ['a trigger that nothing led to', 'TURNS', 3, { trigger_type: 'buffer_agent' }, ['3 trigger']],
  ['another trigger than the others', 'TURNS', 2, { trigger_type: 'tokengate_flush' }, ['2 trigger']],
  ['a turn of another text', 'TURNS', 2, OTHER, [], ['2 buffer-text']],

  ['a chunk that begins elsewhere', 'CHUNKS', 2, { start_seq: 2 }, [], ['2 window']],
  ['a chunk that begins before the last summary', 'CHUNKS', 6, { start_seq: 6 }, ['6 window']],
  ['units of a chunk that are off', 'CHUNKS', 3, { input_ctu: 12 }, [], ['3 ctu']],
  ['a chunk that is said to have waited', 'CHUNKS', 4, { decision: 'buffer' }, ['6 decision']],
  ['a chunk of another text', 'CHUNKS', 6, OTHER, [], ['6 buffer-text']],

  ['good and too long', 'TURNS', 2, { limits_ok: false }, ['2 flags']],
  ['good and failed', 'TURNS', 2, { failure_mode: 'unexpected_error' }, ['2 flags']],
  ['good with an error', 'TURNS', 2, { schema_error: 'no answer' }, ['2 flags']],
  ['bad without a reason', 'TURNS', 2, { schema_ok: false }, ['2 flags']],
  ['too long without a reason', 'TURNS', 2, { schema_ok: false, limits_ok: false }, ['2 flags']],
  ['too long and within limits', 'TURNS', 2, { ...FAILED, failure_mode: 'length_limit_violation' }, ['2 flags']],
  ['bad and said so', 'TURNS', 2, FAILED, []],
  ['too long and said so', 'TURNS', 2, { ...FAILED, limits_ok: false }, []],
];

describe('what led to what in a run log', () => {
  it.each(Object.keys({ ...LOGS, UNASKED_CHUNKS }))('%s: fits, and fits the trace, all of it', async (name) => {
    const parts = { ...LOGS, UNASKED_CHUNKS }[name]!;
    const result = await validate({ 'a.jsonl': trace(), 'log.jsonl': logOf(parts, trace()) });
    expect(result.places).toEqual([]);
    expect(result.notices).not.toHaveProperty('buffer-not-recomputed');
  });

  it.each(
    DAMAGES.map(([what, name, record, fields, alone, withTrace = alone]) => ({
      what,
      name,
      record,
      fields,
      alone,
      withTrace,
    })),
  )('$what ($name, record $record): told where it is', async ({ name, record, fields, alone, withTrace }) => {
    const log = logOf(LOGS[name], trace());
    log[record - 1] = { ...log[record - 1]!, ...fields };
    const told = (places: readonly string[]): string[] => places.map((place) => `log.jsonl:${place}`);
    expect((await validate({ 'log.jsonl': log })).places).toEqual(told(alone));
    expect((await validate({ 'a.jsonl': trace(), 'log.jsonl': log })).places).toEqual(told(withTrace));
  });

  it('counts windows that end before they start: bob’s words came first, alice’s are older', async () => {
    const { notices } = await validate({ 'a.jsonl': trace(), 'log.jsonl': logOf(ASKED, trace()) });
    expect(notices).toMatchObject({ 'reversed-window': 2 });
  });

  it('is not known after a decision to discard, until the next summary; what is not compared is counted', async () => {
    const discarded: LogParts = {
      ...ASKED,
      decisions: [
        [6, 7, 9, 'discard'],
        [1, 3, 1, 'summarize'],
      ],
      summaries: [[1, 3, 'buffer_agent', 'whatever']],
    };
    expect(await validate({ 'a.jsonl': trace(), 'log.jsonl': logOf(discarded, trace()) })).toMatchObject({
      places: [],
      notices: { 'buffer-not-recomputed': 2 },
    });
  });

  it('may be that some flushes are not summarised, but no summary comes from none', async () => {
    const some = { flushes: FLUSHES, summaries: [NOT_ASKED.summaries![1]!] };
    expect((await validate({ 'a.jsonl': trace(), 'log.jsonl': logOf(some, trace()) })).places).toEqual([]);
    const none: LogParts = { flushes: FLUSHES, summaries: [[10, 11, 'tokengate_flush', 'alice:\nSo it']] };
    expect((await validate({ 'log.jsonl': logOf(none, trace()) })).places).toEqual(['log.jsonl:6 decision']);
  });

  it('is not asked where the trace has another text for a flush, which is told for the flush alone', async () => {
    const log = logOf(ASKED, trace());
    log[1] = { ...log[1]!, text_hash: sha256('other') };
    expect(await validate({ 'a.jsonl': trace(), 'log.jsonl': log })).toMatchObject({
      places: ['log.jsonl:2 flush-text'],
      notices: { 'buffer-not-recomputed': 3 },
    });
  });
});
