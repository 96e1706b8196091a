import { chmodSync, existsSync, readdirSync, rmdirSync } from 'node:fs';

import { lockFolderPatiently } from '../../data/folder-lock.ts';
import { UsageError } from '../../data/problems.ts';
import type { Source } from '../../data/source.ts';
import { removePartials } from '../../data/write-file.ts';
import { formatOf, planOfCases } from '../../formats/case-formats.ts';
import type { Plan } from '../../recipe/plan.ts';
import type { Run } from '../../score/run.ts';
import { AnswerCache } from '../answer-cache.ts';
import { AdaptiveLimit } from '../limits/adaptive-limit.ts';
import { Budget } from '../limits/budget.ts';
import { Pace } from '../limits/estimate.ts';
import { SummaryCounter } from '../summary.ts';
import { AnswerLog } from './answer-log.ts';
import { outputRecord } from './exporters.ts';
import { type FinishedRun, finishRun } from './finish-run.ts';
import { readFrozen } from './frozen-dataset.ts';
import { type Stopped, countsForBudget, generateAnswers } from './generate.ts';
import { OutcomeQueue } from './outcome-queue.ts';
import { type PreparedRun, prepareRun } from './prepare-run.ts';
import { openPublisher } from './publish-run.ts';
import type { Publisher } from './publisher.ts';
import {
  type RunExperimentOptions,
  type RunSettings,
  mostAtOnce,
  refuseForeign,
  runFolderOf,
  settingsOf,
} from './run-settings.ts';
import { scoreRepeat } from './score-repeat.ts';
import { type ItemOutcome, loggedOutcome, loggedOutcomes } from './scorer.ts';

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
  const counter = new SummaryCounter();
  const inHand = { prepared, log, publisher, budget, settings, counter };
  const worked = await answerAndScore(options, inHand);
  return await finishRun({ options, started, ...inHand, ...worked });
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
  readonly counter: SummaryCounter;
}

interface Worked {
  readonly stopped: Stopped;
  /** Outcomes that were not there before. */
  readonly added: number;
  /** Of each repeat that has outcomes. */
  readonly runs: readonly Run[];
}

/**
 * The answers that are still missing, and the scores of all. The first repeat is scored while answers come in; further ones
 * are read from the log afterwards, as is a recipe that has to see all cases before the first.
 */
async function answerAndScore(options: RunExperimentOptions, inHand: InHand): Promise<Worked> {
  const { prepared, log, counter } = inHand;
  const { plan } = prepared;
  const { repeats } = options.loaded.experiment;
  const { limit = null, onlyFailed = false } = options;
  const isWanted = (id: string, repeat: number): boolean =>
    onlyFailed ? log.hasFailed(id, repeat) : !log.has(id, repeat);
  const wanted = wantedAnswers(limit === null ? prepared.ids : prepared.ids.slice(0, limit), repeats, isWanted);
  const scoring = { options, ...inHand };
  const seesAllFirst = plan !== null && formatOf(plan).task !== null;
  const queue = wanted.size === 0 || seesAllFirst ? null : new OutcomeQueue();
  const first = queue === null ? null : scoreRepeat(scoring, plan, 1, queue);
  // It is waited for below, once the answers are there.
  first?.catch(() => undefined);
  let generated: Awaited<ReturnType<typeof generate>> = { stopped: null, added: 0 };
  try {
    if (wanted.size > 0) generated = await generate(options, inHand, wanted, queue);
    queue?.end();
  } catch (error) {
    queue?.end(error instanceof Error ? error : new Error(String(error)));
    await first?.catch(() => undefined);
    throw error;
  }
  options.onStage?.('scoring');
  const runs: Run[] = [];
  for (let repeat = 1; repeat <= repeats; repeat += 1) {
    const logged = (): AsyncIterable<ItemOutcome> => loggedOutcomes(prepared, log, repeat);
    const run =
      repeat === 1 && first !== null
        ? await first
        : await scoreRepeat(scoring, seesAllFirst ? await planOfOutcomes(plan, logged) : plan, repeat, logged());
    if (run !== null) runs.push(run);
  }
  for await (const entry of log.replaced()) counter.addReplaced(entry);
  return { ...generated, runs };
}

/** A recipe that has to see all cases first is shown them. */
function planOfOutcomes(plan: Plan, outcomes: () => AsyncIterable<ItemOutcome>): Promise<Plan> {
  const source = (name: string, lineOf: (outcome: ItemOutcome) => unknown): Source => ({
    name,
    path: null,
    async *open() {
      for await (const outcome of outcomes()) yield Buffer.from(`${JSON.stringify(lineOf(outcome))}\n`);
    },
  });
  return planOfCases(
    { cases: source('items', ({ item }) => item), predictions: source('outputs', ({ entry }) => outputRecord(entry)) },
    plan,
  );
}

function wantedAnswers(
  ids: readonly string[],
  repeats: number,
  isWanted: (id: string, repeat: number) => boolean,
): ReadonlySet<string> {
  const wanted = new Set<string>();
  for (const id of ids)
    for (let repeat = 1; repeat <= repeats; repeat += 1) if (isWanted(id, repeat)) wanted.add(answerName(id, repeat));
  return wanted;
}

function answerName(id: string, repeat: number): string {
  return `${repeat} ${id}`;
}

/** Asks for the wanted answers, with progress. */
async function generate(
  options: RunExperimentOptions,
  { prepared, log, budget, settings }: InHand,
  wanted: ReadonlySet<string>,
  queue: OutcomeQueue | null,
): Promise<Pick<Worked, 'stopped' | 'added'>> {
  const { loaded, cacheFolder } = options;
  const { target, plan, folder } = prepared;
  const { repeats, prices, cache: wantsCache } = loaded.experiment;
  const cache =
    cacheFolder === null || !wantsCache || !target.cacheable ? null : new AnswerCache(cacheFolder, options.onNotice);
  const most = mostAtOnce(settings, target);
  const calls = new AdaptiveLimit({ most });
  const pace = new Pace();
  const so = { done: 0, failed: 0, cached: 0, begun: 0 };
  const total = wanted.size;
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
      items: readFrozen(folder),
      repeats,
      target,
      log,
      cache,
      limit: calls,
      policy: settings.policy,
      budget,
      prices: prices ?? null,
      most,
      isWanted: ({ id }, repeat) => wanted.has(answerName(id, repeat)),
      plan,
      stop: options.stop ?? new AbortController().signal,
      abort: options.abort ?? new AbortController().signal,
      onBegin() {
        so.begun += 1;
      },
      onEntry({ outcome, cached }) {
        so.done += 1;
        if (outcome === 'failed') so.failed += 1;
        if (cached) so.cached += 1;
        pace.add();
        tell();
      },
      onItem:
        queue === null
          ? null
          : async (item, repeat, outcome) => {
              // What is not asked for now may have been answered before.
              if (repeat === 1) await queue.put(async () => (await outcome) ?? loggedOutcome(log, plan, item, repeat));
            },
    });
    return { stopped, added: so.done };
  } finally {
    clearInterval(ticking);
    cache?.close();
  }
}
