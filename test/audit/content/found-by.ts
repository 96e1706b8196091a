import type { Case } from '../../../src/data/case.ts';
import type { CaseReader } from '../../../src/data/read-cases.ts';
import { type Plan, planRecipe } from '../../../src/recipe/plan.ts';
import { AuditWatch } from '../../../src/audit/audit-watch.ts';
import type { AuditCheck, TrainCase } from '../../../src/audit/check.ts';
import type { Finding } from '../../../src/audit/finding.ts';
import { scoreToRun } from '../../../src/score/score-to-folder.ts';
import { readerOf } from '../audited.ts';
import { expectMergedAt } from '../merged-audit.ts';

/** What checks find in cases that are really scored; `skipped` tells of one that could not look. */
export interface FoundBy {
  readonly findings: readonly Finding[];
  readonly skipped: Readonly<Record<string, string>>;
  readonly said: readonly string[];
}

export async function foundBy(
  checks: readonly AuditCheck[],
  recipe: string | Plan,
  cases: readonly Case[] | CaseReader,
  train: readonly TrainCase[] | null = null,
): Promise<FoundBy> {
  const plan = typeof recipe === 'string' ? await planRecipe(recipe, ['interval=off']) : recipe;
  const lacking = train === null ? checks.filter(({ needs = [] }) => needs.includes('train')) : [];
  const looking = checks.filter((check) => !lacking.includes(check));
  const watch = new AuditWatch(plan, looking);
  const run = await scoreToRun(plan, 'files' in cases ? cases : readerOf(cases), { sink: watch.sink });
  const end = { train: train === null ? null : { [Symbol.asyncIterator]: () => each(train) } };
  const audit = await watch.finish(run, end);
  if (!('files' in cases)) await expectMergedAt({ plan, run, audit, checks: looking, end }, cases);
  // In the order in which they were asked.
  const findings = looking.flatMap((check) => audit.findings.filter(({ name }) => name === check.name));
  const skipped = audit.checks.flatMap(({ name, skipped: why }) => (why === null ? [] : [[name, why] as const]));
  return {
    findings,
    skipped: Object.fromEntries(skipped),
    said: findings.map(({ name, severity }) => `${name} ${severity}`),
  };
}

async function* each(train: readonly TrainCase[]): AsyncGenerator<TrainCase> {
  yield* train;
}
