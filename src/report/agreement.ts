import { agreementSpanLines } from './agreement-spans.ts';
import type { AgreementReport, RatingsReport, RatingsResult } from './agreement-report.ts';
import { coefficientLines, pairwiseLines, prevalenceLines } from './agreement-tables.ts';
import { voteLines } from './agreement-vote.ts';
import { displayWidth } from './display-width.ts';
import { prose } from './prose.ts';
import { count, counted } from '../text/figures.ts';
import { safeText } from './safe-text.ts';
import type { Style } from './style.ts';

/** What a person sees of `assay agree`: coefficients with intervals, who agrees with whom, what to mind, what is disputed. */
export function agreementText(report: AgreementReport, style: Style): string {
  const { ratings, spans, raters } = report;
  const sections: string[][] = [];
  if (ratings !== null) {
    sections.push([...header(report, ratings, style), ...notes(report.notes, style)]);
    for (const result of ratings.results) sections.push(...resultSections(result, ratings, raters, report, style));
  }
  if (spans !== null) {
    sections.push(
      title(report, `${counted(spans.n + spans.left, 'document')}, ${counted(raters.length, 'annotator')}`, style),
    );
    sections.push(agreementSpanLines(spans, report.resampling.level, style));
    sections.push(notes(unique([...report.notes, ...spans.notes]), style));
  }
  sections.push(footer(report, style));
  return `${sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')}\n`;
}

/** The file and how much there is, on a line each where one does not suffice. */
function title({ file }: AgreementReport, about: string, style: Style): string[] {
  const parts = [style.paint(file.name, 'strong'), style.paint(about)];
  return displayWidth(safeText(file.name)) + 2 + about.length > style.width ? parts : [parts.join('  ')];
}

function header(report: AgreementReport, ratings: RatingsReport, style: Style): string[] {
  const { raters } = report;
  const only = ratings.results.length === 1 && ratings.by === null ? ratings.results[0]! : null;
  const missing = ratings.missing.reduce((sum, part) => sum + part.count, 0);
  const marks = ratings.missing.map(({ mark, count: n }) => `${count(n)} ${mark === '' ? 'empty' : mark}`).join(', ');
  const about = [
    `raters: ${raters.join(', ')}`,
    `scale: ${ratings.scale}`,
    ...(missing === 0 ? [] : [`${counted(missing, 'cell')} without a rating (${marks})`]),
  ].join('; ');
  return [
    ...title(report, only === null ? counted(raters.length, 'rater') : sizeOf(only, raters), style),
    ...prose(about, style),
  ];
}

/** How much there is: 24 items, 3 raters, 67 of 72 ratings. */
function sizeOf({ items, given, possible }: RatingsResult, raters: readonly string[]): string {
  const ratings = given === possible ? counted(given, 'rating') : `${count(given)} of ${counted(possible, 'rating')}`;
  return `${counted(items, 'item')}, ${counted(raters.length, 'rater')}, ${ratings}`;
}

function resultSections(
  result: RatingsResult,
  ratings: RatingsReport,
  raters: readonly string[],
  report: AgreementReport,
  style: Style,
): string[][] {
  const heading =
    result.by === null
      ? []
      : [`${style.paint(`${ratings.by ?? ''}: ${result.by}`, 'strong')}  ${style.paint(sizeOf(result, raters))}`];
  return [
    heading,
    coefficientLines(result, ratings, report.resampling.level, style),
    result.pairwise === null ? [] : pairwiseLines(result.pairwise, raters, ratings.weights, style),
    prevalenceLines(result.prevalence, raters, style),
    notes(unique(result.coefficients.flatMap((coefficient) => coefficient.notes)), style),
    result.vote === null ? [] : voteLines(result.vote, ratings.quorum, raters, style),
  ];
}

/** Notes that differ in their figures only are said once: those of the first coefficient that has them. */
function unique(all: readonly string[]): string[] {
  const byKind = new Map<string, string>();
  for (const note of all) {
    const kind = note.split(': ', 1)[0]!.replaceAll(/\d+/g, '#');
    if (!byKind.has(kind)) byKind.set(kind, note);
  }
  return [...byKind.values()];
}

function notes(all: readonly string[], style: Style): string[] {
  return all.flatMap((note) => prose(note, style, `${style.paint('!', 'warn')} `, '  '));
}

function footer({ resampling }: AgreementReport, style: Style): string[] {
  const { resamples, seed, over } = resampling;
  return prose(
    `Intervals: percentile bootstrap over ${over}s, ${count(resamples)} resamples, seed ${seed}.`,
    style,
  ).map((line) => style.paint(line, 'quiet'));
}
