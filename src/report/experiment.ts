import { shorten } from '../data/visible.ts';
import type { BatchSpent, ExperimentSummary, Latency, PaidAnswers } from '../experiment/summary.ts';
import { costText, count, plural, durationText, latencyText } from '../text/figures.ts';
import {
  type Block,
  commandTable,
  type Document,
  type ListItem,
  type Section,
  type Table,
  type Text,
  present,
} from './document.ts';
import { scoreTable } from './experiment-scores.ts';
import {
  backendText,
  datasetText,
  FAILURE_MEANINGS,
  failedText,
  isIncomplete,
  noScores,
  readBackText,
  remainingRows,
  scoreNotices,
  shortfallText,
  stopText,
  targetParts,
  tracePartsOf,
  outcomeWord,
} from './experiment-words.ts';
import { GATE_MARKS } from './gate.ts';
import { programName } from './program-name.ts';
import { safeJson } from './safe-json.ts';
import { shellWord } from './shell-word.ts';
import { gateTitle } from './gate-words.ts';

const LONGEST_MESSAGE = 500;
const CHECKS_SHOWN = 10;
const NOTHING_ASKED = 'nobody was asked this time: all of these outcomes were there';

export const EXPERIMENT_FORMAT = 1;

/** The summary as JSON that a terminal can be shown. */
export function experimentSummaryJson(summary: ExperimentSummary): string {
  return safeJson({ format: EXPERIMENT_FORMAT, ...summary });
}

/** What became of the items, the averages, what it took, and what to do next. */
export function experimentDocument(summary: ExperimentSummary): Document {
  const { name, dataset, target, repeats, published } = summary;
  const nothing = noScores(summary);
  const about = present([
    `${plural(dataset.items, 'item')} of ${datasetText(dataset)}`,
    repeats > 1 && `each asked ${plural(repeats, 'time')}`,
    ...targetParts(target),
    ...tracePartsOf(summary),
  ]);
  return {
    title: name,
    about: about.join(' · '),
    sections: [
      { blocks: [{ text: `Dataset version: ${dataset.version}` }], on: 'page' },
      { blocks: [{ list: notices(summary), mark: 'warning' }] },
      { title: 'Items', blocks: [outcomeTable(summary)] },
      { title: 'Failures', blocks: [failureTable(summary)] },
      { title: 'Scores', blocks: [nothing === null ? scoreTable(summary) : { text: nothing, mark: 'warning' }] },
      { title: 'What it took', blocks: [namedTexts(spentRows(summary))] },
      gateSection(summary),
      {
        title: 'Published',
        blocks:
          published === null
            ? []
            : [
                { text: `To ${backendText(published)}: ${readBackText(published)}` },
                published.url === null ? null : { text: { text: published.url, link: true }, whole: true },
              ],
      },
      { title: 'What is left to do', blocks: [namedTexts(remainingRows(summary))] },
      { title: 'Where to look', blocks: [placeTable(summary)], on: 'terminal' },
    ],
  };
}

/** Names with a text for each. */
export function namedTexts(rows: readonly (readonly [name: string, text: string])[]): Table {
  return {
    columns: [{ title: '' }, { title: '', wraps: true }],
    rows: rows.map(([name, text]) => [{ text: name, tone: 'strong' }, text]),
  };
}

/** What to know before reading the numbers. */
function notices(summary: ExperimentSummary): ListItem[] {
  const { failed, answered, notRun, stopped, published } = summary;
  const wanted = answered + failed + notRun;
  return present([
    stopped !== null && stopText(stopped),
    failed > 0 && `${count(failed)} of ${count(wanted)} ${outcomeWord(summary, wanted)} ${failedText(summary)}`,
    ...scoreNotices(summary),
    published !== null &&
      isIncomplete(published) &&
      ({ item: { text: shortfallText(published), tone: 'bad' }, note: null, mark: 'error' } as const),
  ]);
}

/** How many were answered, failed and not run. */
function outcomeTable({ answered, failed, notRun, cached, added }: ExperimentSummary): Table {
  const isBad = failed > 0 ? ({ tone: 'bad' } as const) : {};
  const fromCache = cached === 0 ? '' : `${count(cached)} of them from the cache`;
  const rows: Text[][] = present([
    ['answered', count(answered), { text: fromCache, tone: 'quiet' }],
    [{ text: 'failed', ...isBad }, { text: count(failed), ...isBad }, ''],
    notRun > 0 && [{ text: 'not run', tone: 'warn' } as const, { text: count(notRun), tone: 'warn' } as const, ''],
  ]);
  return {
    columns: [{ title: '' }, { title: '', align: 'right' }, { title: '' }],
    rows,
    remarks: added === 0 && answered + failed > 0 ? [NOTHING_ASKED] : [],
  };
}

function failureTable({ failures }: ExperimentSummary): Table {
  return {
    columns: [
      { title: 'kind' },
      { title: 'count', align: 'right' },
      { title: 'what it means', on: 'page' },
      { title: 'for example', wraps: true },
    ],
    rows: failures.map(({ kind, count: n, example }) => [
      kind,
      count(n),
      FAILURE_MEANINGS[kind],
      `${example.item}: ${shorten(example.message, LONGEST_MESSAGE)}`,
    ]),
  };
}

