import { type Case, withFailure } from '../data/case.ts';
import { UsageError } from '../data/problems.ts';
import type { Verdict } from '../judge/verdict.ts';
import {
  type FailedOtherwise,
  type CaseResult,
  type GroupSureness,
  type MeasureValue,
  Tally,
} from '../measure/tally.ts';
import type { Plan } from '../recipe/plan.ts';
import { measureIntervals } from '../stats/measure-intervals.ts';
import { Confusion, type ConfusionCount } from './confusion.ts';
import { Fingerprint } from './fingerprint.ts';
import { type RuleCount, RuleCounts } from './rule-counts.ts';
import { makeCaseScorer } from './score-case.ts';
import { signatureOf } from './signature.ts';
import { Ungrounded, type UngroundedList } from './ungrounded.ts';
import { type WorstCase, WorstCases } from './worst-cases.ts';

/** What is handed on while scoring goes: each case's verdicts and what they add up to. */
export interface ScoreSink {
  /** All cases are scored and their intervals begin; told again with the share done. */
  intervals?(share: number): void;
  /** The case as it was read, before anything is done to it. */
  given?(given: Case): void;
  verdicts?(verdicts: readonly Verdict[], given: Case): void;
  case?(result: CaseResult, given: Case): void;
  /** Asked after each case: what the next one has to wait for, such as a disk that is slower than scoring. */
  ready?(): Promise<void> | null;
}

export interface CaseTotals {
  readonly total: number;
  readonly failed: number;
  /** Cases without a prediction record, scored as empty. */
  readonly unanswered: number;
}

export interface ScoreResult {
  readonly signature: string;
  readonly comparable: string;
  readonly cases: CaseTotals;
  readonly measures: readonly MeasureValue[];
  /** Only where failed cases change a value. */
  readonly failedOtherwise?: FailedOtherwise;
  readonly rules: readonly RuleCount[];
  readonly confusion: readonly ConfusionCount[];
  readonly ungrounded: UngroundedList;
  readonly worst: readonly WorstCase[];
  /** What scoring noticed and let pass, by name: how many. */
  readonly notices: Readonly<Record<string, number>>;
}

/** Scores a stream of cases: verdicts to the sink, sums to the tally. Holds one case at a time. */
export async function scoreCases(
  plan: Plan,
  cases: AsyncIterable<Case> | Iterable<Case>,
  sink: ScoreSink = {},
): Promise<ScoreResult> {
  const scoreCase = makeCaseScorer(plan);
  const tally = new Tally(plan.measures, plan.slices, plan.interval?.cluster ?? null);
  const rules = new RuleCounts();
  const confusion = new Confusion(plan.measures);
  const ungrounded = new Ungrounded();
  const worst = new WorstCases();
  const cluster = plan.interval?.cluster ?? null;
  const byFileTokens = plan.schemes.some(({ pair }) => [...pair.values()].some(({ tokens }) => tokens === 'file'));
  const fingerprint = new Fingerprint(orderDecides(plan), plan.slices, cluster, byFileTokens);
  const notices = { unusedGold: 0, ungroundedGold: 0, unclustered: 0 };
  let total = 0;
  let failed = 0;
  let unanswered = 0;
  let added = 0;
  let canCountAsEmpty = true;
  for await (const read of cases) {
    fingerprint.add(read);
    const given = withFailure(read, plan.data.failed);
    sink.given?.(given);
    total += 1;
    if (read.failed !== null) failed += 1;
    else if (!given.answered) unanswered += 1;
    if (given.failed !== null && canCountAsEmpty) canCountAsEmpty = addLeftOut(given, tally, scoreCase);
    for (const { case: scored, scheme, verdicts } of scoreCase(given)) {
      rules.add(verdicts);
      confusion.add(verdicts);
      sink.verdicts?.(verdicts, scored);
      const result = tally.addCase(scored, scheme, verdicts);
      if (scheme !== null) continue;
      added += 1;
      worst.add(result);
      ungrounded.add(verdicts);
      for (const { count } of scored.notCounted ?? []) notices.unusedGold += count;
      for (const item of scored.gold) if (item.grounded === false) notices.ungroundedGold += 1;
      sink.case?.(result, scored);
    }
    const wait = sink.ready?.() ?? null;
    if (wait !== null) await wait;
  }
  if (total === 0) throw new UsageError('there is no case to score');
  notices.unclustered = tally.unclustered;
  refuseNoCluster(plan, added, tally.unclustered);
  const measures = await surelyMeasured(tally, plan, (share) => sink.intervals?.(share));
  const { full, comparable } = signatureOf(plan, fingerprint, total);
  const failedOtherwise = canCountAsEmpty ? tally.failedOtherwise() : null;
  return {
    signature: full,
    comparable,
    cases: { total, failed, unanswered },
    measures,
    ...(failedOtherwise === null ? {} : { failedOtherwise }),
    rules: rules.list(),
    confusion: confusion.list(),
    ungrounded: ungrounded.list(),
    worst: worst.list(),
    notices,
  };
}

/** Keeps what a case that is left out would be as an empty answer; false where the recipe's rules cannot look at it. */
function addLeftOut(given: Case, tally: Tally, scoreCase: ReturnType<typeof makeCaseScorer>): boolean {
  try {
    for (const { case: scored, scheme, verdicts } of scoreCase(withFailure(given, 'empty')))
      if (scheme === null) tally.addLeftOut(scored, verdicts);
    return true;
  } catch (error) {
    // Nobody asked for this case to be scored: what keeps it from that is not the run's fault.
    if (!(error instanceof UsageError)) throw error;
    return false;
  }
}

/** A cluster column that no case has is a slip: resampling would go by case without a word. */
function refuseNoCluster({ interval }: Plan, added: number, unclustered: number): void {
  if (interval === null || interval.cluster === null || unclustered < added) return;
  throw new UsageError(
    `interval.cluster: no case has a value of ${interval.cluster}`,
    'name a column of the cases, or leave cluster out to resample cases',
  );
}

/** The values of a tally with their intervals. */
async function surelyMeasured(tally: Tally, plan: Plan, told: (share: number) => void): Promise<MeasureValue[]> {
  const { interval } = plan;
  if (interval === null) return tally.values();
  const groups = tally.groups();
  const cases = groups.reduce((sum, { table }) => sum + table.units.length, 0);
  const settings = { ...interval, unit: interval.cluster ?? 'case' };
  const sure: GroupSureness[] = [];
  let done = 0;
  for (const { table, byLabel } of groups) {
    const size = table.units.length;
    sure.push(
      await measureIntervals(table, plan.measures, byLabel, settings, async (share) => {
        told((done + share * size) / cases);
        // Lets an interrupt be heard.
        await new Promise((resume) => setImmediate(resume));
      }),
    );
    done += size;
  }
  return tally.values(groups, sure);
}

/** Whether the order in which a case lists its items can decide anything, and so a number. */
function orderDecides(plan: Plan): boolean {
  return (
    plan.prepare.some(({ readsOrder }) => readsOrder) ||
    plan.schemes.some(({ pair }) => [...pair.values()].some(({ ties }) => ties === 'given'))
  );
}
