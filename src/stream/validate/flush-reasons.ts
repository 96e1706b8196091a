import { cueAfter, NO_CUE } from '../replay/boundary-cue.ts';
import { BEGINS_IN_WORD, ENDS_IN_WORD, type GateInput } from '../replay/gate-input.ts';
import type { FileFindings } from './findings.ts';
import type { Stretch } from './held-trace.ts';
import type { LogFlush } from './log-events.ts';

/** The deltas of each flush; null for those whose text is not that of the trace. */
export type FlushStretches = ReadonlyMap<LogFlush, Stretch | null>;

/** Reasons of flushes that cannot be true. A reason may be wrong in several ways: it is reported once. */
export class FlushReasons {
  readonly #findings: FileFindings;
  readonly #reported = new Set<number>();

  constructor(findings: FileFindings) {
    this.#findings = findings;
  }

  wrong({ line, reason }: LogFlush, why: string): void {
    if (this.#reported.has(line)) return;
    this.#reported.add(line);
    this.#findings.add(line, 'flush-reason', `trigger_reason: found ${reason}${why}`);
  }

  /** Without the trace: what is left at the end is flushed last. */
  checkOrder(flushes: readonly LogFlush[]): void {
    const last = flushes.findLastIndex(({ reason }) => reason !== 'end_of_trace');
    for (const flush of flushes.slice(0, Math.max(0, last)))
      if (flush.reason === 'end_of_trace')
        this.wrong(flush, ` before record ${flushes[last]!.line}, which is ${flushes[last]!.reason}`);
  }

  /**
   * With the trace. The limits of the gate are in no log, but each shows in it: a flush that names the limit had reached
   * it, a buffer that was kept had not, and it cannot be both. A change that other limits would explain is not found. A
   * flush that has been reported is not evidence against others.
   */
  checkLimits(stretches: FlushStretches, input: GateInput): void {
    const buffers = [...stretches].flatMap(([flush, stretch]) =>
      stretch === null ? [] : [flushedBuffer(flush, stretch, input)],
    );
    for (const { flush, hasCue, silence } of buffers)
      if (flush.reason === 'silence_timer' && silence === null)
        this.wrong(flush, ', but its agent is silent after it, and silence is noticed when it speaks again');
      else if (flush.reason === 'end_of_trace' && silence !== null)
        this.wrong(flush, ', but its agent continues after it');
      else if (flush.reason === 'boundary_cue' && !hasCue)
        this.wrong(flush, ', but its text does not end in a sentence mark or a newline');
    for (const { what, shows } of LIMITS) {
      let reached: Sighting | null = null;
      let kept: Sighting | null = null;
      for (const buffer of buffers) {
        const { flush } = buffer;
        if (this.#reported.has(flush.line)) continue;
        const seen = shows(buffer);
        for (const value of seen.kept) if (kept === null || value > kept.value) kept = { value, flush };
        if (seen.reached !== null && (reached === null || seen.reached < reached.value))
          reached = { value: seen.reached, flush };
      }
      if (reached === null || kept === null || kept.value < reached.value) continue;
      const { line, reason } = kept.flush;
      const contrary = `in record ${line} (${reason}) ${kept.value} were not enough`;
      this.wrong(reached.flush, ` at ${reached.value} ${what}, but ${contrary}`);
    }
  }
}

interface Sighting {
  readonly value: number;
  readonly flush: LogFlush;
}

/** What a buffer was when its last delta had come, and the most it was before, when it was looked at and not flushed. */
interface FlushedBuffer {
  readonly flush: LogFlush;
  readonly words: number;
  readonly hasCue: boolean;
  readonly wait: number;
  readonly wordsBefore: number;
  readonly wordsAtCueBefore: number;
  readonly waitBefore: number;
  /** Longest silence inside it. */
  readonly gap: number;
  /** Of its agent. */
  readonly isFirst: boolean;
  /** How long it is until the agent speaks again; null if it does not. */
  readonly silence: number | null;
  /**
   * Whether it was looked at with all its words and had not waited too long. Of what was held until silence or to the
   * end, a single delta may have come after silence, when the gate looks no further.
   */
  readonly hadNotWaited: boolean;
}

/** What a buffer shows of a limit: a value that reached it, and values that did not. */
interface Shown {
  readonly reached: number | null;
  readonly kept: readonly number[];
}

interface Limit {
  readonly what: string;
  readonly shows: (buffer: FlushedBuffer) => Shown;
}

const LIMITS: readonly Limit[] = [
  {
    what: 'ms of silence',
    shows: ({ flush, gap, silence }) => ({ reached: flush.reason === 'silence_timer' ? silence : null, kept: [gap] }),
  },
  {
    what: 'words',
    shows({ flush, words, wordsBefore, hadNotWaited }) {
      const isReached = flush.reason === 'max_words';
      const kept = !isReached && hadNotWaited ? [wordsBefore, words] : [wordsBefore];
      return { reached: isReached ? words : null, kept };
    },
  },
  // A wait that starts once for an agent counts for its first buffer only. A later buffer that had waited too long shows
  // that it starts with every buffer.
  { what: 'ms of waiting', shows: (buffer) => waited(buffer, true) },
  { what: 'ms of waiting', shows: (buffer) => waited(buffer, false) },
  {
    what: 'words at the end of a sentence',
    shows({ flush: { reason }, words, wordsAtCueBefore, hasCue, hadNotWaited }) {
      const isReached = reason === 'boundary_cue';
      const isKept = !isReached && reason !== 'max_words' && hadNotWaited && hasCue;
      return { reached: isReached ? words : null, kept: isKept ? [wordsAtCueBefore, words] : [wordsAtCueBefore] };
    },
  },
];

function waited({ flush, wait, waitBefore, isFirst, hadNotWaited }: FlushedBuffer, firstOnly: boolean): Shown {
  const reached = flush.reason === 'max_wait_timeout' && isFirst === firstOnly ? wait : null;
  if (firstOnly && !isFirst) return { reached, kept: [] };
  return { reached, kept: hadNotWaited ? [waitBefore, wait] : [waitBefore] };
}

/** Goes over a buffer as the gate does. Its first delta may have come after silence, when the gate looks no further. */
function flushedBuffer(flush: LogFlush, { own, from, to }: Stretch, input: GateInput): FlushedBuffer {
  const { time, words, edges, cues } = input;
  const timeAt = (at: number): number => time[own[at]!]!;
  let count = 0;
  let inWord = false;
  let cue: number = NO_CUE;
  let wordsBefore = 0;
  let wordsAtCueBefore = 0;
  let waitBefore = 0;
  let gap = 0;
  for (let at = from; at < to; at += 1) {
    const place = own[at]!;
    if (at > from) gap = Math.max(gap, timeAt(at) - timeAt(at - 1));
    if (at > from + 1) {
      wordsBefore = count;
      if (cue !== NO_CUE) wordsAtCueBefore = count;
      waitBefore = Math.max(waitBefore, timeAt(at - 1) - timeAt(from));
    }
    const edge = edges[place]!;
    count += words[place]! - (inWord && (edge & BEGINS_IN_WORD) !== 0 ? 1 : 0);
    inWord = (edge & ENDS_IN_WORD) !== 0;
    cue = cueAfter(cues[place]!, cue);
  }
  const { reason } = flush;
  const isHeld = reason === 'silence_timer' || reason === 'end_of_trace';
  return {
    flush,
    words: count,
    hasCue: cue !== NO_CUE,
    wait: timeAt(to - 1) - timeAt(from),
    wordsBefore,
    wordsAtCueBefore,
    waitBefore,
    gap,
    isFirst: from === 0,
    silence: to < own.length ? timeAt(to) - timeAt(to - 1) : null,
    hadNotWaited: reason === 'boundary_cue' || reason === 'max_words' || (isHeld && to - from > 1),
  };
}
