import { describe, expect, it } from 'vitest';
import { textBlocks } from '../../src/text/sentences.ts';

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
    ['- rice', 2],
    ['•rice', 1],
    ['* [ ] rice', 6],
    ['12. rice', 4],
    ['(3) rice', 4],
    ['१२. चावल', 4],
    ['4.rice', 2],
    ['b) rice', 3],
    ['(iv) rice', 5],
    ['### Rice', 4],
    ['> rice', 2],
    ['  - rice', 4],
  ])('of %j ends at %i', (text, start) => {
    expect(textBlocks(text)).toEqual([{ start, end: text.length }]);
  });

  it.each(['rice', '-rice', '1.5 cups', '2019. Then', 'p. 12', '*rice*', '#rice', 'A. K. Rao'])(
    'is none in %j',
    (text) => {
      expect(textBlocks(text)).toEqual([{ start: 0, end: text.length }]);
    },
  );

  it('in the middle of a paragraph is one if it is the number 1 in any script', () => {
    for (const one of ['1', '01', '१', '൧', '１']) expect(textBlocks(`wash\n${one}. rice`)).toHaveLength(2);
    for (const other of ['2', '11', '१२', '२']) expect(textBlocks(`wash\n${other}. rice`)).toHaveLength(1);
  });
});

describe('a line that only divides', () => {
  it('is made of dashes, stars, bars and the like', () => {
    for (const line of ['---', '* * *', '===', '|---|:-:|', '-']) expect(blocks(line)).toEqual([]);
    for (const line of ['- a', '...', '!!!']) expect(blocks(line)).toHaveLength(1);
  });
});
