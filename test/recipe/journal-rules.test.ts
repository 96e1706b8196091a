import { describe, expect, test } from 'vitest';

import { readCases } from '../../src/data/read-cases.ts';
import { memorySource } from '../../src/data/source.ts';
import { caseOf, object } from '../pair/items.ts';
import { type Scored, scoreWith } from './score-with.ts';

/* Every row of the rules of a journal, with values worked out by hand. */

const TEXT = 'Slept badly. Ate two dosas with chutney, felt calm later. No cramps at all today.';

function score(
  gold: Parameters<typeof object>[],
  predicted: Parameters<typeof object>[],
  set: readonly string[] = [],
): Promise<Scored> {
  const made = caseOf({
    id: 'J1',
    text: TEXT,
    gold: gold.map((init) => object(...init)),
    predicted: predicted.map((init) => object(...init)),
  });
  return scoreWith('journal/ashwam', made, set);
}

const lines = (...records: object[]): string => records.map((record) => `${JSON.stringify(record)}\n`).join('');

describe('who counts', () => {
  const journals = memorySource('journals', lines({ journal_id: 'A', text: 'x' }, { journal_id: 'B', text: 'y' }));
  const item = { domain: 'food', evidence_span: 'x', polarity: 'present', time_bucket: 'today' };
  const gold = memorySource('gold', lines({ journal_id: 'A', items: [item] }, { journal_id: 'B', items: [item] }));

  test('a journal without a prediction counts with everything missed', async () => {
    const predictions = memorySource('predictions', lines({ journal_id: 'A', items: [item] }));
    const scored = await scoreWith('journal/ashwam', readCases({ cases: journals, gold, predictions }));
    expect(scored.tally).toBe('1/0/1');
    expect(scored.cases).toEqual({ total: 2, failed: 0, unanswered: 1 });
  });

  test('a prediction for an unknown journal is an error, or spurious where the recipe says so', async () => {
    const predictions = memorySource(
      'predictions',
      lines({ journal_id: 'A', items: [item] }, { journal_id: 'B', items: [] }, { journal_id: 'Z', items: [item] }),
    );
    const given = { cases: journals, gold, predictions };
    await expect(scoreWith('journal/ashwam', readCases(given))).rejects.toThrow(/predictions:3: .*"Z"/);
    const scored = await scoreWith('journal/ashwam', readCases(given, { unknownCase: 'spurious' }));
    expect(scored.tally).toBe('1/1/1');
  });
});

describe('matching', () => {
  test('the domain must be the same', async () => {
    const scored = await score([['symptom', 'Slept badly']], [['mind', 'Slept badly']]);
    expect(scored.tally).toBe('0/1/1');
    expect(scored.verdicts()[0]?.rejected).toMatchObject({
      similarity: 1,
      why: 'label differs: symptom in gold, mind predicted',
    });
  });

  test('lower-cased words are compared as sets; half of them is enough', async () => {
    // {ate, two, dosas, with} and {two, dosas}: 2 / 4.
    const scored = await score([['food', 'Ate two dosas with']], [['food', 'TWO dosas two']]);
    expect(scored.tally).toBe('1/0/0');
    expect(scored.verdicts()[0]?.similarity).toBe(0.5);
    // {ate, two, dosas} and {two, chutney}: 1 / 4.
    expect((await score([['food', 'Ate two dosas']], [['food', 'two chutney']])).tally).toBe('0/1/1');
  });

  test('words are split at white space, or with `unicode` at all that is no letter or digit', async () => {
    const gold: [string, string][] = [['food', 'dosas with chutney, felt']];
    const predicted: [string, string][] = [['food', 'chutney felt']];
    // {dosas, with, "chutney,", felt} and {chutney, felt}: 1 / 5. As {dosas, with, chutney, felt}: 2 / 4.
    expect((await score(gold, predicted)).tally).toBe('0/1/1');
    expect((await score(gold, predicted, ['pair.words=unicode'])).tally).toBe('1/0/0');
  });

  test('two empty quotes are the same', async () => {
    const scored = await score([['mind', '']], [['mind', '']]);
    expect(scored.verdicts()[0]).toMatchObject({ verdict: 'hit', similarity: 1 });
  });

  test('one to one, best first; ties go to the lower gold, then the lower predicted', async () => {
    // g0 {a b c d}, g1 {a b}; p0 {a b}, p1 {a b c}. g1-p0 is 1, g0-p1 3/4, g1-p1 2/3, g0-p0 1/2.
    const gold: [string, string][] = [
      ['food', 'a b c d'],
      ['food', 'a b'],
    ];
    const best = await score(gold, [
      ['food', 'a b'],
      ['food', 'a b c'],
    ]);
    const pairs = (scored: Scored): (string | undefined)[][] =>
      scored.verdicts().map(({ gold: g, predicted: p }) => [g?.text, p?.text]);
    expect(pairs(best)).toEqual([
      ['a b c d', 'a b c'],
      ['a b', 'a b'],
    ]);
    // Equal quotes, told apart by their place in the list alone.
    const tied = await score(
      [['food', 'a b']],
      [
        ['food', 'b a', { n: 0 }],
        ['food', 'a b', { n: 1 }],
      ],
    );
    expect(tied.verdicts()[0]?.predicted?.fields).toEqual({ n: 0 });
  });

  test('optimal and in-order are options', async () => {
    // g0 {a b}, g1 {a c d}; p0 {a b c}, p1 {b}. g0-p0 2/3, g0-p1 1/2, g1-p0 2/4: best first makes one pair, optimal two.
    const gold: [string, string][] = [
      ['food', 'a b'],
      ['food', 'a c d'],
    ];
    const predicted: [string, string][] = [
      ['food', 'a b c'],
      ['food', 'b'],
    ];
    expect((await score(gold, predicted)).tally).toBe('1/1/1');
    expect((await score(gold, predicted, ['pair.assign=optimal'])).tally).toBe('2/0/0');
    // Turned round, the first gold takes what the second would rather have.
    const turned = await score([...gold].reverse(), predicted, ['pair.assign=in-order']);
    expect(turned.verdicts()[0]).toMatchObject({ gold: { text: 'a c d' }, predicted: { text: 'a b c' } });
  });
});

