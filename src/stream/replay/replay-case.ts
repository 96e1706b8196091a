import { ctu } from '../ctu.ts';
import type { RunLog } from '../run-log-records.ts';
import type { Trace } from '../trace-records.ts';
import { contentTurns, deltaText } from './content-turns.ts';
import { type GateInput, gateInput } from './gate-input.ts';
import { Middleware } from './middleware.ts';
import type { StreamModel } from './model.ts';
import type { Segment } from './render.ts';
import { flushText, type GateFlush, passGate } from './token-gate.ts';
import { type TimestampCounts, TraceClock } from './trace-clock.ts';
import type { Variant } from './variant.ts';

/** What a variant does with a trace: everything of its log but the record about the run itself. */
export interface ReplayedCase extends Omit<RunLog, 'meta'> {
  readonly timestamps: TimestampCounts;
}

/** Replays a frozen trace through a variant of the middleware. The clock is the trace's own. */
export async function replayCase(
  trace: Trace,
  variant: Variant,
  model: StreamModel,
  caseId: string = trace.meta.case_id,
): Promise<ReplayedCase> {
  const clock = new TraceClock(trace);
  const middleware = new Middleware(caseId, variant, model, clock);
  switch (variant.trigger.kind) {
    case 'gate':
      await throughGate(trace, variant, variant.trigger.gate, middleware);
      break;
    case 'turn-end':
      await atTurnEnds(trace, variant.trigger.timestamp, middleware);
      break;
    case 'fixed-ctu':
    case 'fixed-time':
      await inFixedChunks(trace, variant, variant.trigger, middleware);
      break;
  }
  const { flushes, decisions, summaries } = middleware;
  return { flushes, decisions, summaries, timestamps: clock.counts() };
}

async function throughGate(
  trace: Trace,
  variant: Variant,
  gate: Parameters<typeof passGate>[1],
  middleware: Middleware,
): Promise<void> {
  const input = gateInput(trace);
  const flushes: GateFlush[] = [];
  passGate(input, gate, (flush) => void flushes.push(flush));
  for (const flush of flushes) {
    const segment = segmentOf(input, flush);
    middleware.logFlush(segment, flush.reason);
    if (!variant.summarizer || (flush.reason === 'end_of_trace' && !variant.summarizeTail)) continue;
    if (variant.bufferAgent === null) await middleware.summarize([segment], segment, 'tokengate_flush', segment.endSeq);
    else await middleware.consider(segment, variant.bufferAgent.novelty, null);
  }
}

function segmentOf(input: GateInput, flush: GateFlush): Segment {
  return {
    agent: input.agents[flush.agent]!,
    text: flushText(input, flush),
    startSeq: input.deltas[flush.first]!.seq,
    endSeq: input.deltas[flush.last]!.seq,
  };
}

async function atTurnEnds(trace: Trace, timestamp: 'last-delta' | 'boundary', middleware: Middleware): Promise<void> {
  // Turns may overlap: the one that ends first is summarised first.
  const turns = contentTurns(trace).toSorted((one, other) => one.endSeq - other.endSeq);
  for (const { agent, startSeq, endSeq, deltas } of turns) {
    const segment = { agent, text: deltaText(deltas), startSeq, endSeq };
    const timeSeq = timestamp === 'boundary' ? endSeq : deltas.at(-1)!.seq;
    await middleware.summarize([segment], segment, 'turn_end', timeSeq);
  }
}

type FixedTrigger = Extract<Variant['trigger'], { readonly kind: 'fixed-ctu' | 'fixed-time' }>;
type Run = { readonly agent: string; text: string; readonly startSeq: number; endSeq: number };

/**
 * Runs of deltas of one agent are gathered until the trigger cuts: at the delta with which their units reach the limit,
 * or before the first delta of another interval. A rest at the end is left.
 */
async function inFixedChunks(
  trace: Trace,
  variant: Variant,
  trigger: FixedTrigger,
  middleware: Middleware,
): Promise<void> {
  let runs: Run[] = [];
  let gathered = 0;
  let interval = 0;
  const cut = async (reason: string): Promise<void> => {
    const fresh = runs.at(-1);
    if (fresh === undefined) return;
    if (variant.bufferAgent === null) {
      const window = { startSeq: runs[0]!.startSeq, endSeq: fresh.endSeq };
      await middleware.summarize(runs, window, 'tokengate_flush', fresh.endSeq);
    } else {
      for (const earlier of runs.slice(0, -1)) middleware.keep(earlier);
      await middleware.consider(fresh, variant.bufferAgent.novelty, reason);
    }
    runs = [];
    gathered = 0;
  };
  for (const { agent_id: agent, delta_text: text, seq, t_rel_ms: time } of gateInput(trace).deltas) {
    if (trigger.kind === 'fixed-time') {
      const current = Math.floor(time / trigger.intervalMs);
      if (current > interval) await cut('fixed_time');
      interval = Math.max(interval, current);
    }
    const last = runs.at(-1);
    if (last?.agent === agent) {
      last.text += text;
      last.endSeq = seq;
    } else runs.push({ agent, text, startSeq: seq, endSeq: seq });
    gathered += ctu(text);
    if (trigger.kind === 'fixed-ctu' && gathered >= trigger.chunkCtu) await cut('fixed_ctu');
  }
}
