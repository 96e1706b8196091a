import { percentile } from '../measure/numpy.ts';
import type { MeasureValue } from '../measure/results.ts';
import type { CheckVerdict, GateVerdict } from '../compare/gate/check.ts';
import { compareText } from '../text/compare.ts';
import type { DifferingScore, RunCounts, TraceFields } from './backend.ts';
import type { ItemAverage } from './item-averages.ts';
import type { Usage } from './limits/budget.ts';
import type { LogEntry } from './run/answer-log.ts';
import type { FailureKind } from './targets/target.ts';

export interface SummaryTarget extends Readonly<Record<'model' | 'promptName' | 'promptLabel', string | null>> {
  readonly kind: string;
  readonly promptVersion: number | null;
  readonly temperature: number | null;
}

/** Items that failed in one way, and the first of them. */
export interface FailureCount {
  readonly kind: FailureKind;
  readonly count: number;
  readonly example: { readonly item: string; readonly message: string };
}

type Tokens<T> = Readonly<Record<'inputTokens' | 'outputTokens', T>>;

/**
 * What was spent, over all sessions of the run; answers from the cache cost nothing. Null as soon as one answer does not
 * say: `unknown` counts these, and the others add up to `atLeast`.
 */
export interface Spent {
  readonly usage: Tokens<number | null> & { readonly unknown: number; readonly atLeast: Tokens<number> };
  readonly cost: {
    readonly value: number | null;
    /** Empty: that of the prices. */
    readonly currency: string;
    readonly unknown: number;
    readonly atLeast: number;
  };
  readonly calls: Readonly<Record<'made' | 'retried', number>>;
}

/** Answers that were paid for, and what they cost; null as soon as one does not say. */
export interface PaidAnswers {
  readonly answers: number;
  readonly cost: number | null;
}

/** What came at the price of batches, and what at the full price of single calls. */
export type BatchSpent = Readonly<Record<'batched' | 'single', PaidAnswers>> & {
  /** Answers of batches that may have been paid for and were never read; left out if there are none. */
  readonly unread?: PaidAnswers;
};

/** What ended a run before its last item. */
export type StopCause = 'budget' | 'interrupt' | 'limit' | 'access' | 'unread' | 'submitted' | 'cancelled';

/** How long answers took, in milliseconds, without those from the cache and from batches. */
export type Latency = Readonly<Record<'median' | 'p95' | 'mean' | 'n', number>>;

export interface Published {
  readonly backend: 'local' | 'langfuse';
  readonly place: string;
  readonly url: string | null;
  readonly expected: RunCounts;
  /** As the backend reports; null if it could not be asked. */
  readonly found: RunCounts | null;
  /** Scores that are there with another value; not among those found. */
  readonly differing?: readonly DifferingScore[];
  readonly problem?: string | null;
}

export interface GateOutcome {
  readonly verdict: GateVerdict;
  /** "1 of 5 checks failed, 4 passed". */
  readonly counts: string;
  /** Checks that failed or are inconclusive. */
  readonly notPassed: readonly { readonly verdict: CheckVerdict; readonly demand: string; readonly why: string }[];
}

/** What the log does not hold. */
export interface SummaryFrame {
  readonly name: string;
  readonly folder: string;
  readonly dataset: { readonly name: string; readonly version: string; readonly items: number };
  readonly target: SummaryTarget;
  /** What its traces carry; left out if the experiment sets nothing. */
  readonly traces?: TraceFields;
  readonly repeats: number;
  /** Of this session. */
  readonly seconds: number;
  /** Outcomes that this session added; the others were there. */
  readonly added: number;
  readonly stopped: { readonly by: StopCause; readonly text: string } | null;
  /** Averages over items; null where nothing was scored. */
  readonly scores: readonly ItemAverage[] | null;
  /** The overall values of the scored run: all items together. */
  readonly measures: readonly MeasureValue[] | null;
  readonly notScored: string | null;
  readonly published: Published | null;
  readonly gate: GateOutcome | null;
  readonly scoreFolder: string | null;
  /** Items that the target took out of what its model gave. */
  readonly rejected?: number;
  /** Fields that it took off items whose label does not have them. */
  readonly takenOff?: number;
  /** Outputs whose list of annotations is absent or null: some of them, or every one. */
  readonly absentLists?: number;
  readonly absentListsEverywhere?: number;
  /** Calls that were begun, over all sessions of the run, and whose answer never came; left out if none. */
  readonly lostCalls?: number;
}

export const ABSENT_LISTS = ['absentLists', 'absentListsEverywhere'] as const;

/** A finished or stopped experiment as plain data. With repeats, an item counts once for each. */
export interface ExperimentSummary
  extends SummaryFrame, Spent, Readonly<Record<'answered' | 'failed' | 'notRun' | 'cached', number>> {
  /** The most frequent kind first. */
  readonly failures: readonly FailureCount[];
  readonly latency: Latency | null;
  /** Left out if nothing came from a batch. */
  readonly batch?: BatchSpent;
  /** At most so much was paid for lost calls: each as the dearest answer. Null if no answer has a known cost. */
  readonly lostCost?: number | null;
}

