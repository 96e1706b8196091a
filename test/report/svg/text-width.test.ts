import { describe, expect, it } from 'vitest';

import { fitted, singleLine, textWidth, wrapped } from '../../../src/report/svg/text-width.ts';

describe('text that must fit', () => {
  it('is measured in the widest usual font: two digits of 0.64 em', () => {
    expect(textWidth('10', 10)).toBeCloseTo(12.8, 12);
    expect(textWidth('日本', 10)).toBe(40);
  });

  it('is cut in the middle, where names differ least', () => {
    const short = fitted('agent number 10', 60, 10);
    expect(short).toBe('agen…r 10');
    expect(textWidth(short, 10)).toBeLessThanOrEqual(60);
    expect(fitted('V0', 60, 10)).toBe('V0');
  });

  it('is never cut inside a character', () => {
    expect(fitted('👩‍🍳👩‍🍳👩‍🍳👩‍🍳', 52, 10)).toBe('👩‍🍳…👩‍🍳');
  });

  it('breaks at spaces, but not before = or %', () => {
    expect(wrapped('over n = 8 cases, 95 % of them', 50, 10)).toEqual(['over', 'n = 8', 'cases,', '95 % of', 'them']);
    expect(wrapped('', 50, 10)).toEqual([]);
  });

  it('breaks a word that is longer than a line', () => {
    // Six take 37.2 of 41, five with a space and a b 40.6.
    expect(wrapped('aaaaaaaaaaa b', 41, 10)).toEqual(['aaaaaa', 'aaaaa b']);
  });

  it('becomes one safe line of bearable length', () => {
    expect(singleLine('  a\nb\t\u202Ec ')).toBe('a⏎b␉‹U+202E›c');
    expect(singleLine('x'.repeat(1_000_000))).toHaveLength(401);
  });
});
