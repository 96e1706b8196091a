import { describe, expect, it } from 'vitest';

import { memorySource } from '../../src/data/source.ts';
import type { MeasureValue } from '../../src/measure/results.ts';
import { score } from '../../src/report/score.ts';
import { example } from '../cli/run-assay.ts';

interface Mention {
  readonly text: string;
  readonly entity: string;
  /** Identifier type; DIRECT unless given. */
  readonly type?: string;
  readonly label?: string;
  /** Which of the places in the text, from 0. */
  readonly nth?: number;
}

function placeOf(text: string, part: string, nth = 0): [number, number] {
  let start = -1;
  for (let at = 0; at <= nth; at += 1) start = text.indexOf(part, start + 1);
  return [start, start + part.length];
}

/** One document in the benchmark's own two shapes: gold by annotator, and masks by document. */
async function scored(
  text: string,
  annotators: Readonly<Record<string, readonly Mention[]>>,
  masks: readonly (readonly [part: string, nth?: number])[],
) {
  const annotations = Object.fromEntries(
    Object.entries(annotators).map(([annotator, mentions]) => [
      annotator,
      {
        entity_mentions: mentions.map(({ text: part, entity, type = 'DIRECT', label = 'PERSON', nth }) => {
          const [start_offset, end_offset] = placeOf(text, part, nth);
          const entity_id = `${annotator}_${entity}`;
          return { entity_type: label, start_offset, end_offset, span_text: part, identifier_type: type, entity_id };
        }),
      },
    ]),
  );
  const { measures } = await score('pii/tab', {
    cases: memorySource('gold.json', JSON.stringify([{ doc_id: 'd', text, annotations, dataset_type: 'dev' }])),
    predictions: memorySource(
      'masks.json',
      JSON.stringify({ d: masks.map(([part, nth]) => placeOf(text, part, nth)) }),
    ),
  });
  return (name: string, slice: Readonly<Record<string, string>> = {}) => valueOf(measures, name, slice);
}

function valueOf(
  measures: readonly MeasureValue[],
  name: string,
  slice: Readonly<Record<string, string>>,
): [number | null, number] {
  const found = measures.find((one) => one.name === name && JSON.stringify(one.slice) === JSON.stringify(slice));
  return [found?.value ?? null, found?.n ?? 0];
}

const TOKEN = { scheme: 'token' };

