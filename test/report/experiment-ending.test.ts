import { describe, expect, it } from 'vitest';

import { endingOf } from '../../src/report/experiment-ending.ts';
import type { ExperimentSummary } from '../../src/experiment/summary.ts';
import { madeUpSummary, PUBLISHED } from '../report/experiment-made-up.ts';

const ending = (more: Partial<ExperimentSummary>, gateProblem: string | null = null) =>
  endingOf(madeUpSummary(more), gateProblem);

const NOTHING: Partial<ExperimentSummary> = {
  answered: 0,
  failed: 14,
  failures: [
    { kind: 'program', count: 12, example: { item: 'T01', message: 'it ended' } },
    { kind: 'timeout', count: 2, example: { item: 'T05', message: 'no answer' } },
  ],
};
const LEFT = { answered: 800, notRun: 200 };
const FAILED_GATE: Partial<ExperimentSummary> = {
  gate: {
    verdict: 'failed',
    counts: '1 of 2 checks failed, 1 inconclusive',
    notPassed: [
      { verdict: 'inconclusive', demand: 'recall ≥ 0.5', why: 'too few' },
      { verdict: 'failed', demand: 'entity_f1 ≥ 0.9', why: '0.850, which is below 0.9' },
    ],
  },
};

describe('how a run ended', () => {
  it('is done without a word', () => {
    expect(ending({ published: PUBLISHED })).toEqual({ code: 0, words: null });
  });

  it('says by kind why nothing was answered, whatever else went wrong', () => {
    expect(ending({ ...NOTHING, ...FAILED_GATE })).toEqual({
      code: 2,
      words: 'not one of 14 items was answered: 12 × program, 2 × timeout, for example T01: it ended',
    });
  });

  it('says which check of the gate failed', () => {
    expect(ending(FAILED_GATE)).toEqual({
      code: 1,
      words: 'the gate failed: 1 of 2 checks failed, 1 inconclusive; entity_f1 ≥ 0.9: 0.850, which is below 0.9',
    });
  });

  it('is wrong where the gate could not be judged', () => {
    expect(ending({}, 'the gate cannot be judged: other gold')).toEqual({
      code: 2,
      words: 'the gate cannot be judged: other gold',
    });
  });

  it('is wrong where something did not arrive', () => {
    expect(ending({ published: { ...PUBLISHED, found: { traces: 1000, scores: 8999 } } })).toEqual({
      code: 2,
      words:
        'not all of it is in Langfuse (https://langfuse.example): 1,000 of 1,000 traces, 8,999 of 9,000 scores read back: 1 score is not there',
    });
  });

  it('tells a budget from lost access and from Ctrl-C', () => {
    expect(ending({ ...LEFT, stopped: { by: 'budget', text: '1 of 1 is spent' } })).toEqual({
      code: 3,
      words: 'stopped by the budget: 1 of 1 is spent; 200 of 1,000 items were not run',
    });
    expect(ending({ ...LEFT, stopped: { by: 'access', text: 'HTTP 401' } })).toEqual({
      code: 2,
      words: 'stopped because no call can succeed: HTTP 401; 200 of 1,000 items were not run',
    });
    expect(ending({ ...LEFT, stopped: { by: 'interrupt', text: '' } })).toEqual({
      code: 130,
      words: 'interrupted: 200 of 1,000 items were not run',
    });
    expect(ending({ ...LEFT, stopped: { by: 'limit', text: '' } }).code).toBe(0);
  });
});
