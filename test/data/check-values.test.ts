import { describe, expect, it } from 'vitest';

import type { DataOptions } from '../../src/data/data-options.ts';
import { caseOf, jsonl, problems, readerOf } from './reading.ts';

const item = { domain: 'food', evidence_span: 'chai', polarity: 'present' };

function files(gold: object, predicted: object = item) {
  return {
    cases: jsonl({ journal_id: 'J1', text: 'had chai' }),
    gold: jsonl({ journal_id: 'J1', items: [item, { ...item, ...gold }] }),
    predictions: jsonl({ journal_id: 'J1', items: [{ ...item, ...predicted }] }),
  };
}

const options = {
  labels: ['food', 'emotion', 'symptom'],
  values: { polarity: ['present', 'absent'] },
} satisfies Partial<DataOptions>;
const keep = { gold: 'keep', predicted: 'keep' } as const;

describe('labels', () => {
  it('outside the list are an error in gold, with the nearest right one', async () => {
    expect(await problems(files({ domain: 'symtom' }), options)).toEqual([
      'gold.jsonl:1: J1 gold item 1: the label "symtom" is not one of food, emotion, symptom (did you mean symptom?)',
    ]);
    expect(await problems(files({ domain: 'weather' }), options)).toEqual([
      'gold.jsonl:1: J1 gold item 1: the label "weather" is not one of food, emotion, symptom (or allow it: --set data.unknownLabel.gold=keep)',
    ]);
  });

  it('outside the list are kept and counted where the policy is keep', async () => {
    const reader = readerOf(files({ domain: 'weather' }, { domain: 'mood' }), { ...options, unknownLabel: keep });
    const [only] = await Array.fromAsync(reader);
    expect([only!.gold[1]!.label, only!.predicted[0]!.label]).toEqual(['weather', 'mood']);
    expect(reader.notices.unknownLabelsKept).toBe(2);
  });

  it('of predictions are kept by default, and an error when the recipe says so', async () => {
    const given = files({}, { domain: 'mood' });
    expect((await caseOf(given, options)).predicted[0]!.label).toBe('mood');
    const strict = { ...options, unknownLabel: { gold: 'error', predicted: 'error' } } as const;
    expect((await problems(given, strict))[0]).toContain('predictions.jsonl:1: J1 predicted item 0: the label "mood"');
  });

  it('are free where no list is given', async () => {
    expect((await caseOf(files({ domain: 'weather' }))).gold[1]!.label).toBe('weather');
  });
});

describe('field values', () => {
  it.each([
    ['perhaps', '"perhaps"'],
    [3, '3'],
    [['present'], 'a list of 1'],
    [{}, 'an object'],
    [true, 'true'],
    ['', '""'],
  ])('%j is an error in gold', async (polarity, found) => {
    expect(await problems(files({ polarity }), options)).toEqual([
      `gold.jsonl:1: J1 gold item 1 polarity: expected one of present, absent, found ${found} (or allow it: --set data.unknownValue.gold=keep)`,
    ]);
  });

  it.each([null, undefined])('%j stands for none and is fine', async (polarity) => {
    expect((await caseOf(files({ polarity }), options)).gold).toHaveLength(2);
  });

  it('of predictions are kept by default and counted', async () => {
    const reader = readerOf(files({}, { polarity: 'perhaps' }), options);
    await Array.fromAsync(reader);
    expect(reader.notices.unknownLabelsKept).toBe(1);
  });

  it('of a field that every object inherits are looked for in the data only', async () => {
    const inherited = { values: { constructor: ['x'], toString: ['y'] } };
    expect((await caseOf(files({}), inherited)).gold).toHaveLength(2);
    expect(await problems(files({ constructor: 'z' }), inherited)).toEqual([
      'gold.jsonl:1: J1 gold item 1 constructor: expected one of x, found "z" (or allow it: --set data.unknownValue.gold=keep)',
    ]);
  });
});
