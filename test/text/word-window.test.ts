import { describe, expect, it } from 'vitest';
import { wordWindow } from '../../src/text/word-window.ts';

function found(text: string, quote: string): string | null {
  const at = wordWindow(text, quote);
  return at === null ? null : text.slice(at.start, at.end);
}

describe('wordWindow', () => {
  it('finds the words in another order', () => {
    expect(found('My head hurt. I slept badly.', 'badly slept')).toBe('slept badly');
  });

  it('finds words with others between them', () => {
    expect(found('I felt very sick today', 'I felt sick')).toBe('I felt very sick');
  });

  it('prefers the shortest place, and of those the first', () => {
    expect(wordWindow('a x x b x a b x b a', 'b a')).toEqual({ start: 10, end: 13 });
    expect(wordWindow('a b b a', 'b a')).toEqual({ start: 0, end: 3 });
  });

  it('leaves out words that it has already', () => {
    expect(wordWindow('a a b', 'b a')).toEqual({ start: 2, end: 5 });
  });

  it('wants a word as often as the quote has it', () => {
    expect(found('no pain, no gain', 'gain no no')).toBe('no pain, no gain');
    expect(found('no pain, gain', 'gain no no')).toBeNull();
  });

  it('overlooks case, apostrophes and punctuation', () => {
    expect(found('Sleep? I DON’T.', "don't, I")).toBe('I DON’T');
  });

  it('finds nothing when a word or a sign is missing, and for a quote without any', () => {
    expect(found('I slept', 'I slept badly')).toBeNull();
    expect(found('pain < 5', 'pain > 5')).toBeNull();
    expect(found('I slept', ' ... ')).toBeNull();
    expect(found('', 'a')).toBeNull();
  });

  it('works on Devanagari and beyond emoji', () => {
    expect(found('😀 मुझे तेज़ सिरदर्द है', 'सिरदर्द तेज़')).toBe('तेज़ सिरदर्द');
  });
});
