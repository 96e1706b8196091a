import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

import { LOCK_FILE } from '../../data/folder-lock.ts';
import { UsageError } from '../../data/problems.ts';
import type { FolderOptions } from '../../score/score-to-folder.ts';
import type { Backend } from '../backend.ts';
import type { BudgetLimits } from '../limits/budget.ts';
import { type CallPolicy, USUAL_POLICY } from '../limits/call-with-limits.ts';
import { parseDuration } from '../limits/duration.ts';
import type { Environment } from '../models/access.ts';
import type { Target } from '../targets/target.ts';
import { RECORD_FILE } from './experiment-record.ts';
import type { ExperimentFile } from './experiment-schema.ts';
import { DATASET_FILE } from './frozen-dataset.ts';
import type { LoadedExperiment } from './load-experiment.ts';

/** How far a run is. */
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
}

export interface RunExperimentOptions {
  readonly loaded: LoadedExperiment;
  readonly backend: Backend;
  /** Where answers are kept for other runs; null: nowhere. */
  readonly cacheFolder: string | null;
  readonly environment?: Environment;
  /** What the scored run's folder gets beside its ledger: reports. */
  readonly watch?: NonNullable<FolderOptions['watch']>;
  /** File that the answers are written to as well, as the task's own files have them; left out: none. */
  readonly results?: string | null;
  /** Only these items of the dataset, where a file of items stands for one. */
  readonly onlyItems?: ReadonlySet<string> | null;
  /** Only the first so many items. */
  readonly limit?: number | null;
  /** Only items that failed before. */
  readonly onlyFailed?: boolean;
  /** No further item is begun. */
  readonly stop?: AbortSignal;
  /** Calls that are out are given up too. */
  readonly abort?: AbortSignal;
  readonly onProgress?: (state: RunState) => void;
  /** What is being done now, after the last answer. */
  readonly onStage?: (stage: 'scoring' | 'publishing' | 'reading back') => void;
  readonly onNotice?: (text: string) => void;
}

export interface RunFiles {
  readonly items: string;
  readonly outputs: string;
  /** Outputs as their task writes predictions, where the target was asked for them. */
  readonly predictions: string;
  /** Where its scores go. */
  readonly score: string;
}

/** The files of one repeat: `items.jsonl`, `outputs.jsonl` and `score`, numbered where there are several repeats. */
export function runFiles(folder: string, repeat: number, repeats: number): RunFiles {
  const number = repeats === 1 ? '' : `-${repeat}`;
  return {
    items: join(folder, `items${number}.jsonl`),
    outputs: join(folder, `outputs${number}.jsonl`),
    predictions: join(folder, `predictions${number}.jsonl`),
    score: join(folder, `score${number}`),
  };
}

/** The file of answers of one repeat: `results_rag.jsonl`, or `results_rag-2.jsonl`. */
export function resultsFile(path: string, repeat: number, repeats: number): string {
  return repeats === 1 ? path : path.replace(/\.jsonl$/, `-${repeat}.jsonl`);
}

export interface RunSettings {
  readonly policy: CallPolicy;
  readonly budget: BudgetLimits;
  /** Most calls at once. */
  readonly most: number;
}

const USUAL_CONCURRENCY = 8;
/** Nothing is waited for but the disk. */
const RECORDED_CONCURRENCY = 64;

export function settingsOf({ limits, budget, prices, target }: ExperimentFile): RunSettings {
  const { concurrency, retries, rateRetries, timeout, longestWait } = limits;
  const asks = 'model' in target;
  if (budget.cost !== undefined && asks && prices === undefined)
    throw new UsageError(
      'budget.cost: what a call costs is not known',
      'give prices: { input: …, output: … } for a million tokens, or limit the tokens',
    );
  return {
    policy: {
      ...USUAL_POLICY,
      ...(retries === undefined ? {} : { retries }),
      ...(rateRetries === undefined ? {} : { rateRetries }),
      ...(timeout === undefined ? {} : { timeoutMs: parseDuration(timeout, 'limits.timeout') }),
      ...(longestWait === undefined ? {} : { longestWaitMs: parseDuration(longestWait, 'limits.longestWait') }),
    },
    budget: {
      cost: budget.cost ?? null,
      tokens: budget.tokens ?? null,
      timeMs: budget.time === undefined ? null : parseDuration(budget.time, 'budget.time'),
    },
    most: concurrency ?? (target.use === 'recorded' ? RECORDED_CONCURRENCY : USUAL_CONCURRENCY),
  };
}

/** As many as the user allows and the target can do. */
export function mostAtOnce({ most }: RunSettings, target: Pick<Target, 'mostAtOnce'>): number {
  return Math.min(most, target.mostAtOnce ?? most);
}

/** Where a run is kept: `out`, or a folder below `runs` that is called like it. */
export function runFolderOf({ name, out }: Pick<ExperimentFile, 'name' | 'out'>): string {
  if (out !== undefined) return out;
  const plain = fileNameOf(name);
  if (plain === '')
    throw new UsageError(`no folder can be called like the run ${JSON.stringify(name)}`, 'name one with --out');
  return join(RUNS_FOLDER, plain);
}

export const RUNS_FOLDER = 'runs';

/** A name as files and folders may be called; '' where nothing is left of it. */
export function fileNameOf(name: string): string {
  return name.replaceAll(/[^\p{L}\p{N}._-]+/gu, '-').replace(/^[.-]+/, '');
}

/** Only a run, or nothing, may be in the folder: never somebody's files. */
export function refuseForeign(folder: string): void {
  if (!existsSync(folder)) return;
  if (!statSync(folder).isDirectory()) throw new UsageError(`${folder} is a file`, 'name another place with --out');
  const entries = readdirSync(folder).filter((name) => !isOwn(name));
  if (entries.length > 0 && !existsSync(join(folder, RECORD_FILE)))
    throw new UsageError(
      `${folder} is not empty and holds no experiment`,
      'name another place with --out, or empty this one',
    );
}

/** What a run leaves that was killed before it had begun. */
function isOwn(name: string): boolean {
  return name.startsWith(LOCK_FILE) || name.startsWith(DATASET_FILE) || name.startsWith(`${RECORD_FILE}.partial-`);
}
