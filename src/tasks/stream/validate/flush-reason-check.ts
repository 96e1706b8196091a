import { cueAfter, NO_CUE } from '../replay/boundary-cue.ts';
import { BEGINS_IN_WORD, ENDS_IN_WORD, type GateInput } from '../replay/gate-input.ts';
import type { FlushStretches } from './buffer-text-check.ts';
import type { ContentDeltas, Stretch } from './content-deltas.ts';
import type { Check } from './findings.ts';
import type { LogFlush } from './log-events.ts';

type Tell = (line: number | null, check: Check, message: string) => void;

/** A number of words or milliseconds, and the flush that it was seen in. */
interface Seen {
  readonly value: number;
  readonly flush: LogFlush;
}

/**
 * One limit of the gate, as the log shows it. A flush that names the limit as its reason had reached it; a buffer that
 * was let go on had not. The limit itself is in no log, but it cannot be both.
 */
interface Limit {
  reached: Seen | null;
  passed: Seen | null;
}

/** What a buffer was when its last delta had come, and the most it was before, when it was looked at and not flushed. */
interface Buffered {
  readonly words: number;
  readonly hasCue: boolean;
  readonly wait: number;
  readonly wordsBefore: number;
  readonly wordsAtCueBefore: number;
  readonly waitBefore: number;
  readonly gap: number;
}

interface SeenFlush {
  readonly flush: LogFlush;
  readonly buffered: Buffered;
  readonly deltas: number;
  /** Of its agent. */
  readonly isFirst: boolean;
  /** How long it is until the agent goes on; null where it does not. */
  readonly silence: number | null;
}

/** Without the trace: what is left at the end goes last. */
export function checkLastReasons(flushes: readonly LogFlush[], tell: Tell): void {
  const last = flushes.findLast(({ reason }) => reason !== 'end_of_trace');
  if (last === undefined) return;
  for (const { line, reason } of flushes.slice(0, flushes.indexOf(last)))
    if (reason === 'end_of_trace')
      tell(
        line,
        'flush-reason',
        `trigger_reason: found end_of_trace before record ${last.line}, which is ${last.reason}`,
      );
}

/**
 * With the trace: reasons that cannot be true. Which limits the gate had is not known, so a change that other limits would
 * explain is not found. A flush that is `told` already is no witness against others.
 */
export function checkReasons(
  stretches: FlushStretches,
  content: ContentDeltas,
  told: ReadonlySet<number | null>,
  tell: Tell,
): void {
  const seen: SeenFlush[] = [];
  for (const [flush, stretch] of stretches) if (stretch !== null) seen.push(seenFlush(flush, stretch, content.input));
  for (const { flush, buffered, silence } of seen) {
    const why =
      flush.reason === 'silence_timer' && silence === null
        ? 'its agent says nothing after it, and silence is noticed when it speaks again'
        : flush.reason === 'end_of_trace' && silence !== null
          ? 'its agent goes on after it'
          : flush.reason === 'boundary_cue' && !buffered.hasCue
            ? 'its text ends in no sentence mark and no newline'
            : null;
    if (why !== null) tell(flush.line, 'flush-reason', `trigger_reason: found ${flush.reason}, but ${why}`);
  }
  for (const [limitOf, what] of LIMITS) {
    const { reached, passed } = limitOf(seen.filter(({ flush }) => !told.has(flush.line)));
    if (reached === null || passed === null || passed.value < reached.value) continue;
    tell(
      reached.flush.line,
      'flush-reason',
      `trigger_reason: found ${reached.flush.reason} at ${reached.value} ${what}, but in record ${passed.flush.line} (${passed.flush.reason}) ${passed.value} were not enough`,
    );
  }
}

const LIMITS = [
  [silenceLimit, 'ms of silence'],
  [wordLimit, 'words'],
  [(seen: readonly SeenFlush[]) => waitLimit(seen, true), 'ms of waiting'],
  [(seen: readonly SeenFlush[]) => waitLimit(seen, false), 'ms of waiting'],
  [cueLimit, 'words at the end of a sentence'],
] as const;

/**
 * Whether a buffer with all its words was looked at and had not waited too long. Of what was held until silence or to the
 * end, a single delta may have come after silence, when the gate looks no further.
 */
