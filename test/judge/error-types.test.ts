import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { type Item, makeItem } from '../../src/data/item.ts';
import type { Verdict } from '../../src/judge/verdict.ts';
import { errorTypes } from '../../src/judge/error-types.ts';
import { hit, missed, spurious } from '../judge/verdicts.ts';
import { entity, object, relationship } from '../pair/items.ts';
import { runsHere } from '../many-runs.ts';

/** `P 0-10`: a span of the label P. */
function span(written: string, index = 0): Item {
  const [label = '', place = ''] = written.split(' ');
  const [start = 0, end = 0] = place.split('-').map(Number);
  return makeItem({ kind: 'span', index, label, start, end });
}

interface Errors {
  readonly missed?: readonly string[];
  readonly spurious?: readonly string[];
  /** `gold = predicted`. */
  readonly hits?: readonly string[];
}

function verdictsOf(given: Errors): Verdict[] {
  return [
    ...(given.missed ?? []).map((one, at) => missed(span(one, at))),
    ...(given.spurious ?? []).map((one, at) => spurious(span(one, at))),
    ...(given.hits ?? []).map((one, at) => {
      const [gold = '', predicted = ''] = one.split(' = ');
      return hit(span(gold, 50 + at), span(predicted, 50 + at));
    }),
  ];
}

/** Types in the order of the verdicts that have one. */
function typesOf(verdicts: readonly Verdict[]): string[] {
  const types = errorTypes(verdicts);
  return verdicts.flatMap((own) => types.get(own) ?? []);
}

