import { expect, test } from 'vitest';

import { contentTurns, deltaText } from '../../../src/stream/replay/content-turns.ts';
import { parseTrace } from '../../../src/stream/read-trace.ts';
import { madeTrace, traceText, turn } from '../made-trace.ts';

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

test('a turn reaches to its last delta, even if its end is written before it', () => {
  const lines = traceText('t', [turn('doctor0', 'Fe@0', 'ver@1'), turn('doctor1', 'Cough@9')]).split('\n');
  // Seq 0 starts the first turn, 1 and 2 are its deltas, 3 is its end.
  const late = lines.map((line) => line.replace(/"seq":([23]),/, (_, seq: string) => `"seq":${5 - Number(seq)},`));
  const turns = contentTurns(parseTrace(late.join('\n'), 't'));
  expect(turns.map(({ startSeq, endSeq, deltas }) => [startSeq, endSeq, deltaText(deltas)])).toEqual([
    [0, 3, 'Fever'],
    [4, 6, 'Cough'],
  ]);
});
