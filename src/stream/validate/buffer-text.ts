import { codePointLength, sha256Of } from '../../plugin.ts';
import { deltaText } from '../replay/content-turns.ts';
import { EMPTY_BUFFER, renderSegments, type Segment } from '../replay/render.ts';
import type { FileFindings } from './findings.ts';
import type { FlushStretches } from './flush-reasons.ts';
import type { HeldTrace } from './held-trace.ts';
import type { LogDecision, LogEvents, LogFlush, LogSummary } from './log-events.ts';
import type { Sequence } from './log-sequence.ts';

/**
 * Whether decisions were asked about, and summaries made of, the text that the trace has there. Returns for how many
 * records that could not be worked out.
 */
export function checkBufferTexts(
  events: LogEvents,
  { decided, summarised }: Sequence,
  held: HeldTrace,
  stretches: FlushStretches,
  findings: FileFindings,
): number {
  const { decisions, summaries } = events;
  const segmentOf = (flush: LogFlush): Segment | null => {
    const stretch = stretches.get(flush) ?? null;
    return stretch === null ? null : held.segment(stretch);
  };
  if (decided !== null)
    return checkDecided(events, (_, at) => ({ earlier: [], fresh: segmentOf(decided[at]!) }), findings);
  if (decisions.length > 0) return checkDecided(events, chunksOf(decisions, held), findings);
  const chunk = chunksOf(summaries, held);
  const isTurns = summaries[0]?.trigger === 'turn_end';
  let unknown = 0;
  summaries.forEach((summary, at) => {
    const segment = summarised === null ? null : segmentOf(summarised[at]!);
    const segments =
      summarised !== null
        ? segment && [segment]
        : isTurns
          ? turnSegments(summary, held, findings)
          : chunkSegments(summary, chunk(summary, at), findings);
    if (segments === null) unknown += 1;
    else checkHash(summary, sha256Of(renderSegments(segments)), findings);
  });
  return unknown;
}

/** What came since the last question. */
interface Piece {
  /** Kept without a question. */
  readonly earlier: readonly Segment[];
  /** What is new; null if it is not known. */
  readonly fresh: Segment | null;
}

/** Without flushes, what came since the record before: the last run of one agent is what is new. */
function chunksOf(events: readonly (LogDecision | LogSummary)[], held: HeldTrace) {
  return ({ end }: LogDecision | LogSummary, at: number): Piece => {
    const runs = held.runs(events[at - 1]?.end ?? -1, end);
    return runs === null ? { earlier: [], fresh: null } : { earlier: runs.slice(0, -1), fresh: runs.at(-1)! };
  };
}

function chunkSegments(
  summary: LogSummary,
  { earlier, fresh }: Piece,
  findings: FileFindings,
): readonly Segment[] | null {
  if (fresh === null || !beginsAt(summary, (earlier[0] ?? fresh).startSeq, findings)) return null;
  return [...earlier, fresh];
}

function turnSegments({ line, start, end }: LogSummary, held: HeldTrace, findings: FileFindings): Segment[] | null {
  const turn = held.turnThatEnds(end);
  if (turn === null)
    findings.add(line, 'window', `end_seq: found ${end}, expected the end of a turn of the conversation`);
  else findings.compare(line, 'window', 'start_seq', start, turn.startSeq, `, the start of turn ${turn.turn}`);
  return turn === null ? null : [{ ...turn, text: deltaText(turn.deltas) }];
}

function checkDecided(
  { decisions, summaries }: LogEvents,
  pieceOf: (decision: LogDecision, at: number) => Piece,
  findings: FileFindings,
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
      if (units !== null) beginsAt(decision, buffer.startSeq, findings);
    }
    if (units === null) unknown += 1;
    else
      findings.compare(decision.line, 'ctu', 'input_ctu', decision.ctu, units, ' for what is buffered and what is new');
    if (decision.decision === 'discard') buffer.lose();
    if (decision.decision !== 'summarize') return;
    const expected = buffer.takeHash();
    if (expected === null) unknown += 1;
    else checkHash(summaries[summary]!, expected, findings);
    summary += 1;
  });
  return unknown;
}

function beginsAt({ line, start }: LogDecision | LogSummary, expected: number | null, findings: FileFindings): boolean {
  const why = ', the first delta since the last summary';
  return expected === null || findings.compare(line, 'window', 'start_seq', start, expected, why);
}

function checkHash({ line, hash }: LogSummary, expected: string, findings: FileFindings): void {
  findings.compare(line, 'buffer-text', 'new_buffer_text_hash', hash, expected, ' for the text of the trace');
}

/**
 * What has come since the last summary, as it is rendered for a question. Its length is added up: a buffer that is asked
 * about a thousand times is not rendered a thousand times.
 */
class RenderedBuffer {
  #segments: Segment[] = [];
  #points = 0;
  #known = true;

  /** Something came that is not known: until the buffer is emptied, neither is what it holds. */
  lose(): void {
    this.#known = false;
  }

  add(segment: Segment): void {
    const last = this.#segments.at(-1);
    const heading = last?.agent === segment.agent ? codePointLength(segment.agent) + 2 : 0;
    this.#points += pointsOf(segment) - heading + (last === undefined ? 0 : 1);
    this.#segments.push(segment);
  }

  /** The units of a question about the buffer and a new segment; null if they are not known. */
  unitsWith(segment: Segment): number | null {
    if (!this.#known) return null;
    const buffered = this.#segments.length === 0 ? codePointLength(EMPTY_BUFFER) : this.#points;
    return Math.ceil((buffered + 1 + pointsOf(segment)) / 4);
  }

  /** The seq at which the window of what is buffered begins; null for an empty buffer, or one that is not known. */
  get startSeq(): number | null {
    return this.#known ? (this.#segments[0]?.startSeq ?? null) : null;
  }

  /** `sha256:…` of all of it, after which it is empty; null if it was not known. */
  takeHash(): string | null {
    const hash = this.#known ? sha256Of(renderSegments(this.#segments)) : null;
    this.#segments = [];
    this.#points = 0;
    this.#known = true;
    return hash;
  }
}

function pointsOf(segment: Segment): number {
  return codePointLength(renderSegments([segment]));
}
