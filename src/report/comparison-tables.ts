import { thresholdOf } from '../compare/compare-verdict.ts';
import type { Comparison, ComparisonVerdict, MeasureComparison, Ranking } from '../compare/comparison.ts';
import { intervalOf, valuePair } from './comparison-figures.ts';
import { count, effectText, levelText, NONE, pText, signedFigure } from '../text/figures.ts';
import { arrow } from './arrows.ts';
import { COMPARISON_LOOKS, COMPARISON_VERDICTS, measureTitle, systemName } from './comparison-words.ts';
import { displayWidth } from './display-width.ts';
import type { Style } from './style.ts';
import { type Cell, type Column, tableLines } from './table.ts';

const right = { align: 'right' } as const;
const SHORT_NAME = 8;

/** The names over two columns of values; those too long to stand there are in the title of the table. */
function valueTitles(comparison: Comparison, system: number): [string, string] {
  const names: [string, string] = [systemName(comparison, 0), systemName(comparison, system)];
  return names.every((name) => displayWidth(name) <= SHORT_NAME) ? names : ['base', 'other'];
}

/**
 * The measures of one system beside the baseline, under the verdict they came to: what is better and what is worse is
 * read first. Of a group at most `most` rows.
 */
export function verdictTable(
  comparison: Comparison,
  system: number,
  title: string,
  rows: readonly MeasureComparison[],
  style: Style,
  most = Infinity,
): string[] {
  const alpha = thresholdOf(comparison.level);
  const [baseline, other] = valueTitles(comparison, system);
  const columns: Column[] = [
    { title, shrinks: true },
    { title: baseline, ...right },
    { title: other, ...right },
    { title: 'diff.', ...right },
    { title: `${levelText(comparison.level)} interval` },
    { title: 'p Holm', ...right },
  ];
  const cells = COMPARISON_VERDICTS.flatMap((verdict) => {
    const own = rows.filter((row) => row.verdict === verdict);
    if (own.length === 0) return [];
    const shown = own.slice(0, most);
    return [
      [verdictCell(verdict, shown.length, own.length)],
      ...shown.map((row): Cell[] => [
        `  ${measureTitle(row)} ${arrow(row)}`,
        ...valuePair(row).map(quietNone),
        quietNone(signedFigure(row.difference)),
        quietNone(intervalOf(row)),
        quietNone(pText(row.adjusted, alpha)),
      ]),
    ];
  });
  return tableLines(columns, cells, style);
}

function verdictCell(verdict: ComparisonVerdict, shown: number, all: number): Cell {
  const { symbol, tone } = COMPARISON_LOOKS[verdict];
  const rest = shown < all ? `: ${count(shown)} of ${count(all)}, --markdown FILE has them all` : '';
  return { span: `${symbol} ${verdict}${rest}`, tone };
}

/** How the cases went one by one, with effect sizes and the tests that do not decide. */
export function caseTable(rows: readonly MeasureComparison[], alpha: number, style: Style): string[] {
  const yesNo = rows.some(({ mcnemar }) => mcnemar !== null);
  const columns: Column[] = [
    { title: 'Case by case', shrinks: true },
    { title: 'won', ...right },
    { title: 'lost', ...right },
    { title: 'tied', ...right },
    { title: 'dz', ...right },
    { title: 'rank r', ...right, drop: 1 },
    { title: 'Wilcoxon', ...right },
    ...(yesNo ? [{ title: 'McNemar', ...right }] : []),
  ];
  const cells = rows.map((row): Cell[] => [
    `  ${measureTitle(row)} ${arrow(row)}`,
    ...casesText(row).map((text): Cell => (text === '0' ? { text, tone: 'quiet' } : quietNone(text))),
    quietNone(effectText(row.effect.dz)),
    quietNone(effectText(row.effect.rankBiserial)),
    quietNone(pText(row.wilcoxon.pValue, alpha)),
    ...(yesNo ? [quietNone(pText(row.mcnemar?.pValue ?? null, alpha))] : []),
  ]);
  return tableLines(columns, cells, style);
}

/** Won, lost and tied; nothing where a case has no value. */
export function casesText({ wins, losses, ties }: MeasureComparison): [string, string, string] {
  return wins + losses + ties === 0 ? [NONE, NONE, NONE] : [count(wins), count(losses), count(ties)];
}

export const RANKING_LEGEND =
  'place: 1 + the number of systems shown to be better, by the same verdicts over every two systems; = shares its place, which is no proof of being equal';

/** One line a measure: place, system, value. */
export function rankingTable(comparison: Comparison, style: Style): string[] {
  const cells = comparison.ranking.map((ranking): Cell[] => [
    `  ${ranking.name} ${arrow(ranking)}`,
    {
      span: placesOf(ranking).map(
        ({ system, text }) => `${text.place} ${systemName(comparison, system)} ${text.value}`,
      ),
    },
  ]);
  return tableLines([{ title: 'Ranking', shrinks: true }, { title: '' }], cells, style);
}

/** The systems of a ranking, the best first, with place and value as they are written. */
export function placesOf({
  places,
}: Ranking): { readonly system: number; readonly text: { readonly place: string; readonly value: string } }[] {
  return places.map(({ system, place, value, tied }) => ({
    system,
    text: {
      place: value === null ? NONE : `${place}${tied ? '=' : ''}`,
      value: value === null ? 'undefined' : valuePair({ baseline: value, other: value })[0],
    },
  }));
}

/** The cases whose value changed most. */
export function movedTable(comparison: Comparison, style: Style): string[] {
  const { moved, systems } = comparison;
  const first = moved[0];
  if (first === undefined) return [];
  const several = systems.length > 2;
  const [baseline, other] = several ? [systemName(comparison, 0), 'other'] : valueTitles(comparison, first.system);
  const columns: Column[] = [
    { title: `Moved most, by ${first.name}`, shrinks: true },
    ...(several ? [{ title: 'system', shrinks: true }] : []),
    { title: displayWidth(baseline) <= SHORT_NAME ? baseline : 'base', ...right },
    { title: other, ...right },
    { title: 'diff.', ...right },
    { title: '' },
  ];
  const cells = moved.map((one): Cell[] => {
    const { symbol, tone } = COMPARISON_LOOKS[one.change];
    return [
      `  ${one.case}`,
      ...(several ? [systemName(comparison, one.system)] : []),
      ...valuePair(one),
      signedFigure(one.difference),
      { text: `${symbol} ${one.change}`, tone },
    ];
  });
  return tableLines(columns, cells, style);
}

function quietNone(text: string): Cell {
  return text === NONE ? { text, tone: 'quiet' } : text;
}
