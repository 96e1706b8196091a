import { describe, expect, it } from 'vitest';

import { quoteForm } from '../../../src/experiment/targets/quote-form.ts';
import { quoteRules as rulesOf, type Unsupported } from '../../../src/experiment/targets/quote-target.ts';
import { planRecipe } from '../../../src/recipe/plan.ts';

const ASHWAM = quoteForm(await planRecipe('journal/ashwam'));
const quoteRules = (text: string, items: readonly unknown[], unsupported?: Unsupported) =>
  rulesOf(text, items, ASHWAM, unsupported);

const TEXT = 'No headache today. 🍵 Masala chai, then I felt edgy; chai again.';
const CHAI = {
  domain: 'food',
  evidence_span: 'Masala chai',
  polarity: 'present',
  intensity_bucket: 'unknown',
  time_bucket: 'today',
};

function because(item: unknown): string | undefined {
  const { items, rejected } = quoteRules(TEXT, [item]);
  expect(items.length + rejected.length).toBe(1);
  return rejected[0]?.because;
}

describe('the rules for journal items', () => {
  it('keep an item whose quote is in the text, and say where in code points', () => {
    // "No headache today. " has 19 characters, the cup of tea is one and a space follows.
    expect(quoteRules(TEXT, [CHAI])).toEqual({
      items: [{ ...CHAI, start: 21, end: 32 }],
      rejected: [],
      changed: [],
    });
  });

  it('keep what an item has beside its fields', () => {
    expect(quoteRules(TEXT, [{ ...CHAI, confidence: 0.4 }]).items).toEqual([
      { ...CHAI, confidence: 0.4, start: 21, end: 32 },
    ]);
  });

  it('take out an item without evidence, and say why', () => {
    expect(because({ ...CHAI, evidence_span: '' })).toBe('there is no quote');
    expect(because({ ...CHAI, evidence_span: ' ' })).toBe('there is no quote');
    expect(because({ ...CHAI, evidence_span: undefined })).toBe('there is no quote');
    expect(because({ ...CHAI, evidence_span: 'green tea' })).toBe('the quote is not in the text');
    expect(because({ ...CHAI, evidence_span: 'masala chai' })).toBe('the quote is in the text but for case');
    expect(because({ ...CHAI, evidence_span: 'Masala  chai' })).toBe('the quote is in the text but for white space');
    expect(because('chai')).toBe('it is no object');
  });

  it('leave an item without evidence in where asked to, flagged or made uncertain', () => {
    const tea = { ...CHAI, evidence_span: 'green tea' };
    const unsupported = 'the quote is not in the text';
    expect(quoteRules(TEXT, [tea], 'flag')).toEqual({ items: [{ ...tea, unsupported }], rejected: [], changed: [] });
    expect(quoteRules(TEXT, [tea], 'uncertain')).toEqual({
      items: [{ ...tea, polarity: 'uncertain', unsupported }],
      rejected: [],
      changed: [{ item: 0, field: 'polarity', from: 'present', to: 'uncertain', because: unsupported }],
    });
    // Nothing can score what is of no known kind.
    expect(quoteRules(TEXT, [{ ...tea, domain: 'drink' }], 'flag').rejected).toHaveLength(1);
    expect(quoteRules(TEXT, [CHAI], 'flag')).toEqual(quoteRules(TEXT, [CHAI]));
  });

  it('take out an item whose fields are not of their kind', () => {
    expect(because({ ...CHAI, domain: 'drink' })).toBe(
      'domain is "drink", expected one of symptom, food, emotion, mind',
    );
    expect(because({ ...CHAI, polarity: undefined })).toBe(
      'polarity is missing, expected one of present, absent, uncertain',
    );
    expect(because({ ...CHAI, time_bucket: 'now' })).toMatch(/^time_bucket is "now"/);
    expect(because({ ...CHAI, intensity_bucket: 3 })).toMatch(/^intensity_bucket is no text/);
    expect(because({ ...CHAI, polarity: 'Present' })).toMatch(/^polarity is "Present"/);
  });

  it('give each domain its own bucket; what is missing is unknown, and every change is told', () => {
    const edgy = { domain: 'emotion', evidence_span: 'edgy', polarity: 'present', intensity_bucket: 'high' };
    const { items, changed, rejected } = quoteRules(TEXT, [CHAI, { evidence_span: 'nowhere' }, edgy]);
    expect(items[1]).toEqual({
      domain: 'emotion',
      evidence_span: 'edgy',
      polarity: 'present',
      arousal_bucket: 'unknown',
      time_bucket: 'unknown',
      start: 46,
      end: 50,
    });
    expect(rejected).toHaveLength(1);
    expect(changed).toEqual([
      { item: 1, field: 'arousal_bucket', from: null, to: 'unknown', because: 'it was not given' },
      { item: 1, field: 'time_bucket', from: null, to: 'unknown', because: 'it was not given' },
      { item: 1, field: 'intensity_bucket', from: 'high', to: null, because: 'emotion has arousal_bucket instead' },
    ]);
  });

  it('take the first place where a quote stands twice', () => {
    expect(quoteRules(TEXT, [{ ...CHAI, evidence_span: 'chai' }]).items).toMatchObject([{ start: 28, end: 32 }]);
  });

  it('are not led astray by names that objects inherit', () => {
    const hostile: unknown = JSON.parse(
      `{"__proto__": {"polarity": "present"}, "evidence_span": "chai", "domain": "food"}`,
    );
    expect(because(hostile)).toMatch(/^polarity is missing/);
  });
});
