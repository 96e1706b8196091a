import { Problems, UsageError } from '../../data/problems.ts';
import { isOverall, type MeasureValue, type Sureness } from '../../measure/results.ts';
import { readAbout } from '../../score/run-about.ts';
import { expectValues, measuresOf, retally } from '../../score/retally.ts';
import { runFolder } from '../../score/run-folder.ts';
import type { Run } from '../../score/run.ts';
import { readRunWith } from '../../score/run-queries.ts';
import { groupIntervals } from '../../stats/measure-intervals.ts';
import { clusterColumn, type CompareOptions } from '../compare-runs.ts';
import { pairedSettings } from '../compare-verdict.ts';
import type { Comparison } from '../comparison.ts';
import { sameFolder } from '../run-names.ts';
import { casesToSee } from './case-lists.ts';
import {
  type GateCheck,
  type GateVerdict,
  type GateRuling,
  judgeFloor,
  judgeMargin,
  judgeShare,
  NO_FIGURES,
  type GateReason,
} from './check.ts';
import { matching, misfitsWith, nearSlices } from './check-fit.ts';
import type { MeasureRule, RulesFile, ShareRule } from './rules.ts';

export type CompareRuns = (folders: readonly string[], options: CompareOptions) => Promise<Comparison>;

export interface GateOptions extends Pick<CompareOptions, 'breathe' | 'recipe'> {
  readonly baseline?: string | null;
  /** Judges against a baseline that was scored in another way. */
  readonly force?: boolean;
}

/** What came of judging a run by rules. */
export type Gate = Awaited<ReturnType<typeof judgeGate>>;

/**
 * Judges a run. Rules that do not fit it, or could never block it, are refused all at once. Checks are in the order of the
 * rules; of one rule the slices in the order of the run. `compared` is null where no rule compares.
 */
export async function judgeGate(
  folder: string,
  rules: RulesFile,
  compare: CompareRuns,
  { baseline = null, ...options }: GateOptions = {},
) {
  if (baseline !== null && sameFolder([runFolder(folder), runFolder(baseline)]) !== null)
    throw new UsageError(
      `--baseline ${baseline} is the run itself, which is never worse than itself`,
      'name the folder of another run',
    );
  const run = await readRunWith(folder, options.recipe);
  // Scored before manifests had hashes: the ledger shows whether the numbers are its own.
  await expectValues(run);
  const problems = new Problems();
  for (const problem of [...rules.problems, ...misfitsWith(run, rules, baseline !== null)]) problems.add(problem);
  problems.throwIfAny();

  const margins = rules.rules.filter((rule) => rule.kind === 'margin');
  const { total, failed } = run.measures.cases;
  const compared =
    baseline === null || margins.length === 0 || failed === total
      ? null
      : await compare([baseline, run.folder], {
          ...options,
          bounds: GATE_METHOD,
          also: [...new Set(margins.map(({ measure }) => measure))],
          slices: margins.some(({ slice, each }) => each !== null || !isOverall(slice)),
          moved: 0,
        });
  const intervals = await gateIntervals(run, rules);
  const checks = rules.rules.flatMap((rule) =>
    rule.kind === 'share' ? [shareCheck(run, rule)] : measureChecks(run, rule, compared, intervals),
  );
  const cases = await casesToSee(run, compared === null ? null : baseline, checks);
  const baselineName = baseline === null ? null : (await readAbout(runFolder(baseline))).name;
  return { verdict: verdictOf(checks), rules, run, baseline, baselineName, checks, compared, cases };
}

/** Failed if any check failed; else inconclusive if any check is; else passed. */
export function verdictOf(checks: readonly Pick<GateCheck, 'verdict'>[]): GateVerdict {
  if (checks.some(({ verdict }) => verdict === 'failed')) return 'failed';
  const told = checks.length > 0 && checks.every(({ verdict }) => verdict === 'passed' || verdict === 'skipped');
  return told ? 'passed' : 'inconclusive';
}

