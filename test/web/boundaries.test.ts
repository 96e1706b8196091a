import { describe, expect, it } from 'vitest';

import { moveEdge, wholeStretch } from '../../web/src/boundaries.ts';

/** The words of a stretch after steps such as `end +word`. */
function moved(text: string, words: string, ...steps: readonly string[]): string {
  const start = text.indexOf(words);
  let place = { start, end: start + words.length };
  for (const step of steps) {
    const [edge, by] = step.split(' ') as ['start' | 'end', string];
    place = moveEdge(text, place, edge, by.endsWith('word') ? 'word' : 'character', by.startsWith('+') ? 1 : -1);
  }
  return text.slice(place.start, place.end);
}

describe('a boundary', () => {
  it('goes by characters and by words, and stops at the other boundary and at the ends of the text', () => {
    const text = 'Dr. Ann Lee-Ray met Bo.';
    expect(moved(text, 'Ann', 'end +word')).toBe('Ann Lee');
    expect(moved(text, 'Ann', 'end +word', 'end +word')).toBe('Ann Lee-Ray');
    expect(moved(text, 'Ann Lee', 'end -word')).toBe('Ann');
    expect(moved(text, 'Ann', 'start -word')).toBe('Dr. Ann');
    expect(moved(text, 'Dr. Ann', 'start +word')).toBe('Ann');
    expect(moved(text, 'Ann', 'end +char', 'end +char')).toBe('Ann L');
    expect(moved(text, 'Ann', 'end -char', 'start +char', 'start +char')).toBe('n');
    expect(moved(text, 'Ann', 'start +word')).toBe('Ann');
    expect(moved(text, 'Bo.', 'end +char', 'end +word')).toBe('Bo.');
    expect(moved(text, 'Bo', 'end +word')).toBe('Bo.');
    expect(moved(text, 'Dr', 'start -char', 'start -word')).toBe('Dr');
  });

  it('leaves emoji, marks and conjuncts whole', () => {
    expect(moved('a👩‍👧b', 'a', 'end +char')).toBe('a👩‍👧');
    expect(moved('a👩‍👧b', 'a👩‍👧b', 'start +char', 'start +char')).toBe('b');
    expect(moved('Zoe\u0301 x', 'Zo', 'end +char')).toBe('Zoe\u0301');
    expect(moved('Zoe\u0301 x', 'Zoe\u0301', 'end -char')).toBe('Zo');
    expect(moved('नमस्ते जी', 'नमस्ते', 'end +word')).toBe('नमस्ते जी');
    expect(moved('नमस्ते जी', 'नमस्ते जी', 'end -char')).toBe('नमस्ते ');
  });

  it('follows the order of the text where that runs from right to left', () => {
    expect(moved('פגשתי את דנה לוי', 'דנה', 'end +word')).toBe('דנה לוי');
    expect(moved('פגשתי את דנה לוי', 'דנה', 'start -word')).toBe('את דנה');
  });
});

describe('a stretch that was selected', () => {
  it('loses the white space around it and gets the characters whole that it cuts', () => {
    const text = ' Zoe\u0301 👩‍👧!';
    const words = (start: number, end: number): string | null => {
      const place = wholeStretch(text, { start, end });
      return place === null ? null : text.slice(place.start, place.end);
    };
    expect(words(0, 4)).toBe('Zoe\u0301');
    expect(words(4, 6)).toBe('e\u0301');
    expect(words(6, 8)).toBe('👩‍👧');
    expect(words(5, 6)).toBeNull();
  });
});
