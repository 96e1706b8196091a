import type { CoefficientName } from '../stats/agreement/agreement-of-ratings.ts';
import type { AlphaMetric } from '../stats/agreement/krippendorff-alpha.ts';
import type { KappaWeights } from '../stats/agreement/cohen-kappa.ts';
import type {
  NamedAgreement,
  PairwiseResult,
  RaterPrevalence,
  RatingsReport,
  RatingsResult,
} from './agreement-report.ts';
import { count, counted, figure, levelText, percent } from '../text/figures.ts';
import { quietLines } from './quiet-lines.ts';
import type { Style, Tone } from './style.ts';
import { type Cell, type Column, type Piece, tableLines } from './table.ts';

const NAMES: Readonly<Record<CoefficientName, string>> = {
  raw_agreement: 'raw agreement',
  cohen_kappa: "Cohen's kappa",
  cohen_kappa_weighted: "Cohen's kappa",
  fleiss_kappa: "Fleiss' kappa",
  krippendorff_alpha: "Krippendorff's alpha",
  gwet_ac1: "Gwet's AC1",
};
const MOST_CATEGORIES = 12;
const MOST_RATERS = 6;
const MOST_PAIRS = 10;
const NONE: Piece = { text: '–', tone: 'quiet' };
const TONES: Readonly<Record<string, Tone>> = { met: 'good', 'not met': 'bad', 'cannot tell': 'warn' };

/** One row a coefficient: value, interval, items, agreement as observed and by chance, and what became of the target. */
export function coefficientLines(
  result: RatingsResult,
  { scale, weights, target }: RatingsReport,
  level: number,
  style: Style,
): string[] {
  const right = 'right' as const;
  const columns: Column[] = [
    { title: 'Coefficient', shrinks: true },
    { title: 'value', align: right },
    { title: `${levelText(level)} interval` },
    { title: 'items', align: right },
    { title: 'observed', align: right, drop: 1 },
    { title: 'chance', align: right, drop: 1 },
    ...(target === null ? [] : [{ title: `> ${target}` }]),
  ];
  const rows = result.coefficients.map((one): Cell[] => {
    const name = `  ${nameOf(one, weights)}`;
    if (one.value === null) return [name, { span: `undefined: ${one.undefined ?? 'no reason given'}`, tone: 'quiet' }];
    const { observed, expected } = asAgreement(one, scale);
    return [
      name,
      { text: figure(one.value), tone: 'strong' },
      one.interval === null ? NONE : `${figure(one.interval.low)} to ${figure(one.interval.high)}`,
      { text: count(one.n), tone: 'quiet' },
      observed === null ? NONE : { text: figure(observed), tone: 'quiet' },
      expected === null ? NONE : { text: figure(expected), tone: 'quiet' },
      ...(target === null ? [] : [targetCell(one)]),
    ];
  });
  return [...tableLines(columns, rows, style), ...remarks(result, weights, target, style)];
}

function nameOf({ name }: NamedAgreement, weights: KappaWeights): string {
  return name === 'cohen_kappa_weighted' ? `${NAMES[name]}, ${weights}` : NAMES[name];
}

function targetCell({ target }: NamedAgreement): Cell {
  return target === null ? NONE : { text: target.result, tone: TONES[target.result] ?? null };
}

/** Disagreement of unordered categories is agreement from the other side; on other scales it has a unit and stays out. */
function asAgreement(
  { of, observed, expected, name }: NamedAgreement,
  scale: AlphaMetric,
): { observed: number | null; expected: number | null } {
  if (of === 'agreement') return { observed: name === 'raw_agreement' ? null : observed, expected };
  const turned = (value: number | null): number | null => (value === null || scale !== 'nominal' ? null : 1 - value);
  return { observed: turned(observed), expected: turned(expected) };
}

/** Below the table: why there are no intervals, each reason once, and how the target is judged. */
function remarks(
  { coefficients }: RatingsResult,
  weights: KappaWeights,
  target: number | null,
  style: Style,
): string[] {
  const byReason = Map.groupBy(
    coefficients.filter(({ value, noInterval }) => value !== null && noInterval !== null),
    ({ noInterval }) => noInterval ?? '',
  );
  return [
    ...[...byReason].map(([reason, ones]) => {
      const names =
        ones.length === coefficients.length
          ? 'no interval'
          : `no interval for ${ones.map((one) => nameOf(one, weights)).join('; ')}`;
      return `${names}: ${reason}`;
    }),
    ...(target === null
      ? []
      : [`> ${target}: met where the whole interval lies above it, not met where none of it does`]),
  ].flatMap((text) => quietLines(text, style));
}

