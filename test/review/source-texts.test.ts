import { describe, expect, it } from 'vitest';

import { sourceTexts } from '../../src/review/source-texts.ts';

const FILLER = Array.from({ length: 3000 }, (_, at) => `word${at}`).join(' ');
const LONG = `${FILLER} Ghee calms  vata\nat night. ${FILLER} The end 😀😀`;
const texts = sourceTexts([
  { name: 'charaka.txt', text: LONG },
  { name: 'sushruta.md', text: 'Milk and ghee at night bring sleep. Vata is dry.' },
]);

describe('searching the texts of a review', () => {
  it('finds stretches by their words, best first, with the words marked and never two that overlap', () => {
    const { total, hits } = texts.search('Does GHEE calm the vata?', 0, []);
    expect(total).toBe(2);
    // The short text has both words in fewer.
    expect(hits.map(({ name }) => name)).toEqual(['sushruta.md', 'charaka.txt']);
    const [short, long] = hits;
    expect(short!.marks.map(({ start, end }) => short!.excerpt.slice(start, end))).toEqual(['ghee', 'Vata']);
    expect(long!.excerpt).toContain('Ghee calms  vata');
    expect(LONG.slice(long!.start, long!.end)).toBe(long!.excerpt);
  });

  it('finds nothing where no word is shared, and takes words such as "at" only where there are no others', () => {
    expect(texts.search('saffron', 0, []).total).toBe(0);
    expect(texts.search('the saffron at', 0, []).total).toBe(0);
    expect(texts.search('at', 0, []).total).toBe(2);
    expect(texts.search('', 0, []).total).toBe(0);
    expect(texts.search('(((*+?'.repeat(200), 0, []).query).toHaveLength(400);
  });

  it('says where retrieved passages stand, whatever the white space, and marks the places that hold them', () => {
    const passages = [
      { id: 'r1', source: null, text: 'Ghee calms vata at night.' },
      { id: 'r2', source: 'sushruta.md#1', text: 'Vata is dry.' },
      { id: 'r3', source: null, text: 'Nothing of the kind (a+)+$' },
    ];
    const places = texts.placesOf(passages);
    expect(places.map((place) => place?.text ?? null)).toEqual(['t1', 't2', null]);
    expect(LONG.slice(places[0]!.start, places[0]!.end)).toBe('Ghee calms  vata\nat night.');
    const found = texts.search('ghee', 0, [places[0]!]);
    expect(found.hits.map(({ text, isRetrieved }) => [text, isRetrieved])).toEqual([
      ['t2', false],
      ['t1', true],
    ]);
  });
});

describe('reading a text page by page', () => {
  it('gives every character once, in pages that end at a space and cut no character', () => {
    const { pages } = texts.texts[0]!;
    expect(pages).toBeGreaterThan(5);
    const all = Array.from({ length: pages }, (_, page) => texts.page('t1', page)!);
    expect(all.map(({ content }) => content).join('')).toBe(LONG);
    for (const { content, start } of all) {
      expect(content.length).toBeLessThanOrEqual(8000);
      expect(LONG.slice(start, start + content.length)).toBe(content);
    }
    for (const { content } of all.slice(0, -1)) expect(content).toMatch(/\s$/);
    const faces = sourceTexts([{ name: 'f.txt', text: '😀'.repeat(9000) }]);
    const first = faces.page('t1', 0)!.content;
    expect(first.isWellFormed()).toBe(true);
  });

  it('goes to the nearest page, and knows no text that is not there', () => {
    expect(texts.page('t2', 99)?.page).toBe(0);
    expect(texts.page('t3', 0)).toBeNull();
    const [place] = texts.placesOf([{ id: 'r1', source: null, text: 'Ghee calms vata' }]);
    const page = texts.page('t1', place!.page)!;
    expect(page.content).toContain('Ghee calms');
  });
});
