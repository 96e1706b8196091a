import { UsageError } from '../../data/problems.ts';
import type { RunNaming } from '../../score/run-about.ts';
import type { FolderOptions } from '../../score/score-to-folder.ts';
import type { BatchProgress } from '../batch/batch-collector.ts';
import { type BatchOptions, MOST_BATCHED } from '../batch/batch-transport.ts';
import { defined } from '../defined.ts';
import type { Backend } from '../backend.ts';
import { type CallPolicy, USUAL_POLICY } from '../limits/call-with-limits.ts';
import { parseDuration } from '../limits/duration.ts';
import type { Environment } from '../models/access.ts';
import type { QueueServer } from '../queue/queue-server.ts';
import type { ExperimentFile } from './experiment-schema.ts';
import type { LoadedExperiment } from './load-experiment.ts';

export interface RunState {
  /** Items times repeats that this call has to see to. */
  readonly total: number;
  readonly done: number;
  readonly failed: number;
  readonly cached: number;
  readonly inFlight: number;
  /** Calls that may be out at once, by what servers said so far. */
  readonly allowed: number;
  readonly pausedForMs: number;
  readonly cost: number | null;
  readonly tokens: number;
  readonly ratePerSecond: number | null;
  readonly secondsLeft: number | null;
  /** Null or left out while none is under way. */
  readonly batches?: BatchProgress | null;
  /** Of a queue; null without one. */
  readonly workers?: number | null;
}

/** A queue, and the folder that its workers share. */
export interface QueueAccess {
  readonly server: QueueServer;
  readonly root: string;
}

export interface RunExperimentOptions {
  readonly loaded: LoadedExperiment;
  readonly backend: Backend;
  /** Where answers are kept for other runs; null: nowhere. */
  readonly cacheFolder: string | null;
  /** Workers of this queue ask, instead of this process. */
  readonly queue?: QueueAccess | null;
  readonly environment?: Environment;
  /** What the scored run's folder gets beside its ledger: reports. */
  readonly watch?: NonNullable<FolderOptions['watch']>;
  /** Tags of the scored run. */
  readonly tags?: RunNaming['tags'];
  /** File that the answers are written to as well, as the task's own files have them; left out: none. */
  readonly results?: string | null;
  /** Only these items of the dataset, where a file of items stands for one. */
  readonly onlyItems?: ReadonlySet<string> | null;
  readonly limit?: number | null;
  readonly onlyFailed?: boolean;
  /** How batches are handled in this session. */
  readonly batches?: Pick<BatchOptions, 'askAgain' | 'mode'> | undefined;
  /** No further item is begun. */
  readonly stop?: AbortSignal;
  /** Calls that are out are given up too. */
  readonly abort?: AbortSignal;
  readonly onProgress?: (state: RunState) => void;
  /** What is being done now, after the last answer. */
  readonly onStage?: (stage: 'scoring' | 'publishing' | 'reading back') => void;
  readonly onNotice?: (text: string) => void;
}

const USUAL_CONCURRENCY = 8;
/** Nothing is waited for but the disk. */
const RECORDED_CONCURRENCY = 64;

/** How calls are made and what they may cost; `most`: calls at once, as far as the experiment decides. */
export function settingsOf({ limits, budget, prices, target, batch: wanted }: ExperimentFile) {
  const { concurrency, retries, rateRetries, timeout, longestWait } = limits;
  const { requestsPerMinute = null, tokensPerMinute = null } = limits;
  const { cost = null, tokens = null } = budget;
  if (cost !== null && 'model' in target && prices === undefined)
    throw new UsageError(
      'budget.cost: what a call costs is not known',
      'give prices: { input: …, output: … } for a million tokens, or limit the tokens',
    );
  const milliseconds = (time: number | string | undefined, setting: string): number | undefined =>
    time === undefined ? undefined : parseDuration(time, setting);
  const given = defined({
    retries,
    rateRetries,
    timeoutMs: milliseconds(timeout, 'limits.timeout'),
    longestWaitMs: milliseconds(longestWait, 'limits.longestWait'),
  });
  const policy: CallPolicy = { ...USUAL_POLICY, ...given };
  const allowed = { cost, tokens, timeMs: milliseconds(budget.time, 'budget.time') ?? null };
  const rates = { requestsPerMinute, tokensPerMinute };
  if (wanted === false) {
    const most = concurrency ?? (target.use === 'recorded' ? RECORDED_CONCURRENCY : USUAL_CONCURRENCY);
    return { policy, budget: allowed, most, rates, batch: null };
  }
  if (!('model' in target))
    throw new UsageError(
      `batch: a ${target.use} target asks no model of a provider, so there is nothing to put into a batch`,
      'leave --batch and batch: out, or name a target that asks a model',
    );
  const { only, poll } = typeof wanted === 'object' ? wanted : { only: wanted === 'only', poll: undefined };
  const batch: BatchSettings = {
    only,
    pollMs: milliseconds(poll, 'batch.poll') ?? null,
    single: { timeoutMs: policy.timeoutMs, atOnce: Math.min(concurrency ?? USUAL_CONCURRENCY, USUAL_CONCURRENCY) },
  };
  // A batch takes hours, and what it did not answer is not asked of it again.
  const patient = { ...policy, timeoutMs: Infinity, ...(only ? { retries: 0, rateRetries: 0 } : {}) };
  return { policy: patient, budget: allowed, most: concurrency ?? MOST_BATCHED, rates, batch };
}

type BatchSettings = Pick<BatchOptions, 'only' | 'pollMs' | 'single'>;