describe('types of errors of spans', () => {
  test.each<[string, Errors, string[]]>([
    ['near nothing', { missed: ['P 0-5'], spurious: ['P 10-15'] }, ['missed', 'spurious']],
    ['side by side is not near', { missed: ['P 0-5'], spurious: ['P 5-9'] }, ['missed', 'spurious']],
    ['same label, other place', { missed: ['P 0-10'], spurious: ['P 0-6'] }, ['boundary', 'boundary']],
    ['same place, other label', { missed: ['P 0-10'], spurious: ['L 0-10'] }, ['type', 'type']],
    ['neither', { missed: ['P 0-10'], spurious: ['L 0-6'] }, ['both', 'both']],
    ['same in all and yet not paired: another gate', { missed: ['P 0-10'], spurious: ['P 0-10'] }, ['type', 'type']],
    ['two pieces', { missed: ['P 0-10'], spurious: ['P 0-4', 'P 5-10'] }, ['split', 'split', 'split']],
    ['two pieces that touch', { missed: ['P 0-10'], spurious: ['P 0-5', 'P 5-10'] }, ['split', 'split', 'split']],
    [
      'two pieces, one of another label',
      { missed: ['P 0-10'], spurious: ['P 0-4', 'L 5-10'] },
      ['both', 'spurious', 'both'],
    ],
    [
      'a piece twice is no second piece',
      { missed: ['P 0-10'], spurious: ['P 0-4', 'P 0-4'] },
      ['boundary', 'boundary', 'spurious'],
    ],
    [
      'pieces that lie more outside than inside are none',
      { missed: ['P 4-10'], spurious: ['P 0-5', 'P 8-20'] },
      ['boundary', 'spurious', 'boundary'],
    ],
    ['two in one', { missed: ['P 0-4', 'P 5-10'], spurious: ['P 0-10'] }, ['merged', 'merged', 'merged']],
    [
      'two in one, one of which was found as well',
      { missed: ['P 0-4'], spurious: ['P 0-10'], hits: ['P 5-10 = P 5-10'] },
      ['merged', 'merged'],
    ],
    [
      'three in one, of another label the third',
      { missed: ['P 0-4', 'P 5-10', 'L 11-14'], spurious: ['P 0-14'] },
      ['merged', 'merged', 'missed', 'merged'],
    ],
    ['found again', { spurious: ['P 0-6'], hits: ['P 0-10 = P 0-10'] }, ['duplicate']],
    ['found again, larger', { spurious: ['P 0-18'], hits: ['P 0-10 = P 0-10'] }, ['duplicate']],
    ['found again under another label', { spurious: ['L 0-10'], hits: ['P 0-10 = P 0-10'] }, ['duplicate']],
    ['another label within what was found', { spurious: ['L 0-6'], hits: ['P 0-10 = P 0-10'] }, ['spurious']],
    ['mostly elsewhere', { spurious: ['P 8-40'], hits: ['P 0-10 = P 0-10'] }, ['spurious']],
    ['the other piece of what was found in part', { spurious: ['P 7-10'], hits: ['P 0-10 = P 0-6'] }, ['split']],
    ['gold that a hit took in', { missed: ['P 7-10'], hits: ['P 0-6 = P 0-10'] }, ['merged']],
    ['marked twice in gold', { missed: ['P 0-6'], hits: ['P 0-10 = P 0-10'] }, ['duplicate']],
    ['the largest overlap first', { missed: ['P 0-10'], spurious: ['L 0-9', 'P 0-3'] }, ['both', 'both', 'spurious']],
    [
      'at equal overlap the same label first',
      { missed: ['P 0-10'], spurious: ['L 0-8', 'P 2-10'] },
      ['boundary', 'spurious', 'boundary'],
    ],
    [
      'the larger group first: a piece has one type only',
      { missed: ['P 0-10', 'P 20-30'], spurious: ['P 0-30', 'P 0-3', 'P 4-6', 'P 7-10'] },
      ['split', 'boundary', 'boundary', 'split', 'split', 'split'],
    ],
  ])('%s', (_, given, expected) => {
    expect(typesOf(verdictsOf(given))).toEqual(expected);
  });

  test('a prediction without a place in the text is ungrounded, whatever it resembles', () => {
    const refused = { start: 0, end: 99, because: 'beyond the end' };
    const lost = { ...makeItem({ kind: 'span', index: 0, label: 'P', text: 'Ann' }), refused };
    expect(typesOf([missed(span('P 0-3')), spurious(lost, { rule: 'bad-span' })])).toEqual(['missed', 'ungrounded']);
  });

  test('a hit that lacks credit has a type, and one with full credit has none', () => {
    const half = { credit: 0.5 };
    const verdicts = [
      hit(span('P 0-10'), span('P 0-6'), half),
      hit(span('P 20-30'), span('L 20-30'), half),
      hit(span('P 40-50'), span('L 40-46'), half),
      hit(span('P 60-70'), span('P 60-70')),
    ];
    expect(typesOf(verdicts)).toEqual(['boundary', 'type', 'both']);
  });

  test('excused items have no type and explain none', () => {
    const aside: Verdict = { ...spurious(span('L 0-10')), verdict: 'excused', rule: 'drop' };
    const verdicts = [missed(span('P 0-10')), aside];
    expect(typesOf(verdicts)).toEqual(['missed']);
    expect(errorTypes(verdicts).size).toBe(1);
  });

  test('gold that predictions cover in part, where masking is asked for, has a wrong boundary', () => {
    const part: Verdict = { ...spurious(span('L 0-6')), verdict: 'excused', rule: 'inside' };
    expect(typesOf([missed(span('P 0-10')), missed(span('P 20-30')), part])).toEqual(['boundary', 'missed']);
  });

  test('a mask that reaches beyond the gold that it covers has a wrong boundary', () => {
    const covered: Verdict = { ...missed(span('P 0-6')), verdict: 'hit' };
    expect(typesOf([covered, spurious(span('L 0-10')), spurious(span('L 20-30'))])).toEqual(['boundary', 'spurious']);
  });

  test('tokens beside found ones of their label are boundary errors, others are not', () => {
    const stretch = (written: string): Item => ({ ...span(written), index: -1 });
    const found = stretch('P 0-4');
    const verdicts = [
      hit(found, found, { weight: 1 }),
      missed(stretch('P 5-10'), { weight: 2 }),
      missed(stretch('P 20-24')),
      spurious(stretch('L 5-7')),
      spurious(stretch('L 30-33')),
    ];
    expect(typesOf(verdicts)).toEqual(['both', 'missed', 'both', 'spurious']);
    expect(typesOf(verdicts.slice(0, 3))).toEqual(['boundary', 'missed']);
  });
});

