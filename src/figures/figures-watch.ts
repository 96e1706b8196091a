import type { Plan } from '../recipe/plan.ts';
import type { Run } from '../score/run.ts';
import { joinSinks, type ScoreSink } from '../score/score.ts';
import { AttributeTables } from './attribute-tables.ts';
import { CalibrationCounts, confidenceFields } from './calibration-counts.ts';
import { CeilingWatch } from './ceiling-counts.ts';
import { ClassCeilingCounts } from './class-ceiling-counts.ts';
import { errorTypes } from '../judge/error-types.ts';
import type { RunFigures } from './run-figures.ts';
import { TaxonomyCounts } from './taxonomy-counts.ts';

/** Collects what figures are drawn from while cases are scored. Holds sums, not cases. */
export class FiguresWatch {
  readonly sink: ScoreSink;
  readonly #finish: (run: Run) => Omit<RunFigures, 'waterfall' | 'noWaterfall'>;

  constructor(plan: Plan) {
    const kinds = [...(plan.schemes[0]?.pair.keys() ?? [])];
    const taxonomy = new TaxonomyCounts(kinds);
    const calibration = new CalibrationCounts(kinds, confidenceFields(plan));
    const attributes = new AttributeTables(plan.attributes);
    const ceiling = new CeilingWatch(plan);
    const classes = new ClassCeilingCounts(plan);
    const own: ScoreSink = {
      scored({ variants }) {
        for (const { case: scored, verdicts } of variants) {
          if (verdicts.length === 0) continue;
          taxonomy.add(scored.id, verdicts, errorTypes(verdicts));
          calibration.add(verdicts);
          attributes.add(verdicts);
          classes.add(scored);
        }
      },
    };
    this.sink = joinSinks([ceiling.sink, own]);
    this.#finish = (run) => ({
      format: 1,
      signature: run.manifest.signature,
      taxonomy: taxonomy.list(),
      calibration: calibration.list(),
      attributes: attributes.list(),
      ceiling: [...ceiling.list(), classes.ceiling()].filter((one) => one !== null),
    });
  }

  /** Once all cases are scored. */
  finish(run: Run, waterfall: Pick<RunFigures, 'waterfall' | 'noWaterfall'>): RunFigures {
    return { ...this.#finish(run), ...waterfall };
  }
}
