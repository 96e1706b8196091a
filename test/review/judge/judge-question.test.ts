import { describe, expect, it } from 'vitest';

import { reviewField } from '../../../src/recipe/review-section.ts';
import { namesEveryField } from '../../../src/experiment/targets/answer-json.ts';
import { judgeQuestion } from '../../../src/review/judge/judge-question.ts';

const ask = (field: unknown) => judgeQuestion(reviewField.parse(field));

describe('a question as a model is asked it', () => {
  it('says what the points of a scale mean, and what is rated', () => {
    const asked = ask({
      type: 'scale',
      title: 'Is it safe?',
      help: 'Think of children.',
      to: 3,
      anchors: { 1: 'Dangerous', 3: 'Safe' },
      dimensions: { harm: { title: 'No harm', help: 'none at all' } },
    });
    expect(asked?.text).toBe(`Question: Is it safe?
Think of children.
Scale: whole numbers from 1 to 3.
What the points mean:
- 1: Dangerous
- 3: Safe
Rate each of these:
- harm: No harm (none at all)
Answer: {"harm": {"reason": …, "value": …}}`);
    expect(asked?.schema).toMatchObject({
      properties: { harm: { properties: { value: { type: 'integer', enum: [1, 2, 3] } } } },
    });
  });

  it('lists the labels, with what they mean', () => {
    const labels = { yes: { title: 'Yes', help: 'a passage says so' }, no: 'No' };
    const asked = ask({ type: 'items', title: 'Supported?', from: 'sentences', labels });
    expect(asked?.text).toContain('- yes: Yes (a passage says so)\n- no: No\n');
    expect(asked?.schema).toMatchObject({
      properties: { things: { items: { properties: { label: { enum: ['yes', 'no'] } } } } },
    });
  });

  it('says which items of a checklist may not apply', () => {
    const asked = ask({ type: 'checklist', title: 'What is in it?', items: { a: 'A', b: 'B' }, notApplicable: ['b'] });
    expect(asked?.text).toContain('Say yes or no for each, or na where it does not apply (b only).');
  });

  it('has a schema that strict servers take', () => {
    for (const field of [
      { type: 'choice', title: 'Which?', options: { a: 'A' } },
      { type: 'scale', title: 'How?', from: 0, to: 1_000_000 },
      { type: 'items', title: 'What?', from: 'predicted', labels: { a: 'A' } },
    ])
      expect(namesEveryField(ask(field)?.schema)).toBe(true);
  });

  it('is none where there is nothing to choose from', () => {
    expect(ask({ type: 'text', title: 'Anything else?' })).toBeNull();
  });
});
