import { compareText } from '../../plugin.ts';
import type { StreamDelta, Trace } from '../trace-records.ts';

/** Names that a trace uses for nobody: a turn with such a text is not a label. */
const NO_AGENT: ReadonlySet<string> = new Set(['', 'unknown', 'null', 'none']);
const END_WORD = 'terminate';

/** A turn of the conversation, from its start boundary to its end boundary or, if that is later, its last delta. */
export interface ContentTurn {
  readonly turn: number;
  readonly agent: string;
  readonly startSeq: number;
  readonly endSeq: number;
  readonly deltas: readonly StreamDelta[];
}

/**
 * The turns that say something, in the order in which they begin. A turn is control, and left out, when its stripped
 * lower-case text is the label of an agent (who speaks next), TERMINATE, or empty.
 */
export function contentTurns(trace: Trace): readonly ContentTurn[] {
  const labels = new Set<string>();
  for (const { agent_id: agent } of trace.boundaries) {
    const label = agent.trim().toLowerCase();
    if (!NO_AGENT.has(label)) labels.add(label);
  }
  const turns = new Map<number, StreamDelta[]>();
  for (const delta of trace.deltas) {
    const own = turns.get(delta.turn_id);
    if (own === undefined) turns.set(delta.turn_id, [delta]);
    else own.push(delta);
  }
  const starts = new Map<number, number>();
  const ends = new Map<number, number>();
  for (const { boundary, turn_id: turn, seq } of trace.boundaries)
    (boundary === 'start' ? starts : ends).set(turn, seq);
  const found: ContentTurn[] = [];
  for (const [turn, deltas] of turns) {
    const text = deltaText(deltas).trim().toLowerCase();
    if (text === '' || text === END_WORD || labels.has(text)) continue;
    found.push({
      turn,
      agent: deltas[0]!.agent_id,
      startSeq: starts.get(turn) ?? deltas[0]!.seq,
      endSeq: Math.max(ends.get(turn) ?? 0, deltas.at(-1)!.seq),
      deltas,
    });
  }
  return found.sort((a, b) => a.startSeq - b.startSeq || compareText(a.agent, b.agent));
}

export function deltaText(deltas: readonly StreamDelta[]): string {
  let text = '';
  for (const { delta_text: piece } of deltas) text += piece;
  return text;
}
