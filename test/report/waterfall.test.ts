import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { makeStyle } from '../../src/report/style.ts';
import { waterfallFigure } from '../../src/report/svg/waterfall-figure.ts';
import { renderMarkdown } from '../../src/report/render-markdown.ts';
import { renderTerminal } from '../../src/report/render-terminal.ts';
import { casesOfWaterfall, creditNotes, movesNote, shownValue, valuesOf } from '../../src/report/waterfall-words.ts';
import { waterfallDocument, type WaterfallOptions } from '../../src/report/waterfall.ts';
import { columnDigits, shownChange } from '../../src/text/figures.ts';
import type { Moves, Waterfall, WaterfallStep } from '../../src/compare/waterfall/waterfall.ts';
import { runs } from '../laws/arbitrary-cases.ts';

const NO_MOVES: Moves = { total: 0, by: [], shown: [] };

function step(path: string, setting: string, hit: number, spurious: number, missed: number): WaterfallStep {
  const precision = hit / (hit + spurious);
  const recall = hit / (hit + missed);
  const f1 = (2 * hit) / (2 * hit + spurious + missed);
  return {
    path,
    setting,
    kinds: [{ kind: 'span', hit, spurious, missed, excused: 0, precision, recall, f1 }],
    measures: { f1, misses: missed },
    moves: path === 'strict' ? null : NO_MOVES,
  };
}

const MOVED: Moves = {
  total: 5,
  by: [
    { side: 'gold', from: 'missed', to: 'hit', n: 3 },
    { side: 'predicted', from: null, to: 'hit', n: 2 },
  ],
  shown: [
    {
      case: 'J\u001b[2J1',
      kind: 'span',
      side: 'gold',
      index: 0,
      label: 'LOC',
      text: 'Os\u202elo',
      from: 'missed',
      to: 'hit',
      rule: 'pair',
    },
    {
      case: 'J2',
      kind: 'span',
      side: 'predicted',
      index: 4,
      label: 'ORG',
      text: 'Court',
      from: null,
      to: 'hit',
      rule: 'loc-in-org',
    },
  ],
};

const MADE_UP: Waterfall = {
  recipe: 'made-up',
  cases: 3,
  kept: ['prepare.annotator'],
  measures: [
    { name: 'f1', direction: 'higher' },
    { name: 'misses', direction: 'lower' },
  ],
  shown: 'f1',
  steps: [
    step('strict', 'same label and boundaries', 3, 7, 6),
    { ...step('pair.similarity', 'iou ≥ 0.5', 6, 4, 3), moves: MOVED },
    step('judge.excuse-missed', '{ labels: [A|B] }', 6, 4, 1),
  ],
  without: [step('pair.similarity', 'iou ≥ 0.5', 3, 7, 4), step('judge.excuse-missed', '{ labels: [A|B] }', 6, 4, 3)],
};

const printed = (waterfall: Waterfall, options?: WaterfallOptions): string =>
  renderTerminal(waterfallDocument(waterfall, options), makeStyle());

