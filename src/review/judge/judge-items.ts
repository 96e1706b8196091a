import { join } from 'node:path';

import { lockFolder } from '../../data/folder-lock.ts';
import { UsageError } from '../../data/problems.ts';
import { AnswerCache, answerKey } from '../../experiment/answer-cache.ts';
import { type BatchOptions, batchTransport, MOST_BATCHED } from '../../experiment/batch/batch-transport.ts';
import { adaptiveLimit } from '../../experiment/limits/adaptive-limit.ts';
import { Budget, soundUsage } from '../../experiment/limits/budget.ts';
import { CallFailed, callWithLimits, USUAL_POLICY } from '../../experiment/limits/call-with-limits.ts';
import { MOST_QUEUED } from '../../experiment/run/generate.ts';
import { sideBySide } from '../../experiment/limits/side-by-side.ts';
import type { Environment } from '../../experiment/models/access.ts';
import type { QueueAccess } from '../../experiment/run/run-settings.ts';
import type { TargetAnswer, TargetFailure } from '../../experiment/targets/target.ts';
import { StoreConflict } from '../../store/store-conflict.ts';
import type { Store } from '../../store/store.ts';
import type { ReviewSnapshot } from '../snapshot.ts';
import { openJudgeAnswers } from './judge-jobs.ts';
import { type JudgedCell, nextAfter, readJudgement } from './judge-question.ts';
import {
  type Judge,
  judgementId,
  type JudgePlan,
  type JudgeTask,
  openJudge,
  planJudging,
  promptNamed,
  promptOfFile,
} from './open-judge.ts';

export interface JudgeReviewOptions {
  /** provider/name, as for assay run. */
  readonly model: string;
  readonly fields: Iterable<string>;
  /** A stored prompt or a file, instead of ours. */
  readonly prompt?: string | undefined;
  readonly temperature?: number | null;
  readonly baseUrl?: string | undefined;
  /** Only so many items that have not been asked about. */
  readonly maxItems?: number | undefined;
  readonly concurrency?: number;
  readonly timeoutMs?: number;
  /** Where the key is; the process's own unless it is given. */
  readonly environment?: Environment;
  /** Questions are asked by the batch endpoint of the provider; null or left out: by single calls. */
  readonly batch?: Pick<BatchOptions, 'only' | 'pollMs'> | null;
}

export interface JudgingResult {
  readonly answered: number;
  /** Of these, without a call: the same was asked before, for another review. */
  readonly cached: number;
  /** Of the kind `schema`: an answer came, and is not one that the question allows. */
  readonly failures: readonly {
    readonly item: string;
    readonly field: string;
    readonly kind: string;
    readonly message: string;
  }[];
  /** Why it ended before all was asked. */
  readonly stopped: string | null;
}

interface AskOptions {
  /** Of answers that were given for other reviews; null: nothing is kept and nothing is looked up. */
  readonly cacheFolder?: string | null;
  readonly tokens?: number | null;
  readonly timeMs?: number | null;
  /** No further question is begun. */
  readonly stop?: AbortSignal;
  /** Calls that are out are given up as well. */
  readonly abort?: AbortSignal;
  readonly onDone?: (done: number) => void;
  readonly onNotice?: (text: string) => void;
  /** Gets the provider's id of a batch, and how many questions it holds. */
  readonly onSubmitted?: (batch: string, count: number) => void;
  /** Workers of this queue ask, instead of this process. */
  readonly queue?: QueueAccess | null;
}

/** What came of a question, wherever it was asked. */
type JudgeOutcome =
  | ({ readonly outcome: 'answered'; readonly latencyMs: number | null } & Omit<TargetAnswer, 'latencyMs'>)
  | ({ readonly outcome: 'failed' } & Pick<TargetFailure, 'kind' | 'message'> & Pick<TargetAnswer, 'usage'>);

/** So many calls in a row without any answer, and nobody is there. */
const ENOUGH = 3;

