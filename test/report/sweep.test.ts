import { describe, expect, test } from 'vitest';

import { renderMarkdown } from '../../src/report/render-markdown.ts';
import { renderTerminal } from '../../src/report/render-terminal.ts';
import { makeStyle } from '../../src/report/style.ts';
import { recipeSweepCsv } from '../../src/report/sweep.ts';
import { curveRow } from '../../src/report/sweep-tables.ts';
import { safeJson } from '../../src/report/safe-json.ts';
import { axisPlacesText, sweepSentences } from '../../src/report/sweep-sentences.ts';
import { recipeSweepDocument } from '../../src/report/sweep.ts';
import type { SweepAxis } from '../../src/compare/sweep/sweep.ts';
import { type Sweep, type SweepOptions, sweepRecipe } from '../../src/compare/sweep/sweep.ts';
import { alike, IOU, QUICK, system } from '../compare/sweep/made-up-systems.ts';

const sweepOf = (options: Partial<SweepOptions> & Pick<SweepOptions, 'systems'>): Promise<Sweep> =>
  sweepRecipe({ recipe: IOU, over: ['pair.threshold=0.1..0.9'], set: QUICK, ...options });

const printed = (sweep: Sweep, style = makeStyle()): string => renderTerminal(recipeSweepDocument(sweep), style);

// F1 is 1 up to 0.6 and 1/2 after it.
const one = system('one', [...alike(15, 10), ...alike(15, 6)]);
// Up to 0.3 both find all; then plain finds twenty of forty and guided all; from 0.7 guided finds none.
const plain = system('plain', [...alike(20, 10), ...alike(20, 3)]);
const guided = system('guided', alike(40, 6));

const axis = (texts: readonly string[], numeric: boolean): SweepAxis => ({
  path: 'pair.threshold',
  written: '',
  values: texts,
  texts,
  numeric,
  own: null,
});

describe('places of an axis in words', () => {
  const tenths = axis(['0.1', '0.2', '0.3', '0.4', '0.5'], true);
  test.each([
    [[0, 1, 2, 3, 4], 'at every value'],
    [[0, 1], 'up to 0.2'],
    [[3, 4], 'from 0.4'],
    [[1, 2, 3], 'from 0.2 to 0.4'],
    [[2], 'at 0.3'],
    [[0], 'at 0.1'],
    [[0, 1, 3], 'up to 0.2 and at 0.4'],
  ])('%j', (places, text) => {
    expect(axisPlacesText(tenths, places)).toBe(text);
  });

  test('where nothing lies between them', () => {
    const names = axis(['greedy', 'in-order', 'optimal'], false);
    expect(axisPlacesText(names, [0, 2])).toBe('at greedy and optimal');
  });
});

describe('the sentences of a sweep', () => {
  test('where nothing changes name no best value, and of one case claim no interval', async () => {
    const flat = sweepSentences(await sweepOf({ over: ['pair.threshold=0.1..0.3'], systems: [one] }));
    expect(flat[0]).toBe('f1 is 1.000: every value gives the same.');
    expect(flat.join(' ')).not.toMatch(/indistinguishable|the best/);
    const single = sweepSentences(await sweepOf({ systems: [system('one', [[10, 6]])] })).join(' ');
    expect(single).toContain('there is one case only, which cannot be resampled');
    expect(single).not.toContain('the interval of the paired difference');
  });

  test('the table of two systems says who is taken from whom', async () => {
    const text = printed(await sweepOf({ systems: [plain, guided] }));
    expect(text).toContain('f1 ↑  diff. is guided minus plain');
  });

  test('of one system say where it is best, how wide that is, and that the recipe stands on a cliff', async () => {
    const said = sweepSentences(await sweepOf({ set: [...QUICK, 'pair.threshold=0.6'], systems: [one] }));
    expect(said[0]).toBe(
      'f1 is best up to 0.6: 1.000. Every other value is worse, by paired intervals that leave out 0.',
    );
    expect(said[1]).toBe('The recipe’s own 0.6 gives f1 1.000, which is the best.');
    expect(said[2]).toMatch(
      /^The recipe’s own value is on a cliff: from 0\.6 to 0\.7 f1 changes by -0\.500 \(-0\.\d+ to -0\.\d+\)\.$/,
    );
    expect(said.join(' ')).toContain('chosen after looking at these cases');
  });

  test('of two systems say where the conclusion flips, and what the correction goes over', async () => {
    const said = sweepSentences(await sweepOf({ systems: [plain, guided] }));
    expect(said[0]).toBe(
      'No difference between plain and guided is shown up to 0.3, guided is better from 0.4 to 0.6, plain is better from 0.7. ' +
        'The sign of the difference turns between 0.6 and 0.7 (then plain is ahead).',
    );
    expect(said.join(' ')).toContain('Holm’s correction over the 2 different tests of this sweep');
    expect(said).toContain('No difference shown does not mean equal.');
  });

  test('of a grid put rows together that say the same', async () => {
    const said = sweepSentences(
      await sweepOf({ over: ['pair.threshold=0.5,0.8', 'pair.assign=greedy,optimal'], systems: [plain, guided] }),
    );
    expect(said[0]).toBe(
      'With pair.assign at every value: guided is better than plain at 0.5, plain is better at 0.8. ' +
        'The sign of the difference turns between 0.5 and 0.8 (then plain is ahead).',
    );
  });

  test('of a measure without a value say why', async () => {
    const nothing = system('one', [[0], [0]]);
    const said = sweepSentences(await sweepOf({ measures: ['precision'], systems: [nothing] }));
    expect(said[0]).toMatch(/^precision has no value anywhere: .+\.$/);
  });
});