describe('notes', () => {
  // Seven hits, four of them for half: credit 5, of 7 + 3 predicted and 7 + 1 gold items.
  const full = step('pair.similarity', 'iou > 0', 7, 3, 1);
  const half = { ...step('pair.partial', '0.5', 5, 3, 1), moves: NO_MOVES };
  const partly: Waterfall = {
    ...MADE_UP,
    steps: [step('strict', '', 0, 10, 8), full, { ...half, kinds: [{ ...half.kinds[0]!, hits: 7, partly: 4 }] }],
  };

  test('say what partial credit is made of, in the figure too', () => {
    const said =
      'TP 5 is the credit of 7 hits: P is credit / predicted, 5 / (7 + 3), and R is credit / gold, 5 / (7 + 1).';
    expect(creditNotes(partly)).toEqual([said, 'pair.partial: 4 hits lose credit; no verdict changes.']);
    expect(printed(partly).replaceAll(/\s+/g, ' ')).toContain(said);
    expect(waterfallFigure(partly)).toContain('TP 5 is the credit of 7 hits');
    expect(creditNotes(MADE_UP)).toEqual([]);
  });

  test('say that merged items move together where moves and counts differ', () => {
    const moves = (predicted: number): Moves => ({
      total: 3 + predicted,
      by: [
        { side: 'gold', from: 'missed', to: 'hit', n: 3 },
        { side: 'predicted', from: 'spurious', to: 'hit', n: predicted },
      ],
      shown: [],
    });
    // FP and FN fall by 3 each.
    const steps = (predicted: number): WaterfallStep[] => [
      step('strict', '', 3, 7, 6),
      { ...step('pair.similarity', '', 6, 4, 3), moves: moves(predicted) },
    ];
    expect(movesNote(steps(3))).toBeNull();
    expect(movesNote(steps(5))).toContain('before merging');
  });

  test('say how many cases there are, and which are in no row', () => {
    expect(casesOfWaterfall({ cases: 5 })).toBe('5 cases');
    expect(casesOfWaterfall({ cases: 48, failed: 12 })).toBe('60 cases, 12 failed and in no row');
    expect(casesOfWaterfall({ cases: 0, failed: 60 })).toBe('60 cases, all failed and in no row');
    expect(casesOfWaterfall({ cases: 5, scored: 7 })).toBe('5 cases, scored as 7 since a rule makes several of one');
    expect(casesOfWaterfall({ cases: 8, asked: 6 })).toBe('8 answers to 6 cases');
  });
});

describe('in a terminal', () => {
  const text = printed(MADE_UP);
  const lines = text.split('\n');

  test('the way goes from strict matching to the score, with what each step changes', () => {
    // F1: 6/19 = 0.316, 12/19 = 0.632, 12/17 = 0.706.
    expect(text).toMatch(/strict matching +3 +7 +6 +0 +0\.300 +0\.333 +0\.316\n/);
    expect(text).toMatch(/pair\.similarity +6 +4 +3 +0 +0\.600 +0\.667 +0\.632 +\+0\.316\n +iou ≥ 0\.5\n/);
    expect(text).toMatch(/judge\.excuse-missed +6 +4 +1 +0 +0\.600 +0\.857 +0\.706 +\+0\.074\n/);
    expect(text).toMatch(/in all +\+0\.390\n/);
    expect(text).toContain('Strict matching keeps prepare.annotator');
  });

  test('each rule is taken away from the whole', () => {
    // 6/17 = 0.353 and 12/19 = 0.632, against 0.706.
    expect(text).toMatch(/less pair\.similarity +3 +7 +4 +0 +0\.300 +0\.429 +0\.353 +-0\.353\n/);
    expect(text).toMatch(/less judge\.excuse-missed +6 +4 +3 +0 +0\.600 +0\.667 +0\.632 +-0\.074\n/);
  });

  test('moved items are listed, and nothing of them acts on the terminal', () => {
    expect(text).toContain('pair.similarity: 3 gold missed → hit, 2 predicted not there → hit');
    expect(text).toContain('✓ J␛[2J1: missed → hit, gold LOC “Os‹U+202E›lo”');
    expect(text).toContain('✓ J2: not there → hit (loc-in-org), predicted ORG “Court”');
    expect(text).toContain('… and 3 more');
    expect(text).not.toContain('\u001b');
    expect(printed(MADE_UP, { moves: 0 })).not.toContain('What moved');
    expect(printed(MADE_UP, { moves: 1 })).toContain('… and 4 more');
  });

  test('it fits 80 columns', () => {
    expect(lines.filter((line) => line.length > 80)).toEqual([]);
  });

  test('another measure can be followed', () => {
    const misses = printed(MADE_UP, { measure: 'misses' });
    expect(misses).toContain('misses (lower is better)');
    expect(misses).toMatch(/judge\.excuse-missed +1\.000 +-2\.000\n/);
  });

  test('a recipe without rules says so', () => {
    const strict = { ...MADE_UP, steps: MADE_UP.steps.slice(0, 1), without: [] };
    expect(printed(strict)).toContain('it has no rule to show');
  });
});

