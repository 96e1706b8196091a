import { thresholdOf } from '../compare/compare-verdict.ts';
import type { Comparison, MeasureComparison, PairedTest, Ranking } from '../compare/comparison.ts';
import { count, effectText, levelText, NONE, pText, signedFigure } from '../text/figures.ts';
import { arrow, betterWord } from './arrows.ts';
import {
  COMPARISON_LOOKS,
  COMPARISON_VERDICTS,
  intervalOf,
  isOverall,
  measureTitle,
  sliceText,
  systemName,
  unitWord,
  valuePair,
} from './comparison-words.ts';
import { displayWidth } from './display-width.ts';
import { type Column, quiet, type Row, type Table, type Text } from './document.ts';

const right = { align: 'right' } as const;
const SHORT_NAME = 8;
/** More than a terminal shows: a page may be quoted. */
const P_DIGITS = 4;

/** The names over two columns of values; those too long for that are in the title of the table. */
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
  most = Infinity,
): Table {
  const alpha = thresholdOf(comparison.level);
  const [baseline, other] = valueTitles(comparison, system);
  return {
    columns: [
      { title, shrinks: true },
      { title: baseline, ...right },
      { title: other, ...right },
      { title: 'diff.', ...right },
      { title: `${levelText(comparison.level)} interval` },
      { title: 'p Holm', ...right },
    ],
    rows: COMPARISON_VERDICTS.flatMap((verdict): Row[] => {
      const own = rows.filter((row) => row.verdict === verdict);
      if (own.length === 0) return [];
      const { symbol, tone } = COMPARISON_LOOKS[verdict];
      const rest = own.length > most ? `: ${count(most)} of ${count(own.length)}, --markdown FILE has them all` : '';
      return [
        { group: `${symbol} ${verdict}${rest}`, tone },
        ...own
          .slice(0, most)
          .map((row) => [
            `${measureTitle(row)} ${arrow(row)}`,
            ...valuePair(row).map(quietNone),
            quietNone(signedFigure(row.difference)),
            quietNone(intervalOf(row)),
            quietNone(pText(row.adjusted, alpha)),
          ]),
      ];
    }),
  };
}

/** The same on a page, with how many units it takes and how many differ. */
export function verdictPageTable(comparison: Comparison, system: number, rows: readonly MeasureComparison[]): Table {
  const alpha = thresholdOf(comparison.level);
  const slice = rows.every(isOverall) ? [] : [{ title: 'slice' }];
  return {
    columns: [
      { title: 'measure' },
      ...slice,
      { title: 'better is' },
      { title: systemName(comparison, 0), ...right },
      { title: systemName(comparison, system), ...right },
      { title: 'difference', ...right },
      { title: `${levelText(comparison.level)} interval`, ...right },
      { title: 'p Holm', ...right },
      { title: 'verdict' },
      { title: 'needed', ...right },
      { title: `${unitWord(comparison)}s`, ...right },
      { title: 'differing', ...right },
    ],
    rows: rows.map((row) => [
      row.name,
      ...slice.map(() => sliceText(row.slice)),
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
  };
}

/** How the cases went one by one, with effect sizes, the test behind the verdict and those that do not decide. */
export function caseTable(comparison: Comparison, rows: readonly MeasureComparison[]): Table {
  const alpha = thresholdOf(comparison.level);
  const onPage = { ...right, on: 'page' } as const;
  const p = (test: PairedTest | null): string => pText(test?.pValue ?? null, alpha, P_DIGITS);
  const how = ({ pValue, method }: PairedTest): string => (pValue === null ? NONE : method);
  const number = (value: number | null | undefined): string => (value == null ? NONE : count(value));
  const columns: readonly (readonly [Column, (row: MeasureComparison) => string])[] = [
    [{ title: 'measure', shrinks: true }, (row) => `${measureTitle(row)} ${arrow(row)}`],
    [{ title: 'p permutation', ...onPage }, ({ permutation }) => p(permutation)],
    [{ title: 'how', on: 'page' }, ({ permutation }) => how(permutation)],
    [{ title: 'won', ...right }, (row) => casesText(row)[0]],
    [{ title: 'lost', ...right }, (row) => casesText(row)[1]],
    [{ title: 'tied', ...right }, (row) => casesText(row)[2]],
    [{ title: 'no pair', ...onPage }, ({ withoutPair }) => count(withoutPair)],
    [{ title: 'dz', ...right }, ({ effect }) => effectText(effect.dz)],
    [{ title: 'rank r', ...right, drop: 1 }, ({ effect }) => effectText(effect.rankBiserial)],
    [{ title: 'standardised', ...onPage }, ({ effect }) => effectText(effect.standardised)],
    [{ title: 'Wilcoxon', ...right }, ({ wilcoxon }) => p(wilcoxon)],
    [{ title: 'how', on: 'page' }, ({ wilcoxon }) => how(wilcoxon)],
    [{ title: 'W', ...onPage }, ({ wilcoxon }) => number(wilcoxon.statistic)],
    [{ title: 'n', ...onPage }, ({ wilcoxon }) => count(wilcoxon.n)],
    [{ title: 'McNemar', ...right }, ({ mcnemar }) => p(mcnemar)],
    [{ title: 'only baseline', ...onPage }, ({ mcnemar }) => number(mcnemar?.onlyBaseline)],
    [{ title: 'only other', ...onPage }, ({ mcnemar }) => number(mcnemar?.onlyOther)],
  ];
  const yesNo = rows.some(({ mcnemar }) => mcnemar !== null);
  const shown = columns.filter(([{ title }]) => yesNo || !/^(McNemar|only)/.test(title));
  return {
    columns: shown.map(([column]) => column),
    rows: rows.map((row) => shown.map(([, cell]) => quietNone(cell(row)))),
  };
}

/** Won, lost and tied; nothing where a case has no value. */
export function casesText({ wins, losses, ties }: MeasureComparison): [string, string, string] {
  return wins + losses + ties === 0 ? [NONE, NONE, NONE] : [count(wins), count(losses), count(ties)];
}

export const RANKING_LEGEND =
  'place: 1 + the number of systems shown to be better, by the same verdicts over every two systems; = shares its place, which is no proof of being equal';

/** One line a measure: place, system, value. */
export function rankingTable(comparison: Comparison): Table {
  return {
    columns: [
      { title: 'measure', shrinks: true },
      { title: 'place, system, value', wraps: true },
    ],
    rows: comparison.ranking.map((ranking) => [
      `${ranking.name} ${arrow(ranking)}`,
      placesOf(ranking)
        .map(({ system, text }) => `${text.place} ${systemName(comparison, system)} ${text.value}`)
        .join(' · '),
    ]),
    remarks: [RANKING_LEGEND],
  };
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
export function movedTable(comparison: Comparison): Table {
  const { moved, systems } = comparison;
  const several = systems.length > 2 ? [{ title: 'system', shrinks: true }] : [];
  return {
    columns: [
      { title: 'case', shrinks: true },
      ...several,
      { title: 'from', ...right },
      { title: 'to', ...right },
      { title: 'diff.', ...right },
      { title: '' },
    ],
    rows: moved.map((one) => {
      const { symbol, tone } = COMPARISON_LOOKS[one.change];
      return [
        one.case,
        ...several.map(() => systemName(comparison, one.system)),
        ...valuePair(one),
        signedFigure(one.difference),
        { text: `${symbol} ${one.change}`, tone },
      ];
    }),
  };
}

function quietNone(text: string): Text {
  return text === NONE ? quiet(text) : text;
}
