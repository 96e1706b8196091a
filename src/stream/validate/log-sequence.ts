import type { FileFindings } from './findings.ts';
import type { FlushReasons } from './flush-reasons.ts';
import type { LogDecision, LogEvents, LogFlush, LogSummary } from './log-events.ts';

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
 * turn or a chunk. Null if they did not, which is reported.
 */
export function checkSequence(events: LogEvents, reasons: FlushReasons, findings: FileFindings): Sequence | null {
  const { flushes, decisions, summaries } = events;
  const triggersFit = checkTriggers(events, findings);
  if (decisions.length === 0 && flushes.length === 0) {
    // Turns may overlap, chunks do not.
    const isGrowing = summaries[0]?.trigger === 'turn_end' || checkGrowing(summaries, findings);
    return triggersFit && isGrowing ? { decided: null, summarised: null } : null;
  }
  if (decisions.length === 0) {
    const summarised = pairWithFlushes(summaries, flushes, findings);
    return summarised === null ? null : { decided: null, summarised };
  }
  const isPaired = pairWithDecisions(summaries, decisions, findings);
  const decided = flushes.length === 0 ? null : decidedFlushes(events, reasons, findings);
  if (!isPaired || (flushes.length > 0 && decided === null)) return null;
  const windowsFit =
    decided === null ? checkGrowing(decisions, findings) : checkDecisionWindows(decisions, decided, findings);
  return windowsFit ? { decided, summarised: null } : null;
}

/** What caused a summary is the same for all summaries of a log, and of the kind that the log has records of. */
function checkTriggers({ flushes, decisions, summaries }: LogEvents, findings: FileFindings): boolean {
  const chunks = summaries.filter(({ trigger }) => trigger === 'tokengate_flush').length;
  const [expected, why] =
    decisions.length > 0
      ? (['buffer_agent', 'in a log with decisions'] as const)
      : flushes.length > 0
        ? (['tokengate_flush', 'in a log with flushes and no decisions'] as const)
        : // Turns or chunks are summarised, but not some of each.
          ([
            chunks * 2 > summaries.length ? 'tokengate_flush' : 'turn_end',
            'in a log without flushes and decisions',
          ] as const);
  const wrong = summaries.filter(({ trigger }) => trigger !== expected);
  for (const { line, trigger } of wrong)
    findings.compare(line, 'trigger', 'trigger_type', trigger, expected, ` ${why}`);
  return wrong.length === 0;
}

/** Chunks follow each other. */
function checkGrowing(events: readonly (LogDecision | LogSummary)[], findings: FileFindings): boolean {
  const wrong = events.flatMap((event, at) => {
    const before = events[at - 1];
    return before !== undefined && event.end <= before.end ? [[event, before] as const] : [];
  });
  for (const [{ line, end }, before] of wrong)
    findings.add(line, 'window', `end_seq: found ${end}, expected more than ${before.end} of record ${before.line}`);
  return wrong.length === 0;
}

/** The flush of each summary; null if some have none or another window, which is reported. */
function pairWithFlushes(
  summaries: readonly LogSummary[],
  flushes: readonly LogFlush[],
  findings: FileFindings,
): readonly LogFlush[] | null {
  const own = sameNumber(flushes, summaries.length) ?? flushes;
  const { causes, isPaired } = pairByEnd(summaries, own, 'flush', findings);
  return isPaired ? causes : null;
}

/** Whether each decision to summarise has its summary, and each summary such a decision. */
function pairWithDecisions(
  summaries: readonly LogSummary[],
  decisions: readonly LogDecision[],
  findings: FileFindings,
): boolean {
  const asked = decisions.filter(({ decision }) => decision === 'summarize');
  const { causes, isPaired } = pairByEnd(summaries, asked, 'decision', findings);
  if (summaries.length === asked.length) return isPaired;
  const summarised = new Set(causes);
  for (const decision of asked)
    if (!summarised.has(decision)) {
      const expected = `a summary of ${decision.start} to ${decision.end}, which is not in the log`;
      findings.add(decision.line, 'decision', `decision: found summarize, expected ${expected}`);
    }
  return false;
}

