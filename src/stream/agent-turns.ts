import type { Trace } from './trace-records.ts';

/** When an agent spoke, in milliseconds since the first delta. */
export interface AgentTurns {
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
