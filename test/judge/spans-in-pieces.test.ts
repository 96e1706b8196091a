import { describe, expect, test } from 'vitest';

import { errorTypes } from '../../src/judge/error-types.ts';
import { pairByCover, PLAIN_COVER } from '../../src/pair/cover.ts';
import { pair } from '../../src/pair/pair.ts';
import { caseOf, inPieces, span } from '../pair/items.ts';
import { prepare } from '../prepare/prepare.ts';
import { hit, judge, missed, spurious, story } from './verdicts.ts';

const HEART = 'left and right atrium';
const ATRIUM = inPieces(HEART, '0-4 15-21', 'A');
const AND_RIGHT = span(5, 14, 'A', { text: 'and right' });
const RIGHT_ATRIUM = span(9, 21, 'A', { text: 'right atrium' });
const given = caseOf({ text: HEART });

describe('a span between the pieces of another', () => {
  test('is not one error with it', () => {
    expect(story(judge('incorrect', {}, [missed(ATRIUM), spurious(AND_RIGHT)], given))).toEqual([
      'missed no-match A',
      'spurious no-match A',
    ]);
    const [linked] = judge('incorrect', {}, [missed(ATRIUM), spurious(RIGHT_ATRIUM)], given);
    expect(linked).toMatchObject({
      because: 'boundaries differ',
      rejected: { similarity: 6 / 16, why: 'boundaries differ: 0–4 + 15–21 in gold, 9–21 predicted' },
    });
  });

  test('is not excused by it', () => {
    const verdicts = [hit(ATRIUM, ATRIUM), spurious(AND_RIGHT)];
    expect(story(judge('excuse-overlap', { share: 0 }, verdicts, given))[1]).toBe('spurious no-match A');
    // Half of it: 6 of 12 characters.
    const half = [hit(ATRIUM, ATRIUM), spurious(RIGHT_ATRIUM)];
    expect(story(judge('excuse-overlap', { share: 0.5 }, half, given))[1]).toBe('excused excuse-overlap A');
    expect(story(judge('excuse-overlap', { share: 0.51 }, half, given))[1]).toBe('spurious no-match A');
  });

  test('is no place in it', () => {
    const params = { predicted: ['LOC'], gold: ['ORG'], minLength: 1 };
    const text = 'Bank Roma of Roma';
    const bank = inPieces(text, '0-4 10-17', 'ORG');
    const roma = (start: number) => spurious(span(start, start + 4, 'LOC', { text: 'Roma' }));
    expect(story(judge('loc-in-org', params, [missed(bank), roma(5)], caseOf({ text })))).toHaveLength(2);
    expect(story(judge('loc-in-org', params, [missed(bank), roma(13)], caseOf({ text })))).toEqual([
      'hit loc-in-org ORG',
    ]);
    // Pieces that touch are one: the name has no blank between them.
    const touching = inPieces(text, '0-4 10-15 15-17', 'ORG');
    expect(story(judge('loc-in-org', params, [missed(touching), roma(13)], caseOf({ text })))).toHaveLength(1);
  });

  test('is an error apart, and a piece is a part', () => {
    const typesOf = (...verdicts: Parameters<typeof errorTypes>[0]): unknown[] => {
      const types = errorTypes(verdicts);
      return verdicts.map((own) => types.get(own));
    };
    expect(typesOf(missed(ATRIUM), spurious(AND_RIGHT))).toEqual(['missed', 'spurious']);
    expect(typesOf(missed(ATRIUM), spurious(RIGHT_ATRIUM))).toEqual(['boundary', 'boundary']);
    expect(typesOf(missed(ATRIUM), spurious(span(0, 21, 'A')))).toEqual(['boundary', 'boundary']);
    expect(typesOf(missed(ATRIUM), spurious({ ...ATRIUM, label: 'B' }))).toEqual(['type', 'type']);
    const pieces = [spurious(span(0, 4, 'A')), spurious(span(15, 21, 'A'))];
    expect(typesOf(missed(ATRIUM), ...pieces)).toEqual(['split', 'split', 'split']);
  });

  test('is no candidate that came close', () => {
    const { gold, predicted } = pair([ATRIUM], [AND_RIGHT], { similarity: 'iou' });
    expect([gold[0]?.rejected, predicted[0]?.rejected]).toEqual([null, null]);
  });
});

