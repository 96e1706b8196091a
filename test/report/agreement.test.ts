import { describe, expect, it } from 'vitest';

import { makeItem } from '../../src/data/item.ts';
import { agreementDocument } from '../../src/report/agreement.ts';
import { type AgreementReport, ratingsResult, spansReport } from '../../src/report/agreement-report.ts';
import { displayWidth } from '../../src/report/display-width.ts';
import { renderMarkdown } from '../../src/report/render-markdown.ts';
import { renderTerminal } from '../../src/report/render-terminal.ts';
import { makeStyle } from '../../src/report/style.ts';
import type { RatingsOptions } from '../../src/stats/agreement/agreement-of-ratings.ts';
import { SKEWED } from '../stats/agreement/worked-examples.ts';
import { dangerous, HOSTILE } from './made-up-run.ts';

type Row = readonly (string | number | null)[];

const RESAMPLING = { resamples: 200, level: 0.95, seed: 42, over: 'item' };
const FILE = { name: 'experts.csv', sha256: '0'.repeat(64), bytes: 10 };

interface Made {
  readonly raters?: readonly string[];
  readonly options?: RatingsOptions;
  readonly target?: number;
  readonly by?: string;
}

function reportOf(rows: readonly Row[], { raters, options = {}, target, by }: Made = {}): AgreementReport {
  const names = raters ?? rows[0]!.map((_, at) => `r${at + 1}`);
  const group = { by: by ?? null, items: rows.map((_, at) => ({ id: `C${at + 1}`, line: at + 2 })), ratings: rows };
  const { weights, ...result } = ratingsResult(group, names, { resamples: 200, ...options }, target ?? null);
  return {
    assay: '0.0.0',
    file: FILE,
    resampling: RESAMPLING,
    raters: names,
    notes: [],
    spans: null,
    ratings: {
      layout: 'wide',
      scale: options.scale ?? 'nominal',
      weights,
      target: target ?? null,
      quorum: options.quorum ?? null,
      by: by === undefined ? null : 'dimension',
      missing: [],
      results: [result],
    },
  };
}

const text = (report: AgreementReport, width = 80): string =>
  renderTerminal(agreementDocument(report), makeStyle({ width }));
const THREE: readonly Row[] = [
  ['a', 'a', 'a'],
  ['a', 'a', 'b'],
  ['b', 'b', 'b'],
  ['a', 'b', 'c'],
  ['b', null, null],
];

