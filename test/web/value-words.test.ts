import { describe, expect, it } from 'vitest';

import { partTitle, questionWords, valueWords } from '../../web/src/value-words.ts';
import { labels, scale, ticks } from './asked.ts';

describe('the words of a value', () => {
  it('carry the anchor of a point, the title of a label, the meaning of a tick', () => {
    expect(valueWords(scale, 2)).toBe('2: Safe');
    expect(valueWords(scale, 1)).toBe('1');
    expect(valueWords(labels, 'none')).toBe('Not a claim');
    expect(valueWords(ticks, true)).toBe('Yes');
    expect(valueWords(ticks, 'na')).toBe('Not applicable');
    expect(valueWords(undefined, null)).toBe('No answer');
  });

  it('say into how many pieces a stretch was cut, and what they were called', () => {
    const claim = { id: 'c', start: 0, end: 1, text: 'a', label: null, from: [] };
    expect(valueWords(labels, [])).toBe('Nothing here');
    expect(valueWords(labels, [{ ...claim, label: 'none' }])).toBe('In one piece: Not a claim');
    expect(valueWords(labels, [claim, { ...claim, label: 'grounded' }])).toBe('In 2 pieces: no label, Grounded');
    const three = [{ ...claim, label: 'grounded' }, claim, { ...claim, label: 'grounded' }];
    expect(valueWords(labels, three)).toBe('In 3 pieces: 2 × Grounded, no label');
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
    expect(questionWords({ ...labels, section: 'What it claims' }, 'claims', '0-9')).toBe('What it claims');
    expect(questionWords(labels, 'claims', '0-9')).toBe('Claims');
    expect(questionWords(undefined, 'gone', 'harm')).toBe('gone');
  });
});
