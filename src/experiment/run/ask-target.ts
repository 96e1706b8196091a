import { UsageError } from '../../data/problems.ts';
import { sha256Of } from '../../data/sha256-of.ts';
import { sortedJson } from '../../data/sorted-json.ts';
import { type BatchSlot, inSlot } from '../batch/batch-slot.ts';
import { costOf, type Prices, soundUsage, type Usage } from '../limits/budget.ts';
import { CallFailed, type CallPolicy, callWithLimits } from '../limits/call-with-limits.ts';
import { type CallGate, PROCESS_RATES, rateGate, type RateLimits, type RateStore } from '../limits/rate.ts';
import { type Target, type TargetCase, TargetError } from '../targets/target.ts';
import type { LogEntry } from './answer-log.ts';

/** How a target is asked. */
export interface Asker {
  readonly target: Target;
  readonly policy: CallPolicy;
  readonly prices: Prices | null;
  /** What a call waits for. */
  readonly calls: CallGate & { spent?(tokens: number): void };
}

/**
 * The gate of a target's calls: their number at once, and their rate. That is counted by `store` for all who share it, or
 * by this process if it is null and the rate is limited.
 */
export function gateOf(target: Target, limit: CallGate, limits: RateLimits, store: RateStore | null): Asker['calls'] {
  const isLimited = limits.requestsPerMinute !== null || limits.tokensPerMinute !== null;
  if (store === null && !isLimited) return limit;
  const key = target.rateKey ?? sha256Of(sortedJson(target.identity));
  return rateGate(limit, store ?? PROCESS_RATES, key, limits);
}

/**
 * What becomes of one question. Null if the call was given up: the same command takes the item in hand again. `begin` is
 * waited for before each call that may be paid for; a batch has its own log, and its slot the `begin` of single calls.
 */
export async function askTarget(
  asker: Asker,
  given: TargetCase,
  abort: AbortSignal,
  begin: () => Promise<void>,
  slot: BatchSlot | null = null,
): Promise<LogEntry | null> {
  const { target, policy, prices, calls } = asker;
  const named = { item: given.id, repeat: given.repeat, cached: false };
  const spent = (reported: Usage | null): void => {
    const usage = soundUsage(reported);
    if (usage !== null) calls.spent?.((usage.inputTokens ?? 0) + (usage.outputTokens ?? 0));
  };
  try {
    const call = async (signal: AbortSignal) => {
      try {
        const answer = await inSlot(slot, () => target.answer(given, signal));
        spent(answer.usage);
        return answer;
      } catch (error) {
        if (error instanceof TargetError) spent(error.usage);
        throw error;
      }
    };
    // Calls that wait for a batch take no turn.
    const { value, ...sent } =
      slot === null
        ? await callWithLimits(call, calls, policy, abort, target.kind === 'recorded' ? undefined : begin)
        : await callWithLimits(call, null, policy, abort);
    const usage = soundUsage(value.usage);
    const cost = costOf(usage, prices, isBatched(slot));
    return { ...named, outcome: 'answered', ...value, usage, cost, ...sent, ...batchOf(slot) };
  } catch (error) {
    if (!(error instanceof CallFailed)) throw error;
    const { kind, message, latencyMs, raw } = error;
    if (kind === 'aborted' || slot?.isUnread === true) return null;
    if (kind === 'access')
      throw new UsageError(
        `no call can succeed: ${message}`,
        'what was answered is kept; put it right, and the same command goes on (with --only-failed for what failed)',
      );
    const usage = soundUsage(error.usage);
    const cost = costOf(usage, prices, isBatched(slot));
    const failure = { ...named, outcome: 'failed', kind, message, usage, cost, raw, ...error.sent } as const;
    return { ...failure, latencyMs: isBatched(slot) ? null : latencyMs, ...batchOf(slot) };
  }
}

function isBatched(slot: BatchSlot | null): boolean {
  return slot !== null && slot.batch !== null;
}

function batchOf(slot: BatchSlot | null): { readonly batch?: string } {
  return slot?.batch == null ? {} : { batch: slot.batch };
}