describe('masking', () => {
  const cover = (gold: typeof ATRIUM, predicted: readonly (typeof ATRIUM)[], pieces: 'whole' | 'words' = 'whole') =>
    pairByCover([gold], predicted, HEART, { ...PLAIN_COVER, name: 'pair', thresholdFor: () => 1, pieces });

  test('needs the pieces masked, and what lies between them may show', () => {
    const both = [span(0, 4, 'X'), span(15, 21, 'X')];
    expect(cover(ATRIUM, both).covered).toHaveLength(1);
    expect(cover(ATRIUM, both).helpers).toHaveLength(2);
    expect(cover(ATRIUM, [span(0, 4, 'X'), AND_RIGHT])).toMatchObject({
      covered: [],
      gold: [{ rejected: { why: 'only 40 % of it is covered' } }],
      helpers: [{ item: { start: 0 } }],
      predicted: [{ item: { start: 5 } }],
    });
    // A mask in pieces leaves what lies between them open.
    expect(cover(span(0, 21, 'A'), [ATRIUM]).covered).toHaveLength(0);
    expect(cover(span(0, 21, 'A'), [ATRIUM]).helpers).toHaveLength(1);
  });

  test('in words, counts those of the pieces', () => {
    const { covered = [], gold } = cover(ATRIUM, [span(0, 4, 'X'), AND_RIGHT], 'words');
    expect(covered.map(({ gold: own, weight }) => [own.text, weight])).toEqual([['left', 1]]);
    expect(gold.map(({ item, weight }) => [item.text, item.fragments, weight])).toEqual([['atrium', undefined, 1]]);
  });
});

describe('rules of prepare', () => {
  test('merge joins neighbouring pieces and keeps the others', () => {
    const text = 'left and right big atrium';
    const predicted = [inPieces(text, '0-4 15-18', 'A'), span(19, 25, 'A'), span(9, 14, 'B')];
    const out = prepare('merge', {}, caseOf({ text, predicted })).predicted;
    expect(out).toMatchObject([
      { text: 'left big atrium', start: 0, end: 25, fragments: [{ start: 0, end: 4 }, { start: 15, end: 25 }] }, // prettier-ignore
      { text: 'right' },
    ]);
    expect(out[0]?.parts).toHaveLength(2);
    // A span between the pieces that touches none of them stays by itself.
    const apart = [inPieces(text, '0-4 19-25', 'A'), span(9, 14, 'A')];
    expect(prepare('merge', {}, caseOf({ text, predicted: apart })).predicted).toHaveLength(2);
    const filled = [inPieces(text, '0-4 9-14', 'A'), span(5, 8, 'A')];
    expect(prepare('merge', {}, caseOf({ text, predicted: filled })).predicted).toMatchObject([
      { text: 'left and right', start: 0, end: 14 },
    ]);
    expect(prepare('merge', {}, caseOf({ text, predicted: filled })).predicted[0]).not.toHaveProperty('fragments');
  });

  test('trim takes white space off each piece', () => {
    const predicted = [inPieces(HEART, '0-5 14-21', 'A'), inPieces(HEART, '0-4 8-9 14-21', 'A')];
    expect(prepare('trim', {}, caseOf({ text: HEART, predicted })).predicted).toMatchObject([
      { text: 'left atrium', start: 0, end: 21, fragments: ATRIUM.fragments },
      { text: 'left atrium', start: 0, end: 21, fragments: ATRIUM.fragments },
    ]);
  });

  test('dedupe keeps spans with the same ends and other pieces', () => {
    const predicted = [ATRIUM, span(0, 21, 'A'), inPieces(HEART, '0-8 15-21', 'A'), ATRIUM];
    const out = prepare('dedupe', { side: 'predicted' }, caseOf({ text: HEART, predicted }));
    expect(out.predicted).toHaveLength(3);
  });
});
