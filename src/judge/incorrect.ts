import { z } from 'zod';

import type { Item } from '../data/item.ts';
import { assignGreedy } from '../pair/assign-greedy.ts';
import { nearSpans } from '../pair/near-pairs.ts';
import { defineRule } from '../prepare/rule.ts';
import { iou } from '../text/span.ts';
import type { JudgeStep } from './step.ts';
import type { Verdict } from './verdict.ts';

const params = z.strictObject({});

/**
 * SemEval's INCORRECT: a missed gold span and a spurious prediction that overlap are one error of boundary or label, not
 * two unrelated ones. Both stay missed and spurious (so precision and recall are the same) and name each other.
 * Best overlap first, one to one; ties by place.
 */
export const incorrect = defineRule<JudgeStep, z.infer<typeof params>>({
  name: 'incorrect',
  about: 'links a missed gold span and a spurious prediction that overlap as one error of boundary or label',
  params,
  step: (_, rule) => (verdicts) => {
    const missed: number[] = [];
    const spurious: number[] = [];
    verdicts.forEach((v, at) => {
      // Stretches of tokens or characters (index -1) are not items that could be mistaken for one another.
      if ((v.gold ?? v.predicted)?.index === -1) return;
      if (v.verdict === 'missed' && v.gold !== null && v.gold.start >= 0) missed.push(at);
      if (v.verdict === 'spurious' && v.predicted !== null && v.predicted.start >= 0) spurious.push(at);
    });
    if (missed.length === 0 || spurious.length === 0) return verdicts;
    const gold = missed.map((at) => verdicts[at]?.gold as Item);
    const predicted = spurious.map((at) => verdicts[at]?.predicted as Item);
    const near = nearSpans(gold, predicted, 0);
    const edges = near.gold.map((g, at) => {
      const p = near.predicted[at] as number;
      const a = gold[g] as Item;
      const b = predicted[p] as Item;
      return { gold: g, predicted: p, similarity: iou(a.start, a.end, b.start, b.end), preference: 0 };
    });
    const out = verdicts.slice();
    for (const { gold: g, predicted: p, similarity } of assignGreedy(edges)) {
      const a = gold[g] as Item;
      const b = predicted[p] as Item;
      const bounds = a.start === b.start && a.end === b.end;
      const because =
        a.label === b.label ? 'boundaries differ' : bounds ? 'label differs' : 'label and boundaries differ';
      const link = (place: number, other: Item): void => {
        const verdict = out[place] as Verdict;
        out[place] = { ...verdict, rule, because, rejected: { item: other, similarity, why: because } };
      };
      link(missed[g] as number, b);
      link(spurious[p] as number, a);
    }
    return out;
  },
});
