import type { SystemRun } from '../compare/compare-systems.ts';
import { thresholdOf } from '../compare/compare-verdict.ts';
import type { Comparison, MeasureComparison } from '../compare/comparison.ts';
import type { ParityRow } from '../formats/case-format.ts';
import { PARITY } from '../formats/consult/bilingual.ts';
import type { Range } from '../measure/measure.ts';
import type { Interval } from '../measure/results.ts';
import type { Evaluation } from '../review/evaluation.ts';
import type { PairedDifference } from '../stats/paired-difference.ts';
import { count, counted, figure, levelText, NONE, pText } from '../text/figures.ts';
import { betterWord } from './arrows.ts';
import { comparisonNotices } from './comparison-notices.ts';
import { generalSentences, rowSentences } from './comparison-sentences.ts';
import { placesOf, RANKING_LEGEND, verdictTable } from './comparison-tables.ts';
import { COMPARISON_LOOKS, isOverall, systemName, unitWord } from './comparison-words.ts';
import { type Block, type IntervalBar, numberColumns, type Piece, type Table } from './document.ts';
import { type EvaluationContext, Footnotes, intervalBar, isDrawable, lacking, roundEnds } from './evaluation-values.ts';

/** The comparison with the systems named as everywhere else in the document, and without a path. */
export function namedComparison({ comparison, systems }: Evaluation): Comparison | null {
  if (comparison === null) return null;
  return {
    ...comparison,
    systems: comparison.systems.map((one, at) => ({ ...one, folder: '', name: systems[at]?.system ?? one.name })),
  };
}

/** Every system beside the first: difference, interval, test and verdict. */
export function differenceBlocks(context: EvaluationContext): Block[] {
  const comparison = namedComparison(context);
  if (comparison === null) {
    const why =
      context.systems.length < 2
        ? 'There is one system: nothing to compare it with.'
        : 'The systems were not compared, since no runs were kept: score with --out FOLDER.';
    return [{ text: why, on: 'page' }];
  }
  const baseline = systemName(comparison, 0);
  const pairs = comparison.systems.slice(1).flatMap((_, at): Block[] => {
    const system = at + 1;
    const rows = comparison.measures.filter((row) => row.system === system && isOverall(row));
    const lead = `${systemName(comparison, system)} against ${baseline}`;
    if (rows.length === 0) return [];
    return [
      { ...verdictTable(comparison, system, 'measure', rows), lead, on: 'terminal' },
      { ...differenceTable(context, comparison, system, rows), lead, on: 'page' },
      { list: rowSentences(comparison, rows), bullets: true },
    ];
  });
  return [
    {
      text: `Each system against ${baseline}, over ${counted(comparison.paired, 'case')} that all have: difference = other − ${baseline}.`,
    },
    { list: comparisonNotices(comparison), bullets: true },
    ...pairs,
    { list: generalSentences(comparison), bullets: true },
    rankingTable(comparison),
  ];
}

function differenceTable(
  { systems, valueOf }: EvaluationContext,
  comparison: Comparison,
  system: number,
  rows: readonly MeasureComparison[],
): Table {
  return {
    columns: [
      { title: 'measure' },
      { title: 'better is' },
      ...numberColumns(
        systemName(comparison, 0),
        systemName(comparison, system),
        'difference',
        `${levelText(comparison.level)} interval`,
        'p Holm',
      ),
      { title: 'verdict' },
      ...numberColumns(`${unitWord(comparison)}s`),
    ],
    rows: rows.map((row) => {
      const { symbol, tone } = COMPARISON_LOOKS[row.verdict];
      const range: Range = valueOf(systems[0]!, row.name)?.range ?? [0, 1];
      return [
        row.name,
        betterWord(row),
        ...differenceTexts(row, range),
        row.interval === null ? NONE : intervalPiece(row, row.interval, range),
        pText(row.adjusted, thresholdOf(comparison.level), 4),
        { text: `${symbol} ${row.verdict}`, tone: tone ?? 'quiet' },
        count(row.units),
      ];
    }),
  };
}

function rankingTable({ ranking, systems }: Comparison): Table {
  return {
    on: 'page',
    lead: 'Places',
    columns: [{ title: 'measure' }, { title: 'better is' }, ...numberColumns(...systems.map(({ name }) => name))],
    rows: ranking
      .filter(({ places }) => places.some(({ value }) => value !== null))
      .map((one) => {
        const places = new Map(placesOf(one).map(({ system, text }) => [system, text.place]));
        return [one.name, betterWord(one), ...systems.map((_, system) => places.get(system) ?? NONE)];
      }),
    remarks: [`${RANKING_LEGEND}; ${NONE}: this system has no value, for the reason above`],
  };
}

