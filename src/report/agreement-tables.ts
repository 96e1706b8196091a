import type { CoefficientName } from '../stats/agreement/agreement-of-ratings.ts';
import type { AlphaMetric } from '../stats/agreement/krippendorff-alpha.ts';
import type { SpanF1 } from '../stats/agreement/pairwise-span-f1.ts';
import { count, plural, figure, levelText, NONE, percent } from '../text/figures.ts';
import type { PairwiseResult, RatingsReport, RatingsResult, SpansReport, VoteResult } from './agreement-report.ts';
import { type Column, numberColumns, quiet, type Table, type Text, textColumns, present } from './document.ts';
import type { Tone } from './style.ts';
import { figureOrNone, rangeText } from './value-text.ts';

type NamedAgreement = RatingsResult['coefficients'][number];
type VotedItem = VoteResult['items'][number];

const NAMES: Readonly<Record<CoefficientName, string>> = {
  raw_agreement: 'raw agreement',
  cohen_kappa: "Cohen's kappa",
  cohen_kappa_weighted: "Cohen's kappa",
  fleiss_kappa: "Fleiss' kappa",
  krippendorff_alpha: "Krippendorff's alpha",
  gwet_ac1: "Gwet's AC1",
};
const TONES: Readonly<Record<string, Tone>> = { met: 'good', 'not met': 'bad', inconclusive: 'warn' };
/** With more raters there is no column for each of them. */
export const MOST_RATERS = 6;
const CATEGORIES_SHOWN = 12;
const PAIRS_SHOWN = 10;
const ITEMS_SHOWN = 10;
const REST = '; --json or --out FILE lists them all';

/** A row per coefficient: value, interval, items, agreement as observed and by chance, and what became of the target. */
export function coefficientTable({ coefficients }: RatingsResult, ratings: RatingsReport, level: number): Table {
  const { scale, weights, target } = ratings;
  const nameOf = ({ name }: NamedAgreement): string =>
    name === 'cohen_kappa_weighted' ? `${NAMES[name]}, ${weights}` : NAMES[name];
  return {
    columns: present([
      ...textColumns('coefficient'),
      ...numberColumns('value'),
      { title: `${levelText(level)} interval` },
      { title: 'items', align: 'right', drop: 1 },
      ...droppable(numberColumns('observed', 'chance')),
      target !== null && { title: `> ${target}` },
    ]),
    rows: coefficients.map((one) => {
      const { observed, expected } = asAgreement(one, scale);
      const result = one.target?.result ?? NONE;
      return present([
        nameOf(one),
        ...valueCells(one),
        quiet(count(one.n)),
        quiet(figureOrNone(observed)),
        quiet(figureOrNone(expected)),
        target !== null && { text: result, tone: TONES[result] ?? 'quiet' },
      ]);
    }),
    remarks: present([
      ...reasonTexts('undefined', coefficients, nameOf, (one) => (one.value === null ? one.undefined : null)),
      ...reasonTexts('no interval', coefficients, nameOf, (one) => (one.value === null ? null : one.noInterval)),
      target !== null &&
        `> ${target}: met if the whole interval is above it, not met if none of it is, else inconclusive`,
    ]),
  };
}

/** Disagreement of unordered categories is agreement from the other side; on other scales it has a unit and stays out. */
function asAgreement(
  { of, observed, expected, name, value }: NamedAgreement,
  scale: AlphaMetric,
): { observed: number | null; expected: number | null } {
  if (value === null || (of !== 'agreement' && scale !== 'nominal')) return { observed: null, expected: null };
  if (of === 'agreement') return { observed: name === 'raw_agreement' ? null : observed, expected };
  const turned = (part: number | null): number | null => (part === null ? null : 1 - part);
  return { observed: turned(observed), expected: turned(expected) };
}

/** Why something is missing: each reason once, with the rows it belongs to unless it belongs to all. */
function reasonTexts<T>(
  what: string,
  all: readonly T[],
  nameOf: (one: T) => string,
  reasonOf: (one: T) => string | null,
): string[] {
  return [...Map.groupBy(all, reasonOf)].flatMap(([reason, own]) => {
    if (reason === null) return [];
    const of = own.length === all.length ? '' : ` for ${own.map(nameOf).join('; ')}`;
    return [`${what}${of}: ${reason}`];
  });
}

/** Cohen's kappa of every two raters: a triangle, or if there are many raters a list that begins with the lowest. */
export function pairwiseTable({ pairs, mean }: PairwiseResult, raters: readonly string[]): Table {
  const reasons = new Set(pairs.flatMap((pair) => pair.undefined ?? []));
  const remarks = present([
    mean !== null && `mean of the pairs: ${figure(mean)} (Light's kappa)`,
    reasons.size > 0 && `${NONE} undefined: ${[...reasons].join('; ')}`,
  ]);
  if (raters.length > MOST_RATERS)
    return {
      columns: [...textColumns('raters'), ...numberColumns('kappa', 'items')],
      rows: lowestFirst(pairs).map((pair) => [pairName(pair), figureOrNone(pair.value), count(pair.n)]),
      remarks,
      shown: PAIRS_SHOWN,
      rest: REST,
    };
  const values = new Map(pairs.map((pair) => [JSON.stringify(pair.raters), pair.value]));
  return {
    columns: [
      ...textColumns('rater'),
      ...numberColumns(...raters.slice(0, -1)).map((column) => ({ ...column, shrinks: true })),
    ],
    rows: raters.slice(1).map((b, row) => [
      b,
      ...raters.slice(0, -1).map((a, at) => {
        return at > row ? '' : figureOrNone(values.get(JSON.stringify([a, b])) ?? null);
      }),
    ]),
    remarks,
  };
}

