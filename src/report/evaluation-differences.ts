import type { Range } from '../measure/measure.ts';
import type { Interval } from '../measure/results.ts';
import { thresholdOf } from '../compare/compare-verdict.ts';
import type { Comparison, MeasureComparison } from '../compare/comparison.ts';
import type { Evaluation } from '../review/evaluation.ts';
import type { ParityRow } from '../formats/case-format.ts';
import { PARITY } from '../formats/consult/bilingual.ts';
import type { SystemRun } from '../compare/compare-systems.ts';
import type { PairedDifference } from '../stats/paired-difference.ts';
import { betterWord } from './arrows.ts';
import { count, counted, figure, levelText, NONE, pText } from '../text/figures.ts';
import { comparisonNotices } from './comparison-notices.ts';
import { generalSentences, rowSentences } from './comparison-sentences.ts';
import { placesOf, RANKING_LEGEND } from './comparison-tables.ts';
import { COMPARISON_LOOKS, isOverall, systemName, unitWord } from './comparison-words.ts';
import {
  bullets,
  cell,
  Footnotes,
  type IntervalPicture,
  left,
  type PageBlock,
  type PageCell,
  paragraph,
  right,
  table,
} from './evaluation-page.ts';
import type { ValueOf } from './evaluation-values.ts';
import { drawable, niceTicks } from './svg/ticks.ts';

/** The comparison with the systems called as they are everywhere else on the page, and without a path. */
export function namedComparison({ comparison, systems }: Evaluation): Comparison | null {
  if (comparison === null) return null;
  return {
    ...comparison,
    systems: comparison.systems.map((one, at) => ({ ...one, folder: '', name: systems[at]?.system ?? one.name })),
  };
}

/** Every system beside the first: difference, how sure it is, and what it comes to. */
export function differenceBlocks(evaluation: Evaluation, valueOf: ValueOf): PageBlock[] {
  const comparison = namedComparison(evaluation);
  if (comparison === null)
    return [
      paragraph(
        evaluation.systems.length < 2
          ? 'There is one system: nothing to compare it with.'
          : 'The systems were not compared, since no runs were kept: score with --out FOLDER.',
      ),
    ];
  const others = comparison.systems.slice(1).map((_, at) => at + 1);
  const rangeOf = (name: string): Range => valueOf(evaluation.systems[0]!, name)?.range ?? [0, 1];
  return [
    paragraph(
      `Each system against ${systemName(comparison, 0)}, over ${counted(comparison.paired, 'case')} that all have: difference = other − ${systemName(comparison, 0)}.`,
    ),
    ...bullets(comparisonNotices(comparison)),
    ...others.flatMap((system) => {
      const rows = comparison.measures.filter((row) => row.system === system && isOverall(row));
      return rows.length === 0
        ? []
        : [differenceTable(comparison, system, rows, rangeOf), ...bullets(rowSentences(comparison, rows))];
    }),
    ...bullets(generalSentences(comparison)),
    ...rankingBlocks(comparison),
  ];
}

function differenceTable(
  comparison: Comparison,
  system: number,
  rows: readonly MeasureComparison[],
  rangeOf: (name: string) => Range,
): PageBlock {
  const alpha = thresholdOf(comparison.level);
  return table(
    `${systemName(comparison, system)} against ${systemName(comparison, 0)}`,
    [
      left('measure'),
      left('better is'),
      right(systemName(comparison, 0)),
      right(systemName(comparison, system)),
      right('difference'),
      right(`${levelText(comparison.level)} interval`),
      right('p Holm'),
      left('verdict'),
      right(`${unitWord(comparison)}s`),
    ],
    rows.map((row) => {
      const { symbol, tone } = COMPARISON_LOOKS[row.verdict];
      const range = rangeOf(row.name);
      return [
        row.name,
        betterWord(row),
        valueOr(row.baseline, range, NONE),
        valueOr(row.other, range, NONE),
        signed(row.difference, range, NONE),
        cell(row.interval === null ? NONE : betweenSigned(row.interval, range), { bar: differencePicture(row) }),
        pText(row.adjusted, alpha, 4),
        cell(`${symbol} ${row.verdict}`, {
          tone: tone === 'good' || tone === 'bad' || tone === 'warn' ? tone : 'quiet',
        }),
        count(row.units),
      ];
    }),
  );
}

/** Zero in the middle, so that a look says which way it goes. */
function differencePicture({ difference, interval }: PairedDifference): IntervalPicture | null {
  if (!drawable(difference) || interval === null) return null;
  const most = Math.max(Math.abs(difference), Math.abs(interval.low), Math.abs(interval.high));
  if (!drawable(most) || most === 0) return null;
  const [, end] = niceTicks(0, most, 2).ends;
  return { value: difference, low: interval.low, high: interval.high, ends: [-end, end], aim: 0 };
}

