import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { type ConfusionCell, confusionFigure } from '../../../src/report/svg/confusion-figure.ts';
import { dangerous, HOSTILE } from '../made-up-run.ts';
import { words } from './made-up-figures.ts';
import { expectWellFormed } from './well-formed.ts';

const CELLS: readonly ConfusionCell[] = [
  { gold: 'PERSON', predicted: 'PERSON', n: 18 },
  { gold: 'PERSON', predicted: 'LOC', n: 2 },
  { gold: 'LOC', predicted: 'LOC', n: 9 },
  { gold: 'LOC', predicted: null, n: 3 },
  { gold: null, predicted: 'PERSON', n: 4 },
];

/** Cells as `gold predicted number`, in the order they are drawn. */
function drawn(svg: string): string[] {
  return [
    ...svg.matchAll(/<g class="cell-(good|bad)"( data-gold="([^"]*)")?( data-predicted="([^"]*)")?>([\s\S]*?)<\/g>/g),
  ].map(
    ([, right, , gold = '-', , predicted = '-', inner = '']) =>
      `${right!} ${gold} ${predicted} ${/<text [^>]*>([^<]*)</.exec(inner)?.[1] ?? ''}`,
  );
}

describe('the confusion matrix', () => {
  const svg = confusionFigure(CELLS, 'Labels of spans');

  it('has a cell for each pair that occurred, the most frequent names first, nothing last, to be clicked', () => {
    expect(drawn(svg)).toEqual([
      'good PERSON PERSON 18',
      'bad PERSON LOC 2',
      'good LOC LOC 9',
      'bad LOC - 3',
      'bad - PERSON 4',
    ]);
  });

  it('is the darker, the larger a cell’s share of its row', () => {
    const shades = [...svg.matchAll(/fill-opacity="([\d.]+)"/g)].map(([, shade]) => Number(shade));
    // 0.06 + 0.54 · share, for 18/20, 2/20, 9/12, 3/12 and 4/4.
    expect(shades).toEqual([0.55, 0.11, 0.47, 0.2, 0.6]);
  });

  it('tells in words what it shows', () => {
    expect(svg).toContain('Gold PERSON, predicted LOC: 2 (10 % of the row), wrong.');
    expect(words(svg)).toContain('n = 36.');
  });

  it('takes the word of who counted on what is right', () => {
    const same = [{ gold: 'city', predicted: 'town', n: 1, right: true }];
    expect(drawn(confusionFigure(same, 'type'))).toEqual(['good city town 1']);
  });

  it('shows twelve names at most, the others together', () => {
    const many = Array.from({ length: 30 }, (_, at) => ({ gold: `n${at}`, predicted: `n${at}`, n: 100 - at }));
    const text = confusionFigure(many, 'many');
    const cells = drawn(text);
    expect(cells).toHaveLength(12);
    expect(cells[0]).toBe('good n0 n0 100');
    // Those from n11 on: 89 down to 71, 19 of them, 1520.
    expect(cells[11]).toBe('good - - 1.5k');
    expect(words(text)).toContain('The 19 least frequent names are together in “others”.');
  });

  it('writes a number that does not fit in thousands', () => {
    const names = Array.from({ length: 12 }, (_, at) => `a long name ${at}`);
    const many = names.map((name) => ({ gold: name, predicted: name, n: 3456 }));
    expect(drawn(confusionFigure(many, 'many', 340))[0]).toBe('good a long name 0 a long name 0 3k');
    expect(drawn(confusionFigure(many, 'many', 480))[0]).toBe('good a long name 0 a long name 0 3.5k');
  });

  it('says so where there is nothing to draw', () => {
    expect(words(confusionFigure([], 'none'))).toContain('there is nothing to count');
  });

  it('is sound for any names and numbers', () => {
    const name = fc.option(
      fc.oneof(fc.string({ unit: 'binary', maxLength: 40 }), fc.constantFrom(HOSTILE, '__proto__', 'others')),
    );
    const cell = fc.record({ gold: name, predicted: name, n: fc.integer({ min: 0, max: 1e9 }) });
    fc.assert(
      fc.property(fc.array(cell, { maxLength: 25 }), (cells) => {
        const made = confusionFigure(cells, HOSTILE);
        expectWellFormed(made);
        expect(dangerous(made)).toEqual([]);
        expect(made).not.toMatch(/NaN|Infinity/);
      }),
      { seed: 20267, numRuns: 20 },
    );
  });
});
