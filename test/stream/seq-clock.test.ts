import { expect, test } from 'vitest';

import { agentTurns, seqClock } from '../../src/stream/seq-clock.ts';
import { madeTrace, turn } from './made-trace.ts';

// Seqs: start 0, deltas 1 and 2, end 3; start 4, delta 5, end 6.
const trace = madeTrace('c', [turn('a', 'one @0', 'two@40'), turn('b', 'three@90')]);

test('a seq has the time of its record, or of the last one before it; none outside the trace', () => {
  const clock = seqClock({ ...trace, deltas: trace.deltas.filter(({ seq }) => seq !== 2) });
  expect([0, 1, 2, 3, 5, 6, 7].map(clock)).toEqual([0, 0, 0, 40, 90, 90, null]);
});

test('an agent’s turns run from their first to their last record', () => {
  expect(agentTurns(trace)).toEqual([
    { name: 'a', turns: [[0, 40]] },
    { name: 'b', turns: [[90, 90]] },
  ]);
});
