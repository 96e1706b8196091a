import { UsageError } from '../../data/problems.ts';
import { type AnswerCache, answerKey } from '../../experiment/answer-cache.ts';
import type { AdaptiveLimit } from '../../experiment/limits/adaptive-limit.ts';
import { type Budget, costOf, type Prices, soundUsage, type Usage } from '../../experiment/limits/budget.ts';
import { CallFailed, type CallPolicy, callWithLimits } from '../../experiment/limits/call-with-limits.ts';
import { sideBySide } from '../../experiment/limits/side-by-side.ts';
import type { ReviewSection } from '../../recipe/review-section.ts';
import { StoreConflict } from '../../store/store-conflict.ts';
import type { Store } from '../../store/store.ts';
import { judgementId, type JudgeTask } from './open-judge.ts';
import { type JudgedCell, readJudgement } from './judge-question.ts';

interface Judging {
  readonly store: Store;
  readonly form: ReviewSection;
  readonly tasks: readonly JudgeTask[];
  /** Null: nothing is kept and nothing is looked up. */
  readonly cache: AnswerCache | null;
  readonly limit: AdaptiveLimit;
  readonly policy: CallPolicy;
  readonly budget: Budget;
  readonly prices: Prices | null;
  /** Most questions in hand at once. */
  readonly most: number;
  /** No further question is begun. */
  readonly stop: AbortSignal;
  /** Calls that are out are given up as well. */
  readonly abort: AbortSignal;
  readonly onDone: (done: number) => void;
}

interface JudgeFailure {
  readonly item: string;
  readonly field: string;
  /** `schema`: an answer came, and is not one that the question allows. */
  readonly kind: string;
  readonly message: string;
}

export interface JudgingResult {
  readonly answered: number;
  /** Of these, without a call: the same was asked before, for another review. */
  readonly cached: number;
  readonly failures: readonly JudgeFailure[];
  /** Why it ended before all was asked. */
  readonly stopped: string | null;
}

interface Tally {
  answered: number;
  cached: number;
  /** Calls in a row that found no server. */
  unreachable: number;
  readonly failures: JudgeFailure[];
}

/** So many in a row without any answer, and nobody is there. */
const ENOUGH = 3;

/** Asks every question, a few at a time. An answer is in the store before it counts: after a kill nothing is asked twice. */
export async function judgeItems(judging: Judging): Promise<JudgingResult> {
  const { tasks, most, stop, budget } = judging;
  const tally: Tally = { answered: 0, cached: 0, unreachable: 0, failures: [] };
  let stopped: string | null = null;
  const work = (task: JudgeTask): Promise<void> =>
    judgeOne(judging, task, tally).finally(() => judging.onDone(tally.answered + tally.failures.length));
  await sideBySide(tasks, most, work, () => {
    stopped = stop.aborted ? 'it was interrupted' : budget.reached();
    return stopped !== null;
  });
  const { answered, cached, failures } = tally;
  return { answered, cached, failures, stopped: stopped ?? (judging.abort.aborted ? 'it was interrupted' : null) };
}

async function judgeOne(judging: Judging, task: JudgeTask, tally: Tally): Promise<void> {
  const { judge, given } = task;
  const key = answerKey(judge.target.identity, given);
  const kept = judging.cache?.get(key) ?? null;
  if (kept !== null) {
    const { cells } = read(judging, task, kept.output);
    if (cells !== undefined) {
      keep(judging.store, task, cells);
      tally.answered += 1;
      tally.cached += 1;
      return;
    }
  }
  const failed = (kind: string, message: string): void => {
    tally.failures.push({ item: task.item.id, field: judge.name, kind, message });
  };
  try {
    const ask = (signal: AbortSignal): ReturnType<typeof judge.target.answer> => judge.target.answer(given, signal);
    const { value } = await callWithLimits(ask, judging.limit, judging.policy, judging.abort);
    spend(judging, value.usage);
    tally.unreachable = 0;
    const { cells, fault } = read(judging, task, value.output);
    if (cells === undefined) return failed('schema', `the model's answer cannot be used: ${fault}`);
    judging.cache?.put(key, value);
    keep(judging.store, task, cells);
    tally.answered += 1;
  } catch (error) {
    if (!(error instanceof CallFailed)) throw error;
    const { kind, message, usage } = error;
    if (kind === 'aborted') return;
    if (usage !== null) spend(judging, usage);
    tally.unreachable = kind === 'connection' ? tally.unreachable + 1 : 0;
    if (kind === 'access' || (tally.answered === 0 && tally.unreachable >= ENOUGH))
      throw new UsageError(`no call can succeed: ${message}`, nextAfter(kind));
    failed(kind, message);
  }
}

function spend({ budget, prices }: Judging, usage: Usage | null): void {
  const sound = soundUsage(usage);
  budget.spend(sound, costOf(sound, prices));
}

function read({ form }: Judging, { judge, proposed }: JudgeTask, output: unknown): ReturnType<typeof readJudgement> {
  return readJudgement({ form, name: judge.name, field: judge.field, proposed }, output);
}

function keep(store: Store, { judge, item }: JudgeTask, cells: readonly JudgedCell[]): void {
  const judgements = cells.map(({ part, value, reason }) => ({
    id: judgementId(judge, item.id, part),
    itemId: item.id,
    field: judge.name,
    part,
    value,
    reason,
    judge: judge.id,
    model: judge.model,
    promptHash: judge.promptHash,
  }));
  try {
    store.reviews.addJudgements(judgements);
  } catch (error) {
    // Another process may have asked the same meanwhile: what it heard stands.
    const known = new Set(store.reviews.judgements(item.reviewId).map(({ id }) => id));
    if (!(error instanceof StoreConflict) || !judgements.every(({ id }) => known.has(id))) throw error;
  }
}

/** What to do after calls that failed in this way; what was answered is kept in any case. */
export function nextAfter(kind: string): string {
  switch (kind) {
    case 'access':
      return 'check the key, the name of the model and --base-url; the same command goes on';
    case 'connection':
      return 'check --base-url, and that the server is running; the same command goes on';
    case 'server':
      return 'the fault is the server’s: run the same command again later';
    case 'rate':
      return 'run the same command again later, or with a lower --concurrency';
    case 'timeout':
      return 'give it more time with --timeout, or run the same command again later';
    default:
      return 'try another model or another prompt';
  }
}
