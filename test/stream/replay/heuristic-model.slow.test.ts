import { describe, expect, it } from 'vitest';

import { heuristicModel } from '../../../src/stream/replay/heuristic-model.ts';
import { processorTime } from '../../processor-time.ts';
import { decisionRequest, summaryRequest } from './requests.ts';

const model = heuristicModel();

describe('the stand-in', () => {
  it('is quick on what was made to be slow', async () => {
    const start = processorTime();
    for (const piece of ['No. ', ' ', '. ', '** ', '. A', 'a:\n', '((((', '1. ']) {
      const text = `doctor0:\n${piece.repeat(100_000)}`;
      await model.summarize(summaryRequest({ newBuffer: text }));
      await model.decide(decisionRequest({ segment: text }));
    }
    expect(processorTime() - start).toBeLessThan(8000);
  });
});
