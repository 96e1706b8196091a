import type { Case } from '../../src/data/case.ts';
import { noNotices } from '../../src/data/item-check.ts';
import type { CaseReader } from '../../src/data/read-cases.ts';
import { type Plan, planRecipe } from '../../src/recipe/plan.ts';
import { type AuditEnd, AuditWatch } from '../../src/audit/audit-watch.ts';
import type { AuditCheck } from '../../src/audit/check.ts';
import type { Audit, Finding } from '../../src/audit/finding.ts';
import type { Run } from '../../src/score/run.ts';
import { scoreToRun } from '../../src/score/score-to-folder.ts';
import { expectMergedAt } from './merged-audit.ts';

/** Cases that are at hand, as scoring wants them. */
export function readerOf(cases: Iterable<Case>, notices: Readonly<Record<string, number>> = {}): CaseReader {
  return {
    async *[Symbol.asyncIterator]() {
      yield* cases;
    },
    files: () => [],
    notices: { ...noNotices(), ...notices },
  };
}

/** All checks over cases that are scored. */
export async function auditOf(plan: Plan, cases: Iterable<Case> | CaseReader): Promise<Audit> {
  const watch = new AuditWatch(plan);
  const run = await scoreToRun(plan, 'files' in cases ? cases : readerOf(cases), { sink: watch.sink });
  return watch.finish(run);
}

export interface Looked {
  readonly findings: readonly Finding[];
  /** `warning: title`, in the order of the findings. */
  readonly said: readonly string[];
  readonly skipped: string | null;
  readonly run: Run;
}

export interface LookOptions extends AuditEnd {
  readonly notices?: Readonly<Record<string, number>>;
  /** Further `--set` lines. Intervals are off unless one of them says otherwise. */
  readonly set?: readonly string[];
}

/** One check over cases that are really scored by a recipe, in one pass and in parts that are merged. */
export async function look(
  check: AuditCheck,
  recipe: string | object,
  cases: Iterable<Case>,
  options: LookOptions = {},
): Promise<Looked> {
  const { notices, set = [], ...rest } = options;
  const plan = await planRecipe(recipe, [
    ...(set.some((line) => line.startsWith('interval')) ? [] : ['interval=off']),
    ...set,
  ]);
  const watch = new AuditWatch(plan, [check]);
  const all = [...cases];
  const run = await scoreToRun(plan, readerOf(all, notices), { sink: watch.sink });
  const audit = await watch.finish(run, rest);
  await expectMergedAt({ plan, run, audit, checks: [check], end: rest }, all);
  return {
    findings: audit.findings,
    said: audit.findings.map(({ severity, title }) => `${severity}: ${title}`),
    skipped: audit.checks[0]?.skipped ?? null,
    run,
  };
}
