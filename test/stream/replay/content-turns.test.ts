import { expect, test } from 'vitest';

import { contentTurns } from '../../../src/stream/replay/content-turns.ts';
import { madeTrace, turn } from '../made-trace.ts';

test('turns that name the next agent, end the talk or say nothing are left out', () => {
  const trace = madeTrace('t', [
    turn('unknown', 'Doc@0', 'tor0 @1'),
    turn('doctor0', 'I think@2'),
    turn('unknown', ' TERMINATE\n@3'),
    turn('doctor0', ' \n@4'),
    turn('unknown', 'unknown@5'),
    turn('supervisor', 'TERMINATE the drug@6'),
  ]);
  expect(contentTurns(trace).map(({ turn: at, agent, startSeq, endSeq }) => [at, agent, startSeq, endSeq])).toEqual([
    [2, 'doctor0', 4, 6],
    // "unknown" is nobody's name, so the fifth turn says something.
    [5, 'unknown', 13, 15],
    [6, 'supervisor', 16, 18],
  ]);
});