describe('types of errors of items without a place', () => {
  test.each<[string, Item[], Item[], string[]]>([
    ['the same words but for case', [entity('ACME Corp')], [entity('Acme corp')], ['boundary', 'boundary']],
    ['the same name, another type', [entity('Acme', 'Organization')], [entity('acme', 'Place')], ['type', 'type']],
    ['a part of the name', [entity('Warsaw Regional Court')], [entity('Warsaw')], ['boundary', 'boundary']],
    ['one word of two in common', [entity('New York')], [entity('New Delhi')], ['missed', 'spurious']],
    ['only a function word in common', [entity('the court')], [entity('the bank')], ['missed', 'spurious']],
    [
      'half of the words in common',
      [entity('old stone bridge')],
      [entity('stone bridge south')],
      ['boundary', 'boundary'],
    ],
    ['in pieces', [entity('Ada King Lovelace')], [entity('Ada King'), entity('Lovelace')], ['split', 'split', 'split']],
    ['as one', [entity('Ada'), entity('Grace')], [entity('Ada and Grace')], ['merged', 'merged', 'merged']],
    ['without words', [entity('')], [entity('')], ['missed', 'spurious']],
    [
      'quotes that stand at different places and have the same words',
      [object('symptom', 'bad headache')],
      [object('symptom', 'headache')],
      ['boundary', 'boundary'],
    ],
  ])('%s', (_, gold, predicted, expected) => {
    expect(typesOf([...gold.map((one) => missed(one)), ...predicted.map((one) => spurious(one))])).toEqual(expected);
  });

  test('a second entity of the same name is a duplicate', () => {
    expect(typesOf([hit(entity('Acme'), entity('Acme')), spurious(entity('ACME', 'Place'))])).toEqual(['duplicate']);
  });

  test('a name that shares some words with a found one is another name', () => {
    const found = hit(entity('Anna Maria Holt'), entity('Anna Maria Holt'));
    expect(typesOf([found, missed(entity('Anna Marie Holt'))])).toEqual(['missed']);
    expect(typesOf([found, spurious(entity('Anna Holt'))])).toEqual(['duplicate']);
  });

  test('a quote that is not in the text is ungrounded', () => {
    const made: Item = { ...object('symptom', 'awful headache'), grounded: false };
    const verdicts = [missed(object('symptom', 'bad headache')), spurious(made)];
    expect(typesOf(verdicts)).toEqual(['missed', 'ungrounded']);
  });

  test('the class that was given instead of the right one has the wrong type', () => {
    const one = (label: string): Item => makeItem({ kind: 'class', index: 0, label, text: label });
    expect(typesOf([missed(one('vata')), spurious(one('pitta'))])).toEqual(['type', 'type']);
  });

  test('a claim that nothing supports is ungrounded; what else was logged is spurious or nothing', () => {
    const logged = (kind: 'claim' | 'tick'): Item => makeItem({ kind, index: 0, label: 'x' });
    expect(typesOf([spurious(logged('claim')), spurious(logged('tick'))])).toEqual(['ungrounded', 'spurious']);
  });
});

describe('types of errors of relationships', () => {
  test.each<[string, Item[], Item[], string[]]>([
    [
      'same ends, another type',
      [relationship('Ann', 'works_at', 'Acme')],
      [relationship('ann', 'owns', 'ACME')],
      ['type', 'type'],
    ],
    [
      'same type, one end another',
      [relationship('Ann', 'works_at', 'Acme')],
      [relationship('Ann', 'works_at', 'Birch')],
      ['boundary', 'boundary'],
    ],
    [
      'ends swapped',
      [relationship('Ann', 'manages', 'Bob')],
      [relationship('Bob', 'manages', 'Ann')],
      ['boundary', 'boundary'],
    ],
    [
      'ends swapped and another type',
      [relationship('Ann', 'manages', 'Bob')],
      [relationship('Bob', 'trusts', 'Ann')],
      ['both', 'both'],
    ],
    [
      'two facts about one person',
      [relationship('Ann', 'works_at', 'Acme')],
      [relationship('Ann', 'lives_in', 'Oslo')],
      ['missed', 'spurious'],
    ],
    [
      'one end is a longer name of the same thing',
      [relationship('Ann', 'works_at', 'Acme')],
      [relationship('Ann', 'works_at', 'Acme Corp')],
      ['boundary', 'boundary'],
    ],
    [
      'the nearest first',
      [relationship('Ann', 'works_at', 'Acme')],
      [relationship('Ann', 'works_at', 'Birch'), relationship('Acme', 'works_at', 'Ann')],
      ['boundary', 'spurious', 'boundary'],
    ],
  ])('%s', (_, gold, predicted, expected) => {
    expect(typesOf([...gold.map((one) => missed(one)), ...predicted.map((one) => spurious(one))])).toEqual(expected);
  });

  test('an end that is no entity is ungrounded', () => {
    const lost: Item = { ...relationship('Ann', 'works_at', 'Acme'), target: null, unresolved: ['e9'] };
    const verdicts = [missed(relationship('Ann', 'works_at', 'Acme')), spurious(lost)];
    expect(typesOf(verdicts)).toEqual(['missed', 'ungrounded']);
  });
});