/** Cohen's kappa of every two raters: a triangle, or the pairs that agree least where there are many raters. */
export function pairwiseLines(
  pairwise: PairwiseResult,
  raters: readonly string[],
  weights: KappaWeights,
  style: Style,
): string[] {
  const heading = `Cohen's kappa by pair${weights === 'none' ? '' : `, ${weights} weights`}`;
  const valueOf = new Map(pairwise.pairs.map((pair) => [JSON.stringify(pair.raters), pair]));
  const cell = (a: string, b: string): Cell => {
    const value = valueOf.get(JSON.stringify([a, b]))?.value ?? null;
    return value === null ? NONE : figure(value);
  };
  const lines =
    raters.length <= MOST_RATERS
      ? tableLines(
          [
            { title: heading, shrinks: true },
            ...raters.slice(0, -1).map((title) => ({ title, align: 'right' as const, shrinks: true })),
          ],
          raters.slice(1).map((b, at) => [`  ${b}`, ...raters.slice(0, at + 1).map((a) => cell(a, b))]),
          style,
        )
      : leastAgreeing(heading, pairwise, style);
  const reasons = new Set(pairwise.pairs.flatMap((pair) => pair.undefined ?? []));
  return [
    ...lines,
    ...(pairwise.mean === null ? [] : quietLines(`mean of the pairs: ${figure(pairwise.mean)} (Light's kappa)`, style)),
    ...(reasons.size === 0 ? [] : quietLines(`– undefined: ${[...reasons].join('; ')}`, style)),
  ];
}

function leastAgreeing(heading: string, { pairs }: PairwiseResult, style: Style): string[] {
  const sorted = pairs.toSorted((a, b) => (a.value ?? 2) - (b.value ?? 2)).slice(0, MOST_PAIRS);
  const columns: Column[] = [
    { title: `${heading}, lowest first`, shrinks: true },
    { title: 'kappa', align: 'right' },
    { title: 'items', align: 'right' },
  ];
  const rows = sorted.map(({ raters, value, n }): Cell[] => [
    `  ${raters.join(' and ')}`,
    value === null ? NONE : figure(value),
    count(n),
  ]);
  const rest = pairs.length - sorted.length;
  return [
    ...tableLines(columns, rows, style),
    ...(rest > 0 ? quietLines(`… and ${counted(rest, 'pair')} more; --json lists them`, style) : []),
  ];
}

/** How often each category was given, and by whom: raters who lean to a category show here. */
export function prevalenceLines(
  prevalence: readonly RaterPrevalence[],
  raters: readonly string[],
  style: Style,
): string[] {
  if (prevalence.length === 0) return [];
  const shown =
    prevalence.length <= MOST_CATEGORIES + 1
      ? prevalence
      : prevalence.toSorted((a, b) => b.count - a.count).slice(0, MOST_CATEGORIES);
  const total = prevalence.reduce((sum, one) => sum + one.count, 0);
  const columns: Column[] = [
    { title: 'Ratings given', shrinks: true },
    { title: 'share', align: 'right' },
    { title: 'all', align: 'right' },
    ...(raters.length <= MOST_RATERS
      ? raters.map((title): Column => ({ title, align: 'right', shrinks: true, drop: 1 }))
      : []),
  ];
  const rows = shown.map((one): Cell[] => [
    `  ${String(one.category)}`,
    percent(one.count, total),
    count(one.count),
    ...(raters.length <= MOST_RATERS ? one.byRater.map((own): Cell => ({ text: count(own), tone: 'quiet' })) : []),
  ]);
  const rest = prevalence.length - shown.length;
  return [
    ...tableLines(columns, rows, style),
    ...(rest > 0 ? quietLines(`… and ${counted(rest, 'category', 'categories')} more with fewer ratings`, style) : []),
  ];
}
