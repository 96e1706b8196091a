import { UsageError } from '../data/problems.ts';
import { visible } from '../data/visible.ts';
import type { DatasetRunRecord } from '../store/records.ts';
import type { Store } from '../store/store.ts';
import type { ExpectedTrace, FoundTraces, ItemTrace, RunSink, ScoreInit, TraceFields } from './backend.ts';
import { asUsage } from './local-conflict.ts';
import { saveItemTrace, scoreCells } from './local-trace.ts';

const COUNTED_AT_ONCE = 500;

/** A run in the local store. */
export function localRun(store: Store, run: DatasetRunRecord, fields: TraceFields): RunSink {
  return {
    publish: async (traces) => publish(store, run, traces, fields),
    scoreRun: async (scores) => {
      refuseNoNumbers(scores);
      asUsage(() =>
        store.transaction(() => {
          for (const score of scores) store.scores.put({ ...scoreCells(score, fields), datasetRunId: run.id });
        }),
      );
    },
    counts: async (traces) => countsOf(store, run.id, traces),
    url: async () => null,
  };
}

function publish(store: Store, run: DatasetRunRecord, traces: readonly ItemTrace[], fields: TraceFields): void {
  for (const { scores } of traces) refuseNoNumbers(scores);
  asUsage(() =>
    store.transaction(() => {
      for (const trace of traces) saveItemTrace(store, run, trace, fields);
    }),
  );
}

function refuseNoNumbers(scores: readonly ScoreInit[]): void {
  for (const { id, name, value } of scores)
    if (!Number.isFinite(value))
      throw new UsageError(`the score ${visible(name)} (${visible(id)}) is ${value}, and only numbers are published`);
}

function countsOf(store: Store, runId: string, expected: Iterable<ExpectedTrace>): FoundTraces {
  let traces = 0;
  let scores = 0;
  const short: string[] = [];
  for (const chunk of chunksOf(expected)) {
    const found = store.runs.count(
      runId,
      chunk.map(({ traceId }) => traceId),
    );
    traces += found.traces;
    scores += found.scores;
    const isWhole = found.traces === chunk.length && found.scores >= chunk.reduce((sum, one) => sum + one.scores, 0);
    if (isWhole) continue;
    for (const { traceId, scores: wanted } of chunk) {
      const own = store.runs.count(runId, [traceId]);
      if (own.traces === 0 || own.scores < wanted) short.push(traceId);
    }
  }
  return { traces, scores, short };
}

function* chunksOf<T>(all: Iterable<T>): Generator<T[]> {
  let chunk: T[] = [];
  for (const one of all) {
    if (chunk.push(one) < COUNTED_AT_ONCE) continue;
    yield chunk;
    chunk = [];
  }
  if (chunk.length > 0) yield chunk;
}
