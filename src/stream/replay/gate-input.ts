import { isWhiteSpace } from '../../plugin.ts';
import type { StreamDelta, Trace } from '../trace-records.ts';
import { contentTurns } from './content-turns.ts';
import { cueEffect } from './boundary-cue.ts';

/**
 * The deltas of a trace's content turns as a gate looks at them: plain numbers, worked out once, so that hundreds of
 * policies can be tried on one trace without touching its text again.
 */
export interface GateInput {
  readonly deltas: readonly StreamDelta[];
  readonly agents: readonly string[];
  /** By delta: place of its agent in `agents`. */
  readonly agent: Int32Array;
  /** By delta: the virtual clock, t0 + t_rel_ms, from t0 on. */
  readonly time: Float64Array;
  /** By delta: words between white space. */
  readonly words: Int32Array;
  /** By delta: bit 0, it begins inside a word; bit 1, it ends inside one. */
  readonly edges: Uint8Array;
  /** By delta: what it does to the state of the boundary cue. */
  readonly cues: Uint8Array;
}

export const BEGINS_IN_WORD = 1;
export const ENDS_IN_WORD = 2;

export function gateInput(trace: Trace): GateInput {
  const deltas = contentDeltas(trace);
  const agents = new Map<string, number>();
  const agent = new Int32Array(deltas.length);
  const time = new Float64Array(deltas.length);
  const words = new Int32Array(deltas.length);
  const edges = new Uint8Array(deltas.length);
  const cues = new Uint8Array(deltas.length);
  for (let at = 0; at < deltas.length; at += 1) {
    const { agent_id: name, delta_text: text, t_rel_ms: since } = deltas[at]!;
    let place = agents.get(name);
    if (place === undefined) {
      place = agents.size;
      agents.set(name, place);
    }
    agent[at] = place;
    time[at] = since;
    cues[at] = cueEffect(text);
    let count = 0;
    let inWord = false;
    for (let unit = 0; unit < text.length; unit += 1) {
      const white = isWhiteSpace(text.charCodeAt(unit));
      if (!white && !inWord) count += 1;
      inWord = !white;
    }
    words[at] = count;
    edges[at] = (isWhiteSpace(text.charCodeAt(0)) ? 0 : BEGINS_IN_WORD) | (inWord ? ENDS_IN_WORD : 0);
  }
  return { deltas, agents: [...agents.keys()], agent, time, words, edges, cues };
}

/** By seq. Turns follow each other in most traces: then there is nothing to sort. */
function contentDeltas(trace: Trace): readonly StreamDelta[] {
  const all: StreamDelta[] = [];
  let sorted = true;
  for (const { deltas } of contentTurns(trace)) {
    if (all.length > 0 && all.at(-1)!.seq > deltas[0]!.seq) sorted = false;
    // An empty delta has no words: it neither ends a silence nor starts a timer.
    for (const delta of deltas) if (delta.delta_text !== '') all.push(delta);
  }
  return sorted ? all : all.sort((a, b) => a.seq - b.seq);
}
