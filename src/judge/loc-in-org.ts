import { z } from 'zod';

import type { Item } from '../data/item.ts';
import { nearSpans } from '../pair/near-pairs.ts';
import { defineRule } from '../prepare/rule.ts';
import { codePointLength } from '../text/code-points.ts';
import { isContained, shareInside } from '../text/span.ts';
import type { JudgeStep } from './step.ts';
import { makeVerdict, type Verdict } from './verdict.ts';

const params = z.strictObject({
  predicted: z.array(z.string()),
  gold: z.array(z.string()),
  minLength: z.number().int().default(3),
  /** letters: letters, spaces and hyphens only. */
  shape: z.enum(['letters', 'any']).default('letters'),
  /** A word the gold text must have, unless the prediction is at least `orLength` long. */
  words: z.array(z.string()).default([]),
  orLength: z.number().int().default(4),
  /** Whether gold must hold the prediction, up to `tolerance` characters, or an overlap is enough. */
  place: z.enum(['inside', 'overlap']).default('inside'),
  tolerance: z.number().int().min(0).default(1),
  /** Whether a gold span that was matched already can be used, and is used up by this. */
  usesGold: z.boolean().default(true),
  /** The label the hit is counted under; none means gold's. */
  label: z.string().nullable().default(null),
});
type Params = z.infer<typeof params>;

const LETTERS = /^[\p{L}\p{M}\s-]+$/u;

/**
 * A place name inside the name of an institution ("Warsaw" in "Warsaw Regional Court"): the left-over prediction is a
 * hit on the institution's gold span.
 */
export const locInOrg = defineRule<JudgeStep, Params>({
  name: 'loc-in-org',
  about: 'a left-over place inside the name of an institution is a hit on it',
  params,
  step(settings, rule) {
    const predictedLabels = new Set(settings.predicted);
    const goldLabels = new Set(settings.gold);
    const words = settings.words.map((word) => word.toLowerCase());
    return (verdicts, given) => {
      const open: number[] = [];
      const gold: { item: Item; at: number | null }[] = [];
      verdicts.forEach((v, at) => {
        if (
          v.verdict === 'spurious' &&
          v.predicted !== null &&
          v.predicted.start >= 0 &&
          predictedLabels.has(v.predicted.label)
        )
          open.push(at);
        if (
          v.gold !== null &&
          v.gold.start >= 0 &&
          goldLabels.has(v.gold.label) &&
          (v.verdict === 'missed' || !settings.usesGold)
        )
          gold.push({ item: v.gold, at });
      });
      if (open.length === 0 || gold.length === 0) return verdicts;
      const near = nearSpans(
        gold.map(({ item }) => item),
        open.map((at) => verdicts[at]?.predicted as Item),
        0,
      );
      // Left to right, each prediction takes the first gold span that suits it.
      const order = near.predicted
        .map((_, at) => at)
        .sort(
          (a, b) =>
            (near.predicted[a] as number) - (near.predicted[b] as number) ||
            (near.gold[a] as number) - (near.gold[b] as number),
        );
      const out: (Verdict | null)[] = verdicts.slice();
      for (const at of order) {
        const place = open[near.predicted[at] as number] as number;
        const verdict = out[place];
        const target = gold[near.gold[at] as number];
        if (verdict?.verdict !== 'spurious' || verdict.predicted === null || target === undefined) continue;
        if (settings.usesGold && target.at !== null && out[target.at] === null) continue;
        if (!suits(verdict.predicted, target.item, settings, words)) continue;
        out[place] = makeVerdict({
          case: given.id,
          scheme: verdict.scheme,
          kind: verdict.kind,
          verdict: 'hit',
          rule,
          label: settings.label ?? target.item.label,
          similarity: shareInside(verdict.predicted.start, verdict.predicted.end, target.item.start, target.item.end),
          // A gold span that is not used up keeps its own line; naming it here too would count it twice.
          gold: settings.usesGold ? target.item : null,
          predicted: verdict.predicted,
          because: `${verdict.predicted.label} ${JSON.stringify(verdict.predicted.text.trim())} inside ${target.item.label} ${JSON.stringify(target.item.text)}`,
        });
        if (settings.usesGold && target.at !== null) out[target.at] = null;
      }
      return out.filter((verdict) => verdict !== null);
    };
  },
});

function suits(predicted: Item, gold: Item, settings: Params, words: readonly string[]): boolean {
  const text = predicted.text.trim();
  const length = codePointLength(text);
  const lower = gold.text.toLowerCase();
  if (length < settings.minLength || (settings.shape === 'letters' && !LETTERS.test(text))) return false;
  if (
    settings.place === 'inside' &&
    !isContained(predicted.start, predicted.end, gold.start, gold.end, settings.tolerance)
  )
    return false;
  if (!lower.includes(text.toLowerCase())) return false;
  return length >= settings.orLength || words.some((word) => lower.includes(word));
}
