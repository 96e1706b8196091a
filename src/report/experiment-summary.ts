import type { ExperimentSummary } from '../experiment/summary.ts';
import { shorten } from '../data/visible.ts';
import { arrowLegend } from './arrows.ts';
import { wrapParts } from './display-width.ts';
import { spentRows } from './experiment-figures.ts';
import { scoreTable } from './experiment-score-table.ts';
import { hasPooled, scoreRemarks, scoreRows } from './experiment-scores.ts';
import {
  averageText,
  backendText,
  datasetText,
  isShort,
  narrowText,
  noScores,
  overText,
  readBackText,
  remainingRows,
  scoreNotices,
  shortfallText,
  stopText,
  targetParts,
  tracePartsOf,
} from './experiment-words.ts';
import { count, counted } from '../text/figures.ts';
import { MARKS } from './document.ts';
import { GATE_MARKS } from './gate.ts';
import { gateTitle } from './gate-summary.ts';
import { programName } from './program-name.ts';
import { prose } from './prose.ts';
import { quietLines } from './quiet-lines.ts';
import { safeText } from './safe-text.ts';
import { shellWord } from './shell-word.ts';
import type { Style, Tone } from './style.ts';
import { type Cell, tableLines } from './table.ts';

const LONGEST_MESSAGE = 240;
const CHECKS_SHOWN = 10;
const NOTHING_ASKED = 'nobody was asked this time: all of these outcomes were there';

/** What a person sees when an experiment ends: what became of the items, the averages, what it took, what to do next. */
export function experimentSummaryText(summary: ExperimentSummary, style: Style): string {
  const sections = [
    header(summary, style),
    outcomes(summary, style),
    failures(summary, style),
    scores(summary, style),
    spent(summary, style),
    gate(summary, style),
    published(summary, style),
    footer(summary, style),
  ];
  return `${sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')}\n`;
}

function header(summary: ExperimentSummary, style: Style): string[] {
  const { name, dataset, target, repeats } = summary;
  const parts = [
    `${counted(dataset.items, 'item')} of ${datasetText(dataset)}`,
    ...(repeats > 1 ? [`each asked ${counted(repeats, 'time')}`] : []),
    ...targetParts(target),
  ];
  return [
    ...prose(name, style, '', '', 'strong'),
    ...[parts, tracePartsOf(summary)].flatMap((some) =>
      some.length === 0 ? [] : wrapParts(some.map(safeText), ' · ', style.width).map((line) => style.paint(line)),
    ),
  ];
}

/** How many were answered, failed and not run, and why it stopped where it did. */
function outcomes(summary: ExperimentSummary, style: Style): string[] {
  const { answered, failed, notRun, cached, stopped, added } = summary;
  const rows: [n: number, what: string, tone: Tone | null, more: string][] = [
    [answered, 'answered', null, cached === 0 ? '' : `${count(cached)} of them from the cache`],
    [failed, 'failed', failed > 0 ? 'bad' : null, ''],
  ];
  if (notRun > 0) rows.push([notRun, 'not run', 'warn', '']);
  const lines = tableLines(
    [{ title: '', align: 'right' }, { title: '' }, { title: '' }],
    rows.map(([n, text, tone, more]): Cell[] => [
      { text: count(n), tone: tone ?? 'strong' },
      { text, tone },
      { text: more, tone: 'quiet' },
    ]),
    style,
    '  ',
  );
  return [
    ...lines,
    ...(added === 0 && answered + failed > 0 ? prose(NOTHING_ASKED, style, '  ', '  ', 'quiet') : []),
    ...(stopped === null ? [] : prose(stopText(stopped), style, mark(style), '  ')),
  ];
}

function failures({ failures: kinds }: ExperimentSummary, style: Style): string[] {
  if (kinds.length === 0) return [];
  return tableLines(
    [{ title: 'Failed' }, { title: '', align: 'right' }, { title: 'for example' }],
    kinds.map(({ kind, count: n, example }): Cell[] => [
      `  ${kind}`,
      count(n),
      { span: `${example.item}: ${shorten(example.message, LONGEST_MESSAGE)}` },
    ]),
    style,
  );
}

