import { deserialize, serialize } from 'node:v8';

import { expect } from 'vitest';

import type { Case } from '../../src/data/case.ts';
import type { Plan } from '../../src/recipe/plan.ts';
import { type AuditEnd, AuditWatch } from '../../src/audit/audit-watch.ts';
import { CHECKS } from '../../src/audit/checks.ts';
import type { Audit } from '../../src/audit/finding.ts';
import type { Run } from '../../src/score/run.ts';
import { addCases, Scoring } from '../../src/score/score.ts';

/** What one pass over all cases found, and what is needed to find it again. */
export type OnePass = Readonly<{
  plan: Plan;
  run: Run;
  audit: Audit;
  checks?: ConstructorParameters<typeof AuditWatch>[1];
  end?: AuditEnd;
}>;

/** The saved state of a part of the cases, as it comes back from a file. */
export async function savedPart({ plan, checks = CHECKS }: OnePass, cases: readonly Case[]): Promise<unknown> {
  const watch = new AuditWatch({ ...plan, isPart: true }, checks);
  await addCases(new Scoring(plan), cases, watch.sink);
  expect(watch.unmergeable).toEqual([]);
  return deserialize(serialize(watch.save()));
}

/** States of parts that follow each other, merged, are the state of one pass over all of them. */
export async function expectMerged(pass: OnePass, parts: readonly unknown[]): Promise<void> {
  const { plan, run, audit, checks = CHECKS, end } = pass;
  const merged = new AuditWatch(plan, checks);
  for (const part of parts) merged.merge(part);
  const found = await merged.finish(run, end);
  expect(found).toStrictEqual(audit);
  expect(JSON.stringify(found)).toBe(JSON.stringify(audit));
}

/** The same for cases that are cut at these places. */
export async function expectMergedAt(
  pass: OnePass,
  cases: readonly Case[],
  cuts: readonly number[] = [0, cases.length / 3, cases.length / 3, (2 * cases.length) / 3].map(Math.floor),
): Promise<void> {
  const ends = [...cuts.toSorted((a, b) => a - b), cases.length];
  const parts: unknown[] = [];
  for (const [at, end] of ends.entries()) parts.push(await savedPart(pass, cases.slice(ends[at - 1] ?? 0, end)));
  await expectMerged(pass, parts);
}
