import { hash } from 'node:crypto';

import { UsageError } from '../../data/problems.ts';
import type { CaseResult } from '../../measure/results.ts';
import type { ItemTrace, ScoreInit } from '../backend.ts';
import { RETRIED } from '../local-trace.ts';
import { type Target, TargetError } from '../targets/target.ts';
import type { LogEntry } from './answer-log.ts';
import type { ExperimentRecord, FrozenItem } from './run-folder.ts';

/** The same on every try, so that what was sent twice is there once; `run` is something that no two runs share. */
export function traceIdsOf(run: string, item: string, repeat: number) {
  const digits = hash('sha256', JSON.stringify([run, item, repeat]));
  return { traceId: digits.slice(0, 32), rootId: digits.slice(32, 48), callId: digits.slice(48, 64) };
}

/** As a UUID. It begins as its trace's id does, so that a store keeps the scores of a trace side by side. */
export function scoreIdOf(traceId: string, name: string): string {
  const digits = hash('sha256', JSON.stringify([traceId, name]));
  return `${traceId.slice(0, 8)}-${digits.slice(0, 4)}-${digits.slice(4, 8)}-${digits.slice(8, 12)}-${digits.slice(12, 24)}`;
}

export interface TraceFrame {
  readonly record: Pick<ExperimentRecord, 'id' | 'name' | 'prompt'>;
  readonly target: Pick<Target, 'kind' | 'model' | 'modelParameters' | 'request'>;
}

/** What the measures say of an item. */
export type ItemResult = Pick<CaseResult, 'measures'>;

interface Scored {
  readonly item: FrozenItem;
  readonly entry: LogEntry;
  readonly result: ItemResult | null;
  readonly wasFailure: boolean;
  /** When the first outcome of the item began. Langfuse 4 keeps rows by it: at another time it would be another row. */
  readonly startedAt: string;
}

/** A longer one was written down by mistake. */
const LONGEST_LATENCY_MS = 366 * 24 * 60 * 60 * 1000;

export function itemTrace(
  { record: { id: runId, name, prompt }, target }: TraceFrame,
  { item, entry, result, wasFailure, startedAt }: Scored,
): ItemTrace {
  const { id, input, expected_output: expectedOutput = null, metadata = null } = item;
  const { repeat, attempts, cached, tries = [], usage, cost, batch } = entry;
  const ids = traceIdsOf(runId, id, repeat);
  const isAskedAgain = startedAt !== entry.startedAt;
  return {
    ...ids,
    item: { id, input, expectedOutput, metadata },
    name: `${name} ${id}`,
    startedAt,
    endedAt: new Date(Date.parse(startedAt) + durationOf(entry)).toISOString(),
    output: entry.outcome === 'answered' ? (entry.output ?? null) : null,
    error: entry.outcome === 'failed' ? { kind: entry.kind, message: entry.message } : null,
    model: target.model,
    modelParameters: target.modelParameters,
    isRetried: wasFailure || isAskedAgain,
    tries,
    request: requestOf(target, item, repeat),
    isCached: cached,
    // An answer from the cache took nothing, whatever it took at first.
    usage: cached ? { inputTokens: 0, outputTokens: 0, cost: 0 } : usage === null ? null : { ...usage, cost },
    prompt: prompt?.name == null || prompt.version === null ? null : { name: prompt.name, version: prompt.version },
    passages: entry.outcome === 'answered' ? entry.passages : null,
    metadata: {
      target: target.kind,
      repeat,
      attempts,
      cached,
      ...(batch === undefined ? {} : { batch }),
      ...(isAskedAgain ? { asked_again_at: entry.startedAt } : {}),
    },
    scores: scoresOf(ids.traceId, entry, result, wasFailure),
  };
}

/** How long the target reports to have taken: a recorded answer took as long as was written down. */
function durationOf({ cached, latencyMs, batch, startedAt, endedAt }: LogEntry): number {
  // The hours of a batch would pass for the latency of the model.
  if (batch !== undefined) return 0;
  if (!cached && latencyMs !== null) return Math.min(Math.round(latencyMs), LONGEST_LATENCY_MS);
  return Math.max(0, Date.parse(endedAt) - Date.parse(startedAt));
}

/** The item's input where nothing was sent, or nothing could be made of it. */
function requestOf(target: TraceFrame['target'], { id, input, metadata }: FrozenItem, repeat: number): unknown {
  try {
    return target.request?.({ id, input, metadata: metadata ?? null, repeat }) ?? input;
  } catch (error) {
    if (error instanceof UsageError || error instanceof TargetError) return input;
    throw error;
  }
}

/** A failed item has no score but `error`; a measure without a value has none at all. */
function scoresOf(traceId: string, entry: LogEntry, result: ItemResult | null, wasFailure: boolean): ScoreInit[] {
  const score = (name: string, value: number | null, comment: string | null): ScoreInit[] =>
    value === null ? [] : [{ id: scoreIdOf(traceId, name), name, value, comment }];
  if (entry.outcome === 'failed') return score('error', 1, `${entry.kind}: ${entry.message}`);
  const values = Object.entries(result?.measures ?? {}).flatMap(([name, value]) => score(name, value, null));
  return wasFailure ? [...values, ...score('error', 0, RETRIED)] : values;
}
