import { hash } from 'node:crypto';

import type { TargetCase } from '../../experiment/targets/target.ts';
import type { ReviewItemRecord } from '../../store/review-records.ts';
import type { ProposedItem } from '../content.ts';
import { fieldsFor, partsOf } from '../questions.ts';
import { contentOf } from '../content-of.ts';
import type { ReviewSnapshot } from '../snapshot.ts';
import { materialText, thingsText } from './judge-material.ts';
import { judgeQuestion } from './judge-question.ts';
import type { Judge } from './open-judge.ts';

/** One question about one item, as the model is asked it. */
export interface JudgeTask {
  readonly judge: Judge;
  readonly item: ReviewItemRecord;
  readonly proposed: readonly ProposedItem[];
  readonly given: TargetCase;
}

export interface JudgePlan {
  readonly tasks: readonly JudgeTask[];
  /** Answered before, by the same model with the same prompt and question. */
  readonly done: number;
  /** Questions about things to label, where the item has none. */
  readonly empty: number;
}

/** What is to be asked: every question of every item it is for, less what this judge has answered already. */
export function planJudging(
  { form, items, judgements }: ReviewSnapshot,
  judges: readonly Judge[],
  mostItems: number | null,
): JudgePlan {
  const known = new Set(judgements.map(({ id }) => id));
  const tasks: JudgeTask[] = [];
  let [done, empty] = [0, 0];
  const wanted = items.filter((item) => judges.some(({ name }) => fieldsFor(form, [], item).includes(name)));
  for (const item of mostItems === null ? wanted : wanted.slice(0, mostItems)) {
    const content = contentOf(item);
    const own = fieldsFor(form, [], item);
    for (const judge of judges) {
      if (!own.includes(judge.name)) continue;
      const { name, field } = judge;
      const proposed = field.type === 'items' && Object.hasOwn(content.proposed, name) ? content.proposed[name]! : [];
      if (field.type === 'items' && proposed.length === 0) empty += 1;
      else if (partsOf(field).every((part) => known.has(judgementId(judge, item.id, part)))) done += 1;
      else {
        const input = {
          question: judgeQuestion(field)?.text ?? '',
          material: materialText(form.guidance, content),
          things: thingsText(proposed),
        };
        tasks.push({ judge, item, proposed, given: { id: item.id, input, metadata: null, repeat: 1 } });
      }
    }
  }
  return { tasks, done, empty };
}

/** The same judge, item and part always have the same: what was answered is not asked again. */
export function judgementId({ id, name }: Judge, itemId: string, part: string | null): string {
  return `judge-${hash('sha256', JSON.stringify([id, itemId, name, part])).slice(0, 40)}`;
}
