import type { Verdict } from '../judge/verdict.ts';
import type { Plan } from '../recipe/plan.ts';
import type { Ceiling } from '../figures/run-figures.ts';
import type { Run } from '../score/run.ts';
import type { ScoreSink } from '../score/score.ts';
import { CHECKS } from './checks.ts';
import type { Audit } from './finding.ts';
import { OpenAudit } from './open-audit.ts';

/** Looks on while cases are scored, and says at the end what makes the result misleading. */
export class AuditWatch {
  readonly #open: OpenAudit;
  /** Of the scheme that came last: a case is told right after the verdicts of the recipe's own pairing. */
  #last: readonly Verdict[] = [];
  readonly sink: ScoreSink;

  constructor({ task, resolved, measures }: Plan) {
    const open = new OpenAudit({ task, recipe: resolved, measures }, CHECKS, ['train', 'gate', 'others']);
    this.#open = open;
    this.sink = {
      verdicts: (verdicts) => {
        this.#last = verdicts;
      },
      case: (result, { text }) => {
        const { case: id, failed, failedAsEmpty, answered, slices, cluster, counts, measures: values } = result;
        open.add({
          id,
          text,
          failed,
          failedAsEmpty,
          answered,
          verdicts: this.#last,
          slices,
          cluster,
          counts,
          measures: values,
        });
      },
    };
  }

  /** `ceiling` is what the figures of the run say of the people who made the gold. */
  finish(run: Run, ceiling: readonly Ceiling[] | null = null): Promise<Audit> {
    return this.#open.finish({ run, train: null, gate: null, others: [], ceiling });
  }
}
