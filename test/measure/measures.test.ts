import { describe, expect, test } from 'vitest';

import { UsageError } from '../../src/data/problems.ts';
import type { Verdict } from '../../src/judge/verdict.ts';
import { improvement } from '../../src/measure/measure.ts';
import { buildMeasures } from '../../src/measure/measures.ts';
import { hit, missed, spurious } from '../judge/verdicts.ts';
import { entity, object, relationship, span } from '../pair/items.ts';
import { measured } from './measured.ts';

const A = span(0, 5, 'A');
const B = span(9, 12, 'B');

function times(count: number, verdict: Verdict): Verdict[] {
  return Array.from({ length: count }, () => verdict);
}

function excused(verdict: Verdict, rule = 'drop'): Verdict {
  return { ...verdict, verdict: 'excused', rule };
}

describe('precision', () => {
  test('hits / (hits + spurious); missed and excused stay out', () => {
    const verdicts = [...times(3, hit(A, A)), spurious(A), ...times(5, missed(A)), excused(spurious(A))];
    expect(measured('precision', verdicts)).toMatchObject({ value: 3 / 4, n: 4, direction: 'higher', range: [0, 1] });
  });

  test('counts excused predictions below the line where it is told to, all or by rule', () => {
    const verdicts = [
      hit(A, A),
      excused(spurious(A), 'refs'),
      excused(spurious(A), 'filter'),
      excused(missed(A), 'refs'),
    ];
    expect(measured({ of: 'precision', countExcused: true }, verdicts).value).toBe(1 / 3);
    expect(measured({ of: 'precision', countExcused: true, excusedBy: ['refs'] }, verdicts).value).toBe(1 / 2);
    expect(measured('precision', verdicts).value).toBe(1);
  });

  test('of sides that are judged apart is that of the predictions: hits on gold stay out', () => {
    const verdicts = [
      hit(A, A),
      hit(A, A),
      spurious(A),
      ...times(3, excused(spurious(A), 'inside')),
      excused(spurious(A)),
    ];
    expect(measured({ of: 'precision', rightBy: ['inside'] }, verdicts)).toMatchObject({ value: 3 / 4, n: 4 });
  });

  test('is undefined when nothing was predicted', () => {
    expect(measured('precision', [missed(A)])).toMatchObject({ value: null, undefined: 'nothing was predicted', n: 0 });
  });
});

describe('recall', () => {
  test('hits / (hits + missed); spurious and excused stay out', () => {
    const verdicts = [...times(3, hit(A, A)), ...times(2, missed(A)), spurious(A), excused(missed(A))];
    expect(measured('recall', verdicts)).toMatchObject({ value: 3 / 5, n: 5 });
  });

  test('is undefined without gold that counts', () => {
    expect(measured('recall', [spurious(A), excused(missed(A))]).undefined).toBe('there is no gold that counts');
  });
});

describe('f1', () => {
  test('is the harmonic mean', () => {
    // P 8/8, R 8/50: the figure of the journal reference.
    const verdicts = [...times(8, hit(A, A)), ...times(42, missed(A))];
    expect(measured('f1', verdicts)).toMatchObject({ value: 0.2758620689655173, n: 50 });
  });

  test('with a beta, recall weighs more', () => {
    // P 1/2, R 1/4: F2 = 5 · (1/8) / (4 · 1/2 + 1/4) = (5/8) / (9/4) = 5/18.
    const verdicts = [hit(A, A), spurious(A), ...times(3, missed(A))];
    expect(measured({ of: 'f1', beta: 2 }, verdicts).value).toBeCloseTo(5 / 18, 15);
  });

  test('is 0 where something counts and nothing is hit, undefined where nothing counts', () => {
    expect(measured('f1', [missed(A)])).toMatchObject({ value: 0, n: 1 });
    expect(measured('f1', [spurious(A)])).toMatchObject({ value: 0, n: 1 });
    expect(measured('f1', [excused(missed(A))]).value).toBeNull();
  });
});

