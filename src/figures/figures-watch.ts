import { type Foldable, FoldState } from '../data/fold-state.ts';
import { errorTypes } from '../judge/error-types.ts';
import type { Plan } from '../recipe/plan.ts';
import type { Run } from '../score/run.ts';
import type { ScoreSink } from '../score/score.ts';
import { attributeTables } from './attribute-tables.ts';
import { calibrationCounts, confidenceFields } from './calibration-counts.ts';
import { CeilingWatch } from './ceiling-counts.ts';
import { classCeilingCounts } from './class-ceiling-counts.ts';
import type { RunFigures } from './run-figures.ts';
import { taxonomyCounts } from './taxonomy-counts.ts';

/** Collects what figures are drawn from while cases are scored. Holds sums, not cases. */
export class FiguresWatch {
  readonly sink: ScoreSink;
  readonly state: Foldable;
  /** Once all cases are scored. */
  readonly finish: (run: Run, waterfall: Pick<RunFigures, 'waterfall' | 'noWaterfall'>) => RunFigures;

  /** `mergeable`: keeps all that the state of a part needs. */
  constructor(plan: Plan, { mergeable = false } = {}) {
    const state = new FoldState();
    const kinds = [...(plan.schemes[0]?.pair.keys() ?? [])];
    const taxonomy = state.keep(taxonomyCounts(kinds));
    const calibration = state.keep(calibrationCounts(kinds, confidenceFields(plan)));
    const attributes = state.keep(attributeTables(plan.attributes, { mergeable }));
    const ceiling = state.keep(new CeilingWatch(plan));
    const classes = state.keep(classCeilingCounts(plan));
    this.state = state;
    this.sink = {
      scored(scored) {
        if (scored.spans !== undefined) {
          // Plain spans have neither fields nor annotators.
          const { gold, predicted } = scored.spans.given.spans;
          taxonomy.addSpans(scored.spans);
          calibration.addBare('span', gold.count, predicted.count);
          return;
        }
        const { given, variants } = scored;
        ceiling.add(given, variants);
        for (const { case: prepared, verdicts } of variants) {
          if (verdicts.length === 0) continue;
          taxonomy.add(prepared.id, verdicts, errorTypes(verdicts));
          calibration.add(verdicts);
          attributes.add(verdicts);
          classes.add(prepared);
        }
      },
    };
    this.finish = ({ manifest: { signature } }, waterfall) => ({
      format: 1,
      signature,
      taxonomy: taxonomy.list(),
      calibration: calibration.list(),
      attributes: attributes.list(),
      ceiling: [...ceiling.list(), classes.ceiling()].filter((one) => one !== null),
      ...waterfall,
    });
  }
}
