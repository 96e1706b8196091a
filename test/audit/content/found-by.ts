import type { Case } from '../../../src/data/case.ts';
import { noNotices } from '../../../src/data/item-check.ts';
import type { CaseReader } from '../../../src/data/read-cases.ts';
import { type Plan, planRecipe } from '../../../src/recipe/plan.ts';
import { auditCase } from '../../../src/audit/audit-watch.ts';
import type { Check, NewFinding, TrainCase } from '../../../src/audit/check.ts';
import { scoreToRun } from '../../../src/score/score-to-folder.ts';

/** What checks find in cases that are really scored; `skipped` tells of one that could not look. */
export interface FoundBy {
  readonly findings: readonly (NewFinding & { readonly name: string })[];
  readonly skipped: Readonly<Record<string, string>>;
  readonly said: readonly string[];
}

export async function foundBy(
  checks: readonly Check[],
  recipe: string | Plan,
  cases: readonly Case[] | CaseReader,
  train: readonly TrainCase[] | null = null,
): Promise<FoundBy> {
  const plan = typeof recipe === 'string' ? await planRecipe(recipe, ['interval=off']) : recipe;
  const reader = 'files' in cases ? cases : readerOf(cases);
  const context = { task: plan.task, recipe: plan.resolved, measures: plan.measures };
  const opened = checks.map((check) => ({ check, open: check.open(context) }));
  const run = await scoreToRun(plan, reader, {
    sink: {
      scored: ({ variants }) => {
        for (const { case: scored, verdicts, result } of variants)
          for (const { open } of opened) open.add?.(auditCase(scored.text, result, verdicts));
      },
    },
  });
  const findings: (NewFinding & { name: string })[] = [];
  const skipped: Record<string, string> = {};
  for (const { check, open } of opened) {
    if (check.needs?.includes('train') === true && train === null) continue;
    const found = await open.finish({
      run,
      primary: null,
      train: train === null ? null : each(train),
      gate: null,
      others: [],
    });
    if ('skipped' in found) skipped[check.name] = found.skipped;
    else findings.push(...found.map((one) => ({ ...one, name: check.name })));
  }
  return { findings, skipped, said: findings.map(({ name, severity }) => `${name} ${severity}`) };
}

async function* each(train: readonly TrainCase[]): AsyncGenerator<TrainCase> {
  yield* train;
}

function readerOf(cases: readonly Case[]): CaseReader {
  return {
    async *[Symbol.asyncIterator]() {
      yield* cases;
    },
    files: () => [],
    notices: noNotices(),
  };
}
