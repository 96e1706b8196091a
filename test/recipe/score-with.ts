import type { Case } from '../../src/data/case.ts';
import type { Verdict, VerdictKind } from '../../src/judge/verdict.ts';
import type { MeasureValue } from '../../src/measure/tally.ts';
import { type Plan, planRecipe } from '../../src/recipe/plan.ts';
import { scoreCases, type ScoreResult } from '../../src/score/score.ts';

export interface Scored extends ScoreResult {
  readonly plan: Plan;
  /** The recipe's own verdicts, or those of a scheme. */
  verdicts(scheme?: string): readonly Verdict[];
  measure(name: string, slice?: Readonly<Record<string, string>>): MeasureValue;
  /** The value of a measure over everything, or of a slice; null when it is undefined. */
  value(name: string, slice?: Readonly<Record<string, string>>): number | null;
  /** How many verdicts there are, optionally by one rule. */
  count(verdict: VerdictKind, rule?: string): number;
  /** hits/spurious/missed, as people write TP/FP/FN. */
  readonly tally: string;
}

/** Scores cases with a recipe (a preset's name, a file or an object) and --set lines; intervals only if these ask. */
export async function scoreWith(
  recipe: string | object,
  cases: Case | Iterable<Case> | AsyncIterable<Case>,
  set: readonly string[] = [],
): Promise<Scored> {
  const plan = await planRecipe(
    recipe,
    set.some((line) => line.startsWith('interval')) ? set : ['interval=off', ...set],
  );
  const all: Verdict[] = [];
  const given = 'id' in cases ? [cases] : cases;
  const result = await scoreCases(plan, given, {
    scored: ({ variants }) =>
      variants.forEach((one) => all.push(...one.verdicts, ...one.schemes.flatMap(({ verdicts }) => verdicts))),
  });
  const own = all.filter((verdict) => verdict.scheme === null);
  const measure = (name: string, slice: Readonly<Record<string, string>> = {}): MeasureValue => {
    const wanted = JSON.stringify(slice);
    const found = result.measures.find((one) => one.name === name && JSON.stringify(one.slice) === wanted);
    if (found === undefined) throw new Error(`no measure ${name} ${wanted}`);
    return found;
  };
  const count = (verdict: VerdictKind, rule?: string): number =>
    own.filter((one) => one.verdict === verdict && (rule === undefined || one.rule === rule)).length;
  return {
    ...result,
    plan,
    verdicts: (scheme) => (scheme === undefined ? own : all.filter((verdict) => verdict.scheme === scheme)),
    measure,
    value: (name, slice) => measure(name, slice).value,
    count,
    tally: `${count('hit')}/${count('spurious')}/${count('missed')}`,
  };
}
