import type { FlushReason } from '../run-log-records.ts';
import { cueAfter, NO_CUE } from './boundary-cue.ts';
import { BEGINS_IN_WORD, ENDS_IN_WORD, type GateInput } from './gate-input.ts';

export interface GatePolicy {
  readonly minWords: number;
  readonly maxWords: number;
  readonly silenceMs: number;
  readonly maxWaitMs: number;
  /**
   * `every-buffer`: the wait counts from the beginning of the buffer at hand. `first-buffer-only`: it starts once for an
   * agent and is never started again, as in the program that the published logs were made with.
   */
  readonly maxWait: 'every-buffer' | 'first-buffer-only';
}

export const USUAL_GATE: GatePolicy = {
  minWords: 60,
  maxWords: 100,
  silenceMs: 1000,
  maxWaitMs: 4000,
  maxWait: 'every-buffer',
};

/** A stretch of one agent's deltas that the gate lets through, by places in the gate's input. */
export interface GateFlush {
  readonly agent: number;
  /** First and last delta; between them, the deltas of this agent. */
  readonly first: number;
  readonly last: number;
  /** The delta at which it was decided: the last one, except after silence and at the end. */
  readonly at: number;
  readonly reason: FlushReason;
  readonly words: number;
}

/** Words, cue and clocks of what one agent has said since its last flush. */
interface AgentBuffer {
  first: number;
  last: number;
  words: number;
  inWord: boolean;
  cue: number;
  /** When the buffer began; null if the clock does not run. */
  began: number | null;
  lastTime: number;
  seen: boolean;
}

/**
 * Lets text through in pieces, agent by agent. For each delta, in this order: (1) after silence the old buffer goes and
 * the delta starts a new one, with no further look; (2) the delta is added; (3) waited too long; (4) enough words for
 * the greatest size; (5) enough words for the least size and the end of a sentence or line. What is left at the end goes
 * agent by agent, in order of first appearance.
 */
export function passGate(input: GateInput, policy: GatePolicy, emit: (flush: GateFlush) => void): void {
  const { agent, time, words, edges, cues } = input;
  const { minWords, maxWords, silenceMs, maxWaitMs } = policy;
  const everyBuffer = policy.maxWait === 'every-buffer';
  const buffers = input.agents.map(emptyBuffer);
  for (let at = 0; at < agent.length; at += 1) {
    const place = agent[at]!;
    const own = buffers[place]!;
    const now = time[at]!;
    const edge = edges[at]!;
    const silent = own.first >= 0 && now - own.lastTime >= silenceMs;
    if (silent) emit(flushed(own, place, at, 'silence_timer'));
    if (!own.seen || (everyBuffer && own.first < 0)) own.began = now;
    own.seen = true;
    own.lastTime = now;
    if (own.first < 0) own.first = at;
    own.last = at;
    own.words += words[at]! - (own.inWord && (edge & BEGINS_IN_WORD) !== 0 ? 1 : 0);
    own.inWord = (edge & ENDS_IN_WORD) !== 0;
    own.cue = cueAfter(cues[at]!, own.cue);
    if (silent) continue;
    if (own.began !== null && now - own.began >= maxWaitMs) emit(flushed(own, place, at, 'max_wait_timeout'));
    else if (own.words >= maxWords) emit(flushed(own, place, at, 'max_words'));
    else if (own.words >= minWords && own.cue !== NO_CUE) emit(flushed(own, place, at, 'boundary_cue'));
  }
  buffers.forEach((own, place) => {
    if (own.first >= 0) emit(flushed(own, place, own.last, 'end_of_trace'));
  });
}

function emptyBuffer(): AgentBuffer {
  return { first: -1, last: -1, words: 0, inWord: false, cue: NO_CUE, began: null, lastTime: 0, seen: false };
}

function flushed(own: AgentBuffer, agent: number, at: number, reason: FlushReason): GateFlush {
  const flush: GateFlush = { agent, first: own.first, last: own.last, at, reason, words: own.words };
  own.first = -1;
  own.words = 0;
  own.inWord = false;
  own.cue = NO_CUE;
  own.began = null;
  return flush;
}

/** The text of a flush: its agent's deltas, one after the other. */
export function flushText({ deltas, agent }: GateInput, { agent: own, first, last }: GateFlush): string {
  let text = '';
  for (let at = first; at <= last; at += 1) if (agent[at] === own) text += deltas[at]!.delta_text;
  return text;
}
