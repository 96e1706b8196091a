import type { ExperimentSummary, Latency } from '../experiment/summary.ts';
import { count, counted } from '../text/figures.ts';

/**
 * An amount of money: cents from 1 on, three digits below it.
 *
 * @example costText(1234.5) // '1,234.50'
 * @example costText(0.0123456, 'USD') // '0.0123 USD'
 */
export function costText(value: number, currency = ''): string {
  const [whole = '', rest = ''] = value.toFixed(2).split('.');
  const amount = value >= 1 ? `${count(Number(whole))}.${rest}` : value === 0 ? '0' : smallAmount(value);
  return currency === '' ? amount : `${amount} ${currency}`;
}

function smallAmount(value: number): string {
  return value < 1e-6 ? '<0.000001' : value.toPrecision(3);
}

/**
 * A stretch of time in its two largest units.
 *
 * @example durationText(192) // '3 min 12 s'
 */
export function durationText(seconds: number): string {
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole} s`;
  if (whole < 3600) return inTwo(whole, 60, 'min', 's');
  const minutes = Math.round(whole / 60);
  return minutes < 24 * 60 ? inTwo(minutes, 60, 'h', 'min') : inTwo(Math.round(minutes / 60), 24, 'd', 'h');
}

function inTwo(small: number, ratio: number, large: string, rest: string): string {
  const over = small % ratio;
  return `${count(Math.floor(small / ratio))} ${large}${over === 0 ? '' : ` ${over} ${rest}`}`;
}

/**
 * How long an answer took.
 *
 * @example latencyText(1234) // '1.23 s'
 */
export function latencyText(ms: number): string {
  if (ms < 1) return '<1 ms';
  if (ms < 999.5) return `${Math.round(ms)} ms`;
  return ms < 10_000 ? `${(ms / 1000).toFixed(2)} s` : durationText(ms / 1000);
}

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
