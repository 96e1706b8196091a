import { describe, expect, test } from 'vitest';

import { recipeSweepFigure } from '../../src/report/svg/sweep-figure.ts';
import { type Sweep, type SweepOptions, sweepRecipe } from '../../src/compare/sweep/sweep.ts';
import { alike, IOU, QUICK, system } from '../compare/sweep/made-up-systems.ts';
import { words } from './svg/made-up-figures.ts';

const sweepOf = (options: Partial<SweepOptions> & Pick<SweepOptions, 'systems'>): Promise<Sweep> =>
  sweepRecipe({ recipe: IOU, over: ['pair.threshold=0.1..0.9'], set: QUICK, ...options });

const one = system('one', [...alike(15, 10), ...alike(15, 6)]);
const plain = system('plain', [...alike(20, 10), ...alike(20, 3)]);
const guided = system('guided', alike(40, 6));

const count = (svg: string, piece: string): number => svg.split(piece).length - 1;

describe('the figure of a sweep', () => {
  test('of one system has a curve, a band, what cannot be told from the best, and the recipe’s own value', async () => {
    const svg = recipeSweepFigure(await sweepOf({ systems: [one] }));
    expect(svg).toContain('f1 over pair.threshold');
    expect(count(svg, 'class="curve"')).toBe(1);
    // Intervals are there from 0.7 on: before, every case is a hit and resampling has nothing to say.
    expect(count(svg, 'class="band"')).toBe(1);
    expect(svg).toContain('class="plateau"');
    expect(count(svg, 'class="own"')).toBe(2);
    expect(svg).toContain('the recipe’s value, 0.5');
  });

  test('of two systems has two curves and shades where which is better', async () => {
    const svg = recipeSweepFigure(await sweepOf({ systems: [plain, guided] }));
    // Each once in the plot and once in the legend.
    expect(count(svg, 'class="curve"')).toBe(4);
    expect(count(svg, 'class="flip-better"')).toBe(2);
    expect(count(svg, 'class="flip-worse"')).toBe(2);
    expect(svg).toContain('guided better');
    // Each in the colour of its own line: blue is the first system, vermilion the second.
    expect(svg).toMatch(/fill="#d55e00" fill-opacity="0\.14" class="flip-better"/);
    expect(svg).toMatch(/fill="#0072b2" fill-opacity="0\.14" class="flip-worse"/);
    expect(svg).toContain('plain better');
  });

  test('over two parameters is a map with the numbers', async () => {
    const over = ['pair.threshold=0.5,0.8', 'pair.assign=greedy,optimal'];
    const single = recipeSweepFigure(await sweepOf({ over, systems: [one] }));
    expect(count(single, 'class="cell"')).toBe(4);
    expect(single).toContain('>1.000<');
    expect(single).toContain('>0.500<');
    const narrow = await sweepOf({
      over: ['pair.threshold=0.20..0.50', over[1]!],
      set: ['interval=off'],
      systems: [one],
    });
    expect(words(recipeSweepFigure(narrow))).toContain('there is no room for the numbers');
    expect(recipeSweepFigure(narrow)).not.toContain('>…<');
    const both = recipeSweepFigure(await sweepOf({ over, systems: [plain, guided] }));
    expect(both).toContain('guided minus plain');
    expect(both).toContain('>+0.500<');
    expect(both).toContain('>-0.500<');
  });

  test('over names stands side by side, and over many points has no signs', async () => {
    const names = recipeSweepFigure(
      await sweepOf({ over: ['pair.assign=greedy,in-order,optimal'], measures: ['f1'], systems: [one] }),
    );
    expect(names).toContain('>in-order<');
    const many = recipeSweepFigure(
      await sweepOf({ over: ['pair.threshold=0.00..1.00'], set: ['interval=off'], systems: [one] }),
    );
    // The best has its star, once more in the legend.
    expect(count(many, 'class="point"')).toBe(2);
    expect(count(many, 'class="curve"')).toBe(1);
  });

  test('of more systems than two has their curves, and of no value says so', async () => {
    const three = recipeSweepFigure(
      await sweepOf({ systems: [plain, guided, { ...one, name: 'third', sources: plain.sources }] }),
    );
    expect(count(three, 'class="curve"')).toBe(6);
    const none = recipeSweepFigure(await sweepOf({ measures: ['precision'], systems: [system('one', [[0]])] }));
    expect(none).toContain('Nothing can be drawn');
  });

  test('holds names as text', async () => {
    const svg = recipeSweepFigure(await sweepOf({ systems: [{ ...plain, name: '<script>x</script>' }, guided] }));
    expect(svg).not.toContain('<script');
    expect(svg).toContain('&lt;script&gt;');
  });
});
