import { describe, expect, it } from 'vitest';

import { decisionFields, fires } from '../../../src/stream/replay/decision-answer.ts';
import { STREAM_STATES } from '../../../src/stream/replay/model.ts';

const ANSWER = {
  rationale: 'because',
  stream_state: 'TOPIC_SHIFT',
  is_relevant: true,
  is_novel: false,
  is_complete: true,
};

describe('decisionFields', () => {
  it('reads the five fields of an answer', () => {
    expect(decisionFields(ANSWER, true)).toEqual({
      state: 'TOPIC_SHIFT',
      relevant: true,
      novel: false,
      complete: true,
    });
  });

  it('does not look at novelty where it is left out', () => {
    const { is_novel: _, ...rest } = ANSWER;
    expect(decisionFields(rest, false)).toMatchObject({ novel: null });
    expect(decisionFields({ ...rest, is_novel: 'maybe' }, false)).toMatchObject({ novel: null });
    expect(decisionFields(rest, true)).toEqual({ error: 'is_novel: missing' });
  });

  it('names everything that is wrong', () => {
    expect(
      decisionFields({ rationale: 7, stream_state: 'SHIFT', is_relevant: 'yes', is_complete: null }, true),
    ).toEqual({
      error:
        'rationale: expected text, found 7; ' +
        'stream_state: expected one of SAME_TOPIC_CONTINUING, TOPIC_SHIFT, CRITICAL_ALERT, found "SHIFT"; ' +
        'is_relevant: expected true or false, found "yes"; is_novel: missing; ' +
        'is_complete: expected true or false, found null',
    });
  });
});

describe('fires', () => {
  // From the rule as the specification states it, written out: alert; or complete, relevant, new; or shift, relevant, new.
  const table = STREAM_STATES.flatMap((state) =>
    [true, false].flatMap((complete) =>
      [true, false].flatMap((relevant) => [true, false, null].map((novel) => ({ state, complete, relevant, novel }))),
    ),
  );

  it('fires for 18 of the 36 possible answers', () => {
    // 12 alerts; of the others, relevant and not old (2 ways): complete, or a shift: 2 x 2 for shift, 2 x 1 for the same.
    expect(table.filter(fires)).toHaveLength(12 + 4 + 2);
  });

  it.each([
    ['CRITICAL_ALERT', false, false, false, true],
    ['TOPIC_SHIFT', false, true, true, true],
    ['TOPIC_SHIFT', true, true, false, false],
    ['TOPIC_SHIFT', true, false, true, false],
    ['SAME_TOPIC_CONTINUING', true, true, true, true],
    ['SAME_TOPIC_CONTINUING', true, true, null, true],
    ['SAME_TOPIC_CONTINUING', false, true, true, false],
    ['SAME_TOPIC_CONTINUING', true, false, true, false],
  ] as const)('%s, complete %s, relevant %s, novel %s: %s', (state, complete, relevant, novel, expected) => {
    expect(fires({ state, complete, relevant, novel })).toBe(expected);
  });
});
