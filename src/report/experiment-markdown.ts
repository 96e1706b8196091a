import type { ExperimentSummary } from '../experiment/summary.ts';
import { shorten } from '../data/visible.ts';
import { spentRows } from './experiment-figures.ts';
import { arrowOf, hasPooled, scoreRemarks, type ScoreRow, scoreRows } from './experiment-scores.ts';
import {
  averageText,
  backendText,
  FAILURE_MEANINGS,
  isShort,
  noScores,
  failedText,
  overText,
  readBackText,
  remainingRows,
  scoreNotices,
  shortfallText,
  stopText,
  targetParts,
  tracePartsOf,
  unitWord,
} from './experiment-words.ts';
import { count, counted, figure, levelText } from '../text/figures.ts';
import { gateTitle } from './gate-summary.ts';
import { intervalText } from './headline-lines.ts';
import { markdownTable, markdownText } from './markdown-text.ts';

const LONGEST_MESSAGE = 500;

/** report.md of an experiment: what became of the items, the averages, what it took and where it is. */
export function experimentMarkdown(summary: ExperimentSummary): string {
  const parts = [
    `# ${markdownText(summary.name)}`,
    about(summary),
    ...notices(summary),
    '## Items',
    items(summary),
    ...failures(summary),
    '## Scores',
    ...scores(summary),
    ...gate(summary),
    '## What it took',
    list(spentRows(summary).map(([name, text]) => `${name}: ${text}`)),
    ...published(summary),
    ...left(summary),
  ];
  return `${parts.join('\n\n')}\n`;
}

function list(lines: readonly string[]): string {
  return lines.map((line) => `- ${markdownText(line)}`).join('\n');
}

function about(summary: ExperimentSummary): string {
  const { dataset, target, repeats } = summary;
  const traces = tracePartsOf(summary);
  return list([
    `Dataset: ${dataset.name}, ${counted(dataset.items, 'item')}, version ${dataset.version}`,
    `Target: ${targetParts(target).join(', ')}`,
    ...(repeats > 1 ? [`Repeats: each item asked ${counted(repeats, 'time')}`] : []),
    ...(traces.length === 0 ? [] : [`Traces: ${traces.join(', ')}`]),
  ]);
}

function notices(summary: ExperimentSummary): string[] {
  const { failed, answered, notRun, stopped, published: there } = summary;
  const wanted = answered + failed + notRun;
  const found = [
    ...(stopped === null ? [] : [stopText(stopped)]),
    ...(failed > 0 ? [`${count(failed)} of ${count(wanted)} ${unitWord(summary, wanted)} ${failedText(summary)}`] : []),
    ...scoreNotices(summary),
    ...(there !== null && isShort(there) ? [shortfallText(there)] : []),
  ];
  return found.length === 0 ? [] : ['**Before you read the numbers**', list(found)];
}

function items({ answered, failed, notRun, cached }: ExperimentSummary): string {
  return markdownTable(
    ['answered', 'of them from the cache', 'failed', 'not run'],
    ['right', 'right', 'right', 'right'],
    [[answered, cached, failed, notRun].map(count)],
  );
}

function failures({ failures: kinds }: ExperimentSummary): string[] {
  if (kinds.length === 0) return [];
  return [
    '## Failures',
    markdownTable(
      ['kind', 'count', 'what it means', 'for example', 'it said'],
      ['left', 'right', 'left', 'left', 'left'],
      kinds.map(({ kind, count: n, example }) => [
        kind,
        count(n),
        FAILURE_MEANINGS[kind],
        example.item,
        shorten(example.message, LONGEST_MESSAGE),
      ]),
    ),
  ];
}

function scores(summary: ExperimentSummary): string[] {
  const nothing = noScores(summary);
  if (nothing !== null) return [markdownText(`${nothing}.`)];
  const rows = scoreRows(summary);
  const titles = [
    'score',
    'average',
    'interval',
    unitWord(summary, 2),
    'without',
    'sd',
    'min',
    'max',
    ...(hasPooled(rows) ? ['pooled', 'interval'] : []),
  ];
  const remarks = scoreRemarks(rows);
  return [
    `The averages are ${markdownText(overText(summary))}.`,
    markdownTable(
      titles,
      titles.map((title) => (title === 'score' || title === 'interval' ? 'left' : 'right')),
      rows.map((row) => cells(row).slice(0, titles.length)),
    ),
    ...(remarks.length === 0 ? [] : [list(remarks)]),
    markdownText(`${averageText(summary, hasPooled(rows))}.`),
  ];
}

function cells(row: ScoreRow): string[] {
  const { name, average, pooled } = row;
  const arrow = arrowOf(row);
  const value = (of: number | null | undefined): string => (of == null ? '–' : figure(of));
  return [
    arrow === '' ? name : `${name} ${arrow}`,
    value(average?.mean),
    withLevel(average),
    average === null ? '' : count(average.n),
    average === null ? '' : count(average.without),
    value(average?.sd),
    value(average?.min),
    value(average?.max),
    value(pooled?.value),
    withLevel(pooled),
  ];
}

function withLevel(of: ScoreRow['average'] | ScoreRow['pooled']): string {
  if (of === null || of.interval === null) return '–';
  return `${intervalText(of)} (${levelText(of.interval.level)}, ${of.interval.method})`;
}

function gate({ gate: outcome }: ExperimentSummary): string[] {
  if (outcome === null) return [];
  return [
    `## ${gateTitle(outcome.verdict)}`,
    markdownText(`${outcome.counts}.`),
    ...(outcome.notPassed.length === 0
      ? []
      : [list(outcome.notPassed.map(({ verdict, demand, why }) => `${verdict}: ${demand}. ${why}`))]),
  ];
}

function published({ published: there }: ExperimentSummary): string[] {
  if (there === null) return [];
  const link = linkTo(there.url);
  return [
    '## Where it is',
    markdownText(isShort(there) ? shortfallText(there) : `Published to ${backendText(there)}: ${readBackText(there)}.`),
    ...(link === null ? [] : [link]),
  ];
}

function left(summary: ExperimentSummary): string[] {
  const rows = remainingRows(summary);
  return rows.length === 0 ? [] : ['## What is left to do', list(rows.map(([what, how]) => `${what}: ${how}`))];
}

/** An address of the web that cannot be anything else; null where it is none. */
function linkTo(url: string | null): string | null {
  if (url === null || !URL.canParse(url)) return null;
  const { protocol, href } = new URL(url);
  return (protocol === 'https:' || protocol === 'http:') && !/[<>\s]/.test(href) ? `<${href}>` : null;
}
