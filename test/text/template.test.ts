import { describe, expect, test } from 'vitest';

import { wordHashes } from '../../src/text/shingles.ts';
import { isMasked, maskedWords } from '../../src/text/template.ts';

const masked = (answer: string, source: string): Uint32Array => maskedWords(answer, wordHashes(source));

const SOURCE = "I've been feeling cold at night and my knees hurt when it rains.";
const OTHER = 'My stomach is upset after every meal, whatever I eat or drink.';

describe('an answer without what was put in', () => {
  test.each([
    ['single quotes with an apostrophe inside', (text: string) => `You say '${text.slice(0, 20)}...', so rest.`],
    ['double quotes', (text: string) => `You say "${text}" and so rest.`],
    ['curly quotes', (text: string) => `You say “${text}” and so rest.`],
    ['no quotes', (text: string) => `You say ${text} So rest.`],
  ])('%s', (_, template) => {
    expect(masked(template(SOURCE), SOURCE)).toEqual(masked(template(OTHER), OTHER));
  });

  test('two words of the case are ordinary speech and stay', () => {
    expect(masked('Your knees hurt.', SOURCE)).toHaveLength(3);
    expect(isMasked(masked('Your knees hurt.', SOURCE))).toBe(false);
    expect(isMasked(masked('So my knees hurt.', SOURCE))).toBe(true);
    expect(masked('So my knees hurt.', SOURCE)).toHaveLength(2);
  });

  test('apostrophes do not begin a quote', () => {
    expect(masked("It's the dog's bowl, isn't it", '')).toHaveLength(6);
  });

  test('answers that differ stay different', () => {
    expect(masked('Rest and drink tea.', SOURCE)).not.toEqual(masked('Walk and drink milk.', SOURCE));
  });
});
