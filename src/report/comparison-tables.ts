import { thresholdOf } from '../compare/compare-verdict.ts';
import type { Comparison, MeasureComparison, PairedTest, Ranking } from '../compare/comparison.ts';
import { count, effectText, levelText, NONE, pText, signedFigure } from '../text/figures.ts';
import { arrow } from './arrows.ts';
import {
  changedValues,
  changeText,
  COMPARISON_LOOKS,
  COMPARISON_VERDICTS,
  correctedTitle,
  intervalOf,
  measureTitle,
  systemName,
  testsOf,
  unitWord,
  valuePair,
} from './comparison-words.ts';
import { displayWidth } from './display-width.ts';
import {
  type FilledColumn,
  filledTable,
  quiet,
  type TableRow,
  type Section,
  type Table,
  type Text,
} from './document.ts';

const right = { align: 'right' } as const;
const onPage = { ...right, on: 'page' } as const;
const SHORT_NAME = 8;

/** The names over two columns of values; those too long for that are in the title of the table. */
function valueTitles(comparison: Comparison, system: number): [string, string] {
  const names: [string, string] = [systemName(comparison, 0), systemName(comparison, system)];
  return names.every((name) => displayWidth(name) <= SHORT_NAME) ? names : ['base', 'other'];
}

/**
 * The measures of one system beside the baseline, under the verdict they came to: what is better and what is worse is
 * read first.
 */
export function verdictTable(comparison: Comparison, system: number, measures: readonly MeasureComparison[]): Table {
  const [baseline, other] = valueTitles(comparison, system);
  const corrected = ({ adjusted }: MeasureComparison): Text =>
    quietNone(pText(adjusted, thresholdOf(comparison.level)));
  const columns: readonly FilledColumn<MeasureComparison>[] = [
    [{ title: 'measure', shrinks: true }, (row) => `${measureTitle(row)} ${arrow(row)}`],
    [{ title: baseline, ...right }, (row) => quietNone(valuePair(row)[0])],
    [{ title: other, ...right }, (row) => quietNone(valuePair(row)[1])],
    [{ title: 'diff.', ...right }, ({ difference }) => quietNone(signedFigure(difference))],
    [{ title: `${levelText(comparison.level)} interval` }, differenceInterval],
    [{ title: `p (${count(testsOf(comparison, measures))})`, ...right, on: 'terminal' }, corrected],
    [{ title: correctedTitle(comparison, measures), ...onPage }, corrected],
    [{ title: 'needed', ...onPage }, ({ needed }) => (needed === null ? NONE : count(needed))],
    [{ title: `${unitWord(comparison)}s`, ...onPage }, ({ units }) => count(units)],
    [{ title: 'differing', ...onPage }, ({ differing }) => count(differing)],
  ];
  const rows = COMPARISON_VERDICTS.flatMap((verdict): TableRow[] => {
    const own = measures.filter((row) => row.verdict === verdict);
    const { symbol, tone } = COMPARISON_LOOKS[verdict];
    return own.length === 0 ? [] : [{ group: `${symbol} ${verdict}`, tone }, ...filledTable(columns, own).rows];
  });
  return { ...filledTable(columns, measures), rows };
}

/** With a bar that has zero in its middle, so that a look shows which way it goes. */
export function differenceInterval({ difference, interval }: Pick<MeasureComparison, 'difference' | 'interval'>): Text {
  if (interval === null) return quiet(NONE);
  const text = intervalOf({ interval });
  if (difference === null) return text;
  const most = Math.max(...[difference, interval.low, interval.high].map(Math.abs));
  return { text, bar: { value: difference, interval, ends: [-most, most], aim: 0 } };
}

/** How the cases went one by one, with effect sizes, the test behind the verdict and those that do not decide. */
export function caseTable(comparison: Comparison, rows: readonly MeasureComparison[]): Table {
  const alpha = thresholdOf(comparison.level);
  const p = (test: PairedTest | null): string => pText(test?.pValue ?? null, alpha);
  const how = ({ pValue, method }: PairedTest): string => (pValue === null ? NONE : method);
  const number = (value: number | null | undefined): string => (value == null ? NONE : count(value));
  const columns: readonly FilledColumn<MeasureComparison>[] = [
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
  const { columns: titles, rows: cells } = filledTable(shown, rows);
  return { columns: titles, rows: cells.map((row) => ('group' in row ? row : row.map(quietNone))) };
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

/** The cases that changed most. */
export function movedTable(comparison: Comparison): Table {
  const { moved, systems, changes } = comparison;
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
        ...changedValues(changes.by, one),
        changeText(changes.by, one.difference),
        { text: `${symbol} ${one.change}`, tone },
      ];
    }),
  };
}

function quietNone(text: Text): Text {
  return text === NONE ? quiet(NONE) : text;
}

export const VERDICT_TERMS: readonly (readonly [term: string, meaning: string])[] = [
  [
    'p permutation',
    'the two systems’ answers are swapped case by case and the measure is worked out again; p is the share of swaps with a difference as large',
  ],
  [
    'p (n tests)',
    'the same after Holm’s correction over the n tests of its family: the measures compared, or all slices. Constants are not tests, and measures that are the same in every case are one',
  ],
  ['better, worse', 'the corrected p is below 1 − level and the interval of the difference excludes 0'],
  [
    'too little data',
    'so few cases that no p could get there, too many resamples without a value, or the difference is at least small (standardised 0.2) but there were fewer cases than it takes to show it (needed, at 80 % power)',
  ],
  ['no difference shown', 'none of these; it does not mean that the systems are equal'],
];

export function signatureSection(systems: readonly { readonly name: string; readonly signature: string }[]): Section {
  const text =
    'They name everything that affects a number. Numbers whose signatures differ in more than the predictions are not comparable.';
  const blocks = [{ text }, ...systems.map(({ name, signature }) => ({ code: signature, lead: `${name}:` }))];
  return { title: 'Signatures', on: 'page', blocks };
}