function gateSection({ gate }: ExperimentSummary): Section {
  if (gate === null) return { blocks: [] };
  const { verdict, counts, notPassed } = gate;
  const blocks: Block[] = [
    { text: `${gateTitle(verdict)}: ${counts}`, mark: GATE_MARKS[verdict] },
    {
      list: notPassed.map((check) => ({
        item: { text: check.demand, code: true },
        note: check.why,
        mark: GATE_MARKS[check.verdict],
      })),
      shown: CHECKS_SHOWN,
    },
  ];
  return { title: 'Gate', blocks };
}

/** Commands and files, to be copied. */
function placeTable(summary: ExperimentSummary): Table {
  const { folder, repeats } = summary;
  const place = shellWord(folder.replace(/(?<=.)\/$/, ''));
  const run = repeats > 1 ? `${place}/score-1` : place;
  const scored: [string, string][] = present([
    ['Every verdict, in its text', `${programName()} explain ${run}`],
    ['The pooled values, by label', `${programName()} report ${run}`],
    ['Every case, in a browser', `${repeats > 1 ? run : `${place}/score`}/report.html`],
    repeats > 1 &&
      (['What changes between repeats', `${programName()} repeats ${place}/score-*`] satisfies [string, string]),
  ]);
  return commandTable([...(noScores(summary) === null ? scored : []), ['All of it on a page', `${place}/report.md`]]);
}

/** What the run took, as names with texts: cost, tokens, latency, calls, time. */
function spentRows(summary: ExperimentSummary): [name: string, text: string][] {
  const { latency, calls, seconds, cost, lostCalls, lostCost = null } = summary;
  const rows: [string, string][] = [];
  if (!hasNoPrice(summary)) rows.push(['Cost', spentCost(summary)]);
  if (summary.batch !== undefined) rows.push(['Batches', batchText(summary.batch)]);
  if (!hasNoTokens(summary)) rows.push(['Tokens', spentTokens(summary)]);
  if (latency !== null) rows.push(['Latency', spreadText(latency)]);
  rows.push(['Calls', `${count(calls.made)}${calls.retried > 0 ? `, ${count(calls.retried)} of them retries` : ''}`]);
  if (lostCalls !== undefined)
    rows.push([
      'Lost',
      `${plural(lostCalls, 'call was', 'calls were')} begun whose answer never came${lostCost === null ? '' : `: up to ${costText(lostCost, cost.currency)} more`}`,
    ]);
  rows.push(['Time', `${durationText(seconds)} in this session`]);
  return rows;
}

function spreadText({ median, p95, mean, n }: Latency): string {
  return `median ${latencyText(median)}, 95th percentile ${latencyText(p95)}, mean ${latencyText(mean)}, of ${plural(n, 'answer')}`;
}

/** A target that is not a model has neither price nor tokens, unless it reports them. */
function hasNoPrice({ target, cost }: ExperimentSummary): boolean {
  return target.model === null && cost.atLeast === 0;
}

function hasNoTokens({ target, calls, usage: { atLeast } }: ExperimentSummary): boolean {
  return (target.model === null || calls.made === 0) && atLeast.inputTokens === 0 && atLeast.outputTokens === 0;
}

function spentCost({ cost, calls }: ExperimentSummary): string {
  if (cost.value !== null) {
    const nothing = calls.made === 0 ? ': no call was made' : '';
    return `${costText(cost.value, cost.currency)}${cost.currency === '' && cost.value > 0 ? ', in the currency of the prices' : ''}${nothing}`;
  }
  const unknown = `${plural(cost.unknown, 'answer')} ${cost.unknown === 1 ? 'has' : 'have'} no known cost`;
  return cost.atLeast === 0 ? `not known: ${unknown}` : `at least ${costText(cost.atLeast, cost.currency)}; ${unknown}`;
}

/** @example '980 answers at the batch price: 1.47; 20 answers by single calls: 0.06' */
function batchText({ batched, single, unread }: BatchSpent): string {
  const part = ({ answers, cost }: PaidAnswers, how: string): string =>
    `${plural(answers, 'answer')} ${how}${cost === null ? '' : `: ${costText(cost)}`}`;
  const parts = [part(batched, 'at the batch price')];
  if (single.answers > 0) parts.push(part(single, 'by single calls'));
  if (unread !== undefined) parts.push(part(unread, 'never read that may have been paid for'));
  return parts.join('; ');
}

function spentTokens({ usage }: ExperimentSummary): string {
  const { inputTokens, outputTokens, unknown, atLeast } = usage;
  const part = (value: number | null, least: number, what: string): string =>
    value !== null ? `${count(value)} ${what}` : least > 0 ? `at least ${count(least)} ${what}` : `${what} not known`;
  const silent = unknown > 0 ? `; ${plural(unknown, 'answer does', 'answers do')} not say all` : '';
  return `${part(inputTokens, atLeast.inputTokens, 'in')}, ${part(outputTokens, atLeast.outputTokens, 'out')}${silent}`;
}