describe('partial credit and weights', () => {
  test('a hit counts with its credit above the line and whole below', () => {
    const verdicts = [hit(A, A), hit(A, A, { credit: 0.5 }), missed(A)];
    expect(measured('recall', verdicts).value).toBe(1.5 / 3);
    expect(measured('precision', verdicts).value).toBe(1.5 / 2);
  });

  test('credits of a tenth add up exactly, in any order', () => {
    const verdicts = times(10, hit(A, A, { credit: 0.1 }));
    expect(measured('recall', verdicts).value).toBe(1 / 10);
    expect(measured('recall', times(3, hit(A, A, { credit: 0.7 }))).value).toBe(2.1 / 3);
    // 0.000123 millions are 123.00000000000001.
    expect(measured('recall', [hit(A, A, { credit: 0.000123 })]).value).toBe(0.000123);
  });

  test('a stretch counts with its tokens or characters', () => {
    expect(measured('recall', [hit(A, A, { weight: 7 }), missed(A, { weight: 3 })])).toMatchObject({
      value: 0.7,
      n: 10,
    });
  });
});

describe('scope', () => {
  const verdicts = [
    hit(entity('a'), entity('a'), { attributes: { type: true } }),
    hit(entity('b'), entity('b'), { attributes: { type: false } }),
    hit(entity('c'), entity('c')),
    missed(relationship('a', 'x', 'b')),
  ];

  test('one kind of item', () => {
    expect(measured({ of: 'recall', kind: 'entity' }, verdicts).value).toBe(1);
    expect(measured({ of: 'recall', kind: 'relationship' }, verdicts).value).toBe(0);
  });

  test('some kinds of match only', () => {
    const found = [relationship('a', 'x', 'b'), relationship('c', 'x', 'd')];
    const hits = [hit(found[0]!, found[0]!, { match: 'exact' }), hit(found[1]!, found[1]!, { match: 'inverse' })];
    expect(measured({ of: 'recall', match: ['exact', 'fuzzy'] }, hits).value).toBe(1 / 2);
    expect(measured({ of: 'f1', match: [] }, hits).value).toBe(1);
  });

  test('attributes that must not be wrong: what does not apply is not wrong', () => {
    expect(measured({ of: 'recall', kind: 'entity', require: ['type'] }, verdicts).value).toBe(2 / 3);
  });
});

describe('accuracy', () => {
  const pairs = (...attributes: Verdict['attributes'][]): Verdict[] =>
    attributes.map((own) => hit(object('a', 'x'), object('a', 'x'), { attributes: own }));

  test('is over pairs to which one of the attributes applies, all of them right', () => {
    const verdicts = pairs(
      { i: true, t: true },
      { i: false, t: true },
      { t: true },
      { t: false },
      { other: false },
      null,
    );
    expect(measured({ of: 'accuracy', attributes: ['i'] }, verdicts)).toMatchObject({ value: 1 / 2, n: 2 });
    expect(measured({ of: 'accuracy', attributes: ['t'] }, verdicts)).toMatchObject({ value: 3 / 4, n: 4 });
    expect(measured({ of: 'accuracy', attributes: ['i', 't'] }, verdicts)).toMatchObject({ value: 2 / 4, n: 4 });
  });

  test('is undefined where no pair has it', () => {
    expect(measured({ of: 'accuracy', attributes: ['i', 'j'] }, pairs(null)).undefined).toBe(
      'no matched pair has i or j',
    );
  });
});

describe('evidence coverage', () => {
  const quote = (grounded: boolean | null): ReturnType<typeof object> => ({ ...object('a', 'x'), grounded });

  test('is over all predictions whose quote was looked up, dropped ones too', () => {
    const verdicts = [
      hit(quote(true), quote(true)),
      spurious(quote(false)),
      excused(spurious(quote(false)), 'ground'),
      missed(quote(true)),
      spurious(quote(null)),
    ];
    expect(measured('evidence_coverage', verdicts)).toMatchObject({ value: 1 / 3, n: 3 });
    expect(measured('evidence_coverage', [spurious(quote(null))]).value).toBeNull();
  });
});

