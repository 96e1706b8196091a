import { UsageError } from '../data/problems.ts';
import { visible } from '../data/visible.ts';
import type { DatasetRunRecord } from '../store/records.ts';
import type { Store } from '../store/store.ts';
import type { ItemTrace, RunCounts, RunSink, ScoreInit } from './backend.ts';
import { asUsage } from './local-conflict.ts';
import { saveItemTrace, scoreCells } from './local-trace.ts';

const COUNTED_AT_ONCE = 500;

/** A run in the local store. */
export function localRun(store: Store, run: DatasetRunRecord): RunSink {
  return {
    publish: async (traces) => publish(store, run, traces),
    scoreRun: async (scores) => {
      refuseNoNumbers(scores);
      asUsage(() =>
        store.transaction(() => {
          for (const score of scores) store.scores.put({ ...scoreCells(score), datasetRunId: run.id });
        }),
      );
    },
    counts: async (traceIds) => countsOf(store, run.id, traceIds),
    url: async () => null,
  };
}

function publish(store: Store, run: DatasetRunRecord, traces: readonly ItemTrace[]): void {
  for (const { scores } of traces) refuseNoNumbers(scores);
  asUsage(() =>
    store.transaction(() => {
      for (const trace of traces) saveItemTrace(store, run, trace);
    }),
  );
}

function refuseNoNumbers(scores: readonly ScoreInit[]): void {
  for (const { id, name, value } of scores)
    if (!Number.isFinite(value))
      throw new UsageError(`the score ${visible(name)} (${visible(id)}) is ${value}, and only numbers are published`);
}

function countsOf(store: Store, runId: string, traceIds: Iterable<string>): RunCounts {
  let traces = 0;
  let scores = 0;
  for (const ids of chunksOf(traceIds)) {
    const found = store.runs.count(runId, ids);
    traces += found.traces;
    scores += found.scores;
  }
  return { traces, scores };
}

function* chunksOf(ids: Iterable<string>): Generator<string[]> {
  let chunk: string[] = [];
  for (const id of ids) {
    if (chunk.push(id) < COUNTED_AT_ONCE) continue;
    yield chunk;
    chunk = [];
  }
  if (chunk.length > 0) yield chunk;
}
