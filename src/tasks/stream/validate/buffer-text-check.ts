import { sha256Of } from '../../../data/sha256-of.ts';
import { textOf } from '../replay/content-turns.ts';
import { renderSegments, type Segment } from '../replay/render.ts';
import type { ContentDeltas, Stretch } from './content-deltas.ts';
import type { Check } from './findings.ts';
import type { HeldTrace } from './held-trace.ts';
import type { LogDecision, LogEvents, LogFlush, LogSummary } from './log-events.ts';
import { RenderedBuffer } from './rendered-buffer.ts';
import type { Sequence } from './sequence-check.ts';

type Tell = (line: number | null, check: Check, message: string) => void;

/** The deltas of each flush; null for those whose text is not that of the trace. */
export type FlushStretches = ReadonlyMap<LogFlush, Stretch | null>;

/**
 * Whether decisions were asked about, and summaries made of, the text that the trace has there. Says of how many records
 * that could not be worked out.
 */
export function checkBufferTexts(
  events: LogEvents,
  { decided, summarised }: Sequence,
  held: HeldTrace,
  stretches: FlushStretches,
  tell: Tell,
): number {
  const { decisions, summaries } = events;
  const { content } = held;
  const segmentOf = (flush: LogFlush): Segment | null => {
    const stretch = stretches.get(flush) ?? null;
    return stretch === null ? null : content.segment(stretch);
  };
  if (decided !== null) return checkDecided(events, (_, at) => ({ earlier: [], fresh: segmentOf(decided[at]!) }), tell);
  if (summarised !== null)
    return checkSummaries(
      summaries,
      (_, at) => {
        const segment = segmentOf(summarised[at]!);
        return segment === null ? null : [segment];
      },
      tell,
    );
  if (decisions.length > 0) return checkDecided(events, chunksOf(decisions, content), tell);
  if (summaries[0]?.trigger === 'turn_end') return checkTurns(summaries, held, tell);
  const chunk = chunksOf(summaries, content);
  return checkSummaries(
    summaries,
    (summary, at) => {
      const { earlier, fresh } = chunk(summary, at);
      return fresh === null || !beginsWith(summary, earlier[0] ?? fresh, tell) ? null : [...earlier, fresh];
    },
    tell,
  );
}

/** What came since the last question. */
interface Piece {
  /** Kept without a question. */
  readonly earlier: readonly Segment[];
  /** What is new; null where it is not known. */
  readonly fresh: Segment | null;
}

/** Without flushes, what came since the record before: the last run of one agent is what is new. */
function chunksOf(events: readonly (LogDecision | LogSummary)[], content: ContentDeltas) {
  return ({ end }: LogDecision | LogSummary, at: number): Piece => {
    const runs = content.runs(events[at - 1]?.end ?? -1, end);
    return runs === null ? { earlier: [], fresh: null } : { earlier: runs.slice(0, -1), fresh: runs.at(-1)! };
  };
}

function checkDecided(
  { decisions, summaries }: LogEvents,
  pieceOf: (decision: LogDecision, at: number) => Piece,
  tell: Tell,
): number {
  const buffer = new RenderedBuffer();
  let unknown = 0;
  let summary = 0;
  decisions.forEach((decision, at) => {
    const { earlier, fresh } = pieceOf(decision, at);
    for (const segment of earlier) buffer.add(segment);
    const units = fresh === null ? null : buffer.unitsWith(fresh);
    if (fresh === null) buffer.lose();
    else {
      buffer.add(fresh);
      if (units !== null) beginsAt(decision, buffer.startSeq, tell);
    }
    if (units === null) unknown += 1;
    else if (units !== decision.ctu)
      tell(
        decision.line,
        'ctu',
        `input_ctu: found ${decision.ctu}, expected ${units} for what is buffered and what is new`,
      );
    if (decision.decision === 'discard') buffer.lose();
    if (decision.decision !== 'summarize') return;
    const expected = buffer.takeHash();
    if (expected === null) unknown += 1;
    else checkHash(summaries[summary]!, expected, tell);
    summary += 1;
  });
  return unknown;
}

function checkSummaries(
  summaries: readonly LogSummary[],
  segmentsOf: (summary: LogSummary, at: number) => readonly Segment[] | null,
  tell: Tell,
): number {
  let unknown = 0;
  summaries.forEach((summary, at) => {
    const segments = segmentsOf(summary, at);
    if (segments === null) unknown += 1;
    else checkHash(summary, sha256Of(renderSegments(segments)), tell);
  });
  return unknown;
}

function checkTurns(summaries: readonly LogSummary[], held: HeldTrace, tell: Tell): number {
  return checkSummaries(
    summaries,
    ({ line, start, end }) => {
      const turn = held.turnThatEnds(end);
      if (turn === null) tell(line, 'window', `end_seq: found ${end}, expected the end of a turn that says something`);
      else if (turn.startSeq !== start)
        tell(line, 'window', `start_seq: found ${start}, expected ${turn.startSeq}, the start of turn ${turn.turn}`);
      return turn === null ? null : [{ ...turn, text: textOf(turn.deltas) }];
    },
    tell,
  );
}

function beginsWith(event: LogSummary, { startSeq }: Segment, tell: Tell): boolean {
  return beginsAt(event, startSeq, tell);
}

function beginsAt({ line, start }: LogDecision | LogSummary, expected: number | null, tell: Tell): boolean {
  if (expected === null || start === expected) return true;
  tell(line, 'window', `start_seq: found ${start}, expected ${expected}, the first delta since the last summary`);
  return false;
}

function checkHash({ line, hash }: LogSummary, expected: string, tell: Tell): void {
  if (hash !== expected)
    tell(line, 'buffer-text', `new_buffer_text_hash: found ${hash}, expected ${expected} for the text of the trace`);
}