describe('the report on agreement', () => {
  it('shows each coefficient with value, interval and items, and how much was rated', () => {
    const shown = text(reportOf(SKEWED));
    expect(shown).toMatch(
      /^Agreement: experts\.csv\n100 items, 2 raters, 200 ratings; raters: r1, r2; scale: nominal\.\n/,
    );
    expect(shown).toMatch(/Coefficient +value +95 % interval +items +observed +chance\n/);
    expect(shown).toMatch(/ {2}Cohen's kappa +0\.318 +\S+ to 0\.\d{3} +100 +0\.850 +0\.780\n/);
    expect(shown).toMatch(/ {2}Gwet's AC1 +0\.808/);
    expect(text(reportOf(THREE))).toContain('5 items, 3 raters, 13 of 15 ratings');
    expect(shown).toContain('Intervals: percentile bootstrap over items, 200 resamples, seed 42.');
  });

  it('names the paradox once, though it bites three coefficients', () => {
    expect(text(reportOf(SKEWED)).match(/kappa paradox/g)).toHaveLength(1);
  });

  it('shows a triangle of kappas with their mean for three raters, and none for two', () => {
    // 1 and 2: a a a b against a a b b: po 3/4, pe 1/2. 1 and 3: a a b a against a b b c: po 1/2, pe = 3/16 + 2/16.
    const shown = text(reportOf(THREE.slice(0, 4)));
    expect(shown).toMatch(
      /Cohen's kappa by pair +r1 +r2\n {2}r2 +0\.500\n {2}r3 +0\.\d{3} +0\.\d{3}\n {2}mean of the pairs/,
    );
    expect(text(reportOf(SKEWED))).not.toContain('by pair');
  });

  it('lists the pairs that agree least where there are many raters', () => {
    const row = (at: number): string[] =>
      Array.from({ length: 7 }, (_, rater) => (rater === 6 || at % 2 === 0 ? 'a' : 'b'));
    const shown = text(reportOf([0, 1, 2, 3].map(row)));
    expect(shown).toMatch(/lowest first +kappa +items\n {2}r1 and r7 +0\.000/);
    expect(shown).toContain('… and 11 more; --json or --out FILE lists them all');
  });

  it('shows how often each category was given, and by whom', () => {
    expect(text(reportOf(THREE))).toMatch(/Ratings given +share +all +r1 +r2 +r3\n {2}a +46 % +6 +3 +2 +1\n/);
  });

  it('shows the disputed items with who said what, and names those with too few ratings', () => {
    const shown = text(reportOf(THREE));
    expect(shown).toContain('3 items decided, 1 disputed, 1 with too few ratings');
    expect(shown).toMatch(/disputed +r1 +r2 +r3 +because\n {2}C4 +a +b +c +tie at 1\n/);
    expect(shown).toContain('too few ratings: C5');
    expect(text(reportOf(THREE, { options: { quorum: 3 } }))).toMatch(/C2 +a +a +b +only 2 for a/);
  });

  it('shows the first ten disputed items and says where the others are', () => {
    const shown = text(reportOf(Array.from({ length: 13 }, () => ['a', 'b'])));
    expect(shown).toContain('C10');
    expect(shown).not.toContain('C11');
    expect(shown).toContain('… and 3 more; --json or --out FILE lists them all');
  });

  it('says why a coefficient is undefined and why there is no interval', () => {
    const shown = text(
      reportOf([
        ['a', 'a'],
        ['a', 'a'],
      ]),
    ).replaceAll(/\n +/g, ' ');
    expect(shown).toMatch(/Cohen's kappa +– +– +2/);
    expect(shown).toMatch(/undefined for Cohen's kappa; .*: only one category was ever used/);
    expect(shown).toContain('no interval for raw agreement: every resample gave the same value');
  });

  it('says what became of a target for each coefficient that is corrected for chance', () => {
    const shown = text(reportOf(SKEWED, { target: 0.75 }), 120);
    expect(shown).toMatch(/chance +> 0\.75\n {2}raw agreement .*–\n {2}Cohen's kappa .*not met\n/);
    expect(shown).toMatch(/Gwet's AC1 .*inconclusive\n/);
    expect(shown).toContain('> 0.75: met if the whole interval is above it, not met if none of it is');
  });

  it('heads each dimension with its value, and what belongs to it on a page with a smaller heading', () => {
    const report = reportOf(THREE, { by: 'safety' });
    expect(text(report)).toContain('\ndimension: safety  5 items, 3 raters, 13 of 15 ratings\n');
    const page = renderMarkdown(agreementDocument(report));
    expect(page.match(/^#+ .*$/gm)).toEqual([
      '# Agreement: experts.csv',
      '## dimension: safety',
      "### Cohen's kappa by pair",
      '### Ratings given',
      '### Majority vote',
    ]);
    expect(page).toMatch(/\n\| rater \| r1 \| r2 \|\n\| --- \| ---: \| ---: \|\n\| r2 \| \S+ \| {2}\|\n/);
  });

  it('names the weights, and leaves out parts that are in the unit of a scale', () => {
    const numbers = [
      [1, 1],
      [2, 3],
      [3, 3],
      [1, 2],
    ];
    const ordinal = text(reportOf(numbers, { options: { scale: 'ordinal' } }));
    expect(ordinal).toMatch(/Cohen's kappa, quadratic +0\.\d{3}/);
    expect(ordinal).toMatch(/Krippendorff's alpha +0\.\d{3} .* – +–\n/);
    expect(text(reportOf(numbers, { options: { scale: 'interval' } }))).not.toMatch(/Cohen|Fleiss|Majority/);
  });

  it.each([40, 60, 80, 120])('fits a terminal of %d columns', (width) => {
    const long = THREE.map((row) =>
      row.map((rating) => (rating === null ? null : `${String(rating)} of a long name of a class`)),
    );
    const report = reportOf(long, { raters: ['first reviewer', 'second reviewer', 'third reviewer'], target: 0.75 });
    const lines = renderTerminal(agreementDocument(report), makeStyle({ width, terminal: true })).split('\n');
    // Figures are never cut: with a target they alone need 52.
    const most = Math.max(width, 52);
    expect(lines.filter((line) => displayWidth(line) > most)).toEqual([]);
  });

  it('sends nothing to the terminal that it would act on', () => {
    const rows = [
      [HOSTILE, 'a'],
      ['a', HOSTILE],
      ['a', 'a'],
    ];
    const report = {
      ...reportOf(rows, { raters: [HOSTILE, 'b'] }),
      notes: [HOSTILE],
      file: { ...FILE, name: HOSTILE },
    };
    expect(dangerous(text(report))).toEqual([]);
  });
});

describe('the report on spans', () => {
  const spans = (end: number) => [makeItem({ kind: 'span', index: 0, start: 0, end, label: 'PERSON' })];
  const documents = Array.from({ length: 6 }, (_, at) => ({
    id: `d${at}`,
    text: null,
    spans: [spans(3), spans(at === 0 ? 4 : 3), at === 1 ? spans(3) : null],
  }));

  it('shows the mean of the pairs, all together, and each pair with its counts', () => {
    const found = spansReport(documents, ['ann', 'bea', 'cy'], { resamples: 200 }, 0.4);
    const report = { ...reportOf(THREE), raters: ['ann', 'bea', 'cy'], ratings: null, spans: found };
    const shown = text(report, 100);
    expect(shown).toMatch(/^Agreement: experts\.csv\n6 documents, 3 annotators\.\n/);
    // ann and bea: 5 of 6 documents match: 10 / 12. The others share one document, with a match.
    expect(shown).toMatch(/ {2}mean of 3 pairs +0\.944 .* 6\n {2}all pairs together +0\.875 .* 6\n/);
    expect(shown).toMatch(/ {2}ann and bea +0\.833 .* 6 +6 and 6 +5\n/);
    expect(shown).toContain('spans match with the same label and the same place');
    expect(shown).toContain('target > 0.4: met');
    expect(shown).toContain('did not annotate is left out for that annotator');
  });
});