export interface Judging {
  readonly judges: readonly Judge[];
  readonly plan: JudgePlan;
  /** Asks every question, a few at a time. An answer is in the store before it counts: after a kill nothing is asked twice. */
  ask(options?: AskOptions): Promise<JudgingResult>;
}

export async function makeJudging(
  store: Store,
  snapshot: ReviewSnapshot,
  options: JudgeReviewOptions,
): Promise<Judging> {
  const { model, baseUrl, temperature = 0, concurrency = 4, timeoutMs = 60_000, environment = process.env } = options;
  const { batch = null } = options;
  const { stored, file } = promptNamed(store, options.prompt);
  const spec = {
    use: 'model',
    model,
    temperature,
    ...(baseUrl === undefined ? {} : { baseUrl }),
    ...(file === null ? {} : { prompt: { file } }),
  } as const;
  const left = new AbortController();
  const told: Pick<AskOptions, 'onNotice' | 'onSubmitted'> = {};
  const folder = join(store.folder, 'batches', snapshot.review.id);
  const single = { timeoutMs, atOnce: concurrency };
  const batches =
    batch === null
      ? null
      : batchTransport({
          ...batch,
          folder,
          single,
          stop: left.signal,
          onNotice: (text) => told.onNotice?.(text),
          onSubmitted: (id, count) => told.onSubmitted?.(id, count),
        });
  const waitMs = batches === null ? timeoutMs : Infinity;
  const context = {
    folder: process.cwd(),
    environment,
    prompt: stored,
    timeoutMs: waitMs,
    batches: batches ?? undefined,
  };
  const { form } = snapshot;
  const judges: Judge[] = [];
  for (const field of options.fields) judges.push(await openJudge(spec, context, form, field));
  const plan = planJudging(snapshot, judges, options.maxItems ?? null);
  const policy = {
    ...USUAL_POLICY,
    timeoutMs: waitMs,
    ...(batch?.only === true ? { retries: 0, rateRetries: 0 } : {}),
  };

  return {
    judges,
    plan,
    async ask({
      cacheFolder = null,
      tokens = null,
      timeMs = null,
      stop,
      abort,
      onDone,
      queue = null,
      ...listeners
    } = {}) {
      const cache = cacheFolder === null ? null : new AnswerCache(cacheFolder);
      const budget = new Budget({ tokens, timeMs });
      // Calls that wait for a batch take no turn.
      const limit = batches === null ? adaptiveLimit(concurrency) : null;
      const lock = batches === null ? null : await lockFolder(folder, '--data', listeners.onNotice);
      Object.assign(told, listeners);
      stop?.addEventListener('abort', () => left.abort(), { once: true });
      const signal = abort ?? new AbortController().signal;
      const tally = { answered: 0, cached: 0, failures: [] as JudgingResult['failures'][number][] };
      let [unreachable, stopped]: [number, string | null] = [0, null];

      const reached = (): string | null => (stop?.aborted === true ? 'it was interrupted' : budget.reached());

      /** Null if the call was given up. */
      const outcomeOf = async (task: JudgeTask, number: number): Promise<JudgeOutcome | null> => {
        if (answers !== null) return await answers.ask(number, task);
        const { judge, given } = task;
        try {
          const call = (until: AbortSignal): Promise<TargetAnswer> => judge.target.answer(given, until);
          const { value } = await callWithLimits(call, limit, policy, signal);
          return { outcome: 'answered', ...value };
        } catch (error) {
          if (!(error instanceof CallFailed)) throw error;
          const { kind, message, usage } = error;
          return kind === 'aborted' ? null : { outcome: 'failed', kind, message, usage };
        }
      };

      const askOne = async (task: JudgeTask, number: number): Promise<void> => {
        lock?.check();
        const { judge, given, proposed, item } = task;
        const read = (output: unknown): ReturnType<typeof readJudgement> =>
          readJudgement({ form, name: judge.name, field: judge.field, proposed }, output);
        const answered = (cells: readonly JudgedCell[]): void => {
          keep(store, task, cells);
          tally.answered += 1;
        };
        const failed = (kind: string, message: string): void => {
          tally.failures.push({ item: item.id, field: judge.name, kind, message });
        };
        const key = answerKey(judge.target.identity, given);
        const kept = cache?.get(key) ?? null;
        const known = kept === null ? undefined : read(kept.output).cells;
        if (known !== undefined) {
          tally.cached += 1;
          return answered(known);
        }
        const outcome = await outcomeOf(task, number);
        if (outcome === null) return;
        if (outcome.usage !== null || outcome.outcome === 'answered') budget.spend(soundUsage(outcome.usage), null);
        if (outcome.outcome === 'answered') {
          unreachable = 0;
          const { cells, fault } = read(outcome.output);
          if (cells === undefined) return failed('schema', `the model's answer cannot be used: ${fault}`);
          const { output, usage, latencyMs, passages, raw } = outcome;
          cache?.put(key, { output, usage, latencyMs: latencyMs ?? 0, passages, raw });
          return answered(cells);
        }
        const { kind, message } = outcome;
        unreachable = kind === 'connection' ? unreachable + 1 : 0;
        if (kind === 'access' || (tally.answered === 0 && unreachable >= ENOUGH))
          throw new UsageError(`no call can succeed: ${message}`, nextAfter(kind));
        failed(kind, message);
      };

      const ofItem = Map.groupBy(plan.tasks, ({ item }) => item.id);
      const answers =
        queue === null || plan.tasks.length === 0
          ? null
          : await openJudgeAnswers({
              access: queue,
              folder: store.folder,
              review: snapshot.review,
              spec: file === null ? spec : { ...spec, prompt: undefined },
              prompt: stored ?? (file === null ? null : await promptOfFile(spec, context)),
              judges,
              tasks: plan.tasks,
              policy,
              isOver: () => reached() !== null,
              abort: signal,
              onStray(entry, judge) {
                const task = ofItem.get(entry.item)?.find((one) => one.judge === judge);
                if (task === undefined || entry.outcome !== 'answered') return;
                const { name, field } = task.judge;
                const { cells } = readJudgement({ form, name, field, proposed: task.proposed }, entry.output);
                if (cells !== undefined) keep(store, task, cells);
              },
            });
      try {
        await batches?.open();
        const work = (task: JudgeTask, number: number): Promise<void> =>
          (batches === null
            ? askOne(task, number)
            : batches.within(`${task.judge.id} ${task.item.id}`, () => askOne(task, number))
          ).finally(() => onDone?.(tally.answered + tally.failures.length));
        const alone = batches === null ? concurrency : Math.min(MOST_BATCHED, Math.max(1, plan.tasks.length));
        await sideBySide(plan.tasks, answers === null ? alone : MOST_QUEUED, work, () => {
          stopped = reached();
          return stopped !== null;
        });
        if (tally.answered + tally.failures.length < plan.tasks.length) stopped ??= reached();
        return { ...tally, stopped: stopped ?? (signal.aborted ? 'it was interrupted' : null) };
      } finally {
        await answers?.close();
        cache?.close();
        await batches?.close();
        lock?.release();
      }
    },
  };
}

function keep(store: Store, { judge, item }: JudgeTask, cells: readonly JudgedCell[]): void {
  const { name: field, id, model, promptHash } = judge;
  const judgements = cells.map((cell) => ({
    id: judgementId(judge, item.id, cell.part),
    itemId: item.id,
    field,
    ...cell,
    judge: id,
    model,
    promptHash,
  }));
  try {
    store.reviews.addJudgements(judgements);
  } catch (error) {
    // Another process may have asked the same meanwhile: what it heard stands.
    const known = new Set(store.reviews.judgements(item.reviewId).map((one) => one.id));
    if (!(error instanceof StoreConflict) || !judgements.every((one) => known.has(one.id))) throw error;
  }
}