describe('laws', () => {
  const runs = { seed: 20267, numRuns: runsHere(400) };
  const place = fc.tuple(fc.constantFrom('P', 'L'), fc.nat(16), fc.integer({ min: 1, max: 9 }));
  const anySpan = place.map(([label, start, length]) => `${label} ${start}-${start + length}`);
  const anyName = fc
    .tuple(fc.constantFrom('Person', 'Place'), fc.subarray(['ann', 'bo', 'cy', 'the'], { minLength: 1 }))
    .map(([type, words]) => ({ type, name: words.join(' ') }));
  const errors = fc.record({
    missed: fc.array(anySpan, { maxLength: 5 }),
    spurious: fc.array(anySpan, { maxLength: 5 }),
    hits: fc.array(
      fc.tuple(anySpan, anySpan).map(([gold, predicted]) => `${gold} = ${predicted}`),
      { maxLength: 3 },
    ),
  });
  const named = fc.record({
    missed: fc.array(anyName, { maxLength: 4 }),
    spurious: fc.array(anyName, { maxLength: 4 }),
  });
  const entities = (given: { missed: readonly { type: string; name: string }[]; spurious: typeof given.missed }) => [
    ...given.missed.map(({ name, type }, index) => missed({ ...entity(name, type), index })),
    ...given.spurious.map(({ name, type }, index) => spurious({ ...entity(name, type), index })),
  ];
  const verdicts = fc.oneof(errors.map(verdictsOf), named.map(entities));

  /** How often each type occurs, by side. */
  const counts = (own: readonly Verdict[]): string[] => {
    const types = errorTypes(own);
    return own.flatMap((one) => (types.has(one) ? [`${one.verdict} ${types.get(one)!}`] : [])).toSorted();
  };

  test('every error has one type, and nothing else has one', () => {
    fc.assert(
      fc.property(verdicts, (own) => {
        const types = errorTypes(own);
        const wrong = own.filter(({ verdict }) => verdict === 'missed' || verdict === 'spurious');
        expect(wrong.every((one) => types.has(one))).toBe(true);
        expect(types.size).toBe(wrong.length);
      }),
      runs,
    );
  });

  test('the order of the verdicts changes nothing', () => {
    fc.assert(
      fc.property(verdicts, fc.nat(), (own, seed) => {
        const shuffled = own
          .map((one, at) => ({ one, key: ((at + 1) * (seed % 9973) * 7919) % 9967 }))
          .toSorted((a, b) => a.key - b.key)
          .map(({ one }) => one);
        const [types, again] = [errorTypes(own), errorTypes(shuffled)];
        for (const one of own) expect(again.get(one)).toBe(types.get(one));
      }),
      runs,
    );
  });

  test('swapping gold and predicted swaps missed and spurious, split and merged', () => {
    const SWAPPED: Readonly<Record<string, string>> = {
      missed: 'spurious',
      spurious: 'missed',
      split: 'merged',
      merged: 'split',
    };
    const swap = (own: Verdict): Verdict => ({
      ...own,
      verdict: own.verdict === 'missed' ? 'spurious' : own.verdict === 'spurious' ? 'missed' : own.verdict,
      gold: own.predicted,
      predicted: own.gold,
    });
    fc.assert(
      fc.property(verdicts, (own) => {
        const mirrored = counts(own).map((one) =>
          one
            .split(' ')
            .map((word) => SWAPPED[word] ?? word)
            .join(' '),
        );
        expect(counts(own.map(swap))).toEqual(mirrored.toSorted());
      }),
      runs,
    );
  });
});

describe('types of errors of entities and relationships that have places', () => {
  const placed = (start: number, end: number, label = 'PER'): Item =>
    makeItem({ kind: 'entity', index: start, label, text: 'Ann', start, end });
  const related = (source: Item, type: string, target: Item): Item => ({
    ...relationship('Ann', type, 'Ann'),
    text: `${source.start} ${type} ${target.start}`,
    ends: { source, target },
  });
  const [first, second, third] = [placed(0, 3), placed(8, 11), placed(20, 23)];

  test('two mentions of one name are two', () => {
    expect(typesOf([missed(first), spurious(second)])).toEqual(['missed', 'spurious']);
    expect(typesOf([missed(first), spurious(placed(0, 5))])).toEqual(['boundary', 'boundary']);
    expect(typesOf([missed(first), spurious(placed(0, 3, 'ORG'))])).toEqual(['type', 'type']);
    expect(typesOf([hit(first, first), spurious(second)])).toEqual(['spurious']);
  });

  test('in long lists too', () => {
    const golds = Array.from({ length: 30 }, (_, at) => placed(10 * at, 10 * at + 3));
    const errors = [...golds.map((gold) => missed(gold)), spurious(placed(42, 44)), spurious(placed(55, 58))];
    const types = errorTypes(errors);
    expect(
      errors.filter((own) => types.get(own) === 'boundary').map(({ gold, predicted }) => (gold ?? predicted)?.start),
    ).toEqual([40, 42]);
    expect(types.get(errors.at(-1)!)).toBe('spurious');
  });

  test('relationships are near by the places of their ends', () => {
    const gold = related(first, 'meets', second);
    expect(typesOf([missed(gold), spurious(related(first, 'leaves', second))])).toEqual(['type', 'type']);
    expect(typesOf([missed(gold), spurious(related(first, 'meets', third))])).toEqual(['boundary', 'boundary']);
    // As names they would be the same.
    expect(typesOf([missed(gold), spurious(related(third, 'leaves', placed(30, 33)))])).toEqual(['missed', 'spurious']);
  });
});
