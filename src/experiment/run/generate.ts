import { Readable } from 'node:stream';

import { UsageError } from '../../data/problems.ts';
import { type AnswerCache, answerKey } from '../answer-cache.ts';
import type { AdaptiveLimit } from '../limits/adaptive-limit.ts';
import type { Budget } from '../limits/budget.ts';
import { type Attempts, CallFailed, callWithLimits, failedTry, MOST_TRIES } from '../limits/call-with-limits.ts';
import { costOf, type Prices, soundUsage } from '../limits/usage.ts';
import type { TargetCase } from '../targets/target.ts';
import type { AnswerLog, LogEntry } from './answer-log.ts';
import type { PreparedRun } from './prepare-run.ts';
import type { FrozenItem } from './run-folder.ts';
import type { RunSettings } from './run-settings.ts';
import { type ItemOutcome, itemOutcome, loggedOutcome } from './scorer.ts';

export interface Generation extends Pick<PreparedRun, 'target' | 'plan'>, Pick<RunSettings, 'policy' | 'most'> {
  readonly items: AsyncIterable<FrozenItem>;
  readonly repeats: number;
  readonly log: AnswerLog;
  /** Null: nothing is kept and nothing is looked up. */
  readonly cache: AnswerCache | null;
  readonly limit: AdaptiveLimit;
  readonly budget: Budget;
  readonly prices: Prices | null;
  readonly isWanted: (item: string, repeat: number) => boolean;
  /** No further item is begun. */
  readonly stop: AbortSignal;
  /** Calls that are out are given up as well. */
  readonly abort: AbortSignal;
  /** An item was taken in hand. */
  readonly onBegin: () => void;
  /** Its line is on the disk. */
  readonly onEntry: (entry: LogEntry) => void;
}

export type Stopped = { readonly by: 'budget' | 'interrupt'; readonly text: string } | null;

const STOPPED: Stopped = { by: 'interrupt', text: 'the same command goes on where it was' };

/** Further answers are not asked for while so many wait for an earlier item's: they are held in memory. */
const MOST_WAITING = 1000;

/**
 * Asks the target for every wanted item, a bounded number at a time, and logs what became of each. Hands on the outcomes of
 * the first repeat in the order of the dataset, those that were there before among them. Where nobody takes them any more,
 * no further item is begun.
 */
export async function* generateAnswers(generation: Generation): AsyncGenerator<ItemOutcome, Stopped> {
  const { items, repeats, most, isWanted, stop, abort, budget, log, plan, onBegin } = generation;
  const failed = new AbortController();
  const given = { ...generation, abort: AbortSignal.any([abort, failed.signal]) };
  const inHand = new Set<Promise<unknown>>();
  let stopped: Stopped = null;
  const isOver = (): boolean => {
    if (stop.aborted) stopped = STOPPED;
    const spent = budget.reached();
    if (spent !== null) stopped ??= { by: 'budget', text: spent };
    return stopped !== null;
  };
  const outcomeOf = async (item: FrozenItem, repeat: number): Promise<ItemOutcome | null> => {
    const isAsked = stopped === null && isWanted(item.id, repeat) && !isOver();
    if (isAsked) onBegin();
    try {
      const outcome = isAsked ? await answerOne(given, item, repeat) : null;
      return repeat > 1 ? null : (outcome ?? (await loggedOutcome(log, plan, item, repeat)));
    } catch (error) {
      failed.abort();
      throw error;
    }
  };
  const asked = async function* (): AsyncGenerator<readonly [item: FrozenItem, repeat: number]> {
    for await (const item of items) for (let repeat = 1; repeat <= repeats; repeat += 1) yield [item, repeat];
  };
  const window = { concurrency: most, highWaterMark: MOST_WAITING };
  const outcomes: AsyncIterable<{ readonly outcome: ItemOutcome | null }> = Readable.from(asked()).map(
    async ([item, repeat]: readonly [FrozenItem, number]) => {
      const own = outcomeOf(item, repeat);
      inHand.add(own);
      return { outcome: await own.finally(() => inHand.delete(own)) };
    },
    window,
  );
  let isWhole = false;
  try {
    for await (const { outcome } of outcomes) if (outcome !== null) yield outcome;
    isWhole = true;
  } finally {
    if (!isWhole) stopped ??= STOPPED;
    await Promise.allSettled(inHand);
  }
  return stopped ?? (abort.aborted ? STOPPED : null);
}