describe('pii/tab counts as the Text Anonymization Benchmark', () => {
  it('reads its gold by annotator and its masks by document', async () => {
    const value = await scored('Ann met Bo.', { a: [{ text: 'Ann', entity: 'e1' }], b: [] }, [['Ann'], ['Bo']]);
    // An annotator without a mention does not count: one annotator, two masks.
    expect(value('recall')).toEqual([1, 1]);
    expect(value('precision')).toEqual([1 / 2, 2]);
  });

  it('masks where nobody marked anything are wrong once each, where TAB leaves them out', async () => {
    const none = await scored('Ann met Bo.', { a: [], b: [] }, [['Ann'], ['Bo']]);
    // TAB multiplies masks by the annotators with mentions, of whom there are none: its precision is 0 / 0, printed as 0.
    expect(none('precision')).toEqual([0, 2]);
    expect(none('recall')).toEqual([null, 0]);
    const one = await scored('Ann met Bo.', { a: [{ text: 'Ann', entity: 'e1' }], b: [], c: [] }, [['Ann'], ['Bo']]);
    expect(one('precision')).toEqual([1 / 2, 2]);
    // An annotator whose mentions need no mask has mentions, in TAB too.
    const needless = { text: 'Bo', entity: 'e2', type: 'NO_MASK' };
    const two = await scored('Ann met Bo.', { a: [{ text: 'Ann', entity: 'e1' }], b: [needless] }, [['Ann'], ['Bo']]);
    expect(two('precision')).toEqual([1 / 4, 4]);
  });

  it('a title need not be masked: "Mr Aziz Canpolat" is by "Aziz Canpolat"', async () => {
    const value = await scored('by Mr Aziz Canpolat.', { a: [{ text: 'Mr Aziz Canpolat', entity: 'e' }] }, [
      ['Aziz Canpolat'],
    ]);
    expect([value('recall'), value('recall', TOKEN)]).toEqual([
      [1, 1],
      [1, 3],
    ]);
    expect(value('entity_recall_direct')).toEqual([1, 1]);
  });

  it.each([
    ['the Ministry of Health', ['Ministry', 'Health'], 1],
    // "’s" is a particle, the s of "s Court" is not.
    ['People’s Court', ['People', 'Court'], 1],
    ['s Court', ['Court'], 0],
    // The article is ignored, the initial is not.
    ['a year', ['year'], 1],
    ['A. Lee', ['Lee'], 0],
    // Only the listed characters may stand.
    ['Lee, (Bo)', ['Lee', 'Bo'], 1],
    ['€ 100', ['100'], 0],
    ['Lee_', ['Lee'], 0],
    // A mention of ignored words alone has nothing to mask.
    ['of the', [], 1],
  ])('gold %j masked as %j: recall %d', async (gold, masks, recall) => {
    const value = await scored(
      gold,
      { a: [{ text: gold, entity: 'e' }] },
      masks.map((part) => [part] as const),
    );
    expect(value('recall')).toEqual([recall, 1]);
  });

  it('tokens are runs of letters, digits and underscores, counted once per mention', async () => {
    // U, K, 63354, 00; the dots and the slash are none. "K" is in two mentions.
    const mentions = [
      { text: 'U.K. 63354/00', entity: 'e1' },
      { text: 'K.', entity: 'e2', label: 'LOC' },
    ];
    const value = await scored('U.K. 63354/00', { a: mentions }, [['K. 63354']]);
    expect(value('recall', TOKEN)).toEqual([3 / 5, 5]);
    expect(value('precision', TOKEN)).toEqual([1, 2]);
    // By the type of the entity.
    expect(value('recall', { ...TOKEN, label: 'PERSON' })).toEqual([2 / 4, 4]);
    expect(value('recall', { ...TOKEN, label: 'LOC' })).toEqual([1, 1]);
    // 2 · 1 · 0.6 / 1.6, its token_f1.
    expect(value('harmonic_mean', TOKEN)[0]).toBeCloseTo(0.75, 12);
  });

  it('a NO_MASK mention counts in recall if its entity needs a mask, and never makes a mask right', async () => {
    const text = 'Ann saw Ann in Rome.';
    const mentions = [
      { text: 'Ann', entity: 'e1', type: 'NO_MASK' },
      { text: 'Ann', entity: 'e1', nth: 1 },
      { text: 'Rome', entity: 'e2', type: 'NO_MASK', label: 'LOC' },
    ];
    const first = await scored(text, { a: mentions }, [['Ann'], ['Rome']]);
    // e2 is out of it. Of the two mentions of e1 the one without need is masked.
    expect(first('recall')).toEqual([1 / 2, 2]);
    expect(first('recall', TOKEN)).toEqual([1 / 2, 2]);
    expect(first('precision')).toEqual([0, 2]);
    expect(first('entity_recall')).toEqual([0, 1]);
    const second = await scored(text, { a: mentions }, [['Ann', 1]]);
    expect(second('recall')).toEqual([1 / 2, 2]);
    expect(second('precision')).toEqual([1, 1]);
    // The entity is protected: what stands need not be masked. Its first mention says that it is not a direct one.
    expect(second('entity_recall')).toEqual([1, 1]);
    expect([second('entity_recall_direct'), second('entity_recall_quasi')]).toEqual([
      [null, 0],
      [1, 1],
    ]);
  });

  it('precision asks whether a mask is inside one mention, for each annotator', async () => {
    const text = 'Ann Lee met Bo';
    const gold = {
      a: [
        { text: 'Ann Lee', entity: 'e1' },
        { text: 'Bo', entity: 'e2' },
      ],
      b: [{ text: 'Ann', entity: 'e1' }],
    };
    // Inside by a: all but "met Bo". By b: "Ann".
    const value = await scored(text, gold, [['Ann'], ['Lee'], ['Bo'], ['met Bo']]);
    expect(value('precision')).toEqual([4 / 8, 8]);
    expect(value('recall')).toEqual([1, 3]);
    // Words: Ann 2 of 2, Lee 1, Bo 1, met 0, Bo 1: of 5 words and 2 annotators.
    expect(value('precision', TOKEN)).toEqual([5 / 10, 10]);
    expect(value('recall', TOKEN)).toEqual([1, 4]);
  });

  it('an entity with one mention left standing is not masked', async () => {
    const mentions = [
      { text: 'Ann', entity: 'e1' },
      { text: 'Ann', entity: 'e1', nth: 1 },
      { text: 'Bo', entity: 'e2' },
    ];
    const value = await scored('Ann met Bo; Ann left.', { a: mentions }, [['Ann'], ['Bo']]);
    expect([value('recall')[0], value('entity_recall_direct')[0], value('entity_recall_quasi')[0]]).toEqual([
      2 / 3,
      0.5,
      null,
    ]);
  });

  it('the example letters: as evaluation.py counts them with our words in place of its tagger', async () => {
    const { measures, rules } = await score('pii/tab', { cases: example('pii/docs.json') });
    const value = (name: string, slice = {}) => valueOf(measures, name, slice);
    expect(value('recall')).toEqual([45 / 105, 105]);
    expect(value('precision')).toEqual([55 / 98, 98]);
    expect(value('recall', TOKEN)).toEqual([124 / 247, 247]);
    expect(value('recall', { ...TOKEN, label: 'PERSON' })).toEqual([56 / 70, 70]);
    expect(value('recall', { ...TOKEN, label: 'ORG' })).toEqual([13 / 44, 44]);
    expect(value('precision', TOKEN)).toEqual([115 / 118, 118]);
    expect(value('entity_recall')).toEqual([41 / 101, 101]);
    expect(value('entity_recall_direct')).toEqual([10 / 18, 18]);
    expect(value('entity_recall_quasi')).toEqual([31 / 83, 83]);
    expect(measures.some((m) => m.slice['annotator'] === 'annotator10')).toBe(true);
    const inside = rules.filter(({ scheme, rule }) => scheme === null && rule === 'inside');
    expect(inside.reduce((sum, { n }) => sum + n, 0)).toBe(55);
  });
});
