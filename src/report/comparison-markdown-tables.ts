import { betterWord } from './arrows.ts';
import { thresholdOf } from '../compare/compare-verdict.ts';
import type { Comparison, MeasureComparison, PairedTest } from '../compare/comparison.ts';
import { intervalOf, valuePair } from './comparison-figures.ts';
import { count, effectText, levelText, NONE, pText, signedFigure } from '../text/figures.ts';
import { casesText } from './comparison-tables.ts';
import { isOverall, listed, measureTitle, sliceText, systemName, unitWord } from './comparison-words.ts';
import { markdownTable, markdownText } from './markdown-text.ts';

type Align = 'left' | 'right';
/** More than the terminal shows: a page may be quoted. */
const P_DIGITS = 4;

/** Values, difference and verdict, measure by measure. */
export function verdictRows(comparison: Comparison, system: number, rows: readonly MeasureComparison[]): string {
  const alpha = thresholdOf(comparison.level);
  const sliced = rows.some((row) => !isOverall(row));
  const titles = [
    'measure',
    ...(sliced ? ['slice'] : []),
    'better is',
    systemName(comparison, 0),
    systemName(comparison, system),
    'difference',
    `${levelText(comparison.level)} interval`,
    'p Holm',
    'verdict',
    'needed',
    `${unitWord(comparison)}s`,
    'differing',
  ];
  const left = new Set([0, sliced ? 1 : 0, sliced ? 2 : 1, titles.indexOf('verdict')]);
  const aligns = titles.map((_, at): Align => (left.has(at) ? 'left' : 'right'));
  return markdownTable(
    titles,
    aligns,
    rows.map((row) => [
      row.name,
      ...(sliced ? [sliceText(row.slice)] : []),
      betterWord(row),
      ...valuePair(row),
      signedFigure(row.difference),
      intervalOf(row),
      pText(row.adjusted, alpha, P_DIGITS),
      row.verdict,
      row.needed === null ? NONE : count(row.needed),
      count(row.units),
      count(row.differing),
    ]),
  );
}

/** The tests that stand behind a verdict and those beside it, with effect sizes. */
export function testRows(comparison: Comparison, rows: readonly MeasureComparison[]): string {
  const alpha = thresholdOf(comparison.level);
  const titles = [
    'measure',
    'p permutation',
    'how',
    'won',
    'lost',
    'tied',
    'no pair',
    'dz',
    'rank r',
    'standardised',
    'p Wilcoxon',
    'how',
    'W',
    'n',
    'p McNemar',
    'only baseline',
    'only other',
  ];
  const p = ({ pValue }: PairedTest): string => pText(pValue, alpha, P_DIGITS);
  const number = (value: number | null): string => (value === null ? NONE : count(value));
  return markdownTable(
    titles,
    titles.map((title): Align => (title === 'measure' || title === 'how' ? 'left' : 'right')),
    rows.map((row) => [
      measureTitle(row),
      p(row.permutation),
      row.permutation.pValue === null ? NONE : row.permutation.method,
      ...casesText(row),
      count(row.withoutPair),
      effectText(row.effect.dz),
      effectText(row.effect.rankBiserial),
      effectText(row.effect.standardised),
      p(row.wilcoxon),
      row.wilcoxon.pValue === null ? NONE : row.wilcoxon.method,
      number(row.wilcoxon.statistic),
      count(row.wilcoxon.n),
      ...(row.mcnemar === null
        ? [NONE, NONE, NONE]
        : [p(row.mcnemar), count(row.mcnemar.onlyBaseline), count(row.mcnemar.onlyOther)]),
    ]),
  );
}

/** Why tests have no p value, each reason once with the measures it is of. */
export function missingTests(rows: readonly MeasureComparison[]): string[] {
  const byReason = new Map<string, string[]>();
  for (const row of rows)
    for (const [test, found] of [
      ['Wilcoxon', row.wilcoxon],
      ['McNemar', row.mcnemar],
    ] as const) {
      if (found === null || found.pValue !== null) continue;
      const reason = `no p of ${test}: ${found.undefined ?? 'no reason given'}`;
      byReason.set(reason, [...(byReason.get(reason) ?? []), measureTitle(row)]);
    }
  if (byReason.size === 0) return [];
  return [[...byReason].map(([reason, names]) => `- ${markdownText(`– ${listed(names)}: ${reason}`)}`).join('\n')];
}