describe('attributes, over matched pairs only', () => {
  const right = { polarity: 'present', intensity_bucket: 'low', time_bucket: 'today' };

  test('polarity is compared as it stands', async () => {
    const scored = await score(
      [
        ['food', 'two dosas', right],
        ['symptom', 'Slept badly', right],
        ['mind', 'calm', right],
      ],
      [
        ['food', 'two dosas', right],
        ['symptom', 'Slept badly', { ...right, polarity: 'absent' }],
        ['mind', 'nowhere', { ...right, polarity: 'absent' }],
      ],
    );
    expect(scored.measure('polarity_accuracy')).toMatchObject({ value: 0.5, n: 2 });
  });

  test.each([
    // gold intensity and time, predicted intensity and time, intensity right, time right, both right
    ['low', 'today', 'low', 'today', 1, 1, 1],
    ['low', 'today', 'high', 'today', 0, 1, 0],
    ['low', 'today', 'low', 'past_week', 1, 0, 0],
    ['unknown', 'today', 'unknown', 'today', 1, 1, 1],
    ['unknown', 'today', 'low', 'today', 0, 1, 0],
    ['low', 'unknown', 'low', 'today', 1, 0, 0],
    [undefined, 'today', 'unknown', 'today', 1, 1, 1],
    [undefined, 'today', undefined, 'today', 1, 1, 1],
    [undefined, undefined, 'low', 'today', 0, 0, 0],
  ])('gold %s %s, predicted %s %s', async (goldBucket, goldTime, bucket, time, intensity, timeRight, both) => {
    const fields = (intensity_bucket?: string, time_bucket?: string): Record<string, string> => ({
      polarity: 'present',
      ...(intensity_bucket === undefined ? {} : { intensity_bucket }),
      ...(time_bucket === undefined ? {} : { time_bucket }),
    });
    const scored = await score(
      [['symptom', 'Slept badly', fields(goldBucket, goldTime)]],
      [['symptom', 'Slept badly', fields(bucket, time)]],
    );
    expect(scored.value('intensity_accuracy')).toBe(intensity);
    expect(scored.value('time_accuracy')).toBe(timeRight);
    expect(scored.value('bucket_accuracy')).toBe(both);
  });

  test('an emotion has an arousal bucket, all else an intensity bucket', async () => {
    const scored = await score(
      [
        ['emotion', 'felt calm', { arousal_bucket: 'low', intensity_bucket: 'low' }],
        ['symptom', 'No cramps', { arousal_bucket: 'low', intensity_bucket: 'low' }],
      ],
      [
        ['emotion', 'felt calm', { arousal_bucket: 'low', intensity_bucket: 'high' }],
        ['symptom', 'No cramps', { arousal_bucket: 'high', intensity_bucket: 'low' }],
      ],
    );
    expect(scored.measure('arousal_accuracy')).toMatchObject({ value: 1, n: 1 });
    expect(scored.measure('intensity_accuracy')).toMatchObject({ value: 1, n: 1 });
    expect(scored.measure('intensity_or_arousal_accuracy')).toMatchObject({ value: 1, n: 2 });
  });

  test('an attribute that a recipe adds has its accuracy', async () => {
    const recipe = { extends: 'journal/ashwam', attributes: { severity_scale: { labels: ['symptom'] } } };
    const symptom = (quote: string, severity_scale?: number): ReturnType<typeof object> =>
      object('symptom', quote, severity_scale === undefined ? {} : { severity_scale });
    const made = caseOf({
      text: TEXT,
      gold: [symptom('Slept badly', 3), symptom('No cramps', 1), symptom('two dosas'), object('food', 'chutney')],
      predicted: [symptom('Slept badly', 3), symptom('No cramps', 2), symptom('two dosas'), object('food', 'chutney')],
    });
    // Right once in two: where neither side has the attribute there is nothing to be right about.
    expect((await scoreWith(recipe, made)).measure('severity_scale_accuracy')).toMatchObject({ value: 0.5, n: 2 });
  });
});

