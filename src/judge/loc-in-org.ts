import { z } from 'zod';

import type { Item } from '../data/item.ts';
import { inCharacters, nearSpans } from '../pair/places.ts';
import { makeRule } from '../prepare/rule.ts';
import { codePointLength } from '../text/characters.ts';
import { isPlaceInside, placeShareInside, textAt } from '../text/pieces.ts';
import type { JudgeStep } from './step.ts';
import { makeVerdict, type Verdict } from './verdict.ts';

const params = z.strictObject({
  predicted: z.array(z.string()).describe('labels of places'),
  gold: z.array(z.string()).describe('labels of institutions'),
  minLength: z.number().int().default(3).describe('fewest characters of the prediction'),
  shape: z.enum(['letters', 'any']).default('letters').describe('letters: letters, spaces and hyphens only'),
  words: z
    .array(z.string())
    .default([])
    .describe('the gold text must have one of these, unless the prediction has at least orLength characters'),
  orLength: z.number().int().default(4).describe('length from which words are not needed'),
  place: z
    .enum(['inside', 'overlap'])
    .default('inside')
    .describe('whether gold must contain the prediction, up to tolerance characters, or an overlap is enough'),
  tolerance: z.number().int().min(0).default(1).describe('characters by which the prediction may stick out'),
  usesGold: z
    .boolean()
    .default(true)
    .describe('true: only missed gold, which is then used up; false: any gold, which keeps its verdict'),
  label: z.string().nullable().default(null).describe('label the hit counts under; null: the gold label'),
});
type Params = z.infer<typeof params>;

const LETTERS = /^[\p{L}\p{M}\s-]+$/u;

/**
 * A place name inside the name of an institution ("Warsaw" in "Warsaw Regional Court"): the left-over prediction is a
 * hit on the institution's gold span. From left to right, each prediction takes the first gold span that suits it.
 */
export const locInOrg = makeRule<JudgeStep, Params>({
  name: 'loc-in-org',
  about: 'a left-over place inside the name of an institution is a hit on it',
  params,
  step(settings, rule) {
    const predictedLabels = new Set(settings.predicted);
    const goldLabels = new Set(settings.gold);
    const words = settings.words.map((word) => word.toLowerCase());
    return (verdicts, given) => {
      const predicted: Item[] = [];
      const predictedAt: number[] = [];
      const gold: Item[] = [];
      const goldAt: number[] = [];
      for (let at = 0; at < verdicts.length; at += 1) {
        const own = verdicts[at]!;
        if (own.verdict === 'spurious' && own.predicted !== null && predictedLabels.has(own.predicted.label)) {
          predicted.push(own.predicted);
          predictedAt.push(at);
        }
        const free = own.verdict === 'missed' || !settings.usesGold;
        if (free && own.gold !== null && goldLabels.has(own.gold.label)) {
          gold.push(own.gold);
          goldAt.push(at);
        }
      }
      if (predicted.length === 0 || gold.length === 0) return verdicts;
      const near = nearSpans(gold, predicted, 0);
      if (near.gold.length === 0) return verdicts;
      const order = [...near.predicted.keys()].sort(
        (a, b) => near.predicted[a]! - near.predicted[b]! || near.gold[a]! - near.gold[b]!,
      );
      const goldPlaces = inCharacters(gold, given.text);
      const predictedPlaces = inCharacters(predicted, given.text);
      const out: (Verdict | null)[] = verdicts.slice();
      for (const at of order) {
        const p = near.predicted[at]!;
        const g = near.gold[at]!;
        const open = out[predictedAt[p]!]!;
        if (open.verdict !== 'spurious' || out[goldAt[g]!] === null) continue;
        const inner = predictedPlaces[p]!;
        const outer = goldPlaces[g]!;
        const [own, whole] = [textOf(predicted[p]!, given.text), textOf(gold[g]!, given.text)];
        if (!suits({ ...inner, text: own }, { ...outer, text: whole }, settings, words)) continue;
        const similarity = placeShareInside(inner, outer);
        out[predictedAt[p]!] = hit(open, predicted[p]!, gold[g]!, similarity, settings, rule);
        if (settings.usesGold) out[goldAt[g]!] = null;
      }
      return out.filter((verdict) => verdict !== null);
    };
  },
});

function hit(open: Verdict, predicted: Item, gold: Item, similarity: number, settings: Params, rule: string): Verdict {
  return makeVerdict({
    case: open.case,
    scheme: open.scheme,
    kind: open.kind,
    verdict: 'hit',
    rule,
    label: settings.label ?? gold.label,
    similarity,
    // A gold span that is not used up keeps its own line; naming it here too would count it twice.
    gold: settings.usesGold ? gold : null,
    predicted,
    because: `${predicted.label} ${JSON.stringify(predicted.text.trim())} inside ${gold.label} ${JSON.stringify(gold.text)}`,
  });
}

/** What the document has at the item's place: an item's own text may be its parts, without or with a blank between them. */
function textOf(item: Item, document: string | null): string {
  return (document === null || item.start < 0 ? item.text : textAt(document, item)).trim();
}

function suits(predicted: Item, gold: Item, settings: Params, words: readonly string[]): boolean {
  const { text } = predicted;
  const length = codePointLength(text);
  if (length < settings.minLength || (settings.shape === 'letters' && !LETTERS.test(text))) return false;
  const isInside = isPlaceInside(predicted, gold, settings.tolerance);
  if (settings.place === 'inside' && !isInside) return false;
  const within = gold.text.toLowerCase();
  if (!within.includes(text.toLowerCase())) return false;
  return length >= settings.orLength || words.some((word) => within.includes(word));
}