describe('improvement', () => {
  test('goes by the direction, or by the distance from the best value', () => {
    expect(improvement({ direction: 'higher' }, 0.5, 0.6)).toBe(1);
    expect(improvement({ direction: 'lower' }, 0.5, 0.6)).toBe(-1);
    expect(improvement({ direction: 'higher' }, 0.5, 0.5)).toBe(0);
    // 1.5 is half too much, 0.75 a quarter too little, 0 says nothing at all.
    expect(improvement({ direction: 'lower', best: 1 }, 1.5, 0.75)).toBe(1);
    expect(improvement({ direction: 'lower', best: 1 }, 1.5, 0)).toBe(-1);
    expect(improvement({ direction: 'lower', best: 1 }, 1.5, 0.5)).toBe(0);
  });
});

describe('over-extraction', () => {
  test('is predicted / gold, excused ones included', () => {
    const verdicts = [hit(A, A), spurious(A), excused(spurious(A)), missed(A), excused(missed(A))];
    expect(measured('over_extraction', verdicts)).toMatchObject({
      value: 3 / 3,
      n: 3,
      direction: 'lower',
      range: [0, null],
    });
    expect(measured('over_extraction', [spurious(A)]).undefined).toBe('there is no gold');
  });
});

describe('count', () => {
  const verdicts = [
    hit(A, A),
    hit(A, A, { credit: 0.5 }),
    missed(A),
    missed(A, { rule: 'incorrect' }),
    spurious(A, { weight: 4 }),
  ];

  test.each([
    [{ verdict: 'hit' }, 2, 'higher'],
    [{ verdict: 'hit', credit: 'full' }, 1, 'higher'],
    [{ verdict: 'hit', credit: 'part', direction: 'lower' }, 1, 'lower'],
    [{ verdict: 'missed', rules: ['incorrect'] }, 1, 'lower'],
    [{ verdict: 'missed', exceptRules: ['incorrect'] }, 1, 'lower'],
    [{ verdict: 'spurious' }, 4, 'lower'],
    [{ verdict: 'excused' }, 0, 'lower'],
  ])('%j is %i', (params, value, direction) => {
    expect(measured({ of: 'count', ...params }, verdicts)).toMatchObject({ value, direction, undefined: null });
  });
});

describe('entity recall', () => {
  const mention = (entity_id: string, identifier_type = 'DIRECT'): ReturnType<typeof span> =>
    span(0, 3, 'P', { fields: { entity_id, identifier_type } });
  const verdicts = [
    hit(mention('a'), A),
    hit(mention('a'), A),
    hit(mention('b'), A),
    missed(mention('b')),
    missed(mention('c', 'QUASI')),
    missed(A),
  ];

  test('an entity is masked when every one of its mentions is', () => {
    expect(measured({ of: 'entity-recall' }, verdicts)).toMatchObject({ value: 1 / 3, n: 3 });
    expect(measured({ of: 'entity-recall', field: 'identifier_type', values: ['DIRECT'] }, verdicts).value).toBe(1 / 2);
    expect(measured({ of: 'entity-recall', group: 'nobody' }, verdicts).undefined).toBe('no gold item has nobody');
  });

  test('a mention that a rule excused can still be read; one that left before pairing is not asked for', () => {
    // Of a one mention stands, b has one that is masked.
    const out = excused(missed(mention('a')));
    const found = [hit(mention('a'), A), out, hit(mention('b'), A)];
    expect(measured({ of: 'entity-recall' }, found)).toMatchObject({ value: 1 / 2, n: 2 });
    const asked = found.map((one) => (one === out ? { ...out, setAside: true } : one));
    expect(measured({ of: 'entity-recall' }, asked)).toMatchObject({ value: 1, n: 2 });
  });

  test('the first mention decides what an entity is, and mentions without need may stand', () => {
    const at = (index: number, type: string) => ({ ...mention('a', type), index });
    const mixed = [missed(at(0, 'NO_MASK')), hit(at(1, 'DIRECT'), A)];
    const scope = { of: 'entity-recall', field: 'identifier_type', decides: 'first' } as const;
    const needless = { field: 'identifier_type', values: ['NO_MASK'] };
    expect(measured({ ...scope, values: ['DIRECT'], needless }, mixed).value).toBeNull();
    expect(measured({ ...scope, values: ['NO_MASK'], needless }, mixed).value).toBe(1);
    expect(measured({ ...scope, values: ['NO_MASK'] }, mixed.toReversed()).value).toBe(0);
  });
});