describe('the terminal', () => {
  test.each([
    ['one system', { systems: [one] }],
    ['two systems', { systems: [plain, guided] }],
    ['a grid', { systems: [one], over: ['pair.threshold=0.00..0.20', 'pair.partial=0.0..0.5'] }],
    [
      'a grid of two systems',
      { systems: [plain, guided], over: ['pair.threshold=0..1', 'pair.assign=greedy,optimal'] },
    ],
  ])('of 80 columns holds %s', async (_, options) => {
    const text = printed(
      await sweepOf({ set: ['interval.resamples=50'], ...options }),
      makeStyle({ terminal: true, width: 80 }),
    );
    for (const line of text.split('\n')) expect([...line].length).toBeLessThanOrEqual(80);
  });

  test('shows each value with its interval and marks the recipe’s own', async () => {
    const text = printed(await sweepOf({ systems: [one] }));
    expect(text).toMatch(/^ {2}0\.5 ◂ +1\.000 +– +●/mu);
    expect(text).toMatch(/^ {2}0\.7 +0\.500 +0\.\d+ to 0\.\d+ +├─+●─+┤/mu);
  });

  test('puts the recipe’s own value among the points where it is none of them', async () => {
    const text = printed(
      await sweepOf({ over: ['pair.threshold=0.1..0.9:0.4'], set: [...QUICK, 'pair.threshold=0.6'], systems: [one] }),
    );
    const rows = text.split('\n').filter((line) => /^ {2}0\./u.test(line));
    expect(rows.map((row) => row.slice(2, 7))).toEqual(['0.1  ', '0.5  ', '0.6 ◂', '0.9  ']);
  });

  test('shows two parameters as a grid, with the best and the recipe’s own', async () => {
    const over = ['pair.threshold=0.5,0.8', 'pair.assign=greedy,optimal'];
    const text = printed(await sweepOf({ over, set: [...QUICK, 'pair.assign=optimal'], systems: [one] }));
    expect(text).toMatch(
      /^f1 ↑ +0\.5 ◂ +0\.8\n {2}greedy +★1\.000 +0\.500\n {2}optimal ◂ +★1\.000 +0\.500\n {2}pair\.threshold across, pair\.assign down$/mu,
    );
  });

  test('is never sent what a name or a value would make it do', async () => {
    const { name: _, ...rest } = one;
    const text = printed(
      await sweepOf({
        recipe: { ...IOU, pair: { ...IOU.pair, threshold: { X: 0.5 } } },
        over: ['pair.threshold={"\u001b[2J": 0.1},{X: 0.9}'],
        systems: [
          { name: '\u001b]0;boo\u0007', ...rest },
          { ...guided, sources: rest.sources },
        ],
      }),
    );
    expect(text).not.toMatch(/[\u001b\u0007]/);
  });

  test('draws a value between the ends of its interval', () => {
    expect(curveRow({ value: 0.5, interval: { low: 0.25, high: 0.75 } }, [0, 1], 9)).toBe('  ├─●─┤');
    expect(curveRow({ value: 1, interval: null }, [0, 1], 5)).toBe('    ●');
    expect(curveRow({ value: null, interval: null }, [0, 1], 5)).toBe('');
    expect(curveRow({ value: 0.5, interval: null }, [0.5, 0.5], 5)).toBe('  ●');
    expect(curveRow({ value: 1, interval: null }, [-1, 1], 5, true)).toBe('  ¦ ●');
  });
});

describe('the files of a sweep', () => {
  test('CSV has a row for each point, system and measure', async () => {
    const found = await sweepOf({ systems: [plain, guided] });
    const rows = recipeSweepCsv(found).trimEnd().split('\n');
    expect(rows).toHaveLength(1 + 9 * 2 * 3);
    expect(rows[0]).toMatch(/^pair\.threshold,own,system,measure,value,undefined,n,low,high,level,/);
    // Forty gold spans, all of them found.
    expect(rows.find((row) => row.startsWith('0.5,true,guided,recall,'))).toMatch(/^0\.5,true,guided,recall,1,,40,/);
    expect(rows.find((row) => row.startsWith('0.7,false,guided,f1,'))).toMatch(/,plain,-0\.5,.*,worse$/);
  });

  test('CSV keeps a spreadsheet from taking text for a formula, and numbers stay numbers', async () => {
    const found = await sweepOf({ over: ['pair.threshold=0.5,1'], systems: [{ ...one, name: '=cmd|x' }] });
    const [, row] = recipeSweepCsv(found).split('\n');
    expect(row).toMatch(/^0\.5,true,'=cmd\|x,f1,1,/);
  });

  test('Markdown has every value, and nothing in it is markup', async () => {
    const page = renderMarkdown(recipeSweepDocument(await sweepOf({ systems: [{ ...plain, name: '<b>|x' }, guided] })));
    expect(page).toContain('# inline over pair.threshold');
    expect(page).toContain('&lt;b&gt;\\|x');
    expect(page).not.toContain('<b>');
    // Of forty gold spans plain finds 20 with 20 wrong, guided none.
    expect(page).toMatch(/\| 0\.7 \| 0\.500 \| 0\.000 \| -0\.500 \| .+ \| worse \|/);
    expect(page).toMatch(/\| 0\.7 \| guided \| 0\.000 \|/);
    expect(page).toContain('--over pair.threshold=0.1..0.9');
  });

  test('JSON is the sweep itself', async () => {
    const found = await sweepOf({ systems: [one] });
    expect(JSON.parse(safeJson(found))).toEqual(found);
    expect(found.format).toBe(1);
  });
});
