import { describe, expect, test } from 'vitest';

import { InputError } from '../../src/data/problems.ts';
import { canonicalText, messageText } from '../../src/stream/canonical-text.ts';
import type { StreamDelta } from '../../src/stream/trace-records.ts';
import { madeTrace, turn } from './made-trace.ts';

const trace = madeTrace('t', [
  turn('doctor0', 'Spin@0', 'ocere@1', 'bellar@2', '\n@3'),
  turn('Orchestrator', 'doctor1@4'),
  { agent: 'doctor1', deltas: [[' ataxia', 5]], subtype: 'message' },
  {
    agent: 'doctor1',
    deltas: [
      ['note', 6],
      ['s', 7],
    ],
    subtype: 'system_note',
  },
]);

/** Deltas of turns, with their place as seq. */
const deltasOf = (deltas: readonly (readonly [turn: number, text: string])[]): StreamDelta[] =>
  deltas.map(([turnId, text], seq) => ({
    record_type: 'stream_delta',
    seq,
    turn_id: turnId,
    agent_id: `doctor${turnId}`,
    delta_text: text,
    t_rel_ms: seq,
  }));

describe('the text of a trace', () => {
  test('deltas follow each other as they are, turns are separated by a newline', () => {
    expect(canonicalText(trace, { join: 'concat' }).text).toBe('Spinocerebellar\n\n ataxia');
  });

  test('turns that overlap follow each other whole, in the order of their first deltas, in windows too', () => {
    const parallel = deltasOf([
      [1, 'Spin'],
      [2, 'cere'],
      [1, 'al '],
      [2, 'bellar'],
      [1, 'cord'],
    ]);
    expect(messageText({ deltas: parallel }, { join: 'concat' })).toMatchObject({
      text: 'Spinal cord\ncerebellar',
      counters: { included: 5 },
    });
    const window = { start: 1, end: 3 };
    expect(messageText({ deltas: parallel }, { join: 'concat', window }).text).toBe('cerebellar\nal ');
    expect(messageText({ deltas: parallel }, { join: 'space' }).text).toBe('Spin cere al  bellar cord');
  });

  test('joined by a space, words are shredded and blank deltas leave no space behind', () => {
    expect(canonicalText(trace, { join: 'space' }).text).toBe('Spin ocere bellar  ataxia');
  });

  test('what is taken in and what is left out is counted by kind', () => {
    expect(canonicalText(trace, { join: 'concat' }).counters).toEqual({
      included: 5,
      excluded: { speaker: 1, system_note: 2 },
      missingSubtype: 4,
    });
  });

  test('a window takes the deltas from its first seq to its last, both included', () => {
    // Seq 0 is the start of the first turn: its deltas have 1 to 4.
    expect(messageText(trace, { join: 'concat', window: { start: 2, end: 3 } }).text).toBe('ocerebellar');
    expect(messageText(trace, { join: 'concat', window: { start: 20, end: 30 } })).toEqual({
      text: '',
      counters: { included: 0, excluded: {}, missingSubtype: 0 },
    });
  });

  test('a trace without a message is an error that names it', () => {
    const silent = madeTrace('case-9', [turn('system', 'hello@0')]);
    expect(() => canonicalText(silent, { join: 'concat' })).toThrow(InputError);
    expect(() => canonicalText(silent, { join: 'concat' })).toThrow(/the trace case-9 has no message: 1 deltas/);
  });
});
