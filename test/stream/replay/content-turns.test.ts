import { expect, test } from 'vitest';

import { contentTurns } from '../../../src/stream/replay/content-turns.ts';
import { madeTrace } from '../made-trace.ts';

test('turns that name the next agent, end the talk or say nothing are left out', () => {
  const trace = madeTrace('t', [
    {
      agent: 'unknown',
      deltas: [
        ['Doc', 0],
        ['tor0 ', 1],
      ],
    },
    { agent: 'doctor0', deltas: [['I think', 2]] },
    { agent: 'unknown', deltas: [[' TERMINATE\n', 3]] },
    { agent: 'doctor0', deltas: [[' \n', 4]] },
    { agent: 'unknown', deltas: [['unknown', 5]] },
    { agent: 'supervisor', deltas: [['TERMINATE the drug', 6]] },
  ]);
  expect(contentTurns(trace).map(({ turn, agent, startSeq, endSeq }) => [turn, agent, startSeq, endSeq])).toEqual([
    [2, 'doctor0', 4, 6],
    // "unknown" is nobody's name, so the fifth turn says something.
    [5, 'unknown', 13, 15],
    [6, 'supervisor', 16, 18],
  ]);
});
