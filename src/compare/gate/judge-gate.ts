import { Problems, UsageError } from '../../data/problems.ts';
import { isOverall, type Slice } from '../../measure/results.ts';
import { readRun } from '../../score/run-file.ts';
import { readAbout } from '../../score/run-about.ts';
import { expectValues, retally } from '../../score/retally.ts';
import { runFolder } from '../../score/run-folder.ts';
import type { Run } from '../../score/run.ts';
import { clusterColumn, type CompareOptions } from '../compare-runs.ts';
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
  const run = await readRun(folder);
  // Scored before manifests had hashes: the ledger shows whether the numbers are its own.
  if (run.manifest.files === undefined) expectValues(run, (await retally(run)).tally.values());
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
          also: [...new Set(margins.map(({ measure }) => measure))],
          slices: margins.some(({ slice, each }) => each !== null || !isOverall(slice)),
          moved: 0,
        });
  const checks = rules.rules.flatMap((rule) =>
    rule.kind === 'share' ? [shareCheck(run, rule)] : measureChecks(run, rule, compared),
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

export function measureChecks(run: Run, rule: MeasureRule, compared: Comparison | null): GateCheck[] {
  const keyOf = (name: string, slice: Slice): string => JSON.stringify([name, slice]);
  const rows = new Map(compared?.measures.map((row) => [keyOf(row.name, row.slice), row]));
  const withoutFigures = (reason: GateReason): GateCheck => {
    const judged: GateRuling = { verdict: 'inconclusive', reason, found: NO_FIGURES };
    return { rule, slice: rule.slice, counts: false, unit: 'case', ...judged };
  };
  const checks = matching(run, rule).map((measured): GateCheck => {
    const { name, slice, n, range, value } = measured;
    const row = rows.get(keyOf(name, slice));
    const why = compared === null ? 'the run failed on every case' : 'it is not in the comparison with the baseline';
    const judged: GateRuling =
      rule.kind === 'floor'
        ? judgeFloor(rule, measured)
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