/** The same cases answered in two languages, by system. */
export function parityBlocks({ systems, valueOf, hasMeasure }: EvaluationContext): Block[] {
  if (!hasMeasure(PARITY)) return [];
  const [bilingual, others] = [systems.filter(hasParity), systems.filter((one) => !hasParity(one))];
  const none = others.map(({ system }) => `${system}: undefined, since no case has answers in two languages.`);
  const tables = bilingual.map((system) => parityBlock(system, (name) => valueOf(system, name)?.range ?? [0, 1]));
  return [
    ...(tables.length === 0
      ? []
      : [
          {
            text: 'Difference = other language − default one, over the cases that were answered in both; 0 is parity. p is of a paired permutation test and is not corrected for the number of tests. Showing no difference does not prove parity.',
          },
        ]),
    ...tables,
    { list: none },
  ];
}

function hasParity({ parity }: SystemRun): boolean {
  return parity.length > 0;
}

function parityBlock({ system, parity }: SystemRun, rangeOf: (name: string) => Range): Block {
  const notes = new Footnotes();
  const defined = parity.flatMap(({ difference, ...row }) =>
    difference?.difference == null ? [] : [{ ...row, difference }],
  );
  const level = defined.find(({ difference }) => difference.interval !== null)?.difference.interval?.level ?? null;
  const interval = level === null ? 'interval' : `${levelText(level)} interval`;
  const rows = defined.map(({ measure, language, usual, difference, pairs }) => {
    const { interval: between, noInterval, permutation } = difference;
    const range = rangeOf(measure);
    return [
      measure,
      `${language} − ${usual}`,
      ...differenceTexts(difference, range),
      between === null
        ? lacking('none', `no interval: ${noInterval ?? 'no reason was given'}`, notes)
        : intervalPiece(difference, between, range),
      permutation.pValue === null
        ? lacking('none', `no test: ${permutation.undefined ?? 'no reason was given'}`, notes)
        : pText(permutation.pValue, 0.05, 4),
      count(pairs),
    ];
  });
  const undefinedRows = parity.filter(({ difference }) => difference?.difference == null).map(whyNoParity);
  const lead = `${system}: parity of languages`;
  if (rows.length === 0) return { lead, list: undefinedRows };
  return {
    lead,
    columns: [
      { title: 'measure' },
      { title: 'languages' },
      ...numberColumns('default', 'other', 'difference', interval, 'p', 'cases in both'),
    ],
    rows,
    remarks: [...notes.list(), ...undefinedRows],
  };
}

function whyNoParity({ measure, language, usual, difference }: ParityRow): string {
  const why = (difference?.undefined ?? 'no case has a value in both')
    .replace('undefined for the baseline', `undefined in ${usual}`)
    .replace('undefined for the other', `undefined in ${language}`);
  return `${measure} (${language} − ${usual}): undefined, ${why}`;
}

/** Both values and their difference, in as many digits as the measure itself. */
function differenceTexts(
  { baseline, other, difference }: Pick<PairedDifference, 'baseline' | 'other' | 'difference'>,
  range: Range,
): string[] {
  const values = [baseline, other].map((value) => (value === null ? NONE : figure(value, { range })));
  return [...values, signed(difference, range)];
}

/** Below this a difference is the rounding of a subtraction. */
const ROUNDING = 1e-12;

function signed(value: number | null, range: Range): string {
  if (value === null) return NONE;
  const size = Math.abs(value);
  return size < ROUNDING ? figure(0, { range }) : `${value < 0 ? '-' : '+'}${figure(size, { range })}`;
}

function intervalPiece({ difference }: Pick<PairedDifference, 'difference'>, interval: Interval, range: Range): Piece {
  const { low, high } = interval;
  return { text: `${signed(low, range)} to ${signed(high, range)}`, bar: differenceBar(difference, interval) };
}

/** Zero in the middle, so that a look shows which way it goes. */
function differenceBar(difference: number | null, interval: Interval): IntervalBar | null {
  if (!isDrawable(difference)) return null;
  const most = Math.max(Math.abs(difference), Math.abs(interval.low), Math.abs(interval.high));
  if (!isDrawable(most) || most === 0) return null;
  const [, end] = roundEnds(0, most);
  return intervalBar(difference, interval, [-end, end], 0);
}
