import type { Plan } from '../recipe/plan.ts';
import type { ScoreSink } from '../score/score.ts';
import { CeilingCounts } from './ceiling-counts.ts';
import { ceilingOf } from './ceiling-of.ts';
import type { Ceiling } from './run-figures.ts';

/** Sets the system among the people who made the gold while cases are scored. */
export class CeilingWatch {
  readonly sink: ScoreSink;
  readonly #list: () => Ceiling[];

  constructor(plan: Plan) {
    const kinds = [...(plan.schemes[0]?.pair.keys() ?? [])];
    const counts = new CeilingCounts(plan, kinds);
    this.sink = {
      scored: ({ given, variants }) => {
        counts.add(given);
        for (const { case: scored, verdicts } of variants) counts.scored(scored, verdicts);
      },
    };
    this.#list = () => kinds.map((kind) => ceilingOf(plan, kind, counts)).filter((one) => one !== null);
  }

  /** Once all cases are scored: one for each kind of item that several people annotated. */
  list(): Ceiling[] {
    return this.#list();
  }
}
