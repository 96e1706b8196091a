import { Problems, UsageError } from '../../data/problems.ts';
import { isRecord } from '../../data/record-fields.ts';
import { isOverall, type MeasureValue, type Slice } from '../../measure/results.ts';
import type { CompareOptions } from '../compare-runs.ts';
import { expectValues } from '../../score/retally.ts';
import { retally } from '../../score/retally.ts';
import type { Comparison, MeasureComparison } from '../comparison.ts';
import { readRun } from '../../score/read-run.ts';
import type { Run } from '../../score/run.ts';
import { runFolder } from '../../score/run-folder.ts';
import { sameFolder } from '../run-names.ts';
import { type CaseList, casesToSee } from './case-lists.ts';
import {
  type Check,
  type GateVerdict,
  type Judged,
  judgeFloor,
  judgeMargin,
  judgeShare,
  NOTHING_FOUND,
  type Reason,
} from './check.ts';
import { matching, misfitsWith, nearSlices, sliceKey } from './check-fit.ts';
import type { RulesFile } from './read-rules.ts';
import type { MarginRule, MeasureRule, Rule, ShareRule } from './rules.ts';

export type CompareRuns = (folders: readonly string[], options: CompareOptions) => Promise<Comparison>;

export interface GateOptions {
  readonly baseline?: string;
  /** Judges against a baseline that was scored in another way. */
  readonly force?: boolean;
  readonly breathe?: NonNullable<CompareOptions['breathe']>;
}

/** What came of judging a run by rules. */
export interface Gate {
  readonly verdict: GateVerdict;
  readonly rules: RulesFile;
  readonly run: Run;
  readonly baseline: string | null;
  /** In the order of the rules; of one rule the slices in the order of the run. */
  readonly checks: readonly Check[];
  /** Null where no rule compares. */
  readonly compared: Comparison | null;
  readonly cases: readonly CaseList[];
}

/** Judges a run. Rules that do not fit it, or could never block it, are refused all at once. */
export async function judgeGate(
  folder: string,
  rules: RulesFile,
  compare: CompareRuns,
  options: GateOptions = {},
): Promise<Gate> {
  const { baseline = null } = options;
  refuseItself(folder, baseline);
  const run = await readRun(folder);
  // Scored before manifests had hashes: the ledger says whether the numbers are its own.
  if (run.manifest.files === undefined) expectValues(run, (await retally(run)).tally.values());
  const problems = new Problems();
  for (const problem of [...rules.problems, ...misfitsWith(run, rules, baseline !== null)]) problems.add(problem);
  problems.throwIfAny();

  const compared = baseline === null ? null : await comparison(run, baseline, rules.rules, compare, options);
  const rows = compared === null ? null : new Map(compared.measures.map((row) => [rowKey(row.name, row.slice), row]));
  const checks = rules.rules.flatMap((rule) =>
    rule.kind === 'share' ? [shareCheck(run, rule)] : measureChecks(run, rule, rows),
  );
  const cases = await casesToSee(run, compared === null ? null : baseline, checks);
  return { verdict: verdictOf(checks), rules, run, baseline, checks, compared, cases };
}

/** Failed if any check failed; else cannot tell if any cannot be told; else passed. */
export function verdictOf(checks: readonly Pick<Check, 'verdict'>[]): GateVerdict {
  if (checks.some(({ verdict }) => verdict === 'failed')) return 'failed';
  const told = checks.length > 0 && checks.every(({ verdict }) => verdict === 'passed' || verdict === 'skipped');
  return told ? 'passed' : 'cannot tell';
}

/** A run is never worse than itself: such a gate could not block. */
function refuseItself(folder: string, baseline: string | null): void {
  if (baseline === null || sameFolder([runFolder(folder), runFolder(baseline)]) === null) return;
  throw new UsageError(
    `--baseline ${baseline} is the run itself, which is never worse than itself`,
    'name the folder of another run',
  );
}

/** Null where there is nothing to compare: no rule asks for it, or the run failed on every case. */
async function comparison(
  run: Run,
  baseline: string,
  rules: readonly Rule[],
  compare: CompareRuns,
  { force = false, breathe }: GateOptions,
): Promise<Comparison | null> {
  const margins = rules.filter((rule) => rule.kind === 'margin');
  const { total, failed } = run.measures.cases;
  if (margins.length === 0 || failed === total) return null;
  return compare([baseline, run.folder], {
    force,
    measures: [...new Set(margins.map(({ measure }) => measure))],
    slices: margins.some(({ slice, each }) => each !== null || !isOverall(slice)),
    moved: 0,
    ...(breathe === undefined ? {} : { breathe }),
  });
}

function shareCheck({ measures: { cases, measures } }: Run, rule: ShareRule): Check {
  const spread = measures.find(({ name, slice }) => name === rule.measure && isOverall(slice))?.cases;
  const [part, whole] =
    rule.of === 'undefined'
      ? [spread?.undefined ?? 0, (spread?.n ?? 0) + (spread?.undefined ?? 0)]
      : [cases[rule.of], cases.total];
  return { rule, slice: {}, counts: false, unit: 'case', ...judgeShare(rule, part, whole) };
}

/** Differences by measure and slice; null where there are none at all. */
type Rows = ReadonlyMap<string, MeasureComparison> | null;

function rowKey(name: string, slice: Slice): string {
  return `${name} ${sliceKey(slice)}`;
}

function measureChecks(run: Run, rule: MeasureRule, rows: Rows): Check[] {
  const values = matching(run, rule);
  if (values.length === 0) return [withoutFigures(rule, { kind: 'absent', near: nearSlices(run, rule) })];
  const checks = values.map((measured): Check => {
    const judged = rule.kind === 'floor' ? judgeFloor(rule, measured) : marginOf(rule, measured, rows);
    const small = rule.skipSmall && judged.reason.kind === 'too-few';
    return {
      rule,
      slice: measured.slice,
      counts: measured.range[1] === null && Number.isInteger(measured.value),
      unit: isClustered(run) ? 'group' : 'case',
      ...judged,
      verdict: small ? 'skipped' : judged.verdict,
    };
  });
  // A rule that looked at nothing has not been met.
  return checks.every(({ verdict }) => verdict === 'skipped')
    ? [...checks, withoutFigures(rule, { kind: 'all-skipped', slices: checks.length })]
    : checks;
}

/** Whether the recipe names a column whose cases belong together. */
function isClustered({ manifest }: Run): boolean {
  const { interval } = manifest.recipe.resolved;
  return isRecord(interval) && typeof interval['cluster'] === 'string';
}

function marginOf(rule: MarginRule, { name, slice, n }: MeasureValue, rows: Rows): Judged {
  const row = rows?.get(rowKey(name, slice));
  if (row !== undefined) return judgeMargin(rule, row, n);
  const why = rows === null ? 'the run failed on every case' : 'it is not in the comparison with the baseline';
  return { verdict: 'cannot tell', reason: { kind: 'undefined', why }, found: { ...NOTHING_FOUND, n } };
}

function withoutFigures(rule: MeasureRule, reason: Reason): Check {
  return { rule, slice: rule.slice, counts: false, unit: 'case', verdict: 'cannot tell', reason, found: NOTHING_FOUND };
}
