import { describe, expect, it } from 'vitest';
import { cutPassages, suggestPassages } from '../../src/review/passages.ts';

describe('passages beside a claim', () => {
  const passages = ['Salt is heating.', 'Vata is calmed by warm ghee.', 'Ghee keeps for a year.'];

  it('are those that share most of its words, best first', () => {
    expect(suggestPassages(['Warm ghee calms vata'], passages, 3)).toEqual([[1, 2]]);
  });

  it('are at most so many', () => {
    expect(suggestPassages(['Warm ghee calms vata'], passages, 1)).toEqual([[1]]);
    expect(suggestPassages(['Warm ghee calms vata'], passages, 0)).toEqual([[]]);
  });

  it('are none where no word is shared, and where there is nothing to look in', () => {
    expect(suggestPassages(['Drink water', '', 'salt'], passages, 3)).toEqual([[], [], [0]]);
    expect(suggestPassages(['Drink water'], [], 3)).toEqual([[]]);
  });

  it('are found in Hindi', () => {
    expect(suggestPassages(['घी वात को शांत करता है।'], ['नमक गर्म है', 'वात घी से शांत होता है'], 2)).toEqual([[1]]);
  });

  it('do not rest on words that every text has', () => {
    expect(suggestPassages(['Too much vata in spring'], ['Warm milk in the evening', 'Vata is cold'], 2)).toEqual([
      [1],
    ]);
  });
});

describe('what was retrieved, cut into passages', () => {
  it('is cut at blank lines where it is a text', () => {
    expect(cutPassages('One\nline.\n\n\nTwo.\r\n \r\nThree.')).toEqual({
      passages: ['One\nline.', 'Two.', 'Three.'].map((text) => ({ source: null, text })),
      unreadable: 0,
    });
  });

  it('may be a list of texts, or of objects that name their source', () => {
    const list = [
      'plain',
      { text: 'ghee', source: 'Charaka' },
      { page_content: 'oil', metadata: { source: 'Sushruta' } },
      { content: 'salt' },
    ];
    const passages = [
      { source: null, text: 'plain' },
      { source: 'Charaka', text: 'ghee' },
      { source: 'Sushruta', text: 'oil' },
      { source: null, text: 'salt' },
    ];
    expect(cutPassages(list)).toEqual({ passages, unreadable: 0 });
    expect(cutPassages(JSON.stringify(list))).toEqual({ passages, unreadable: 0 });
  });

  it('takes a text in square brackets for a text', () => {
    expect(cutPassages('[1] Ghee calms vata.').passages).toEqual([{ source: null, text: '[1] Ghee calms vata.' }]);
  });

  it('counts what holds no text', () => {
    expect(cutPassages([7, null, { score: 1 }, { text: '' }, 'ghee'])).toEqual({
      passages: [{ source: null, text: 'ghee' }],
      unreadable: 4,
    });
    expect(cutPassages(7)).toEqual({ passages: [], unreadable: 1 });
  });

  it('is nothing where there is nothing', () => {
    for (const nothing of [null, undefined, '', ' \n\n ', [], '[]'])
      expect(cutPassages(nothing)).toEqual({ passages: [], unreadable: 0 });
  });

  it('comes in pieces of 120 words that share 30 where it is long', () => {
    const long = Array.from({ length: 200 }, (_, at) => `w${at}`).join(' ');
    const { passages } = cutPassages([{ text: long, source: 'book' }]);
    expect(passages.map(({ text }) => text.split(' ').length)).toEqual([120, 110]);
    expect(passages[1]?.text.startsWith('w90 ')).toBe(true);
    expect(passages.every(({ source }) => source === 'book')).toBe(true);
  });
});