function hadNotWaited({ flush: { reason }, deltas }: SeenFlush): boolean {
  switch (reason) {
    case 'boundary_cue':
    case 'max_words':
      return true;
    case 'silence_timer':
    case 'end_of_trace':
      return deltas > 1;
    case 'max_wait_timeout':
    case 'turn_end':
      return false;
  }
}

function silenceLimit(seen: readonly SeenFlush[]): Limit {
  const limit = none();
  for (const { flush, buffered, silence } of seen) {
    pass(limit, buffered.gap, flush);
    if (flush.reason === 'silence_timer' && silence !== null) reach(limit, silence, flush);
  }
  return limit;
}

function wordLimit(seen: readonly SeenFlush[]): Limit {
  const limit = none();
  for (const one of seen) {
    const { flush, buffered } = one;
    pass(limit, buffered.wordsBefore, flush);
    if (flush.reason === 'max_words') reach(limit, buffered.words, flush);
    else if (hadNotWaited(one)) pass(limit, buffered.words, flush);
  }
  return limit;
}

/**
 * A wait that starts once for an agent counts for its first buffer only. A later buffer that had waited too long shows
 * that it starts with every buffer.
 */
function waitLimit(seen: readonly SeenFlush[], firstOnly: boolean): Limit {
  const limit = none();
  for (const one of seen) {
    const { flush, buffered, isFirst } = one;
    if (flush.reason === 'max_wait_timeout' && isFirst === firstOnly) reach(limit, buffered.wait, flush);
    if (firstOnly && !isFirst) continue;
    pass(limit, buffered.waitBefore, flush);
    if (hadNotWaited(one)) pass(limit, buffered.wait, flush);
  }
  return limit;
}

function cueLimit(seen: readonly SeenFlush[]): Limit {
  const limit = none();
  for (const one of seen) {
    const { flush, buffered } = one;
    pass(limit, buffered.wordsAtCueBefore, flush);
    if (flush.reason === 'boundary_cue') reach(limit, buffered.words, flush);
    else if (flush.reason !== 'max_words' && hadNotWaited(one) && buffered.hasCue) pass(limit, buffered.words, flush);
  }
  return limit;
}

function none(): Limit {
  return { reached: null, passed: null };
}

function reach(limit: Limit, value: number, flush: LogFlush): void {
  if (limit.reached === null || value < limit.reached.value) limit.reached = { value, flush };
}

function pass(limit: Limit, value: number, flush: LogFlush): void {
  if (limit.passed === null || value > limit.passed.value) limit.passed = { value, flush };
}

function seenFlush(flush: LogFlush, stretch: Stretch, input: GateInput): SeenFlush {
  const { own, from, to } = stretch;
  const silence = to < own.length ? input.time[own[to]!]! - input.time[own[to - 1]!]! : null;
  return { flush, buffered: bufferedIn(input, stretch), deltas: to - from, isFirst: from === 0, silence };
}

/** Goes over a buffer as the gate does. Its first delta may have come after silence, when the gate looks no further. */
function bufferedIn({ time, words, edges, cues }: GateInput, { own, from, to }: Stretch): Buffered {
  let count = 0;
  let inWord = false;
  let cue: number = NO_CUE;
  let wordsBefore = 0;
  let wordsAtCueBefore = 0;
  let waitBefore = 0;
  let gap = 0;
  const began = time[own[from]!]!;
  for (let at = from; at < to; at += 1) {
    const place = own[at]!;
    if (at > from) gap = Math.max(gap, time[place]! - time[own[at - 1]!]!);
    if (at > from + 1) {
      wordsBefore = Math.max(wordsBefore, count);
      if (cue !== NO_CUE) wordsAtCueBefore = Math.max(wordsAtCueBefore, count);
      waitBefore = Math.max(waitBefore, time[own[at - 1]!]! - began);
    }
    const edge = edges[place]!;
    count += words[place]! - (inWord && (edge & BEGINS_IN_WORD) !== 0 ? 1 : 0);
    inWord = (edge & ENDS_IN_WORD) !== 0;
    cue = cueAfter(cues[place]!, cue);
  }
  const wait = time[own[to - 1]!]! - began;
  return { words: count, hasCue: cue !== NO_CUE, wait, wordsBefore, wordsAtCueBefore, waitBefore, gap };
}
