import { expect, test } from 'vitest';

import { CONTENT_CHECKS } from '../../../src/audit/checks.ts';
import type { Case } from '../../../src/data/case.ts';
import { streamCase } from '../../../src/stream/measure/stream-case.ts';
import { madeTrace } from '../../stream/made-trace.ts';
import { foundBy } from './found-by.ts';
import { Chance, paragraph } from './made-texts.ts';
import { capitals, madeLog } from './stream-log.ts';

const NAMES = ['Ada', 'Bruno', 'Celia', 'Dario', 'Edda', 'Falk', 'Greta', 'Hanno', 'Ines', 'Jorin', 'Klara', 'Levin'];
const TOWNS = ['Ashford', 'Brackwater', 'Corwen', 'Dunmere', 'Elmstead', 'Fennick', 'Garrowby', 'Hollin'];

function cleanTraces(n: number, seed: number): Promise<Case[]> {
  const chance = new Chance(seed);
  return Promise.all(
    Array.from({ length: n }, (_, number) => {
      let time = 0;
      const turns = Array.from({ length: 3 }, (__, at) => ({
        agent: `agent${at}`,
        deltas: `${chance.one(NAMES)} of ${chance.one(TOWNS)} said: ${paragraph(chance, 2)}`
          // Pieces of words, as models give them.
          .split(/(?<=\w{4})(?=\w{3})|(?= )/)
          .map((piece) => [piece, (time += 5 + chance.below(60))] as const),
      }));
      const trace = madeTrace(`c${number + 1}`, turns);
      const windows = turns.map(
        (_turn, at) =>
          [
            trace.boundaries[2 * at]!.seq + 1,
            trace.boundaries[2 * at + 1]!.seq - 1,
            `${chance.one(NAMES)} spoke: ${paragraph(chance, 2)}`,
          ] as const,
      );
      return streamCase(trace, madeLog(trace, windows), capitals, 'concat');
    }),
  );
}

// The sets of the other tasks are in ../clean-sets.ts.
test.each([12, 40, 300])('%d traces of conversations raise no alarm', async (n) => {
  for (const seed of n > 100 ? [1] : [1, 2, 3])
    expect((await foundBy(CONTENT_CHECKS, 'stream/exaid', await cleanTraces(n, seed))).findings).toEqual([]);
});
