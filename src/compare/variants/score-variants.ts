import { type Case, withFailure } from '../../data/case.ts';
import { isRecord } from '../../data/record-fields.ts';
import type { Plan } from '../../recipe/plan.ts';
import {
  failedVerdicts,
  listed,
  makePreparedScorer,
  otherKindsRefusal,
  type SchemeVerdicts,
} from '../../score/score-case.ts';
import { sharedWork } from './shared-work.ts';

/**
 * Scores each case under several plans that mostly agree: variants of one recipe. For each plan the verdicts are those of
 * `makeCaseScorer(plan)`, but for the candidates that came nearest, which nobody asks of a variant. What the plans share
 * is worked out once: rules of `prepare` as far as they begin alike, the similarity of two items, pairings under equal
 * settings.
 */
export function makeVariantScorer(plans: readonly Plan[]): (given: Case) => readonly (readonly SchemeVerdicts[])[] {
  const work = sharedWork(plans);
  const prepared = new Map<string, readonly Case[]>();
  const scorers = plans.map((plan) => ({
    failed: plan.data.failed,
    refuse: otherKindsRefusal(plan),
    prepare: sharedPrepare(plan, prepared),
    score: makePreparedScorer(plan, work),
  }));
  return (read) => {
    try {
      return scorers.map(({ failed, refuse, prepare, score }) => {
        refuse(read);
        const given = withFailure(read, failed);
        if (given.failed !== null) return [failedVerdicts(given)];
        const out: SchemeVerdicts[] = [];
        for (const one of prepare(given)) score(one, out);
        return out;
      });
    } finally {
      prepared.clear();
      work.forget();
    }
  };
}

/** The rules of `prepare`, with what each made of the case under all that ran the same rules up to it. */
function sharedPrepare(plan: Plan, known: Map<string, readonly Case[]>): (given: Case) => readonly Case[] {
  const params = paramsOf(plan);
  let key = '';
  const steps = plan.prepare.map(({ name, step }) => {
    key += `${JSON.stringify([name, params[name]])}\n`;
    return { key, step };
  });
  return (given) => {
    let cases: readonly Case[] = [given];
    for (const { key: own, step } of steps) {
      let made = known.get(own);
      if (made === undefined) known.set(own, (made = cases.flatMap((one) => listed(step(one)))));
      cases = made;
    }
    return cases;
  };
}

function paramsOf({ resolved }: Plan): Readonly<Record<string, unknown>> {
  const { prepare } = resolved;
  return isRecord(prepare) ? prepare : {};
}
