import { describe, expect, test } from 'vitest';

import { makeCriterion } from '../../src/pair/criterion.ts';
import { inCharacters } from '../../src/pair/in-characters.ts';
import { makePairer } from '../../src/pair/pair.ts';
import { hit, judge, missed, spurious } from '../judge/verdicts.ts';
import { caseOf, quoted, span } from './items.ts';

const TEXT = 'a🙂🙂b c';

describe('inCharacters', () => {
  test('counts an emoji as one character', () => {
    const places = inCharacters([span(0, 1), span(1, 5), span(5, 6), span(-1, -1)], TEXT);
    expect(places.map(({ start, end }) => [start, end])).toEqual([
      [0, 1],
      [1, 3],
      [3, 4],
      [-1, -1],
    ]);
  });

  test('an end between the halves of a pair is where its character begins', () => {
    expect(inCharacters([span(0, 2)], TEXT)[0]).toMatchObject({ start: 0, end: 1 });
  });

  test('hands the list back where units and characters are the same, or no text is known', () => {
    const list = [span(0, 1)];
    expect(inCharacters(list, 'plain text')).toBe(list);
    expect(inCharacters(list, null)).toBe(list);
  });
});

describe('an emoji is one character', () => {
  const pairer = (similarity: string, threshold: number, tolerance = 0): ReturnType<typeof makePairer> =>
    makePairer({
      accept: [makeCriterion('c', { similarity, threshold, tolerance })],
      assign: 'greedy',
      ties: 'content',
      partial: 1,
      unit: 'item',
    });

  test('in an overlap', () => {
    // "🙂🙂b" and "b" share 1 of 3 characters (1 of 5 units).
    const { pairs } = pairer('iou', 0.3).pair([span(1, 6)], [span(5, 6)], undefined, TEXT);
    expect(pairs[0]?.similarity).toBe(1 / 3);
    // The items themselves keep the places they have.
    expect(pairs[0]?.gold).toMatchObject({ start: 1, end: 6 });
  });

  test('in a tolerance', () => {
    const [gold, predicted] = [span(5, 6), span(3, 6)];
    expect(pairer('exact', 1, 1).pair([gold], [predicted], undefined, TEXT).pairs).toHaveLength(1);
    expect(pairer('exact', 1, 1).pair([gold], [predicted]).pairs).toHaveLength(0);
  });

  test('for the rules that look at overlaps', () => {
    const given = caseOf({ text: TEXT });
    // "🙂b" inside the matched "b c": 1 of 2 characters, 1 of 3 units.
    const found = judge('excuse-overlap', {}, [hit(span(5, 8), span(5, 8)), spurious(span(3, 6))], given);
    expect(found[1]?.verdict).toBe('excused');
    const linked = judge('incorrect', {}, [missed(span(1, 6)), spurious(span(5, 6))], given);
    expect(linked[0]?.rejected?.similarity).toBe(1 / 3);
    // "🙂Oslo" begins one character, two units, before gold, which has the same words further on.
    const text = '🙂Oslo 🙂Oslo Court';
    const court = quoted(text, 'Oslo 🙂Oslo Court', 'ORG');
    const place = quoted(text, '🙂Oslo', 'LOC');
    const params = { predicted: ['LOC'], gold: ['ORG'], shape: 'any' };
    expect(judge('loc-in-org', params, [missed(court), spurious(place)], caseOf({ text }))[0]?.rule).toBe('loc-in-org');
  });
});
