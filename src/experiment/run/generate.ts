import { UsageError } from '../../data/problems.ts';
import type { Plan } from '../../recipe/plan.ts';
import { type AnswerCache, answerKey } from '../answer-cache.ts';
import type { AdaptiveLimit } from '../limits/adaptive-limit.ts';
import type { Budget } from '../limits/budget.ts';
import { CallFailed, type CallPolicy, callWithLimits, failedTry, MOST_TRIES } from '../limits/call-with-limits.ts';
import { sideBySide } from '../limits/side-by-side.ts';
import { costOf, type Prices, soundUsage } from '../limits/usage.ts';
import type { FailedTry, Target, TargetAnswer, TargetCase } from '../targets/target.ts';
import type { AnswerLog } from './answer-log.ts';
import type { FrozenItem } from './frozen-dataset.ts';
import type { AnsweredEntry, LogEntry } from './log-entry.ts';
import { type ItemOutcome, itemOutcome } from './scorer.ts';

export interface Generation {
  readonly items: AsyncIterable<FrozenItem>;
  readonly repeats: number;
  readonly target: Target;
  readonly log: AnswerLog;
  /** Null: nothing is kept and nothing is looked up. */
  readonly cache: AnswerCache | null;
  readonly limit: AdaptiveLimit;
  readonly policy: CallPolicy;
  readonly budget: Budget;
  readonly prices: Prices | null;
  /** Most items in hand at once. */
  readonly most: number;
  readonly isWanted: (item: FrozenItem, repeat: number) => boolean;
  /** What outputs are scored by; null: they are not. */
  readonly plan: Plan | null;
  /** No further item is begun. */
  readonly stop: AbortSignal;
  /** Calls that are out are given up as well. */
  readonly abort: AbortSignal;
  /** An item was taken in hand, or put down without an outcome. */
  readonly onBegin: () => void;
  /** Its line is on the disk. */
  readonly onEntry: (entry: LogEntry) => void;
  /** Told of each item in their order, with what will become of it: nothing where it is not asked for or given up. */
  readonly onItem?:
    | ((item: FrozenItem, repeat: number, outcome: Promise<ItemOutcome | null> | null) => Promise<void>)
    | null;
}

interface Asked {
  readonly item: FrozenItem;
  readonly repeat: number;
  readonly settle: (outcome: ItemOutcome | null) => void;
  isBegun: boolean;
}

export type Stopped = { readonly by: 'budget' | 'interrupt'; readonly text: string } | null;

const STOPPED: Stopped = { by: 'interrupt', text: 'the same command goes on where it was' };

/** Asks the target for every wanted item, a bounded number at a time, and logs what became of each. */
export async function generateAnswers(generation: Generation): Promise<Stopped> {
  const { items, repeats, most, isWanted, stop, abort, budget, onItem = null } = generation;
  const failed = new AbortController();
  const given = { ...generation, abort: AbortSignal.any([abort, failed.signal]) };
  let stopped: Stopped = null;
  const isOver = (): boolean => {
    if (stop.aborted) stopped = STOPPED;
    const spent = budget.reached();
    if (spent !== null) stopped ??= { by: 'budget', text: spent.text };
    return stopped !== null;
  };
  const asked = async function* (): AsyncGenerator<Asked> {
    for await (const item of items)
      for (let repeat = 1; repeat <= repeats; repeat += 1) {
        if (stopped !== null && onItem === null) return;
        const isAsked = stopped === null && isWanted(item, repeat);
        const outcome = Promise.withResolvers<ItemOutcome | null>();
        await onItem?.(item, repeat, isAsked ? outcome.promise : null);
        const one = { item, repeat, settle: outcome.resolve, isBegun: false };
        try {
          if (isAsked) yield one;
        } finally {
          if (!one.isBegun) one.settle(null);
        }
      }
  };
  await sideBySide(asked(), most, async (one) => {
    if (isOver()) return;
    one.isBegun = true;
    generation.onBegin();
    try {
      one.settle(await answerOne(given, one.item, one.repeat));
    } catch (error) {
      one.settle(null);
      failed.abort();
      throw error;
    }
  });
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
  const entry = kept === null ? await ask(generation, given) : fromCache(given, kept);
  if (entry === null) return null;
  if (countsForBudget(entry)) budget.spend(entry.usage, entry.cost);
  if (kept === null && entry.outcome === 'answered') cache?.put(key, answerOf(entry));
  const earlier = log.hasFailed(item.id, repeat) ? await log.get(item.id, repeat) : null;
  const outcome = await itemOutcome(generation.plan, item, withTries(entry, earlier));
  await log.append(outcome.entry);
  generation.onEntry(outcome.entry);
  return outcome;
}

/** A failure that this outcome takes the place of was an attempt before it. */
function withTries(entry: LogEntry, earlier: LogEntry | null): LogEntry {
  const before = earlier?.outcome === 'failed' ? [...(earlier.tries ?? []), failedTry(earlier, earlier)] : [];
  const tries: readonly FailedTry[] = [...before, ...(entry.tries ?? [])].slice(-MOST_TRIES);
  return { ...entry, tries: tries.length === 0 ? undefined : tries };
}

/** Null where the call was given up: the same command takes the item in hand again. */
async function ask(generation: Generation, given: TargetCase): Promise<LogEntry | null> {
  const { target, limit, policy, abort, prices } = generation;
  const named = { item: given.id, repeat: given.repeat, cached: false };
  const times = ({ startedAt, endedAt }: { readonly startedAt: number; readonly endedAt: number }) => ({
    startedAt: new Date(startedAt).toISOString(),
    endedAt: new Date(endedAt).toISOString(),
  });
  try {
    const called = await callWithLimits((signal) => target.answer(given, signal), limit, policy, abort);
    const { value, attempts, tries } = called;
    const usage = soundUsage(value.usage);
    return {
      ...named,
      outcome: 'answered',
      ...value,
      usage,
      cost: costOf(usage, prices),
      attempts,
      tries,
      ...times(called),
    };
  } catch (error) {
    if (!(error instanceof CallFailed)) throw error;
    const { kind, message, latencyMs, raw, attempts, tries } = error;
    const usage = soundUsage(error.usage);
    if (kind === 'aborted') return null;
    if (kind === 'access')
      throw new UsageError(
        `no call can succeed: ${message}`,
        'what was answered is kept; put it right, and the same command goes on (with --only-failed for what failed)',
      );
    const cost = usage === null ? null : costOf(usage, prices);
    return {
      ...named,
      outcome: 'failed',
      kind,
      message,
      usage,
      cost,
      latencyMs,
      raw,
      attempts,
      tries,
      ...times(error),
    };
  }
}

function fromCache({ id, repeat }: TargetCase, kept: TargetAnswer): LogEntry {
  const now = new Date().toISOString();
  const free = { cached: true, cost: 0, attempts: 0, startedAt: now, endedAt: now };
  return { item: id, repeat, outcome: 'answered', ...kept, ...free };
}

function answerOf({ output, usage, latencyMs, passages, raw }: AnsweredEntry): TargetAnswer {
  return { output, usage, latencyMs: latencyMs ?? 0, passages, raw };
}
