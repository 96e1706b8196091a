import type { Check } from './findings.ts';
import type { LogDecision, LogEvents, LogFlush } from './log-events.ts';

type Tell = (line: number | null, check: Check, message: string) => void;

/**
 * The flushes that the decisions of a log were made on, one for each, in order: all of them, or all but those at the end
 * of the trace. Null where they do not fit, which is told.
 */
export function decidedFlushes({ flushes, decisions }: LogEvents, tell: Tell): readonly LogFlush[] | null {
  const regular = flushes.filter(({ reason }) => reason !== 'end_of_trace');
  if (decisions.length === flushes.length) return flushes;
  if (decisions.length === regular.length) return regular;
  let at = 0;
  while (at < Math.min(decisions.length, regular.length) && decisions[at]!.end === regular[at]!.end) at += 1;
  const decision = decisions[at];
  const flush = regular[at];
  const own = decision === undefined ? undefined : flushes.find(({ end }) => end === decision.end);
  if (decision !== undefined && own?.reason === 'end_of_trace')
    tell(
      own.line,
      'flush-reason',
      `trigger_reason: found end_of_trace, expected another: record ${decision.line} decides on this flush, and on others at the end of the trace nothing is decided`,
    );
  else if (decision !== undefined && own === undefined)
    tell(decision.line, 'decision', `found a decision on no flush, expected a flush that ends at ${decision.end}`);
  else if (flush !== undefined) tell(flush.line, 'decision', 'found no decision on this flush, expected one');
  return null;
}

/**
 * The window of a decision ends with its flush and begins with the first flush since the last summary. What a decision
 * to discard does to the buffer is not known: until the next summary, nothing is expected then.
 */
export function checkDecisionWindows(
  decisions: readonly LogDecision[],
  flushes: readonly LogFlush[],
  tell: Tell,
): boolean {
  let first: LogFlush | null = null;
  let known = true;
  let right = true;
  decisions.forEach(({ line, start, end, decision }, at) => {
    const flush = flushes[at]!;
    first ??= flush;
    const wrong = (field: string, found: number, expected: number, of: string): void => {
      right = false;
      tell(line, 'window', `${field}: found ${found}, expected ${expected} of ${of}`);
    };
    if (known && start !== first.start)
      wrong('start_seq', start, first.start, `record ${first.line}, the first flush since the last summary`);
    if (end !== flush.end) wrong('end_seq', end, flush.end, `record ${flush.line}, its flush`);
    if (decision === 'summarize') first = null;
    known = decision === 'summarize' || (known && decision !== 'discard');
  });
  return right;
}
