import { describe, expect, test } from 'vitest';

import { InputError } from '../../src/data/problems.ts';
import { canonicalText, messageText } from '../../src/stream/canonical-text.ts';
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

describe('the text of a trace', () => {
  test('deltas follow each other as they are, turns are separated by a newline', () => {
    expect(canonicalText(trace, { join: 'concat' }).text).toBe('Spinocerebellar\n\n ataxia');
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