/** Adds up a log, one outcome at a time: whatever its length, a number an answer is kept. */
export class SummaryCounter {
  answered = 0;
  failed = 0;
  #cached = 0;
  readonly #calls = { made: 0, retried: 0 };
  readonly #tokens = { inputTokens: 0, outputTokens: 0 };
  readonly #unknown = { inputTokens: 0, outputTokens: 0, usage: 0, cost: 0 };
  #cost = 0;
  #dearest: number | null = null;
  readonly #paid = { batched: noAnswers(), single: noAnswers(), unread: noAnswers() };
  readonly #failures = new Map<FailureKind, FailureCount>();
  readonly #latencies: number[] = [];

  /** The outcome that stands for an item and repeat: the last there is. */
  add(entry: LogEntry): void {
    if (entry.outcome === 'failed') {
      this.failed += 1;
      const { kind, item, message } = entry;
      const { count, example } = this.#failures.get(kind) ?? { count: 0, example: { item, message } };
      this.#failures.set(kind, { kind, count: count + 1, example });
    } else {
      this.answered += 1;
      if (entry.cached) this.#cached += 1;
      else if (entry.latencyMs !== null && Number.isFinite(entry.latencyMs)) this.#latencies.push(entry.latencyMs);
    }
    this.addReplaced(entry);
  }

  /** An outcome that a later one took the place of: it counts no more, but its calls were made and paid for. */
  addReplaced(entry: LogEntry): void {
    if (entry.cached) return;
    this.#calls.made += entry.attempts;
    this.#calls.retried += Math.max(0, entry.attempts - 1);
    const { inputTokens = null, outputTokens = null } = entry.usage ?? {};
    this.#tokens.inputTokens += inputTokens ?? 0;
    this.#tokens.outputTokens += outputTokens ?? 0;
    this.#cost += entry.cost ?? 0;
    // What came back is paid for, also where it is of no use.
    if (entry.outcome === 'failed' && entry.kind !== 'answer' && entry.kind !== 'schema') return;
    const paid = this.#paid[entry.batch === undefined ? 'single' : 'batched'];
    paid.answers += 1;
    paid.cost = paid.cost === null || entry.cost === null ? null : paid.cost + entry.cost;
    if (inputTokens === null) this.#unknown.inputTokens += 1;
    if (outputTokens === null) this.#unknown.outputTokens += 1;
    if (inputTokens === null || outputTokens === null) this.#unknown.usage += 1;
    if (entry.cost === null) this.#unknown.cost += 1;
    else this.#dearest = Math.max(this.#dearest ?? 0, entry.cost);
  }

  /** Answers of a batch that nobody has read, with what the provider reports of them. */
  addUnread(answers: number, usage: Usage | null, cost: number | null): void {
    const { inputTokens = null, outputTokens = null } = usage ?? {};
    this.#tokens.inputTokens += inputTokens ?? 0;
    this.#tokens.outputTokens += outputTokens ?? 0;
    this.#cost += cost ?? 0;
    const { unread } = this.#paid;
    unread.answers += answers;
    unread.cost = unread.cost === null || cost === null ? null : unread.cost + cost;
    if (usage === null)
      for (const name of ['inputTokens', 'outputTokens', 'usage'] as const) this.#unknown[name] += answers;
    if (cost === null) this.#unknown.cost += answers;
  }

  summary(frame: SummaryFrame): ExperimentSummary {
    const { answered, failed } = this;
    const unknown = this.#unknown;
    const cost = millionths(this.#cost);
    const { batched, single, unread } = this.#paid;
    const batch = { batched: rounded(batched), single: rounded(single) };
    const { inputTokens, outputTokens } = this.#tokens;
    return {
      ...frame,
      answered,
      failed,
      notRun: Math.max(0, frame.dataset.items * frame.repeats - answered - failed),
      cached: this.#cached,
      failures: [...this.#failures.values()].sort((a, b) => b.count - a.count || compareText(a.kind, b.kind)),
      usage: {
        inputTokens: unknown.inputTokens > 0 ? null : inputTokens,
        outputTokens: unknown.outputTokens > 0 ? null : outputTokens,
        unknown: unknown.usage,
        atLeast: { inputTokens, outputTokens },
      },
      cost: { value: unknown.cost > 0 ? null : cost, currency: '', unknown: unknown.cost, atLeast: cost },
      calls: this.#calls,
      latency: latencyOf(this.#latencies),
      ...(batched.answers + unread.answers === 0
        ? {}
        : { batch: { ...batch, ...(unread.answers === 0 ? {} : { unread: rounded(unread) }) } }),
      ...(frame.lostCalls === undefined
        ? {}
        : { lostCost: this.#dearest === null ? null : millionths(this.#dearest * frame.lostCalls) }),
    };
  }
}

/** Sums of binary fractions end in digits that are no money. What is less than a millionth is not nothing. */
function millionths(amount: number): number {
  return Math.round(amount * 1e6) / 1e6 || Number(amount.toPrecision(1));
}

function rounded({ answers, cost }: PaidAnswers): PaidAnswers {
  return { answers, cost: cost === null ? null : millionths(cost) };
}

function noAnswers(): { answers: number; cost: number | null } {
  return { answers: 0, cost: 0 };
}

function latencyOf(latencies: readonly number[]): Latency | null {
  const n = latencies.length;
  if (n === 0) return null;
  // From small to large, so that the order in which answers came cannot change a digit.
  const sorted = Float64Array.from(latencies).sort();
  const mean = sorted.reduce((sum, value) => sum + value, 0) / n;
  return { median: percentile(sorted, 0.5), p95: percentile(sorted, 0.95), mean, n };
}
