import { thresholdOf } from '../compare/compare-verdict.ts';
import type { ComparedSystem, Comparison, MeasureComparison } from '../compare/comparison.ts';
import { comparisonNotices } from './comparison-notices.ts';
import { generalSentences, rowSentences } from './comparison-sentences.ts';
import { caseTable, movedTable, RANKING_LEGEND, rankingTable, verdictTable } from './comparison-tables.ts';
import { arrowLegend } from './arrows.ts';
import { clusters, isOverall, listed, measureTitle, systemName, unitWord } from './comparison-words.ts';
import { displayWidth } from './display-width.ts';
import { prose } from './prose.ts';
import { count, counted } from '../text/figures.ts';
import { programName } from './program-name.ts';
import { safeText } from './safe-text.ts';
import { caseOption, shellWord } from './shell-word.ts';
import type { Style } from './style.ts';
import { type Cell, type Column, tableLines } from './table.ts';

/** Rows under one verdict, where a comparison goes into slices. */
const SLICES_SHOWN = 10;

/** What a person sees after comparing runs: who is better at what, how sure that is, and where to look. */
export function comparisonText(comparison: Comparison, style: Style): string {
  const others = comparison.systems.slice(1).map((_, at) => at + 1);
  const sections = [
    header(comparison, style),
    comparisonNotices(comparison).flatMap((notice) => prose(notice, style, `${style.paint('!', 'warn')} `, '  ')),
    ...others.flatMap((system) => systemSections(comparison, system, style)),
    ranking(comparison, style),
    moved(comparison, style),
  ];
  return `${sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')}\n`;
}

function header(comparison: Comparison, style: Style): string[] {
  const { systems, paired } = comparison;
  const baseline = systemName(comparison, 0);
  const title = `${listed(systems.slice(1).map(({ name }) => name))} against ${baseline}`;
  const cases = `${counted(paired, 'case')} paired`;
  const oneLine = displayWidth(safeText(title)) + displayWidth(cases) + 2 <= style.width;
  return [
    ...(oneLine
      ? [`${style.paint(title, 'strong')}  ${style.paint(cases)}`]
      : [...prose(title, style, '', '', 'strong'), style.paint(cases)]),
    ...clusters(comparison).flatMap((text) => prose(text, style)),
    '',
    ...systemTable(systems, style),
  ];
}

/** The runs; columns only for what is not the same everywhere. */
function systemTable(systems: readonly ComparedSystem[], style: Style): string[] {
  const extra: readonly (readonly [string, (system: ComparedSystem) => number])[] = [
    ['failed', ({ failed }) => failed],
    ['no answer', ({ unanswered }) => unanswered],
    ['not paired', ({ unpaired }) => unpaired.n],
  ];
  const shown = extra.filter(([, of]) => systems.some((system) => of(system) > 0));
  const columns: Column[] = [
    { title: 'Runs', shrinks: true },
    { title: '' },
    { title: 'cases', align: 'right' },
    ...shown.map(([title]): Column => ({ title, align: 'right' })),
  ];
  const cells = systems.map((system, at): Cell[] => [
    `  ${system.name}`,
    { text: at === 0 ? 'baseline' : '', tone: 'quiet' },
    count(system.cases),
    ...shown.map(([, of]): Cell => ({ text: count(of(system)), tone: of(system) === 0 ? 'quiet' : null })),
  ]);
  return tableLines(columns, cells, style);
}

/** One system beside the baseline: the verdicts, then the cases, then the slices if they were asked for. */
function systemSections(comparison: Comparison, system: number, style: Style): string[][] {
  const rows = comparison.measures.filter((row) => row.system === system);
  const overall = rows.filter(isOverall);
  const slices = rows.filter((row) => !isOverall(row));
  const several = comparison.systems.length > 2;
  const title = several ? `${systemName(comparison, system)} against ${systemName(comparison, 0)}` : 'Measure';
  return [
    ...(overall.length === 0
      ? []
      : [
          [
            ...verdictTable(comparison, system, title, overall, style),
            ...legend([...arrowLegend(overall), ...distances(overall)], style),
          ],
          // How verdicts come about holds for all systems and is said once.
          remarks([...(system === 1 ? generalSentences(comparison) : []), ...rowSentences(comparison, overall)], style),
          casesOf(comparison, system, overall, style),
        ]),
    ...(slices.length === 0
      ? []
      : [
          verdictTable(comparison, system, several ? `${title}: slices` : 'Slices', slices, style, SLICES_SHOWN),
          remarks(rowSentences(comparison, slices), style),
        ]),
  ];
}

/** The cases one by one, for measures that have values per case. What the columns mean is said once. */
function casesOf(comparison: Comparison, system: number, rows: readonly MeasureComparison[], style: Style): string[] {
  const shown = rows.filter(({ wins, losses, ties }) => wins + losses + ties > 0);
  if (shown.length === 0) return [];
  const unit = unitWord(comparison);
  const name = comparison.systems.length > 2 ? 'the other' : systemName(comparison, system);
  const yesNo = shown.some(({ mcnemar }) => mcnemar !== null);
  const without = Math.max(0, ...shown.map(({ withoutPair }) => withoutPair));
  const rest = rows.filter((row) => !shown.includes(row)).map(measureTitle);
  return [
    ...caseTable(shown, thresholdOf(comparison.level), style),
    ...legend(
      [
        ...(system > 1
          ? []
          : [
              `won, lost, tied: ${unit}s where ${name} is better, worse, the same; dz: mean of the differences per ${unit} / their standard deviation; rank r: rank-biserial correlation; Wilcoxon${yesNo ? ', McNemar' : ''}: p before correction`,
            ]),
        ...(without === 0
          ? []
          : [
              `up to ${count(without)} ${unit}s have a value in one run only: no win, loss or tie, and no part of a mean over ${unit}s`,
            ]),
        ...(rest.length === 0 ? [] : [`no ${unit} has a value in both runs: ${listed(rest)}`]),
      ],
      style,
    ),
  ];
}

function ranking(comparison: Comparison, style: Style): string[] {
  if (comparison.ranking.length === 0) return [];
  return [...rankingTable(comparison, style), ...legend([RANKING_LEGEND], style)];
}

function moved(comparison: Comparison, style: Style): string[] {
  const first = comparison.moved[0];
  if (first === undefined) return [];
  const folders = [0, first.system].flatMap((at) => comparison.systems[at]?.folder ?? []);
  return [
    ...movedTable(comparison, style),
    '',
    ...folders.map((folder, at) => {
      const command = `${programName()} explain ${shellWord(folder)} ${caseOption(first.case)}`;
      return `${style.paint((at === 0 ? 'See the first of them' : '').padEnd(23))}${style.paint(command, 'strong')}`;
    }),
  ];
}

/** Sentences of which each stands for itself. */
function remarks(texts: readonly string[], style: Style): string[] {
  return texts.flatMap((text) => prose(text, style, '- ', '  '));
}

function legend(texts: readonly string[], style: Style): string[] {
  return texts.flatMap((text) => prose(text, style, '  ', '  ', 'quiet'));
}

/** What is compared where the best value lies between the ends. */
function distances(rows: readonly MeasureComparison[]): string[] {
  const best = rows.find((row) => row.best !== undefined)?.best;
  return best === undefined ? [] : [`→${best}: diff. and interval are of the distance from ${best}`];
}