/** Answers that were paid for, and failures of which it is known what they cost. */
export function countsForBudget({ cached, outcome, usage }: LogEntry): boolean {
  return !cached && (outcome === 'answered' || usage !== null);
}

/** One item, from the question to the line on the disk; null where the call was given up. */
async function answerOne(generation: Generation, item: FrozenItem, repeat: number): Promise<ItemOutcome | null> {
  const { target, cache, budget, log } = generation;
  const given: TargetCase = { id: item.id, input: item.input, metadata: item.metadata ?? null, repeat };
  const key = cache === null ? '' : answerKey(target.identity, given);
  const kept = cache?.get(key) ?? null;
  const now = new Date().toISOString();
  const free = { cached: true, cost: 0, attempts: 0, startedAt: now, endedAt: now };
  const entry: LogEntry | null =
    kept === null ? await ask(generation, given) : { item: item.id, repeat, outcome: 'answered', ...kept, ...free };
  if (entry === null) return null;
  if (countsForBudget(entry)) budget.spend(entry.usage, entry.cost);
  if (kept === null && entry.outcome === 'answered') {
    const { output, usage, latencyMs, passages, raw } = entry;
    cache?.put(key, { output, usage, latencyMs: latencyMs ?? 0, passages, raw });
  }
  const earlier = log.hasFailed(item.id, repeat) ? await log.get(item.id, repeat) : null;
  const outcome = await itemOutcome(generation.plan, item, withTries(entry, earlier));
  await log.append(outcome.entry);
  generation.onEntry(outcome.entry);
  return outcome;
}

/** A failure that this outcome takes the place of was an attempt before it. */
function withTries(entry: LogEntry, earlier: LogEntry | null): LogEntry {
  const before = earlier?.outcome === 'failed' ? [...(earlier.tries ?? []), failedTry(earlier, earlier)] : [];
  const tries = [...before, ...(entry.tries ?? [])].slice(-MOST_TRIES);
  return { ...entry, tries: tries.length === 0 ? undefined : tries };
}

/** Null where the call was given up: the same command takes the item in hand again. */
async function ask(generation: Generation, given: TargetCase): Promise<LogEntry | null> {
  const { target, limit, policy, abort, prices } = generation;
  const named = { item: given.id, repeat: given.repeat, cached: false };
  const sent = ({ attempts, tries, startedAt, endedAt }: Attempts) => ({
    attempts,
    tries,
    startedAt: new Date(startedAt).toISOString(),
    endedAt: new Date(endedAt).toISOString(),
  });
  try {
    const called = await callWithLimits((signal) => target.answer(given, signal), limit, policy, abort);
    const usage = soundUsage(called.value.usage);
    return { ...named, outcome: 'answered', ...called.value, usage, cost: costOf(usage, prices), ...sent(called) };
  } catch (error) {
    if (!(error instanceof CallFailed)) throw error;
    const { kind, message, latencyMs, raw } = error;
    if (kind === 'aborted') return null;
    if (kind === 'access')
      throw new UsageError(
        `no call can succeed: ${message}`,
        'what was answered is kept; put it right, and the same command goes on (with --only-failed for what failed)',
      );
    const usage = soundUsage(error.usage);
    const cost = costOf(usage, prices);
    return { ...named, outcome: 'failed', kind, message, usage, cost, latencyMs, raw, ...sent(error) };
  }
}
