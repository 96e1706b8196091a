import { z } from 'zod';

import type { Item } from '../data/item.ts';
import { assign } from '../pair/assign.ts';
import { differenceOf, differenceText } from '../pair/difference.ts';
import { inCharacters, nearSpans } from '../pair/places.ts';
import { makeRule } from '../prepare/rule.ts';
import { haveSamePieces, placeIou } from '../text/pieces.ts';
import type { JudgeStep } from './step.ts';
import type { Verdict } from './verdict.ts';

const params = z.strictObject({});

/**
 * SemEval's INCORRECT: a missed gold span and a spurious prediction that overlap are one error of boundary or label, not
 * two unrelated ones. Both stay missed and spurious (so precision and recall are the same) and name each other.
 * One to one, as in the scheme `partial`: as many as possible, but the same place is worth two overlaps; then the largest
 * overlap; ties by place.
 */
export const incorrect = makeRule<JudgeStep, z.infer<typeof params>>({
  name: 'incorrect',
  about: 'links a missed gold span and a spurious prediction that overlap as one error of boundary or label',
  params,
  onPlainSpans: 'link',
  step: (_, rule) => (verdicts, given) => {
    const gold: Item[] = [];
    const goldAt: number[] = [];
    const predicted: Item[] = [];
    const predictedAt: number[] = [];
    for (let at = 0; at < verdicts.length; at += 1) {
      const own = verdicts[at]!;
      // Stretches of tokens or characters are not items that could be mistaken for one another.
      if (own.verdict === 'missed' && own.gold !== null && own.gold.index >= 0) {
        gold.push(own.gold);
        goldAt.push(at);
      } else if (own.verdict === 'spurious' && own.predicted !== null && own.predicted.index >= 0) {
        predicted.push(own.predicted);
        predictedAt.push(at);
      }
    }
    if (gold.length === 0 || predicted.length === 0) return verdicts;
    const near = nearSpans(gold, predicted, 0);
    if (near.gold.length === 0) return verdicts;
    const goldPlaces = inCharacters(gold, given.text);
    const predictedPlaces = inCharacters(predicted, given.text);
    const edges = near.gold.map((g, at) => {
      const p = near.predicted[at]!;
      return { gold: g, predicted: p, similarity: placeIou(goldPlaces[g]!, predictedPlaces[p]!), preference: 0 };
    });
    const out = verdicts.slice();
    for (const { gold: g, predicted: p, similarity } of assign('optimal', edges, { partial: 0.5 })) {
      const [one, met] = [gold[g]!, predicted[p]!];
      const because = becauseOf(one.label !== met.label, !haveSamePieces(one, met));
      const why = differenceText(gold[g]!, predicted[p]!, given.offsets);
      const link = (place: number, other: Item): Verdict => ({
        ...out[place]!,
        rule,
        because,
        rejected: { item: other, similarity, why },
      });
      out[goldAt[g]!] = link(goldAt[g]!, predicted[p]!);
      out[predictedAt[p]!] = link(predictedAt[p]!, gold[g]!);
    }
    return out;
  },
});

/** What is wrong with the one as an answer to the other. */
export function becauseOf(isLabelOff: boolean, isPlaceOff: boolean): string {
  return isLabelOff && isPlaceOff ? 'label and boundaries differ' : differenceOf(isLabelOff, isPlaceOff);
}