describe('macro', () => {
  test('each label counts the same, however many items it has', () => {
    const verdicts = [...times(9, hit(A, A)), missed(A), missed(B)];
    expect(measured('macro_recall', verdicts)).toMatchObject({ value: (9 / 10 + 0) / 2, n: 2, note: null });
  });

  test('a label for which it is undefined leaves the mean, and that is said', () => {
    expect(measured('macro_precision', [hit(A, A), missed(B)])).toMatchObject({
      value: 1,
      note: '1 of 2 labels left out: undefined',
    });
    expect(measured('macro_precision', [missed(B)])).toMatchObject({
      value: null,
      undefined: 'precision is undefined for every label',
    });
    expect(measured('macro_precision', []).undefined).toBe('no label occurs');
  });
});

describe('mean', () => {
  test('may be harmonic, and is 0 where one part is', () => {
    const params = { of: 'mean', measures: ['precision', 'recall'], harmonic: true } as const;
    // P 1/2, R 1: 2 / (2 + 1).
    expect(measured(params, [hit(A, A), spurious(A)]).value).toBe(2 / 3);
    expect(measured(params, [missed(A), spurious(A)]).value).toBe(0);
  });

  test('lies in the widest range of its parts', () => {
    const range = (...measures: string[]) => measured({ of: 'mean', measures }, [hit(A, A)]).range;
    expect(range('precision', 'f1')).toEqual([0, 1]);
    expect(range('precision', 'over_extraction')).toEqual([0, null]);
  });

  test('of several measures; undefined as soon as one of them is', () => {
    const params = { of: 'mean', measures: ['precision', 'recall'] };
    // Precision is over one item, recall over two: the mean stands on one.
    expect(measured(params, [hit(A, A), missed(A)])).toMatchObject({ value: (1 + 0.5) / 2, n: 1 });
    expect(measured(params, [missed(A)]).undefined).toBe('precision is undefined: nothing was predicted');
  });
});

test('zeroDivision gives a number and says so', () => {
  expect(measured('precision', [], 1)).toMatchObject({
    value: 1,
    note: 'nothing was predicted: given as 1 by zeroDivision',
  });
  expect(measured('f1', [], 0)).toMatchObject({ value: 0, n: 0 });
});

/** What a mistake is answered with, to do next. */
function nextOf(make: () => unknown): string {
  try {
    make();
  } catch (error) {
    if (error instanceof UsageError) return error.next ?? '';
  }
  throw new Error('nothing was thrown');
}

describe('what a recipe gets wrong', () => {
  const build =
    (measures: Record<string, unknown>): (() => unknown) =>
    () =>
      buildMeasures(measures, null);

  test.each([
    [{ percision: {} }, 'measure.percision: there is no measure called percision', 'did you mean precision?'],
    [{ mine: {} }, 'measure.mine: there is no measure called mine', /or say what it is, .*: precision, recall/],
    [{ mine: { of: 'f2' } }, 'measure.mine.of: there is no form of measure called f2', 'did you mean f1?'],
    [
      { mine: { of: 'f1', betta: 2 } },
      'measure.mine.betta: there is no setting called betta',
      'did you mean measure.mine.beta?',
    ],
    [{ f1: { beta: 'two' } }, 'measure.f1.beta: expected a number, found "two"', null],
    [{ mine: { of: 'macro', measure: 'recal' } }, 'measure.mine: there is no measure called recal', /recall/],
    [
      { a: { of: 'mean', measures: ['b'] }, b: { of: 'mean', measures: ['a'] } },
      'measure.a: it is defined by itself (a -> b -> a)',
      null,
    ],
    [{ f1: 3 }, 'measure.f1: expected a mapping such as { of: f1 }, on or off', null],
    [
      { mine: { of: 'count', verdict: 'hits' } },
      /expected one of hit, missed, spurious, excused, found "hits"/,
      'did you mean hit?',
    ],
    [{ constructor: {} }, 'measure.constructor: there is no measure called constructor', /precision/],
  ])('%j', (measures, message, next) => {
    expect(build(measures)).toThrow(UsageError);
    expect(build(measures)).toThrow(message);
    expect(nextOf(build(measures))).toMatch(next ?? '');
  });
});
