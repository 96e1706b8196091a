import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import {
  cutAtWord,
  cutToLimits,
  EMPTY_SUMMARY,
  summaryFields,
  SUMMARY_LIMITS,
  tooLong,
  tooLongText,
} from '../../../src/stream/replay/summary-answer.ts';
import { SUMMARY_FIELDS } from '../../../src/stream/run-log-records.ts';

describe('the limits', () => {
  it('are those of the specification, field by field', () => {
    expect(SUMMARY_FIELDS.map((field) => SUMMARY_LIMITS[field])).toEqual([150, 180, 210, 120, 180, 150]);
  });
});

describe('summaryFields', () => {
  it('names what is missing as the published logs do', () => {
    const answer = { status_action: 'a', key_findings: 'b', differential_rationale: 'c' };
    expect(summaryFields(answer).wrong.join('; ')).toBe(
      'uncertainty_confidence: missing; recommendation_next_step: missing; agent_contributions: missing',
    );
  });

  it('takes text and nothing else for a field, and nothing that is inherited', () => {
    expect(summaryFields({ status_action: ['a'] }, ['status_action']).wrong).toEqual([
      'status_action: expected text, found a list of 1',
    ]);
    const inherited = Object.create({ status_action: 'a' }) as Record<string, unknown>;
    expect(summaryFields(inherited, ['status_action']).wrong).toEqual(['status_action: missing']);
  });

  it('takes white space off the ends, and half a surrogate pair for what no file can hold', () => {
    expect(summaryFields({ status_action: ' a\ud83c b\n' }, ['status_action']).content).toEqual({
      status_action: 'a\ufffd b',
    });
  });
});

describe('tooLong', () => {
  it('counts code points, so that 120 emoji fit where 120 letters do', () => {
    expect(tooLong({ ...EMPTY_SUMMARY, uncertainty_confidence: '🍵'.repeat(120) })).toEqual([]);
    const over = tooLong({ ...EMPTY_SUMMARY, uncertainty_confidence: '🍵'.repeat(121), key_findings: 'x'.repeat(200) });
    expect(tooLongText(over)).toBe(
      'key_findings: 200 characters, at most 180; uncertainty_confidence: 121 characters, at most 120',
    );
  });
});

describe('cutAtWord', () => {
  it.each([
    ['fever and cough', 15, 'fever and cough'],
    ['fever and cough', 14, 'fever and'],
    ['fever and cough', 11, 'fever and'],
    ['fever and cough', 9, 'fever and'],
    ['fever and cough', 10, 'fever and'],
    ['fever and cough', 8, 'fever'],
    ['fever and cough', 3, 'fev'],
    ['fever\nand cough', 7, 'fever'],
    ['🍵🍵🍵 🍵', 2, '🍵🍵'],
    ['', 5, ''],
  ])('of %j to %i is %j', (text, limit, expected) => {
    expect(cutAtWord(text, limit)).toBe(expected);
  });

  it('is a beginning of the text, never too long, and empty only where there is nothing to see', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.integer({ min: 1, max: 30 }), (text, limit) => {
        const cut = cutAtWord(text, limit);
        expect(text.startsWith(cut)).toBe(true);
        expect([...cut].length).toBeLessThanOrEqual(limit);
        expect(cut.trim() === '').toBe([...text].slice(0, limit).join('').trim() === '');
      }),
      { seed: 4, numRuns: 500 },
    );
  });

  it('makes every summary fit', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: 'grapheme', maxLength: 400 }), { minLength: 6, maxLength: 6 }),
        (texts) => {
          const content = Object.fromEntries(SUMMARY_FIELDS.map((field, at) => [field, texts[at]!]));
          expect(tooLong(cutToLimits({ ...EMPTY_SUMMARY, ...content }))).toEqual([]);
        },
      ),
      { seed: 4, numRuns: 100 },
    );
  });
});
