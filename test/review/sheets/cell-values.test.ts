import { describe, expect, it } from 'vitest';

import type { ReviewField } from '../../../src/recipe/review-section.ts';
import { readCell } from '../../../src/review/sheets/cell-values.ts';
import { FORM } from './sheet-review.ts';

const field = (name: string): ReviewField => FORM.fields[name]!;
const valueOf = (name: string, part: string | null, cell: string): unknown => {
  const reading = readCell(field(name), part, cell);
  return 'value' in reading ? reading.value : reading.fault;
};

describe('a rating', () => {
  it.each(['4', ' 4 ', '4.0', '4,0', "'4", '4\u00a0', '４', '४', '+4', '4.00'])('is 4 in %j', (cell) => {
    expect(valueOf('treatment_relevance', 'safety', cell)).toBe(4);
  });

  it.each([
    ['Optimal', 5],
    ['5: optimal', 5],
    ['1 - Dangerous or contraindicated', 1],
  ])('may be what its point means: %j', (cell, point) => {
    expect(valueOf('treatment_relevance', 'safety', cell)).toBe(point);
  });

  it.each(['0', '6', '4.5', '4,5', 'good', '4 5', '4: Dangerous or contraindicated', 'NaN', 'true'])(
    'is none in %j',
    (cell) => {
      expect(valueOf('treatment_relevance', 'safety', cell)).toBe(
        `expected a whole number from 1 to 5, found ${JSON.stringify(cell)}`,
      );
    },
  );

  it('that became a date is called that', () => {
    expect(valueOf('treatment_relevance', 'safety', '02-Jan')).toBe(
      'expected a whole number from 1 to 5, found "02-Jan", which looks like a date that a spreadsheet made of another value',
    );
  });
});

describe('a class or a label', () => {
  it.each([
    ['vata-pitta', 'vata-pitta'],
    ['Vata-Pitta', 'vata-pitta'],
    ['Pitta-Vata', 'vata-pitta'],
    [' pitta – vata ', 'vata-pitta'],
    ['PITTA VATA', 'vata-pitta'],
    ['pitta/vata', 'vata-pitta'],
    ['Pitta and Vata', 'vata-pitta'],
    ['VATA', 'vata'],
    ['cannot be told', 'unknown'],
  ])('is found by value, title, case and word order: %j', (cell, value) => {
    expect(valueOf('prakriti', null, cell)).toBe(value);
  });

  it('is named with its neighbours where it is none', () => {
    expect(readCell(field('prakriti'), null, 'vatta')).toEqual({
      fault: 'expected one of vata, pitta, vata-pitta, unknown, found "vatta"',
      next: 'did you mean vata?',
    });
    expect(valueOf('prakriti', null, 'constructor')).toMatch(/^expected one of/);
  });

  it('may be a label by its title', () => {
    expect(valueOf('claims', null, 'not a claim')).toBe('none');
    expect(valueOf('claims', null, 'GROUNDED')).toBe('grounded');
  });

  it('that is a number is found however the number is written', () => {
    const numbers: ReviewField = { ...field('prakriti'), type: 'choice', options: { 1: one('one'), 2: one('two') } };
    expect(readCell(numbers, null, '2.0')).toEqual({ value: '2' });
  });

  it('is none where two options fit', () => {
    const twins: ReviewField = { ...field('prakriti'), type: 'choice', options: { a: one('Same'), b: one('same') } };
    expect(readCell(twins, null, 'SAME')).toHaveProperty('fault');
  });
});

function one(title: string): { title: string; help: string } {
  return { title, help: '' };
}

describe('a tick', () => {
  it.each(['TRUE', 'true', 'yes', 'Y', 'x', 'X', '✓', '1', '1.0', 'WAHR', 'हाँ'])('is set by %j', (cell) => {
    expect(valueOf('components', 'diet', cell)).toBe(true);
  });
  it.each(['FALSE', 'no', 'N', '0', '0.0', '✗', 'Falsch', 'नहीं'])('is not set by %j', (cell) => {
    expect(valueOf('components', 'diet', cell)).toBe(false);
  });
  it.each(['na', 'N/A', 'n.a.', '#N/A'])('does not apply with %j, where that is possible', (cell) => {
    expect(valueOf('components', 'herbs', cell)).toBe('na');
    expect(valueOf('components', 'diet', cell)).toMatch(/^expected yes or no, found/);
  });
  it('is none for anything else', () => {
    expect(valueOf('components', 'herbs', '2')).toBe('expected yes, no or na, found "2"');
  });
});

describe('a comment', () => {
  it('is kept as it is, but for its line ends', () => {
    expect(valueOf('comment', null, ' 1-2\r\n=ok ')).toBe(' 1-2\n=ok ');
  });
  it('that became an error is refused', () => {
    expect(valueOf('comment', null, '#NAME?')).toBe('found "#NAME?": the words were taken for a formula');
  });
});