function shareCheck({ measures: { cases, measures } }: Run, rule: ShareRule): GateCheck {
  const spread = measures.find(({ name, slice }) => name === rule.measure && isOverall(slice))?.cases;
  const [part, whole] =
    rule.of === 'undefined'
      ? [spread?.undefined ?? 0, (spread?.n ?? 0) + (spread?.undefined ?? 0)]
      : [cases[rule.of], cases.total];
  return { rule, slice: {}, counts: false, unit: 'case', ...judgeShare(rule, part, whole) };
}

/** What gates judge intervals by: bounds that are wrong too rarely rather than too often (decision 36). */
const GATE_METHOD = 'studentised';

/** Intervals of gates by measure and slice; null if those of the run are the gate's. */
type GateIntervals = ReadonlyMap<string, Sureness> | null;

const NO_CODE: Sureness = {
  interval: null,
  noInterval:
    'the code of the measure is missing, so the gate cannot compute its interval: name the recipe with --recipe',
};

/** The measures of rules with `sure`, added up again from the ledger for the gate's intervals. */
async function gateIntervals(run: Run, { rules }: RulesFile): Promise<GateIntervals> {
  const { interval } = run.manifest.recipe.resolved;
  const settings = pairedSettings(interval);
  if (interval === 'off' || settings.method === GATE_METHOD) return null;
  const names = new Set(rules.flatMap((rule) => (rule.kind === 'floor' && rule.sure ? [rule.measure] : [])));
  if (names.size === 0) return null;
  const measures = measuresOf(run).filter(({ name }) => names.has(name));
  const { tally } = await retally(run, measures);
  const groups = tally.groups();
  const unit = clusterColumn(run) ?? 'case';
  const sure = await groupIntervals(groups, measures, { ...settings, method: GATE_METHOD, unit });
  return new Map(tally.values(groups, sure).map((value) => [keyOf(value), value]));
}

function keyOf({ name, slice }: Pick<MeasureValue, 'name' | 'slice'>): string {
  return JSON.stringify([name, slice]);
}

export function measureChecks(
  run: Run,
  rule: MeasureRule,
  compared: Comparison | null,
  intervals: GateIntervals = null,
): GateCheck[] {
  const rows = new Map(compared?.measures.map((row) => [keyOf(row), row]));
  // Without `sure` the interval decides nothing: the run's is shown.
  const intervalOf = (measured: MeasureValue): Sureness =>
    rule.kind !== 'floor' || !rule.sure || intervals === null ? measured : (intervals.get(keyOf(measured)) ?? NO_CODE);
  const withoutFigures = (reason: GateReason): GateCheck => {
    const judged: GateRuling = { verdict: 'inconclusive', reason, found: NO_FIGURES };
    return { rule, slice: rule.slice, counts: false, unit: 'case', ...judged };
  };
  const checks = matching(run, rule).map((measured): GateCheck => {
    const { slice, n, range, value } = measured;
    const row = rows.get(keyOf(measured));
    const why = compared === null ? 'the run failed on every case' : 'it is not in the comparison with the baseline';
    const judged: GateRuling =
      rule.kind === 'floor'
        ? judgeFloor(rule, measured, intervalOf(measured))
        : row === undefined
          ? { verdict: 'inconclusive', reason: { kind: 'undefined', why }, found: { ...NO_FIGURES, n } }
          : judgeMargin(rule, row, n);
    const small = rule.skipSmall && judged.reason.kind === 'too-few';
    return {
      rule,
      slice,
      counts: range[1] === null && Number.isInteger(value),
      unit: clusterColumn(run) === null ? 'case' : 'group',
      ...judged,
      verdict: small ? 'skipped' : judged.verdict,
    };
  });
  if (checks.length === 0) return [withoutFigures({ kind: 'absent', near: nearSlices(run, rule) })];
  // A rule that looked at nothing has not been met.
  return checks.every(({ verdict }) => verdict === 'skipped')
    ? [...checks, withoutFigures({ kind: 'all-skipped', slices: checks.length })]
    : checks;
}
