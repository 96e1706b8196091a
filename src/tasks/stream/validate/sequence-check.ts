import { checkDecisionWindows, decidedFlushes } from './decided-flushes.ts';
import type { Check } from './findings.ts';
import type { LogDecision, LogEvents, LogFlush, LogSummary } from './log-events.ts';

type Tell = (line: number | null, check: Check, message: string) => void;
type Cause = LogDecision | LogFlush;

/** What led to what in a log whose records fit together. */
export interface Sequence {
  /** For each decision its flush; null in a log without flushes or decisions. */
  readonly decided: readonly LogFlush[] | null;
  /** For each summary its flush; null in a log that has decisions, or no flushes. */
  readonly summarised: readonly LogFlush[] | null;
}

/**
 * Whether flushes, decisions and summaries of a log led to one another: every decision to summarise to one summary of the
 * same window, and every summary from such a decision; without decisions, from a flush; without both, from the end of a
 * turn or a chunk. Null where they did not, which is told.
 */
export function checkSequence(events: LogEvents, tell: Tell): Sequence | null {
  const { flushes, decisions, summaries } = events;
  const triggersFit = checkTriggers(events, tell);
  if (decisions.length === 0 && flushes.length === 0) {
    // Turns may overlap, chunks do not.
    const inOrder = summaries[0]?.trigger === 'turn_end' || checkGrowing(summaries, tell);
    return triggersFit && inOrder ? { decided: null, summarised: null } : null;
  }
  if (decisions.length === 0) {
    const summarised = pairWithFlushes(summaries, flushes, tell);
    return summarised === null ? null : { decided: null, summarised };
  }
  const asked = decisions.filter(({ decision }) => decision === 'summarize');
  const paired = pairWithDecisions(summaries, asked, tell);
  const decided = flushes.length === 0 ? null : decidedFlushes(events, tell);
  if (!paired || (flushes.length > 0 && decided === null)) return null;
  const windowsFit = decided === null ? checkGrowing(decisions, tell) : checkDecisionWindows(decisions, decided, tell);
  return windowsFit ? { decided, summarised: null } : null;
}

/** What brought a summary about is the same for all summaries of a log, and of the kind that the log has records of. */
function checkTriggers({ flushes, decisions, summaries }: LogEvents, tell: Tell): boolean {
  const [expected, why] =
    decisions.length > 0
      ? (['buffer_agent', 'in a log with decisions'] as const)
      : flushes.length > 0
        ? (['tokengate_flush', 'in a log with flushes and no decisions'] as const)
        : ([usualTrigger(summaries), 'in a log without flushes and decisions'] as const);
  const wrong = summaries.filter(({ trigger }) => trigger !== expected);
  for (const { line, trigger } of wrong)
    tell(line, 'trigger', `trigger_type: found ${trigger}, expected ${expected} ${why}`);
  return wrong.length === 0;
}

/** Without flushes and decisions, turns or chunks are summarised, but not some of each. */
function usualTrigger(summaries: readonly LogSummary[]): LogSummary['trigger'] {
  const chunks = summaries.filter(({ trigger }) => trigger === 'tokengate_flush').length;
  return chunks * 2 > summaries.length ? 'tokengate_flush' : 'turn_end';
}

/** Chunks follow each other. */
function checkGrowing(events: readonly (LogDecision | LogSummary)[], tell: Tell): boolean {
  let right = true;
  for (let at = 1; at < events.length; at += 1) {
    const { line, end } = events[at]!;
    const before = events[at - 1]!;
    if (end > before.end) continue;
    right = false;
    tell(line, 'window', `end_seq: found ${end}, expected more than ${before.end} of record ${before.line}`);
  }
  return right;
}

function pairWithDecisions(summaries: readonly LogSummary[], asked: readonly LogDecision[], tell: Tell): boolean {
  if (summaries.length === asked.length)
    return summaries.map((summary, at) => hasWindowOf(summary, asked[at]!, 'decision', tell)).every(Boolean);
  const { pairs, without } = pairedByEnd(summaries, asked);
  for (const { line, start, end } of without)
    tell(line, 'decision', `found no decision to summarise ${start} to ${end}, expected one before this summary`);
  const summarised = new Set(pairs.map(([, decision]) => decision));
  for (const decision of asked)
    if (!summarised.has(decision))
      tell(
        decision.line,
        'decision',
        `decision: found summarize, expected a summary of ${decision.start} to ${decision.end}, which is not in the log`,
      );
  for (const [summary, decision] of pairs) hasWindowOf(summary, decision, 'decision', tell);
  return false;
}

function pairWithFlushes(
  summaries: readonly LogSummary[],
  flushes: readonly LogFlush[],
  tell: Tell,
): readonly LogFlush[] | null {
  const regular = flushes.filter(({ reason }) => reason !== 'end_of_trace');
  const own = [flushes, regular].find(({ length }) => length === summaries.length);
  if (own !== undefined)
    return summaries.map((summary, at) => hasWindowOf(summary, own[at]!, 'flush', tell)).every(Boolean) ? own : null;
  const { pairs, without } = pairedByEnd(summaries, flushes);
  for (const { line, start, end } of without)
    tell(line, 'decision', `found no flush from ${start} to ${end}, expected one before this summary`);
  const fits = pairs.map(([summary, flush]) => hasWindowOf(summary, flush, 'flush', tell)).every(Boolean);
  return fits && without.length === 0 ? pairs.map(([, flush]) => flush) : null;
}

/** Each summary with what ends where it does, in the order of both. */
function pairedByEnd<T extends Cause>(summaries: readonly LogSummary[], causes: readonly T[]) {
  const places = new Map(causes.map(({ end }, at) => [end, at]));
  const pairs: [LogSummary, T][] = [];
  const without: LogSummary[] = [];
  let from = 0;
  for (const summary of summaries) {
    const at = places.get(summary.end) ?? -1;
    if (at < from) without.push(summary);
    else {
      pairs.push([summary, causes[at]!]);
      from = at + 1;
    }
  }
  return { pairs, without };
}

function hasWindowOf(summary: LogSummary, cause: Cause, what: 'decision' | 'flush', tell: Tell): boolean {
  for (const [field, found, expected] of [
    ['start_seq', summary.start, cause.start],
    ['end_seq', summary.end, cause.end],
  ] as const)
    if (found !== expected)
      tell(
        summary.line,
        'window',
        `${field}: found ${found}, expected ${expected} of its ${what} in record ${cause.line}`,
      );
  return summary.start === cause.start && summary.end === cause.end;
}
