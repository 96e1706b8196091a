import { chmodSync, existsSync, readdirSync, rmdirSync } from 'node:fs';
import { join } from 'node:path';

import { Cleanup } from '../../data/cleanup.ts';
import { lockFolder } from '../../data/folder-lock.ts';
import { UsageError } from '../../data/problems.ts';
import { removePartials } from '../../data/write-file.ts';
import type { Gate } from '../../compare/gate/judge-gate.ts';
import { formatOf, planOfCases } from '../../formats/case-formats.ts';
import { isOverall } from '../../measure/results.ts';
import type { Plan } from '../../recipe/plan.ts';
import { readCaseResults } from '../../score/run-file.ts';
import type { Run } from '../../score/run.ts';
import { BATCH_FILE, batchesIn, type LoggedBatch } from '../batch/batch-log.ts';
import { type ItemAverage, itemAverages } from '../item-averages.ts';
import { Budget, costOf, type Prices } from '../limits/budget.ts';
import { plural } from '../../text/figures.ts';
import { defined } from '../defined.ts';
import { type ExperimentSummary, SummaryCounter, type SummaryTarget } from '../summary.ts';
import { EXPERIMENT_JOBS, experimentAsks } from '../queue/experiment-jobs.ts';
import { attemptKey } from '../queue/log-parts.ts';
import { openQueueAnswers } from '../queue/queue-answers.ts';
import { absorbEntries, absorbLogParts, hasLogParts } from './absorb-parts.ts';
import { type AnswerLog, type LogEntry, openAnswerLog } from './answer-log.ts';
import { judgeGates } from './experiment-gate.ts';
import { countsForBudget, newOutcomes } from './generate.ts';
import { type PreparedRun, prepareRun } from './prepare-run.ts';
import { openRuns, publishRun, type Session, traceFieldsOf } from './publish-run.ts';
import { linesSource, refuseOtherFolder, runFolderOf } from './run-folder.ts';
import type { RunExperimentOptions } from './run-settings.ts';
import { scoreRepeat } from './score-repeat.ts';
import { type ItemOutcome, loggedOutcomes, outputRecord } from './scorer.ts';

export interface FinishedRun {
  /** Without a word on the gate, which reports have words for. */
  readonly summary: ExperimentSummary;
  /** Of each repeat; empty where the experiment has no gate, or nothing was scored. */
  readonly gates: readonly Gate[];
  readonly gateProblem: UsageError | null;
}

/** Runs an experiment, or resumes one that was begun: asks, logs, scores, publishes, and reports the outcome. */
export async function runExperiment(options: RunExperimentOptions): Promise<FinishedRun> {
  const started = performance.now();
  const { loaded } = options;
  const folder = runFolderOf(loaded.experiment);
  refuseOtherFolder(folder);
  await using held = new Cleanup();
  const isNew = !existsSync(folder);
  const lock = await lockFolder(folder, '--out', options.onNotice);
  // It holds what was asked and answered, word for word.
  if (isNew) chmodSync(folder, 0o700);
  held.defer(() => {
    lock.release();
    // A run that was refused before it began leaves no folder.
    if (isNew && readdirSync(folder).length === 0) rmdirSync(folder);
  });
  removePartials(folder);
  const prepared = await prepareRun(options, folder);
  held.defer(() => prepared.target.close());
  held.defer(() => prepared.batches?.close());
  for (const notice of prepared.notices) options.onNotice?.(notice);

  const budget = new Budget(prepared.settings.budget);
  const known = new Set<string>();
  const hasParts = hasLogParts(folder);
  const log = await openAnswerLog(folder, (entry) => {
    if (countsForBudget(entry)) budget.spend(entry.usage, entry.cost);
    if (hasParts) known.add(attemptKey(entry));
  });
  held.defer(() => log.close());
  budget.lostCalls = () => log.calls.lost;
  const parts = await absorbLogParts({ prepared, log, budget }, known, options.queue != null);
  if (options.onlyFailed === true && log.size === 0)
    throw new UsageError(`--only-failed: nothing was run in ${folder} yet`, 'leave it out');
  const submitted = await batchesIn(folder);
  const prices = loaded.experiment.prices ?? null;
  for (const { usage, cost } of submitted.flatMap((batch) => unreadCost(batch, prices))) budget.spend(usage, cost);
  const isOut = ({ isEnded, isAskedAgain, unread }: LoggedBatch): boolean =>
    !isEnded || (unread !== null && !isAskedAgain);
  const unfinished = prepared.batches === null ? submitted.filter(isOut).length : 0;
  if (unfinished > 0)
    throw new UsageError(
      `${folder}: ${plural(unfinished, 'batch', 'batches')} of this run ${unfinished === 1 ? 'is' : 'are'} at the provider, and would be paid for beside single calls`,
      `resume with --batch; to give them up, cancel them with --batch --cancel and remove ${join(folder, BATCH_FILE)}`,
    );
  const publisher = await openRuns(options, prepared, log);
  held.defer(() => publisher.close());
  const asked = { added: 0, stopped: null };
  const openAnswers = answersOfQueue(options, prepared, parts, log, (entry) =>
    absorbEntries({ prepared, log, budget }, [entry]),
  );
  const counter = new SummaryCounter();
  const session: Session = { options, prepared, log, publisher, budget, counter, asked, openAnswers, lock };
  const runs = await answerAndScore(session);
  lock.check();
  return await finishRun(session, runs, started);
}