describe('evidence', () => {
  const gold: [string, string, Record<string, string>][] = [['symptom', 'Slept badly', { polarity: 'present' }]];
  const predicted: [string, string, Record<string, string>][] = [
    ['symptom', 'badly slept', { polarity: 'present' }],
    ['food', 'two dosas', { polarity: 'present' }],
    ['mind', '', { polarity: 'present' }],
  ];

  test('coverage counts non-empty verbatim quotes', async () => {
    const scored = await score(gold, predicted);
    expect(scored.measure('evidence_coverage')).toMatchObject({ value: 1 / 3, n: 3 });
  });

  test('flag: an ungrounded prediction counts as usual and says so', async () => {
    const scored = await score(gold, predicted);
    expect(scored.tally).toBe('1/2/0');
    expect(scored.verdicts()[0]).toMatchObject({ verdict: 'hit', predicted: { grounded: false, start: -1 } });
    expect(scored.verdicts()[0]?.gold).toMatchObject({ grounded: true, start: 0, end: 11 });
  });

  test('drop: it leaves the predictions and is counted as dropped; coverage still knows of it', async () => {
    const scored = await score(gold, predicted, ['prepare.ground.ungrounded=drop']);
    expect(scored.tally).toBe('0/1/1');
    const dropped = scored.verdicts().filter(({ rule }) => rule === 'ground');
    expect(dropped.map((one) => [one.verdict, one.predicted?.text, one.because])).toEqual([
      ['excused', 'badly slept', 'its quote is not in the text'],
      ['excused', '', 'its quote is not in the text'],
    ]);
    expect(scored.value('evidence_coverage')).toBe(1 / 3);
  });

  test('uncertain: its polarity becomes uncertain', async () => {
    const scored = await score(gold, predicted, ['prepare.ground.ungrounded=uncertain']);
    expect(scored.value('polarity_accuracy')).toBe(0);
    expect(scored.verdicts()[0]?.predicted?.fields['polarity']).toBe('uncertain');
  });
});

describe('nothing to divide by', () => {
  test('is undefined with the reason, for each measure its own', async () => {
    const scored = await score([], []);
    const reasons = Object.fromEntries(
      scored.measures.filter(({ slice }) => Object.keys(slice).length === 0).map((one) => [one.name, one.undefined]),
    );
    expect(reasons).toMatchObject({
      precision: 'nothing was predicted',
      recall: 'there is no gold that counts',
      f1: 'there is neither gold nor a prediction that counts',
      macro_f1: 'no label occurs',
      polarity_accuracy: 'no matched pair has polarity',
      bucket_accuracy: 'no matched pair has intensity or arousal or time',
      evidence_coverage: 'no prediction has a quote that was looked up',
    });
    expect(scored.measures.every(({ value }) => value === null)).toBe(true);
  });

  test('F1 is 0, not undefined, when there is gold and no prediction', async () => {
    const scored = await score([['food', 'two dosas']], []);
    expect(scored.value('f1')).toBe(0);
    expect(scored.value('precision')).toBeNull();
    expect(scored.value('recall')).toBe(0);
  });

  test('leaves averages over cases and is counted there', async () => {
    const empty = caseOf({ id: 'J2', text: TEXT });
    const full = caseOf({ text: TEXT, gold: [object('food', 'x')], predicted: [object('food', 'x')] });
    const { cases } = (await scoreWith('journal/ashwam', [empty, full])).measure('precision');
    expect(cases).toEqual({ n: 1, undefined: 1, mean: 1, min: 1, max: 1, sd: null });
  });

  test('is a number with a note where the recipe asks for one', async () => {
    const scored = await score([], [], ['zeroDivision=0']);
    expect(scored.measure('precision')).toMatchObject({
      value: 0,
      undefined: null,
      note: 'nothing was predicted: given as 0 by zeroDivision',
    });
  });
});

test('totals are micro over all journals, with macro and each domain beside it', async () => {
  // food: 1 hit of 1 and 1; mind: 1 hit, 2 spurious, 1 missed: P 1/3, R 1/2, F1 2/5.
  const scored = await scoreWith('journal/ashwam', [
    caseOf({
      id: 'A',
      text: 'a b',
      gold: [object('food', 'a'), object('mind', 'b')],
      predicted: [object('food', 'a')],
    }),
    caseOf({
      id: 'B',
      text: 'c d e',
      gold: [object('mind', 'c')],
      predicted: [object('mind', 'c'), object('mind', 'd'), object('mind', 'e')],
    }),
  ]);
  expect(scored.value('precision')).toBe(2 / 4);
  expect(scored.value('recall')).toBe(2 / 3);
  expect(scored.value('f1')).toBeCloseTo(4 / 7, 15);
  expect(scored.value('f1', { label: 'food' })).toBe(1);
  expect(scored.value('f1', { label: 'mind' })).toBeCloseTo(2 / 5, 15);
  expect(scored.value('macro_f1')).toBeCloseTo((1 + 2 / 5) / 2, 15);
});