describe('several kinds of items', () => {
  const withTypes = (one: WaterfallStep, hit: number): WaterfallStep => ({
    ...one,
    kinds: [...one.kinds, { ...step('', '', hit, 1, 1).kinds[0]!, kind: 'object' }],
  });
  const both: Waterfall = {
    ...MADE_UP,
    steps: MADE_UP.steps.map((one, at) => withTypes(one, at === 0 ? 2 : 3)),
    without: MADE_UP.without.map((one) => withTypes(one, 3)),
  };

  test('a terminal leaves out steps that do nothing to a kind, and compares the F1 of all without one rule', () => {
    const text = printed(both);
    const objects = text.slice(text.indexOf('Objects'), text.indexOf('Without one rule'));
    // F1: 4/6 and 6/8.
    expect(objects).toMatch(/pair\.similarity +3 +1 +1 +0 +0\.750 +0\.750 +0\.750 +\+0\.083\n/);
    expect(objects).not.toContain('judge.excuse-missed');
    expect(objects).toContain('1 further step changes nothing here.');
    expect(text).toMatch(/less pair\.similarity +0\.353 +-0\.353 +0\.750 +0\n/);
  });

  test('a page has every step of every kind', () => {
    const page = renderMarkdown(waterfallDocument(both));
    const setting = '{ labels: \\[A\\|B\\] }';
    expect(page).toContain(`| judge.excuse-missed | ${setting} | 3 | 1 | 1 | 0 | 0.750 | 0.750 | **0.750** | 0 |`);
    expect(page).toContain('### Objects, without one rule');
  });
});

describe('as Markdown', () => {
  test('the tables have every step, text of the recipe is no markup, and no text of an item is passed on', () => {
    const text = renderMarkdown(waterfallDocument(MADE_UP));
    expect(text).toContain(
      '| strict matching | same label and boundaries | 3 | 7 | 6 | 0 | 0.300 | 0.333 | **0.316** |  |',
    );
    expect(text).toContain('{ labels: \\[A\\|B\\] }');
    expect(text).toContain('| less pair.similarity | iou ≥ 0.5 | 3 | 7 | 4 | 0 | 0.300 | 0.429 | **0.353** | -0.353 |');
    expect(text).not.toContain('Court');
  });
});

describe('numbers as they are shown', () => {
  test('the changes of a column add up to its whole way, however they are rounded', () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 2, maxLength: 20 }), (values) => {
        const digits = columnDigits(values);
        const number = (text: string): number => Math.round(Number(text) * 10 ** digits);
        const changes = values.slice(1).map((value, at) => number(shownChange(values[at]!, value, digits)));
        const way = number(shownValue(values.at(-1)!, digits)) - number(shownValue(values[0]!, digits));
        expect(changes.reduce((sum, change) => sum + change, 0)).toBe(way);
      }),
      runs,
    );
  });

  test('three values whose exact differences would round to something else', () => {
    // Exactly 0.0004 each: shown one by one they would be +0.000 twice, over a way of 0.001.
    const values = [0.5002, 0.5006, 0.501];
    expect(values.map((value) => shownValue(value, 3))).toEqual(['0.500', '0.501', '0.501']);
    expect(shownChange(0.5002, 0.5006, 3)).toBe('+0.001');
    expect(shownChange(0.5006, 0.501, 3)).toBe('0');
  });

  test('decimals are added where three would claim a perfect score', () => {
    expect(columnDigits([0.5, 0.99984])).toBe(4);
    expect(columnDigits([0, 1, 0.5])).toBe(3);
    expect(columnDigits([250, 300])).toBe(0);
  });

  test('a value that is missing is no zero', () => {
    expect(shownValue(null, 3)).toBe('–');
    expect(shownChange(null, 0.5, 3)).toBe('–');
    expect(valuesOf(MADE_UP.steps, 'constructor')).toEqual([null, null, null]);
  });
});