/** How workers are asked; null if this process asks. */
function answersOfQueue(
  { queue: access = null, loaded, onNotice }: RunExperimentOptions,
  prepared: PreparedRun,
  parts: Awaited<ReturnType<typeof absorbLogParts>>,
  log: AnswerLog,
  onStray: (entry: LogEntry) => Promise<void>,
): Session['openAnswers'] {
  if (access === null) return null;
  const { folder, record } = prepared;
  const file = experimentAsks(loaded, prepared, access.root);
  const most = loaded.experiment.limits.concurrency ?? null;
  const all = prepared.ids.length * loaded.experiment.repeats;
  const progress = (): [done: number, of: number] => [Math.min(log.size, all), all];
  const run = { access, kind: EXPERIMENT_JOBS, folder, run: record.id, file, most, progress, parts, log };
  return (isOver, abort) => openQueueAnswers({ ...run, isOver, abort, onStray, onNotice });
}

/**
 * The missing answers and the scores of all: the run of each repeat that has outcomes. The first is scored while answers
 * come in; further ones are read from the log, as are all if the recipe has to see every case before the first.
 */
async function answerAndScore(session: Session): Promise<Run[]> {
  const { options, prepared, log, counter } = session;
  const { plan } = prepared;
  const seesAllFirst = plan !== null && formatOf(plan).task !== null;
  const answers = newOutcomes(session);
  if (seesAllFirst) while ((await answers.next()).done !== true);
  const runs: Run[] = [];
  for (let repeat = 1; repeat <= options.loaded.experiment.repeats; repeat += 1) {
    const logged = (): AsyncIterable<ItemOutcome> => loggedOutcomes(prepared, log, repeat);
    const isNew = repeat === 1 && !seesAllFirst;
    const own = seesAllFirst ? await planOfOutcomes(plan, logged) : plan;
    const run = await scoreRepeat(session, own, repeat, isNew ? answers : logged());
    if (run !== null) runs.push(run);
  }
  for await (const entry of log.replaced()) counter.addReplaced(entry);
  return runs;
}

/** A recipe that has to see all cases first is shown them. */
function planOfOutcomes(plan: Plan, outcomes: () => AsyncIterable<ItemOutcome>): Promise<Plan> {
  const cases = linesSource('items', outcomes, ({ item }) => item);
  const predictions = linesSource('outputs', outcomes, ({ entry }) => outputRecord(entry));
  return planOfCases({ cases, predictions }, plan);
}

/** What is left once answers are scored: the last traces, the gate, the summary. */
async function finishRun(session: Session, runs: readonly Run[], started: number): Promise<FinishedRun> {
  const { options, prepared, counter, asked, log } = session;
  const { experiment } = options.loaded;
  const { folder, record, plan } = prepared;
  const { name, version, items } = record.dataset;
  const published = await publishRun(session, runs);
  const traces = traceFieldsOf(experiment);
  const only = runs.length === 1 ? runs[0]! : null;
  const isPartial = counter.answered + counter.failed < items * experiment.repeats;
  const noticed = (notice: string): number =>
    runs.reduce((sum, { manifest }) => sum + (manifest.notices[notice] ?? 0), 0);
  const judged = await judgeGates(options.loaded, runs);
  const stopped =
    isPartial && options.limit != null ? ({ by: 'limit', text: `--limit ${options.limit}` } as const) : null;
  for (const batch of await batchesIn(folder))
    for (const { answers, usage, cost } of unreadCost(batch, experiment.prices ?? null))
      counter.addUnread(answers, usage, cost);
  const summary = counter.summary({
    name: experiment.name,
    folder,
    dataset: { name, version, items },
    target: summaryTarget(prepared),
    ...(Object.keys(traces).length === 0 ? {} : { traces }),
    repeats: experiment.repeats,
    seconds: (performance.now() - started) / 1000,
    added: asked.added,
    stopped: asked.stopped ?? stopped,
    scores: runs.length === 0 ? null : await averages(runs, plan),
    measures: only?.measures.measures.filter(({ slice }) => isOverall(slice)) ?? null,
    notScored: runs.length > 0 ? null : plan === null ? 'the experiment names no recipe' : 'no item has an outcome',
    published,
    gate: null,
    scoreFolder: only?.folder ?? null,
    rejected: noticed('rejectedBySystem'),
    takenOff: noticed('fieldsTakenOff'),
    ...defined({
      absentLists: noticed('absentLists') || undefined,
      absentListsEverywhere: noticed('absentListsEverywhere') || undefined,
      lostCalls: log.calls.total || undefined,
    }),
  });
  return { summary, ...judged };
}

/** What the unread answers of a batch cost, as far as the provider reports it; nothing if all were read. */
function unreadCost({ unread }: LoggedBatch, prices: Prices | null) {
  if (unread === null) return [];
  const usage = unread.usage === undefined ? null : { ...unread.usage, cost: null };
  return [{ answers: unread.answers, usage, cost: costOf(usage, prices, true) }];
}

export function summaryTarget({ record: { prompt }, target }: PreparedRun): SummaryTarget {
  const { temperature } = target.modelParameters;
  return {
    kind: target.kind,
    model: target.model,
    promptName: prompt?.name ?? null,
    promptLabel: prompt?.label ?? null,
    promptVersion: prompt?.version ?? null,
    temperature: typeof temperature === 'number' ? temperature : null,
  };
}

/** Several repeats of one item count as one cluster of values. */
async function averages(runs: readonly Run[], plan: Plan | null): Promise<readonly ItemAverage[]> {
  async function* scored(): ReturnType<typeof readCaseResults> {
    for (const { folder } of runs) yield* readCaseResults(folder);
  }
  return itemAverages(scored(), { ...plan?.interval, measures: runs[0]!.measures.measures });
}