function rankingBlocks(comparison: Comparison): PageBlock[] {
  const ranked = comparison.ranking.filter(({ places }) => places.some(({ value }) => value !== null));
  if (ranked.length === 0) return [];
  const systems = comparison.systems.map((_, at) => at);
  return [
    table(
      'Places',
      [left('measure'), left('better is'), ...systems.map((system) => right(systemName(comparison, system)))],
      ranked.map((one) => {
        const places = new Map(placesOf(one).map(({ system, text }) => [system, text.place]));
        return [one.name, betterWord(one), ...systems.map((system) => places.get(system) ?? NONE)];
      }),
      [`${RANKING_LEGEND}; ${NONE}: this system has no value, for the reason above`],
    ),
  ];
}

/** The same cases answered in two languages, system by system. */
export function parityBlocks({ systems }: Evaluation, valueOf: ValueOf): PageBlock[] {
  if (systems.every((system) => valueOf(system, PARITY) === null)) return [];
  const found = systems.filter(({ parity }) => parity.length > 0);
  const without = systems.filter(({ parity }) => parity.length === 0);
  const none = without.map(({ system }) => `${system}: undefined, since no case has answers in two languages.`);
  if (found.length === 0) return bullets(none);
  return [
    paragraph(
      'Difference = other language − usual one, over the cases that were answered in both; 0 is parity. p is of a paired permutation test and is not corrected for the number of tests. That no difference is shown does not mean that there is none.',
    ),
    ...found.map((system) => parityTable(system, (name) => valueOf(system, name)?.range ?? [0, 1])),
    ...bullets(none),
  ];
}

function parityTable({ system, parity }: SystemRun, rangeOf: (name: string) => Range): PageBlock {
  const notes = new Footnotes();
  const found = parity.flatMap(({ difference, ...row }) =>
    difference?.difference == null ? [] : [{ ...row, difference }],
  );
  const level = found.find(({ difference }) => difference.interval !== null)?.difference.interval?.level ?? null;
  const made = table(
    `${system}: parity of languages`,
    [
      left('measure'),
      left('languages'),
      right('usual'),
      right('other'),
      right('difference'),
      right(level === null ? 'interval' : `${levelText(level)} interval`),
      right('p'),
      right('cases in both'),
    ],
    found.map((row) => [
      row.measure,
      `${row.language} − ${row.usual}`,
      ...parityCells(row.difference, rangeOf(row.measure), notes),
      count(row.pairs),
    ]),
  );
  const undefinedRows = parity.filter(({ difference }) => difference?.difference == null).map(whyNoParity);
  return { ...made, notes: [...notes.list(), ...undefinedRows] };
}

function whyNoParity({ measure, language, usual, difference }: ParityRow): string {
  const why = (difference?.undefined ?? 'no case has a value in both')
    .replace('undefined for the baseline', `undefined in ${usual}`)
    .replace('undefined for the other', `undefined in ${language}`);
  return `${measure} (${language} − ${usual}): undefined, ${why}`;
}

function parityCells(found: PairedDifference, range: Range, notes: Footnotes): (PageCell | string)[] {
  const { interval, noInterval, permutation } = found;
  const between =
    interval === null
      ? cell(`none ${notes.mark(`no interval: ${noInterval ?? 'no reason was given'}`)}`, { tone: 'quiet' })
      : cell(betweenSigned(interval, range), { bar: differencePicture(found) });
  const p =
    permutation.pValue === null
      ? `none ${notes.mark(`no test: ${permutation.undefined ?? 'no reason was given'}`)}`
      : pText(permutation.pValue, 0.05, 4);
  return [
    valueOr(found.baseline, range, NONE),
    valueOr(found.other, range, NONE),
    signed(found.difference, range, NONE),
    between,
    p,
  ];
}

function valueOr(value: number | null, range: Range, otherwise: string): string {
  return value === null ? otherwise : figure(value, { range });
}

/** What differs by less than this differs by the rounding of a subtraction. */
const ROUNDING = 1e-12;

/** A difference with its sign, in as many digits as the measure itself. */
function signed(value: number | null, range: Range, otherwise: string): string {
  if (value === null) return otherwise;
  const size = Math.abs(value);
  const text = figure(size < ROUNDING ? 0 : size, { range });
  return size < ROUNDING ? text : `${value < 0 ? '-' : '+'}${text}`;
}

function betweenSigned({ low, high }: Interval, range: Range): string {
  return `${signed(low, range, NONE)} to ${signed(high, range, NONE)}`;
}
