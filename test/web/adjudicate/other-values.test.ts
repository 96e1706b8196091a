import { describe, expect, it } from 'vitest';

import { reviewField } from '../../../src/recipe/review-section.ts';
import { otherValues } from '../../../web/src/adjudicate/other-values.ts';
import { partTitle, questionWords, valueWords } from '../../../web/src/adjudicate/value-words.ts';

const scale = reviewField.parse({
  type: 'scale',
  title: 'How safe?',
  from: 0,
  to: 2,
  anchors: { 0: 'Dangerous', 2: 'Safe' },
  dimensions: { harm: { title: 'Nothing harmful' } },
});
const ticks = reviewField.parse({
  type: 'checklist',
  title: 'What is there?',
  items: { diet: 'Diet', herbs: 'Herbs' },
  notApplicable: ['herbs'],
});
const labels = reviewField.parse({
  type: 'items',
  title: 'Claims',
  from: 'sentences',
  labels: { grounded: { title: 'Grounded', help: 'A passage says so' }, none: 'Not a claim' },
});

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

describe('the words of a value', () => {
  it('carry the anchor of a point, the title of a label, the meaning of a tick', () => {
    expect(valueWords(scale, 2)).toBe('2: Safe');
    expect(valueWords(scale, 1)).toBe('1');
    expect(valueWords(labels, 'none')).toBe('Not a claim');
    expect(valueWords(ticks, true)).toBe('Yes');
    expect(valueWords(ticks, 'na')).toBe('Not applicable');
    expect(valueWords(undefined, null)).toBe('No answer');
  });

  it('say into how many pieces a stretch was cut', () => {
    const claim = { id: 'c', start: 0, end: 1, text: 'a', label: null, from: [] };
    expect(valueWords(labels, [])).toBe('Nothing here');
    expect(valueWords(labels, [claim])).toBe('In one piece');
    expect(valueWords(labels, [claim, claim])).toBe('In 2 pieces');
  });

  it('show a value that the form does not know as it is, also one named like a property of every object', () => {
    expect(valueWords(labels, 'constructor')).toBe('constructor');
    expect(partTitle(scale, 'toString')).toBe('toString');
    expect(partTitle(scale, 'harm')).toBe('Nothing harmful');
    expect(partTitle(scale, null)).toBeNull();
  });

  it('name a question in a list by its heading and part, or by what it asks', () => {
    expect(questionWords({ ...scale, section: 'Safety' }, 'safety', 'harm')).toBe('Safety: Nothing harmful');
    expect(questionWords(scale, 'safety', 'harm')).toBe('How safe?: Nothing harmful');
    expect(questionWords(labels, 'claims', '0-9')).toBe('Claims');
    expect(questionWords(undefined, 'gone', 'harm')).toBe('gone');
  });
});
