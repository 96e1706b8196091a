import { describe, expect, it } from 'vitest';
import { textBlocks } from '../../src/text/text-blocks.ts';

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
