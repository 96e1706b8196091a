import type { BufferDecision, RunLog } from '../run-log-records.ts';
import type { Trace } from '../trace-records.ts';
import { codePointLength } from '../../plugin.ts';
import { seqClock } from '../seq-clock.ts';

/** What happened in one case, in milliseconds on its clock. */
export interface TimelineData {
  readonly caseId: string;
  /** In the order in which they are shown. */
  readonly agents: readonly TimelineAgent[];
  readonly variants: readonly TimelineVariant[];
  readonly notes?: readonly string[];
}

export interface TimelineAgent {
  readonly name: string;
  readonly turns: readonly { readonly startMs: number; readonly endMs: number }[];
  /** What came in: code points / 4, not rounded. */
  readonly pieces: readonly { readonly atMs: number; readonly ctu: number }[];
}

export interface TimelineVariant {
  readonly name: string;
  readonly flushes: readonly { readonly atMs: number; readonly reason: string }[];
  readonly decisions: readonly { readonly atMs: number; readonly outcome: DecisionOutcome }[];
  readonly summaries: readonly TimelineSummary[];
}

export type DecisionOutcome = 'summarise' | 'buffer' | 'discard' | 'failed';

interface TimelineSummary {
  /** The window that it stands for; it was made at the end. */
  readonly startMs: number;
  readonly endMs: number;
  readonly schemaOk: boolean;
}

/** The timeline of a trace with what variants made of it. Times come from the trace, by seq. */
export function timelineData(
  trace: Trace,
  logs: readonly { readonly name: string; readonly log: RunLog }[],
): TimelineData {
  const clock = seqClock(trace);
  let outside = 0;
  const timed = <T>(seqs: readonly number[], make: (...times: number[]) => T): T[] => {
    const times = seqs.map(clock).filter((time) => time !== null);
    if (times.length === seqs.length) return [make(...times)];
    outside += 1;
    return [];
  };
  const variants = logs.map(({ name, log }): TimelineVariant => ({
    name: log.meta.model?.kind === 'heuristic' ? `${name} (heuristic stand-in, no model)` : name,
    flushes: log.flushes.flatMap((one) => timed([one.end_seq], (atMs = 0) => ({ atMs, reason: one.trigger_reason }))),
    decisions: log.decisions.flatMap((one) => timed([one.end_seq], (atMs = 0) => ({ atMs, outcome: outcomeOf(one) }))),
    summaries: log.summaries.flatMap((one) =>
      timed([one.start_seq, one.end_seq], (startMs = 0, endMs = 0) => ({ startMs, endMs, schemaOk: one.schema_ok })),
    ),
  }));
  const lost = outside === 1 ? '1 record lies' : `${outside} records lie`;
  return {
    caseId: trace.meta.case_id,
    agents: agentsOf(trace),
    variants,
    notes: outside === 0 ? [] : [`Not drawn: ${lost} outside the trace; the run logs may belong to another one.`],
  };
}

/** Logs of others do not say why a call failed: it left no answer to any of the questions. */
function outcomeOf({
  decision,
  error,
  filter_results: { completeness_passed: complete },
}: BufferDecision): DecisionOutcome {
  if ((error !== undefined && error !== null) || typeof complete !== 'boolean') return 'failed';
  return decision === 'summarize' ? 'summarise' : decision;
}

/** Agents in order of appearance; a turn runs from its first to its last record. */
function agentsOf({ deltas, boundaries, meta }: Trace): TimelineAgent[] {
  interface Seen {
    readonly turns: Map<number, { startMs: number; endMs: number }>;
    readonly pieces: { atMs: number; ctu: number }[];
  }
  const agents = new Map<string, Seen>();
  const seen = (name: string, turn: number, atMs: number): Seen => {
    let agent = agents.get(name);
    if (agent === undefined) agents.set(name, (agent = { turns: new Map(), pieces: [] }));
    const known = agent.turns.get(turn);
    if (known === undefined) agent.turns.set(turn, { startMs: atMs, endMs: atMs });
    else {
      known.startMs = Math.min(known.startMs, atMs);
      known.endMs = Math.max(known.endMs, atMs);
    }
    return agent;
  };
  for (const { agent_id, turn_id, t_rel_ms, delta_text } of deltas)
    seen(agent_id, turn_id, t_rel_ms).pieces.push({ atMs: t_rel_ms, ctu: codePointLength(delta_text) / 4 });
  for (const { agent_id, turn_id, t_ms } of boundaries)
    if (Number.isFinite(t_ms)) seen(agent_id, turn_id, t_ms - meta.t0_emitted_ms);
  return [...agents].map(([name, { turns, pieces }]) => ({ name, turns: [...turns.values()], pieces }));
}