function scores(summary: ExperimentSummary, style: Style): string[] {
  const nothing = noScores(summary);
  if (nothing !== null) return prose(nothing, style, mark(style), '  ');
  const rows = scoreRows(summary);
  const { lines, withoutPooled } = scoreTable(summary, rows, style);
  const remarks = [
    ...arrowLegend(rows.flatMap(({ aim }) => aim ?? [])),
    ...scoreRemarks(rows),
    averageText(summary, hasPooled(rows) && !withoutPooled),
    ...(withoutPooled ? [narrowText(summary)] : []),
  ];
  return [
    ...lines,
    ...prose(overText(summary), style, '  ', '  ', summary.failed > 0 ? 'bad' : 'quiet'),
    ...remarks.flatMap((text) => quietLines(text, style)),
    ...scoreNotices(summary).flatMap((notice) => prose(notice, style, mark(style), '  ')),
  ];
}

function mark(style: Style): string {
  return `${style.paint('!', 'warn')} `;
}

function spent(summary: ExperimentSummary, style: Style): string[] {
  const rows = spentRows(summary).map(([name, text]): Cell[] => [{ text: name, tone: 'strong' }, { span: text }]);
  return tableLines([{ title: '' }, { title: '' }], rows, style);
}

function gate({ gate: outcome }: ExperimentSummary, style: Style): string[] {
  if (outcome === null) return [];
  const { symbol, tone } = MARKS[GATE_MARKS[outcome.verdict]];
  const left = outcome.notPassed.length - CHECKS_SHOWN;
  return [
    ...tableLines(
      [{ title: '' }, { title: '' }],
      [[{ text: `${symbol} ${gateTitle(outcome.verdict)}`, tone }, { span: outcome.counts }]],
      style,
    ),
    ...outcome.notPassed.slice(0, CHECKS_SHOWN).flatMap((check) => {
      const look = MARKS[GATE_MARKS[check.verdict]];
      return [
        ...prose(check.demand, style, `  ${style.paint(`${look.symbol} `, look.tone)}`, '    '),
        ...prose(check.why, style, '    ', '    '),
      ];
    }),
    ...(left > 0 ? [`  ${style.paint(`… and ${count(left)} more`, 'quiet')}`] : []),
  ];
}

function published({ published: there }: ExperimentSummary, style: Style): string[] {
  if (there === null) return [];
  if (isShort(there)) return prose(shortfallText(there), style, style.paint('✗ ', 'bad'), '  ', 'bad');
  return prose(`Published to ${backendText(there)}: ${readBackText(there)}`, style);
}

function footer(summary: ExperimentSummary, style: Style): string[] {
  const rows = [...remainingRows(summary), ...placeRows(summary)];
  const widest = Math.max(...rows.map(([what]) => what.length));
  return rows.map(([what, how]) => `${style.paint(what.padEnd(widest + 2))}${style.paint(how, 'strong')}`);
}

/** Where to look. */
function placeRows(summary: ExperimentSummary): [string, string][] {
  const { folder, repeats, published: there } = summary;
  const place = shellWord(folder.replace(/(?<=.)\/$/, ''));
  const rows: [string, string][] = [];
  if (noScores(summary) === null) {
    const run = repeats > 1 ? `${place}/score-1` : place;
    rows.push(['Every verdict, in its text', `${programName()} explain ${run}`]);
    rows.push(['The pooled values, by label', `${programName()} report ${run}`]);
    rows.push(['Every case, in a browser', `${repeats > 1 ? run : `${place}/score`}/report.html`]);
    if (repeats > 1) rows.push(['What changes between repeats', `${programName()} repeats ${place}/score-*`]);
  }
  rows.push(['All of it on a page', `${place}/report.md`]);
  if (there !== null && there.url !== null)
    rows.push([there.backend === 'langfuse' ? 'In Langfuse' : 'In a browser', there.url]);
  return rows;
}
