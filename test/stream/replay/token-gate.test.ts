import { describe, expect, test } from 'vitest';

import { gateInput } from '../../../src/stream/replay/gate-input.ts';
import { flushText, type GatePolicy, passGate, USUAL_GATE } from '../../../src/stream/replay/token-gate.ts';
import { madeTrace, type MadeTurn, turn } from '../made-trace.ts';

const small: GatePolicy = { ...USUAL_GATE, minWords: 3, maxWords: 5, silenceMs: 1000, maxWaitMs: 4000 };

/** Flushes as reason and text, for turns of the agents a and b that go on without a boundary mattering. */
function flushes(turns: readonly MadeTurn[], policy: GatePolicy = small): string[] {
  const input = gateInput(madeTrace('t', turns));
  const found: string[] = [];
  passGate(input, policy, (flush) =>
    found.push(`${flush.reason} ${input.agents[flush.agent]!}: ${flushText(input, flush)} (${flush.words})`),
  );
  return found;
}

describe('the gate', () => {
  test('lets a sentence through once it has the least number of words', () => {
    const said = turn('a', 'One.@0', ' two@1', ' three@2', '.@3', ' four@4');
    expect(flushes([said])).toEqual(['boundary_cue a: One. two three. (3)', 'end_of_trace a:  four (1)']);
  });

  test('lets text through at the greatest number of words, cue or not', () => {
    const said = turn('a', 'one two@0', ' three four@1', ' five@2', ' six@3');
    expect(flushes([said])).toEqual(['max_words a: one two three four five (5)', 'end_of_trace a:  six (1)']);
  });

  test('counts a word once that comes in pieces', () => {
    // Sp|ino|cerebellar is one word: three words are there only with the last delta.
    const said = turn('a', 'Sp@0', 'ino@1', 'cerebellar ataxia@2', ' now@3', '.@4');
    expect(flushes([said])).toEqual(['boundary_cue a: Spinocerebellar ataxia now. (3)']);
  });

  test('after silence the old buffer goes and the delta starts a new one, with no further look', () => {
    // The second delta alone would be let through: five words. It is not looked at until the next one comes.
    const said = turn('a', 'one@0', 'a b c d e.@1000', ' f@1001');
    expect(flushes([said])).toEqual(['silence_timer a: one (1)', 'max_words a: a b c d e. f (6)']);
  });

  test('silence is counted for each agent by itself', () => {
    const turns = [turn('a', 'one@0'), turn('b', 'uno@900', ' dos@1800'), turn('a', ' two@1900')] as const;
    expect(flushes(turns)).toEqual([
      'silence_timer a: one (1)',
      'end_of_trace a:  two (1)',
      'end_of_trace b: uno dos (2)',
    ]);
  });

  const slow = turn(
    'a',
    'a@0',
    'b@900',
    'c@1800',
    'd@2700',
    'e@3600',
    'f@4100',
    'g@5000',
    'h@5900',
    'i@6800',
    'j@7700',
    'k@8300',
  );

  test('does not wait longer than it may, buffer after buffer', () => {
    // One word grows by 900 ms: 4100 is 4000 or more after 0, 5000 starts anew and 9000 is never reached.
    expect(flushes([slow])).toEqual(['max_wait_timeout a: abcdef (1)', 'end_of_trace a: ghijk (1)']);
    const longer = { ...slow, deltas: [...slow.deltas, ['l', 9000]] } as const;
    expect(flushes([longer])).toEqual(['max_wait_timeout a: abcdef (1)', 'max_wait_timeout a: ghijkl (1)']);
  });

  test('the published program’s wait is for an agent’s first buffer only', () => {
    const longer = { ...slow, deltas: [...slow.deltas, ['l', 9000]] } as const;
    expect(flushes([longer], { ...small, maxWait: 'first-buffer-only' })).toEqual([
      'max_wait_timeout a: abcdef (1)',
      'end_of_trace a: ghijkl (1)',
    ]);
  });

  test('at the end agents come in order of first appearance', () => {
    const turns = [turn('b', 'uno@0'), turn('a', 'one@1'), turn('b', ' dos@2')] as const;
    expect(flushes(turns)).toEqual(['end_of_trace b: uno dos (2)', 'end_of_trace a: one (1)']);
  });

  test('an empty delta is nothing to let through, ends no silence and starts no timer', () => {
    expect(flushes([turn('a', '@0', 'one@5', '@900', ' two@1005', '@9000')])).toEqual([
      'silence_timer a: one (1)',
      'end_of_trace a:  two (1)',
    ]);
  });
});
