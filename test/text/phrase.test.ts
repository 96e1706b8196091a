import { describe, expect, test } from 'vitest';

import { phraseFinder } from '../../src/text/phrase.ts';

function found(phrases: readonly string[], text: string): string | null {
  return phraseFinder(phrases)?.exec(text)?.[0] ?? null;
}

describe('phraseFinder', () => {
  test('finds whole words only, whatever their case', () => {
    expect(found(['eat'], 'A treatment, and you sweat')).toBeNull();
    expect(found(['eat'], 'EAT less')).toBe('EAT');
    expect(found(['herb'], 'herbs')).toBeNull();
  });

  test('a star stands for any ending, also none', () => {
    expect(found(['herb*'], 'some Herbs')).toBe('Herbs');
    expect(found(['herb*'], 'one herb')).toBe('herb');
    expect(found(['herb*'], 'superherbs')).toBeNull();
  });

  test('a space is any white space, a hyphen also a space or nothing', () => {
    expect(found(['consult a doctor'], 'please consult\n  a doctor')).toBe('consult\n  a doctor');
    expect(found(['follow-up'], 'a follow up, a followup')).toBe('follow up');
    expect(found(['follow-up'], 'follow‑up')).toBe('follow‑up');
  });

  test('Devanagari words end where their vowel signs end', () => {
    expect(found(['आहार'], 'संतुलित आहार लें।')).toBe('आहार');
    expect(found(['रोग'], 'निरोगी')).toBeNull();
    expect(found(['योग'], 'योगासन')).toBeNull();
  });

  test('signs of expressions mean themselves', () => {
    expect(found(['a.b', '(x)'], 'a-b axb (x)')).toBe('(x)');
    expect(found(['a.b'], 'see a.b')).toBe('a.b');
  });

  test('no phrase finds nothing', () => {
    expect(phraseFinder([])).toBeNull();
    expect(phraseFinder(['  '])).toBeNull();
  });
});
