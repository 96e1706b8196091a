import type { Verdict } from '../judge/verdict.ts';
import type { CaseResult } from '../measure/tally.ts';
import type { Plan } from '../recipe/plan.ts';
import type { Ceiling } from '../figures/run-figures.ts';
import type { Run } from '../score/run.ts';
import type { ScoreSink } from '../score/score.ts';
import type { AuditCase } from './totals.ts';
import { CHECKS } from './checks.ts';
import type { Audit } from './finding.ts';
import { OpenAudit } from './open-audit.ts';

/** Looks on while cases are scored, and says at the end what makes the result misleading. */
export class AuditWatch {
  readonly #open: OpenAudit;
  readonly sink: ScoreSink;

  constructor({ task, resolved, measures }: Plan) {
    const open = new OpenAudit({ task, recipe: resolved, measures }, CHECKS, ['train', 'gate', 'others']);
    this.#open = open;
    this.sink = {
      scored: ({ variants }) => {
        for (const { case: scored, verdicts, result } of variants) open.add(auditCase(scored.text, result, verdicts));
      },
    };
  }

  /** `ceiling` is what the figures of the run say of the people who made the gold. */
  finish(run: Run, ceiling: readonly Ceiling[] | null = null): Promise<Audit> {
    return this.#open.finish({ run, train: null, gate: null, others: [], ceiling });
  }
}

/** What the checks look at. */
export function auditCase(text: string | null, result: CaseResult, verdicts: readonly Verdict[]): AuditCase {
  const { case: id, failed, failedAsEmpty, answered, slices, cluster, counts, measures } = result;
  return { id, text, failed, failedAsEmpty, answered, verdicts, slices, cluster, counts, measures };
}
