import { z } from 'zod';

import type { Item } from '../data/item.ts';
import { nearSpans } from '../pair/near-pairs.ts';
import { short } from '../pair/pair.ts';
import { defineRule } from '../prepare/rule.ts';
import { shareInside } from '../text/span.ts';
import type { JudgeStep } from './step.ts';
import type { Verdict } from './verdict.ts';

const params = z.strictObject({
  /** How much of the prediction must lie inside the matched gold span. */
  share: z.number().min(0).max(1).default(0.5),
});

/** A left-over prediction that lies largely inside a gold span already matched is a second find of the same thing, not a false alarm. */
export const excuseOverlap = defineRule<JudgeStep, z.infer<typeof params>>({
  name: 'excuse-overlap',
  about: 'a left-over prediction largely inside an already matched gold span is excused',
  params,
  step:
    ({ share }, rule) =>
    (verdicts) => {
      const spurious: number[] = [];
      const matched: Item[] = [];
      verdicts.forEach((v, at) => {
        if (v.verdict === 'spurious' && v.predicted !== null && v.predicted.start >= 0) spurious.push(at);
        if (v.verdict === 'hit' && v.gold !== null) matched.push(v.gold);
      });
      if (spurious.length === 0 || matched.length === 0) return verdicts;
      const near = nearSpans(
        matched,
        spurious.map((at) => verdicts[at]?.predicted as Item),
        0,
      );
      const out = verdicts.slice();
      for (let at = 0; at < near.gold.length; at += 1) {
        const place = spurious[near.predicted[at] as number] as number;
        const verdict = out[place] as Verdict;
        const predicted = verdict.predicted as Item;
        const gold = matched[near.gold[at] as number] as Item;
        const inside = shareInside(predicted.start, predicted.end, gold.start, gold.end);
        if (verdict.verdict !== 'spurious' || inside < share) continue;
        out[place] = {
          ...verdict,
          verdict: 'excused',
          rule,
          because: `${short(inside)} of it lies inside the matched gold ${JSON.stringify(gold.text)}`,
        };
      }
      return out;
    },
});
