import type { Case } from '../../src/data/case.ts';
import type { Verdict } from '../../src/judge/verdict.ts';
import { type MeasureValue, Tally } from '../../src/measure/tally.ts';
import { planRecipe } from '../../src/recipe/plan.ts';
import { makeCaseScorer } from '../../src/score/score-case.ts';

export interface Outcome {
  readonly verdicts: readonly Verdict[];
  readonly measures: readonly MeasureValue[];
  /** By measure, overall or of a scheme; null when undefined. */
  value(name: string, scheme?: string): number | null;
}

export type Score = (...cases: readonly Case[]) => Outcome;

/** A recipe made ready once, to score thousands of made-up cases with. */
export async function scorer(recipe: string | object, ...set: string[]): Promise<Score> {
  const plan = await planRecipe(recipe, set);
  const scoreCase = makeCaseScorer(plan);
  return (...cases) => {
    const tally = new Tally(plan.measures, plan.slices);
    const all: Verdict[] = [];
    for (const one of cases) {
      for (const { case: scored, scheme, verdicts } of scoreCase(one)) {
        all.push(...verdicts);
        tally.addCase(scored, scheme, verdicts);
      }
    }
    const measures = tally.values();
    return {
      verdicts: all,
      measures,
      value(name, scheme) {
        const wanted = JSON.stringify(scheme === undefined ? {} : { scheme });
        const found = measures.find((one) => one.name === name && JSON.stringify(one.slice) === wanted);
        if (found === undefined) throw new Error(`no measure ${name} ${wanted}`);
        return found.value;
      },
    };
  };
}
