import { z } from 'zod';

import type { Item } from '../data/item.ts';
import { makeRule } from '../prepare/rule.ts';
import type { JudgeStep } from './step.ts';

const params = z.strictObject({});

/**
 * A case has one class: the right one that was missed and the other one that was given are one error, not two. Both stay
 * missed and spurious (so no number changes) and name each other, which is what a confusion matrix is made of.
 */
export const wrongClass = makeRule<JudgeStep, z.infer<typeof params>>({
  name: 'wrong-class',
  about: 'links the missed class and the predicted one, for the confusion matrix',
  params,
  step: (_, rule) => (verdicts) => {
    const missed = verdicts.find(({ kind, verdict }) => kind === 'class' && verdict === 'missed')?.gold ?? null;
    const given = verdicts.find(({ kind, verdict }) => kind === 'class' && verdict === 'spurious')?.predicted ?? null;
    if (missed === null || given === null) return verdicts;
    const because = `${given.label} was given, ${missed.label} is right`;
    const link = (other: Item): { item: Item; similarity: number; why: string } => ({
      item: other,
      similarity: 0,
      why: 'another class',
    });
    return verdicts.map((own) => {
      if (own.gold === missed) return { ...own, rule, because, rejected: link(given) };
      return own.predicted === given ? { ...own, rule, because, rejected: link(missed) } : own;
    });
  },
});
