import { UsageError } from '../../data/problems.ts';
import { shorten } from '../../data/visible.ts';
import { compareNatural, compareText } from '../../text/compare.ts';
import type { RepeatedRun } from './repeated-run.ts';

/** A case that cannot be compared, and why. */
export interface LeftOutCase {
  readonly case: string;
  readonly because: string;
}

export interface ComparedCases {
  readonly compared: readonly string[];
  readonly leftOut: readonly LeftOutCase[];
}

const NAMED = 5;

/**
 * The cases that every run has and none failed on, by their ids. A case that one run lacks would count as unstable though
 * nobody asked that run; one that failed gave no answer to compare. With `strict` such a case is refused.
 */
export function comparedCases(runs: readonly RepeatedRun[], strict: boolean): ComparedCases {
  const ids = [...new Set(runs.flatMap(({ cases }) => [...cases.keys()]))];
  const compared: string[] = [];
  const leftOut: LeftOutCase[] = [];
  for (const id of ids.sort((a, b) => compareNatural(a, b) || compareText(a, b))) {
    const lacking = runs.filter(({ cases }) => !cases.has(id));
    const failed = runs.filter(({ cases }) => (cases.get(id)?.failed ?? null) !== null);
    if (lacking.length > 0) leftOut.push({ case: id, because: `not in ${namesOf(lacking)}` });
    else if (failed.length > 0) leftOut.push({ case: id, because: `failed in ${namesOf(failed)}` });
    else compared.push(id);
  }
  if (compared.length === 0)
    throw new UsageError(
      'no case is in every run without a failure',
      leftOut.length > 0 ? `for example ${describe(leftOut[0]!)}` : 'give runs of one system on the same cases',
    );
  if (strict && leftOut.length > 0)
    throw new UsageError(
      `${leftOut.length === 1 ? 'a case is' : `${leftOut.length} cases are`} not in every run without a failure: ${leftOutText(leftOut)}`,
      'run the system on them again, or leave --strict out to compare the others',
    );
  return { compared, leftOut };
}

/** The first few, in words. */
export function leftOutText(leftOut: readonly LeftOutCase[]): string {
  const rest = leftOut.length - NAMED;
  return `${leftOut.slice(0, NAMED).map(describe).join('; ')}${rest > 0 ? `; and ${rest} more` : ''}`;
}

function describe({ case: id, because }: LeftOutCase): string {
  return `${shorten(id)} (${because})`;
}

function namesOf(runs: readonly RepeatedRun[]): string {
  return runs.map(({ name }) => name).join(', ');
}
