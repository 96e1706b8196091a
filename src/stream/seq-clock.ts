import type { Trace } from './trace-records.ts';

/**
 * The time of a place in a trace, in milliseconds since its first delta: that of the record with this seq, or of the
 * last one before it. Null outside the trace.
 */
export function seqClock({ deltas, boundaries, meta }: Trace): (seq: number) => number | null {
  const records = [
    ...deltas.map(({ seq, t_rel_ms }) => ({ seq, ms: t_rel_ms })),
    // The reader does not insist on the times of boundaries.
    ...boundaries
      .filter(({ t_ms }) => Number.isFinite(t_ms))
      .map(({ seq, t_ms }) => ({ seq, ms: t_ms - meta.t0_emitted_ms })),
  ].sort((a, b) => a.seq - b.seq);
  return (seq) => {
    const last = records.at(-1);
    if (last === undefined || seq < records[0]!.seq || seq > last.seq) return null;
    let [low, high] = [0, records.length - 1];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if (records[middle]!.seq <= seq) low = middle;
      else high = middle - 1;
    }
    return records[low]!.ms;
  };
}

/** When an agent spoke, in milliseconds since the first delta. */
interface AgentTurns {
  readonly name: string;
  readonly turns: readonly (readonly [startMs: number, endMs: number])[];
}

/** Agents in order of appearance; a turn runs from its first to its last record. */
export function agentTurns({ deltas, boundaries, meta }: Trace): AgentTurns[] {
  const agents = new Map<string, Map<number, [number, number]>>();
  const seen = (name: string, turn: number, ms: number): void => {
    let turns = agents.get(name);
    if (turns === undefined) agents.set(name, (turns = new Map<number, [number, number]>()));
    const known = turns.get(turn);
    if (known === undefined) turns.set(turn, [ms, ms]);
    else {
      known[0] = Math.min(known[0], ms);
      known[1] = Math.max(known[1], ms);
    }
  };
  for (const { agent_id: agent, turn_id: turn, t_rel_ms: ms } of deltas) seen(agent, turn, ms);
  // The reader does not insist on the times of boundaries.
  for (const { agent_id: agent, turn_id: turn, t_ms: ms } of boundaries)
    if (Number.isFinite(ms)) seen(agent, turn, ms - meta.t0_emitted_ms);
  return [...agents].map(([name, turns]) => ({ name, turns: [...turns.values()] }));
}