/** How often each category was given, and by whom: raters who lean to a category show here. */
export function prevalenceTable({ prevalence }: RatingsResult, raters: readonly string[]): Table {
  const total = prevalence.reduce((sum, one) => sum + one.count, 0);
  const isLong = prevalence.length > CATEGORIES_SHOWN + 1;
  const columns = raters.length > MOST_RATERS ? [] : raters;
  return {
    columns: [
      ...textColumns('category'),
      ...numberColumns('share', 'all'),
      ...droppable(numberColumns(...columns)).map((column) => ({ ...column, shrinks: true })),
    ],
    rows: (isLong ? prevalence.toSorted((a, b) => b.count - a.count) : prevalence).map((one) => [
      String(one.category),
      percent(one.count, total),
      count(one.count),
      ...columns.map((_, at) => quiet(count(one.byRater[at]!))),
    ]),
    shown: CATEGORIES_SHOWN,
    rest: ' with fewer ratings',
  };
}

/** Items without a majority, with the rating of each rater. */
export function disputedTable(items: readonly VotedItem[], raters: readonly string[]): Table {
  const byRater = raters.length <= MOST_RATERS;
  return {
    columns: [...textColumns('disputed', ...(byRater ? raters : ['votes'])), { title: 'because' }],
    rows: items.map(({ item, ratings, votes }) => [
      item,
      ...(byRater
        ? ratings.map((rating): Text => (rating === null ? quiet(NONE) : String(rating)))
        : [votes.map(({ label, count: n }) => `${String(label)} (${n})`).join(', ')]),
      quiet(outcomeText(votes)),
    ]),
    shown: ITEMS_SHOWN,
    rest: REST,
  };
}

function outcomeText([first, second]: VotedItem['votes']): string {
  if (first === undefined) return '';
  return first.count === second?.count ? `tie at ${first.count}` : `only ${first.count} for ${String(first.label)}`;
}

/** The mean of the pairs, all pairs together, and each pair, lowest first. */
export function spansTable(spans: SpansReport, level: number): Table {
  const { pairs, pooled, n, match, threshold, target, noInterval } = spans;
  const common = {
    exact: 'the same place',
    overlap: 'a character in common',
    iou: `at least ${threshold ?? 0} of their characters in common`,
  }[match];
  const rows: { name: string; f1: SpanF1; counts: readonly string[] }[] = [
    { name: `mean of ${plural(pairs.length, 'pair')}`, f1: spans, counts: [count(n), '', ''] },
    { name: 'all pairs together', f1: pooled, counts: [count(n), '', ''] },
    ...lowestFirst(pairs).map((pair) => ({
      name: pairName(pair),
      f1: pair,
      counts: [count(pair.documents), `${count(pair.spansA)} and ${count(pair.spansB)}`, count(pair.matches)],
    })),
  ];
  return {
    columns: [
      ...textColumns('annotators'),
      ...numberColumns('F1'),
      { title: `${levelText(level)} interval` },
      ...numberColumns('docs'),
      ...droppable(numberColumns('spans', 'matched')),
    ],
    rows: rows.map(({ name, f1, counts }) => [name, ...valueCells(f1), ...counts.map(quiet)]),
    remarks: present([
      `spans match with the same label and ${common}`,
      ...reasonTexts(
        'undefined',
        rows,
        ({ name }) => name,
        ({ f1 }) => (f1.value === null ? f1.undefined : null),
      ),
      noInterval !== null && `no interval: ${noInterval}`,
      target !== null && `target > ${target.target}: ${target.result}; ${target.why}`,
    ]),
    shown: 2 + PAIRS_SHOWN,
    rest: REST,
  };
}

function valueCells({ value, interval }: Pick<SpanF1, 'value' | 'interval'>): Text[] {
  return [
    value === null ? quiet(NONE) : { text: figure(value), tone: 'strong' },
    interval === null ? quiet(NONE) : rangeText(interval),
  ];
}

function droppable(columns: readonly Column[]): Column[] {
  return columns.map((column) => ({ ...column, drop: 2 }));
}

function lowestFirst<T extends { readonly value: number | null }>(pairs: readonly T[]): T[] {
  return pairs.toSorted((a, b) => (a.value ?? Infinity) - (b.value ?? Infinity));
}

function pairName({ raters }: { readonly raters: readonly string[] }): string {
  return raters.join(' and ');
}
