import { z } from 'zod';

import type { Item } from '../data/item.ts';
import { inCharacters, nearSpans } from '../pair/places.ts';
import { short } from '../text/figures.ts';
import { makeRule } from '../prepare/rule.ts';
import { placeShareInside } from '../text/pieces.ts';
import type { JudgeStep } from './step.ts';

const params = z.strictObject({
  share: z.number().min(0).max(1).default(0.5).describe('share of the prediction that must be inside the gold span'),
});

/** A left-over prediction that lies largely inside a gold span already matched is a second find of the same thing, not a false alarm. */
export const excuseOverlap = makeRule<JudgeStep, z.infer<typeof params>>({
  name: 'excuse-overlap',
  about: 'a left-over prediction largely inside an already matched gold span is excused',
  params,
  step:
    ({ share }, rule) =>
    (verdicts, given) => {
      const places: number[] = [];
      const spurious: Item[] = [];
      const matched: Item[] = [];
      for (let at = 0; at < verdicts.length; at += 1) {
        const { verdict, gold, predicted } = verdicts[at]!;
        if (verdict === 'spurious' && predicted !== null) {
          places.push(at);
          spurious.push(predicted);
        }
        if (verdict === 'hit' && gold !== null) matched.push(gold);
      }
      if (spurious.length === 0 || matched.length === 0) return verdicts;
      const near = nearSpans(matched, spurious, 0);
      if (near.gold.length === 0) return verdicts;
      const matchedPlaces = inCharacters(matched, given.text);
      const spuriousPlaces = inCharacters(spurious, given.text);
      const out = verdicts.slice();
      for (let at = 0; at < near.gold.length; at += 1) {
        const own = near.predicted[at]!;
        const place = places[own]!;
        const gold = matchedPlaces[near.gold[at]!]!;
        const inside = placeShareInside(spuriousPlaces[own]!, gold);
        if (out[place]!.verdict !== 'spurious' || inside < share) continue;
        const because = `${inside === 1 ? 'all' : short(inside)} of it lies inside the matched gold ${JSON.stringify(gold.text)}`;
        out[place] = { ...out[place]!, verdict: 'excused', rule, because };
      }
      return out;
    },
});