/** All flushes, or all but those at the end of the trace, if there are so many. */
function sameNumber(flushes: readonly LogFlush[], length: number): readonly LogFlush[] | null {
  return [flushes, regularOf(flushes)].find((some) => some.length === length) ?? null;
}

function regularOf(flushes: readonly LogFlush[]): readonly LogFlush[] {
  return flushes.filter(({ reason }) => reason !== 'end_of_trace');
}

/**
 * Each summary with its cause: one by one if there are as many, else with what ends where it does, in the order of both.
 * Summaries without a cause, or with another window than it has, are reported.
 */
function pairByEnd<T extends LogDecision | LogFlush>(
  summaries: readonly LogSummary[],
  causes: readonly T[],
  what: 'decision' | 'flush',
  findings: FileFindings,
): { readonly causes: readonly T[]; readonly isPaired: boolean } {
  const places = new Map(causes.map(({ end }, at) => [end, at]));
  const own: T[] = [];
  let isPaired = true;
  let from = 0;
  summaries.forEach(({ line, start, end }, nth) => {
    const at = causes.length === summaries.length ? nth : (places.get(end) ?? -1);
    if (at < from) {
      const missing =
        what === 'flush' ? `no flush from ${start} to ${end}` : `no decision to summarise ${start} to ${end}`;
      findings.add(line, 'decision', `found ${missing}, expected one before this summary`);
      isPaired = false;
      return;
    }
    const cause = causes[at]!;
    const why = ` of its ${what} in record ${cause.line}`;
    isPaired = findings.compare(line, 'window', 'start_seq', start, cause.start, why) && isPaired;
    isPaired = findings.compare(line, 'window', 'end_seq', end, cause.end, why) && isPaired;
    own.push(cause);
    from = at + 1;
  });
  return { causes: own, isPaired };
}

/**
 * The flushes that the decisions of a log were made on, one for each, in order: all of them, or all but those at the end
 * of the trace. Null if they do not fit, which is reported.
 */
function decidedFlushes(
  { flushes, decisions }: LogEvents,
  reasons: FlushReasons,
  findings: FileFindings,
): readonly LogFlush[] | null {
  const decided = sameNumber(flushes, decisions.length);
  if (decided !== null) return decided;
  const regular = regularOf(flushes);
  let at = 0;
  while (at < Math.min(decisions.length, regular.length) && decisions[at]!.end === regular[at]!.end) at += 1;
  const decision = decisions[at];
  const flush = regular[at];
  const own = decision === undefined ? undefined : flushes.find(({ end }) => end === decision.end);
  if (decision !== undefined && own?.reason === 'end_of_trace') {
    const why = `record ${decision.line} decides on this flush, and on others at the end of the trace nothing is decided`;
    reasons.wrong(own, `, expected another: ${why}`);
  } else if (decision !== undefined && own === undefined) {
    const expected = `a flush that ends at ${decision.end}`;
    findings.add(decision.line, 'decision', `found a decision on no flush, expected ${expected}`);
  } else if (flush !== undefined) findings.add(flush.line, 'decision', 'found no decision on this flush, expected one');
  return null;
}

/**
 * The window of a decision ends with its flush and begins with the first flush since the last summary. What a decision
 * to discard does to the buffer is not known: until the next summary, nothing is expected then.
 */
function checkDecisionWindows(
  decisions: readonly LogDecision[],
  flushes: readonly LogFlush[],
  findings: FileFindings,
): boolean {
  let first: LogFlush | null = null;
  let known = true;
  const fits = decisions.map(({ line, start, end, decision }, at) => {
    const flush = flushes[at]!;
    first ??= flush;
    const why = ` of record ${first.line}, the first flush since the last summary`;
    const startFits = !known || findings.compare(line, 'window', 'start_seq', start, first.start, why);
    if (decision === 'summarize') first = null;
    known = decision === 'summarize' || (known && decision !== 'discard');
    return (
      findings.compare(line, 'window', 'end_seq', end, flush.end, ` of record ${flush.line}, its flush`) && startFits
    );
  });
  return fits.every(Boolean);
}
