import { describe, expect, it } from 'vitest';

import { makeItem } from '../../src/data/item.ts';
import { type ItemsField, reviewField } from '../../src/recipe/review-section.ts';
import { cutPassages, proposedItems, suggestPassages } from '../../src/review/proposed-items.ts';

function itemsField(more: object): ItemsField {
  const field = reviewField.parse({
    type: 'items',
    title: 'Right?',
    labels: { yes: 'Yes' },
    from: 'predicted',
    ...more,
  });
  if (field.type !== 'items') throw new Error('no items');
  return field;
}

const FOUND = itemsField({});
const TEXT = 'Slept badly. Took ginger tea at four.';
const under = { name: 'text', text: TEXT };

describe('what a system found', () => {
  it('is put before reviewers with its place, its kind and its facts', () => {
    const item = makeItem({
      kind: 'object',
      index: 0,
      label: 'food',
      text: 'ginger tea',
      fields: { domain: 'food', evidence_span: 'ginger tea', polarity: 'present', confidence: 0.9, certain: true },
    });
    expect(proposedItems(FOUND, under, [item], [])).toEqual([
      {
        id: 'p1',
        start: 18,
        end: 28,
        text: 'ginger tea',
        kind: 'food',
        facts: { polarity: 'present', certain: 'true' },
        passages: [],
      },
    ]);
  });

  it('keeps back what would tell systems apart or lead the reviewer', () => {
    const fields = { model: 'm', system: 's', score: 1, pii_score: 0.2, detector: 'd', temp_id: 'e1', _x: 1, start: 0 };
    const item = makeItem({ kind: 'span', index: 0, label: 'PERSON', text: 'Slept', start: 0, end: 5, fields });
    expect(proposedItems(FOUND, under, [item], [])[0]?.facts).toEqual({});
  });

  it('has no place where its quote is nowhere in the text, or the text is not the one under review', () => {
    const item = makeItem({ kind: 'object', index: 0, label: 'food', text: 'coffee' });
    expect(proposedItems(FOUND, under, [item], [])[0]).toMatchObject({ start: -1, end: -1, text: 'coffee' });
    const placed = makeItem({ kind: 'span', index: 0, label: 'X', text: 'Slept', start: 0, end: 5 });
    expect(proposedItems(FOUND, { name: 'response', text: TEXT }, [placed], [])[0]?.start).toBe(-1);
    const beyond = makeItem({ kind: 'span', index: 0, label: 'X', text: 'gone', start: 30, end: 99 });
    expect(proposedItems(FOUND, under, [beyond], [])[0]?.start).toBe(-1);
  });

  it('says a relationship by its two ends', () => {
    const item = makeItem({
      kind: 'relationship',
      index: 0,
      label: 'married_to',
      source: 'Yda',
      target: 'Matthis',
      fields: { source_ref: 'e2', target_ref: 'e1', type: 'married_to' },
    });
    expect(proposedItems(FOUND, under, [item], [])[0]).toMatchObject({
      start: -1,
      text: 'Yda → married_to → Matthis',
      kind: 'married_to',
      facts: { source: 'Yda', target: 'Matthis' },
    });
  });

  it('takes its words from the text where it brings none', () => {
    const item = makeItem({ kind: 'span', index: 0, label: 'X', start: 13, end: 17 });
    expect(proposedItems(FOUND, under, [item], [])[0]?.text).toBe('Took');
  });

  it('of more things than can be answered is refused', () => {
    const many = Array.from({ length: 2001 }, (_, index) => makeItem({ kind: 'span', index, label: 'X', text: 'x' }));
    expect(() => proposedItems(FOUND, under, many, [])).toThrow(/2001 things to label, and 2000 are the most/);
  });
});

describe('sentences', () => {
  const sentences = itemsField({ from: 'sentences', passages: 2 });

  it('are places in the text under review', () => {
    const found = proposedItems(sentences, { name: 'response', text: TEXT }, [], []);
    expect(found.map(({ id, start, end, text }) => [id, start, end, text])).toEqual([
      ['s1', 0, 12, 'Slept badly.'],
      ['s2', 13, 37, 'Took ginger tea at four.'],
    ]);
  });

  it('come with the passages that share most words, best first, as a suggestion', () => {
    const passages = [
      { id: 'r1', source: 'a', text: 'Salt is heating.' },
      { id: 'r2', source: 'b', text: 'Ginger tea warms.' },
    ];
    const found = proposedItems(sentences, { name: 'response', text: TEXT }, [], passages);
    expect(found.map((one) => one.passages)).toEqual([[], ['r2']]);
  });

  it('are none where nothing is under review', () => {
    expect(proposedItems(sentences, null, [], [])).toEqual([]);
  });
});

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
