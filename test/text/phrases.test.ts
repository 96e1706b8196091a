import { describe, expect, it, test } from 'vitest';
import { denialFinder, phraseFinder } from '../../src/text/phrases.ts';
import { sentenceSpans } from '../../src/text/sentences.ts';

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

const PHRASES = {
  before: ['nothing about', 'not discuss'],
  after: ['is not covered', 'are not discussed', 'के बारे में कुछ नहीं'],
  ends: ['but', 'please', 'लेकिन'],
};

/** By what a word of the text is denied. */
function denied(text: string, word: string): string | null {
  const start = text.lastIndexOf(word);
  expect(start, word).toBeGreaterThanOrEqual(0);
  return denialFinder(PHRASES)(text, sentenceSpans(text))({ start, end: start + word.length });
}

describe('denialFinder', () => {
  it('reaches over a whole enumeration', () => {
    const text = 'I say nothing about diet, herbs or sources.';
    expect(['diet', 'herbs', 'sources'].map((word) => denied(text, word))).toEqual(Array(3).fill('nothing about'));
  });

  it('ends with the sentence, at a semicolon, and before words that begin another clause', () => {
    for (const text of [
      'I say nothing about herbs. Your diet is poor.',
      'I say nothing about herbs; your diet is poor.',
      'I say nothing about herbs, but your diet is poor.',
      '- nothing about herbs\n- diet: rice',
    ])
      expect([denied(text, 'herbs'), denied(text, 'diet')]).toEqual(['nothing about', null]);
  });

  it('does not reach back, unless the phrase stands after what it denies', () => {
    expect(denied('Your diet is poor and I say nothing about herbs.', 'diet')).toBeNull();
    expect(denied('Diet and herbs are not discussed here.', 'Diet')).toBe('are not discussed');
    expect(denied('Herbs are not discussed, eat a good diet.', 'diet')).toBeNull();
  });

  it('reads Hindi, whose verb comes last', () => {
    const text = 'मैं आहार के बारे में कुछ नहीं कहूँगा, लेकिन रोज योग करें।';
    expect(denied(text, 'आहार')).toBe('के बारे में कुछ नहीं');
    expect(denied(text, 'योग')).toBeNull();
  });

  it('finds phrases as whole words only, and no denial where there are no phrases', () => {
    expect(denied('You cannot discuss diet.', 'diet')).toBeNull();
    const none = denialFinder({ before: [], after: [], ends: [] })('nothing about diet', [{ start: 0, end: 18 }]);
    expect(none({ start: 14, end: 18 })).toBeNull();
  });

  it('takes time in proportion to a long sentence', () => {
    const text = `nothing about ${'diet '.repeat(200_000)}`;
    const of = denialFinder(PHRASES)(text, sentenceSpans(text));
    let deniedCount = 0;
    for (let start = 14; start + 4 <= text.length; start += 5)
      if (of({ start, end: start + 4 }) !== null) deniedCount += 1;
    expect(deniedCount).toBe(200_000);
  });
});
