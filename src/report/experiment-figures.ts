import type { ExperimentSummary, Latency } from '../experiment/summary.ts';
import { costText, count, counted, durationText, latencyText } from '../text/figures.ts';

/** What the run took, as names with texts: cost, tokens, latency, calls, time. */
export function spentRows(summary: ExperimentSummary): [name: string, text: string][] {
  const { latency, calls, seconds } = summary;
  const rows: [string, string][] = [];
  if (!hasNoPrice(summary)) rows.push(['Cost', spentCost(summary)]);
  if (!saysNoTokens(summary)) rows.push(['Tokens', spentTokens(summary)]);
  if (latency !== null) rows.push(['Latency', spreadText(latency)]);
  rows.push(['Calls', `${count(calls.made)}${calls.retried > 0 ? `, ${count(calls.retried)} of them retries` : ''}`]);
  rows.push(['Time', `${durationText(seconds)} in this session`]);
  return rows;
}

function spreadText({ median, p95, mean, n }: Latency): string {
  return `median ${latencyText(median)}, 95th percentile ${latencyText(p95)}, mean ${latencyText(mean)}, of ${counted(n, 'answer')}`;
}

/** What is no model has neither price nor tokens unless it says so itself. */
function hasNoPrice({ target, cost }: ExperimentSummary): boolean {
  return target.model === null && cost.atLeast === 0;
}

function saysNoTokens({ target, calls, usage: { atLeast } }: ExperimentSummary): boolean {
  return (target.model === null || calls.made === 0) && atLeast.inputTokens === 0 && atLeast.outputTokens === 0;
}

function spentCost({ cost, calls }: ExperimentSummary): string {
  if (cost.value !== null) {
    const nothing = calls.made === 0 ? ': no call was made' : '';
    return `${costText(cost.value, cost.currency)}${cost.currency === '' && cost.value > 0 ? ', in the currency of the prices' : ''}${nothing}`;
  }
  const unknown = `${counted(cost.unknown, 'answer')} ${cost.unknown === 1 ? 'has' : 'have'} no known cost`;
  return cost.atLeast === 0 ? `not known: ${unknown}` : `at least ${costText(cost.atLeast, cost.currency)}; ${unknown}`;
}

function spentTokens({ usage }: ExperimentSummary): string {
  const { inputTokens, outputTokens, unknown, atLeast } = usage;
  const part = (value: number | null, least: number, what: string): string =>
    value !== null ? `${count(value)} ${what}` : least > 0 ? `at least ${count(least)} ${what}` : `${what} not known`;
  const silent = unknown > 0 ? `; ${counted(unknown, 'answer does', 'answers do')} not say all` : '';
  return `${part(inputTokens, atLeast.inputTokens, 'in')}, ${part(outputTokens, atLeast.outputTokens, 'out')}${silent}`;
}
