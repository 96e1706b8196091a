import type { Judgement } from '../../store/review-records.ts';
import type { ReviewSnapshot } from '../snapshot.ts';
import type { JudgePlan } from './plan-judging.ts';

/** A model whose figures end when another model or prompt answers the same questions. */
export interface ExpiringFigures {
  readonly model: string;
  /** How many items it has answered with the prompt that it answered with last. */
  readonly items: number;
  readonly fields: readonly string[];
}

/** The figure of a question is that of the model and prompt that answered it last: one trial of another ends it. */
export function expiringFigures({ judgements }: ReviewSnapshot, { tasks }: JudgePlan): ExpiringFigures[] {
  const asked = new Map(tasks.map(({ judge }) => [judge.name, judge.id]));
  const ended = [...asked].flatMap(([field, id]) => {
    const own = judgements.filter((one) => one.field === field);
    const last = own.reduce<Judgement | null>((latest, one) => ((latest?.seq ?? -1) > one.seq ? latest : one), null);
    if (last === null || last.judge === id) return [];
    const items = new Set(own.flatMap(({ judge, itemId }) => (judge === last.judge ? [itemId] : []))).size;
    return [{ field, model: last.model, items }];
  });
  return [...Map.groupBy(ended, ({ model, items }) => JSON.stringify([model, items])).values()].map((of) => ({
    model: of[0]!.model,
    items: of[0]!.items,
    fields: of.map(({ field }) => field),
  }));
}
