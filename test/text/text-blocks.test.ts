import { describe, expect, it } from 'vitest';
import { lineMarker, textBlocks } from '../../src/text/text-blocks.ts';

const blocks = (text: string): string[] => textBlocks(text).map(({ start, end }) => text.slice(start, end));

describe('the blocks of a text', () => {
  it('are paragraphs, headings and list items, with wrapped lines kept together', () => {
    expect(blocks('# Diet\nEat early. Eat\nslowly.\n\n1. Rice\n2. Dal that is\n   well cooked\n\nSleep')).toEqual([
      'Diet',
      'Eat early. Eat\nslowly.',
      'Rice',
      'Dal that is\n   well cooked',
      'Sleep',
    ]);
  });

  it('begin a numbered list in a paragraph only at 1, after a sentence or after a colon', () => {
    expect(blocks('from the age of\n12. Then')).toHaveLength(1);
    expect(blocks('Buy these\n1. Rice')).toHaveLength(2);
    expect(blocks('It is so.\n3. Rice')).toHaveLength(2);
    expect(blocks('Buy these:\n3. Rice')).toHaveLength(2);
  });

  it('take a line of Capitalised Words for a heading only at the beginning and before a capital', () => {
    expect(blocks('Diet and Sleep\nEat early')).toHaveLength(2);
    expect(blocks('Diet and Sleep\nare both of use')).toHaveLength(1);
    expect(blocks('They said that\nVata Dosha\nMoves')).toHaveLength(1);
  });
});

describe('the marker of a line', () => {
  it.each([
    ['- rice', 'item', 2, null],
    ['•rice', 'item', 1, null],
    ['* [ ] rice', 'item', 6, null],
    ['12. rice', 'item', 4, 12],
    ['(3) rice', 'item', 4, 3],
    ['१२. चावल', 'item', 4, 12],
    ['4.rice', 'item', 2, 4],
    ['b) rice', 'item', 3, null],
    ['(iv) rice', 'item', 5, null],
    ['### Rice', 'heading', 4, null],
    ['> rice', 'quote', 2, null],
  ])('of %j is a marker: %s', (text, kind, end, number) => {
    expect(lineMarker(text, 0)).toEqual({ kind, end, number });
  });

  it.each(['rice', '-rice', '1.5 cups', '2019. Then', 'p. 12', '*rice*', '#rice', 'A. K. Rao'])(
    'is none in %j',
    (text) => {
      expect(lineMarker(text, 0)).toBeNull();
    },
  );

  it('is looked for at a place', () => {
    expect(lineMarker('  - rice', 2)).toEqual({ kind: 'item', end: 4, number: null });
  });
});

describe('a line that only divides', () => {
  it('is made of dashes, stars, bars and the like', () => {
    for (const line of ['---', '* * *', '===', '|---|:-:|', '-']) expect(blocks(line)).toEqual([]);
    for (const line of ['- a', '...', '!!!']) expect(blocks(line)).toHaveLength(1);
  });
});
