import { describe, expect, it } from 'vitest';

import { barStyle } from '../../../../web/src/report/case/bars.ts';
import { caseItems } from '../../../../web/src/report/case/case-items.ts';
import { fieldRows } from '../../../../web/src/report/case/item-fields.ts';
import { itemStops } from '../../../../web/src/report/case/item-stops.ts';
import { laidText } from '../../../../web/src/report/case/laid-text.ts';
import { ALL_SHOWN, marksOf } from '../../../../web/src/report/case/marks.ts';
import { detail, item, record } from './case-detail.ts';

const TEXT = 'In Aarhus.';
const gold = item(0, { text: 'Aarhus', start: 3, end: 9 });
const hit = record({ gold, predicted: item(1, { text: 'Aarhus', start: 3, end: 9 }) });
const missed = record({ verdict: 'missed', rule: 'no-match', gold });

describe('marks of a text', () => {
  it('tell their verdict, label, words and place to those who do not see them', () => {
    const marks = marksOf(caseItems(detail(TEXT, [missed]), 'full'), ALL_SHOWN, ['run']);
    expect(marks.map(({ name }) => name)).toEqual(['missed, gold LOC, ‘Aarhus’, characters 3 to 9']);
  });

  it('show gold once for all runs, with each run’s verdict where they differ', () => {
    const marks = marksOf(caseItems(detail(TEXT, [missed], [hit]), 'full'), ALL_SHOWN, ['old', 'new']);
    expect(marks.map(({ row, verdicts, keys }) => [row, verdicts, keys])).toEqual([
      [0, ['missed', 'hit'], ['0.gold.span.0', '1.gold.span.0']],
      [2, ['hit'], ['1.predicted.span.1']],
    ]);
    expect(marks[0]?.name).toContain('missed in old, hit in new');
  });

  it.each([
    [{ ...ALL_SHOWN, gold: false }, ['0.predicted.span.1']],
    [{ ...ALL_SHOWN, predicted: false }, ['0.gold.span.0']],
    [{ ...ALL_SHOWN, hits: false }, []],
  ])('leave out what is switched off: %o', (shown, ids) => {
    expect(marksOf(caseItems(detail(TEXT, [hit]), 'full'), shown, ['run']).map(({ id }) => id)).toEqual(ids);
  });

  it('show characters that would turn the line by name', () => {
    const turned = record({ verdict: 'missed', gold: { ...gold, label: '\u202eCOL' } });
    const [mark] = marksOf(caseItems(detail(TEXT, [turned]), 'full'), ALL_SHOWN, ['run']);
    expect(mark?.name).toContain('U+202ECOL');
  });
});

describe('a span in pieces', () => {
  const HEART = 'left and right atrium';
  const fragments = [{ start: 0, end: 4 }, { start: 15, end: 21 }]; // prettier-ignore
  const pieced = item(0, { text: 'left atrium', start: 0, end: 21, fragments });
  const lost = record({ verdict: 'missed', rule: 'no-match', gold: pieced });
  const right = record({ verdict: 'spurious', predicted: item(0, { text: 'right', start: 9, end: 14 }) });
  const items = caseItems(detail(HEART, [lost, right]), 'full');

  it('has a bar for each piece, and none between them', () => {
    const marks = marksOf(items, ALL_SHOWN, ['run']);
    expect(marks.map(({ start, end, selects, piece }) => [HEART.slice(start, end), selects, piece])).toEqual([
      ['left', '0.gold.span.0', 0],
      ['right', '0.predicted.span.0', 0],
      ['atrium', '0.gold.span.0', 1],
    ]);
    expect(new Set(marks.map(({ id }) => id)).size).toBe(3);
    expect(marks[0]?.name).toBe('missed, gold LOC, ‘left atrium’, characters 0 to 4 and 15 to 21');
    const [paragraph] = laidText(HEART, marks, 2);
    expect(paragraph?.segments.map(({ start, cells }) => [start, cells.length])).toEqual([
      [0, 1],
      [4, 0],
      [9, 1],
      [14, 0],
      [15, 1],
    ]);
  });

  it('is one stop on the way through the items, and its places are named', () => {
    expect(itemStops(items, ['run']).map(({ id }) => id)).toEqual(['0.gold.span.0', '0.predicted.span.0']);
    expect(fieldRows(pieced, undefined)).toContainEqual(
      expect.objectContaining({ name: 'characters', gold: '0 to 4 and 15 to 21' }),
    );
  });

  it('is not marked if a piece is outside the text', () => {
    const beyond = { ...pieced, end: 21, fragments: [{ start: 0, end: 4 }, { start: 15, end: 40 }] }; // prettier-ignore
    const [one] = caseItems(detail(HEART, [{ ...lost, gold: beyond }]), 'full').all;
    expect(one).toMatchObject({ place: null, astray: expect.stringContaining('15 to 40') });
  });
});

describe('bars of a segment', () => {
  it('are as many backgrounds as they have parts, all of the same length', () => {
    const marks = marksOf(caseItems(detail(TEXT, [missed], [hit]), 'full'), ALL_SHOWN, ['old', 'new']);
    const [paragraph] = laidText(TEXT, marks, 3);
    const segment = paragraph?.segments.find(({ start }) => start === 3);
    if (paragraph === undefined || segment === undefined) throw new Error('Aarhus is a segment');
    const style = barStyle(segment, paragraph.lanes, () => 'selected');
    // Gold: two ends and a strip for each run; the prediction: two ends and its bar; one wash behind the words.
    const parts = ['backgroundImage', 'backgroundPosition', 'backgroundSize', 'backgroundRepeat'].map(
      (name) => style?.[name]?.split(', ').length,
    );
    expect(parts).toEqual([8, 8, 8, 8]);
    expect(style?.['backgroundImage']).toContain('var(--bar-missed)');
  });
});
