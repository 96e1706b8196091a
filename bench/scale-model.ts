/** What one machine was measured to need (bench/scale.ts), from which docs/scale.md works out more than one machine has. */
export interface ScoringCosts {
  /** A command that does nothing else. */
  readonly startSeconds: number;
  readonly documentBytes: number;
  /** Every shard hashes the whole file, to know that all shards have the same. */
  readonly hashBytesPerSecond: number;
  readonly scoreMicroseconds: number;
  readonly mergeMicroseconds: number;
  /** report.html holds full pages up to its limit; what merging these takes, at most. */
  readonly mergePagesSeconds: number;
  /** Memory of the merge, for each document and beside them. */
  readonly mergeBytes: number;
  readonly mergeFixedBytes: number;
}

export interface ScoringEstimate {
  readonly oneRunSeconds: number;
  readonly shardSeconds: number;
  /** Of that, the hashing, which more shards do not make shorter. */
  readonly hashSeconds: number;
  readonly mergeSeconds: number;
  readonly totalSeconds: number;
  readonly speedUp: number;
  readonly mergeGibibytes: number;
}

export function estimateScoring(costs: ScoringCosts, documents: number, shards: number): ScoringEstimate {
  const { startSeconds, documentBytes, hashBytesPerSecond, scoreMicroseconds, mergeMicroseconds } = costs;
  const hashSeconds = (documents * documentBytes) / hashBytesPerSecond;
  // The time of a run that is not sharded has the hashing in it.
  const oneRunSeconds = startSeconds + hashSeconds + (documents * scoreMicroseconds) / 1e6;
  const shardSeconds = startSeconds + hashSeconds + ((documents / shards) * scoreMicroseconds) / 1e6;
  const mergeSeconds = startSeconds + (documents * mergeMicroseconds) / 1e6 + costs.mergePagesSeconds;
  const totalSeconds = shardSeconds + mergeSeconds;
  return {
    oneRunSeconds,
    shardSeconds,
    hashSeconds,
    mergeSeconds,
    totalSeconds,
    speedUp: oneRunSeconds / totalSeconds,
    mergeGibibytes: (costs.mergeFixedBytes + documents * costs.mergeBytes) / 2 ** 30,
  };
}

/** What answers of a run go through, each with the calls a second that it takes. */
export interface CallCosts {
  /** Server time of one call, with its job and its place in the rate. */
  readonly queueMilliseconds: number;
  /** The coordinator's time for an answer: following the logs, checking, appending, scoring. */
  readonly coordinatorMilliseconds: number;
}

export interface CallEstimate {
  /** What the workers could do if nothing held them up. */
  readonly wanted: number;
  /** Calls a second, by what limits them, the tightest first. */
  readonly limits: readonly { readonly by: string; readonly callsPerSecond: number }[];
  /** Workers that are enough to reach the tightest limit. */
  readonly enoughWorkers: number;
}

export function estimateCalls(
  costs: CallCosts,
  asked: {
    readonly workers: number;
    readonly concurrency: number;
    readonly callSeconds: number;
    readonly requestsPerMinute: number;
  },
): CallEstimate {
  const perWorker = asked.concurrency / asked.callSeconds;
  const limits = [
    { by: 'workers', callsPerSecond: asked.workers * perWorker },
    { by: 'provider', callsPerSecond: asked.requestsPerMinute / 60 },
    { by: 'queue server', callsPerSecond: 1000 / costs.queueMilliseconds },
    { by: 'coordinator', callsPerSecond: 1000 / costs.coordinatorMilliseconds },
  ].sort((a, b) => a.callsPerSecond - b.callsPerSecond);
  const tightest = limits.find(({ by }) => by !== 'workers')!;
  return {
    wanted: asked.workers * perWorker,
    limits,
    enoughWorkers: Math.ceil(tightest.callsPerSecond / perWorker),
  };
}
