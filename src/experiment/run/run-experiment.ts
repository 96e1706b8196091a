import { chmodSync, existsSync, readdirSync, rmdirSync } from 'node:fs';

import { lockFolderPatiently } from '../../data/folder-lock.ts';
import { UsageError } from '../../data/problems.ts';
import { removePartials } from '../../data/write-file.ts';
import { AnswerCache } from '../answer-cache.ts';
import { AdaptiveLimit } from '../limits/adaptive-limit.ts';
import { Budget } from '../limits/budget.ts';
import { Pace } from '../limits/estimate.ts';
import { AnswerLog } from './answer-log.ts';
import { type FinishedRun, finishRun } from './finish-run.ts';
import { type FrozenItem, readFrozen } from './frozen-dataset.ts';
import { countsForBudget, generateAnswers, type Stopped } from './generate.ts';
import { openPublisher } from './open-publisher.ts';
import { type PreparedRun, prepareRun } from './prepare-run.ts';
import type { Publisher } from './publisher.ts';
import type { RunExperimentOptions } from './run-options.ts';
import { mostAtOnce, refuseForeign, runFolderOf, type RunSettings, settingsOf } from './run-settings.ts';

/** Runs an experiment, or goes on with one that was begun: asks, logs, scores, publishes, and says what came of it. */
export async function runExperiment(options: RunExperimentOptions): Promise<FinishedRun> {
  const started = performance.now();
  const { loaded, backend, environment = process.env } = options;
  const folder = runFolderOf(loaded.experiment);
  refuseForeign(folder);
  const settings = settingsOf(loaded.experiment);
  await using held = new AsyncDisposableStack();
  const isNew = !existsSync(folder);
  const unlock = await lockFolderPatiently(folder, '--out');
  // It holds what was asked and answered, word for word.
  if (isNew) chmodSync(folder, 0o700);
  held.defer(() => {
    unlock();
    if (isNew) removeIfEmpty(folder);
  });
  const { timeoutMs } = settings.policy;
  removePartials(folder);
  const { onlyItems = null } = options;
  const prepared = await prepareRun({ loaded, backend, folder, timeoutMs, environment, onlyItems, begin: true });
  held.defer(() => prepared.target.close());
  for (const notice of prepared.notices) options.onNotice?.(notice);

  const budget = new Budget(settings.budget);
  const log = await AnswerLog.open(folder, (entry) => {
    if (countsForBudget(entry)) budget.spend(entry.usage, entry.cost);
  });
  held.defer(() => log.close());
  if (options.onlyFailed === true && log.size === 0)
    throw new UsageError(`--only-failed: nothing was run in ${folder} yet`, 'leave it out');
  const publisher = await openPublisher(prepared, backend, log, loaded.experiment, options.onNotice);
  held.defer(() => publisher.close());
  const { stopped, added } = await generate(options, { prepared, log, publisher, budget, settings });
  return await finishRun({ options, prepared, log, publisher, stopped, added, started });
}

/** A run that was refused before it began leaves no folder. */
function removeIfEmpty(folder: string): void {
  if (readdirSync(folder).length === 0) rmdirSync(folder);
}

interface InHand {
  readonly prepared: PreparedRun;
  readonly log: AnswerLog;
  readonly publisher: Publisher;
  readonly budget: Budget;
  readonly settings: RunSettings;
}

/** The answers that are still missing, with progress. */
async function generate(options: RunExperimentOptions, inHand: InHand): Promise<{ stopped: Stopped; added: number }> {
  const { loaded, limit = null, onlyFailed = false, cacheFolder } = options;
  const { prepared, log, publisher, budget, settings } = inHand;
  const { target, plan, folder } = prepared;
  const { repeats, prices, cache: wantsCache } = loaded.experiment;
  const isWanted = ({ id }: FrozenItem, repeat: number): boolean =>
    onlyFailed ? log.hasFailed(id, repeat) : !log.has(id, repeat);
  const total = await countWanted(folder, limit, repeats, isWanted);
  if (total === 0) return { stopped: null, added: 0 };

  const cache =
    cacheFolder === null || !wantsCache || !target.cacheable ? null : new AnswerCache(cacheFolder, options.onNotice);
  const most = mostAtOnce(settings, target);
  const calls = new AdaptiveLimit({ most });
  const pace = new Pace();
  const so = { done: 0, failed: 0, cached: 0, begun: 0 };
  const tell = (): void => {
    const { cost, tokens } = budget.spent;
    const left = pace.leftMs(total - so.done);
    options.onProgress?.({
      total,
      done: so.done,
      failed: so.failed,
      cached: so.cached,
      inFlight: so.begun - so.done,
      allowed: calls.allowed,
      pausedForMs: calls.pausedForMs,
      cost,
      tokens,
      ratePerSecond: pace.perSecond(),
      secondsLeft: left === null ? null : left / 1000,
    });
  };
  // A pause or a slow server must be seen too, when nothing comes in.
  const ticking = setInterval(tell, 250);
  try {
    const stopped = await generateAnswers({
      items: firstItems(folder, limit),
      repeats,
      target,
      log,
      cache,
      limit: calls,
      policy: settings.policy,
      budget,
      prices: prices ?? null,
      most,
      isWanted,
      plan,
      stop: options.stop ?? new AbortController().signal,
      abort: options.abort ?? new AbortController().signal,
      onBegin() {
        so.begun += 1;
      },
      async onEntry(item, entry) {
        so.done += 1;
        if (entry.outcome === 'failed') so.failed += 1;
        if (entry.cached) so.cached += 1;
        pace.add();
        tell();
        await publisher.add(item, entry);
      },
    });
    return { stopped, added: so.done };
  } finally {
    clearInterval(ticking);
    cache?.close();
  }
}

async function* firstItems(folder: string, limit: number | null): AsyncGenerator<FrozenItem> {
  let count = 0;
  for await (const item of readFrozen(folder)) {
    if (limit !== null && count >= limit) return;
    count += 1;
    yield item;
  }
}

async function countWanted(
  folder: string,
  limit: number | null,
  repeats: number,
  isWanted: (item: FrozenItem, repeat: number) => boolean,
): Promise<number> {
  let wanted = 0;
  for await (const item of firstItems(folder, limit))
    for (let repeat = 1; repeat <= repeats; repeat += 1) if (isWanted(item, repeat)) wanted += 1;
  return wanted;
}
