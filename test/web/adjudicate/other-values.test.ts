import { describe, expect, it } from 'vitest';

import { reviewField } from '../../../src/recipe/review-section.ts';
import { otherValues } from '../../../web/src/adjudicate/other-values.ts';
import { labels, scale, ticks } from '../asked.ts';

function keysAndValues(...call: Parameters<typeof otherValues>): unknown[] {
  return otherValues(...call).map(({ key, value }) => [key, value]);
}

describe('values beside the answers', () => {
  it('are the points of a scale, each by its own digit', () => {
    expect(keysAndValues(scale, 'harm', false)).toEqual([
      ['0', 0],
      ['1', 1],
      ['2', 2],
    ]);
  });

  it('are numbered where a scale goes below nought or beyond nine', () => {
    const wide = reviewField.parse({ type: 'scale', title: 'Mood', from: -1, to: 1 });
    expect(keysAndValues(wide, null, false)).toEqual([
      ['1', -1],
      ['2', 0],
      ['3', 1],
    ]);
  });

  it('are letters where there are more than nine', () => {
    const options = Object.fromEntries(Array.from({ length: 10 }, (_, index) => [`o${index}`, `Option ${index}`]));
    const many = otherValues(reviewField.parse({ type: 'choice', title: 'Which?', options }), null, false);
    expect(many.map((value) => value.key).join('')).toBe('abcdefghij');
  });

  it('let only that part of a checklist not apply which may', () => {
    expect(keysAndValues(ticks, 'diet', false)).toEqual([
      ['1', true],
      ['2', false],
    ]);
    expect(keysAndValues(ticks, 'herbs', false)).toEqual([
      ['1', true],
      ['2', false],
      ['3', 'na'],
    ]);
  });

  it('are the labels for one claim, and nothing for a list of claims or a text', () => {
    expect(keysAndValues(labels, '0-9', true)).toEqual([
      ['1', 'grounded'],
      ['2', 'none'],
    ]);
    expect(otherValues(labels, null, false)).toEqual([]);
    expect(otherValues(reviewField.parse({ type: 'text', title: 'Else?' }), null, false)).toEqual([]);
  });
});
