import { CellCounts, cellVerdict } from '../../columns/span-counts.ts';
import type { PairedSpans } from '../../columns/span-reasons.ts';
import { spanPlanOf, SpanScoring } from '../../columns/span-scoring.ts';
import { SpanVariant } from '../../columns/span-variant.ts';
import type { Case } from '../../data/case.ts';
import { isSpanCase } from '../../data/span-case.ts';
import type { Verdict } from '../../judge/verdict.ts';
import type { Plan } from '../../recipe/plan.ts';
import type { SpanFacts } from '../../score/score.ts';
import type { StepMoves } from './step-moves.ts';

/** Plain spans, and what paired them as the recipe does. */
export type PairedCase = Pick<SpanFacts, 'given' | 'scoring'>;

/**
 * Scores the variants of a recipe over plain spans, in columns: only where they can differ from what the recipe makes of a
 * case. Null where one of them looks at more than places and labels.
 */
export function spanRows(plans: readonly Plan[], whole: number) {
  const settings = plans.map(spanPlanOf);
  if (!settings.every((own) => own !== null)) return null;
  const recipe = settings[whole]!.schemes[0]!;
  const variants = new Map<string, SpanVariant>();
  const variantOf = settings.map(({ schemes: [scheme], linkRule }) => {
    const key = JSON.stringify(scheme);
    if (key === JSON.stringify(recipe)) return null;
    const variant = variants.get(key) ?? new SpanVariant(scheme!, recipe);
    variants.set(key, variant);
    variant.linkRule ??= linkRule;
    return variant;
  });
  const cells = new CellCounts();
  let labels: readonly string[] = [];
  let scoring: SpanScoring | null = null;
  return {
    /** A case that nobody has scored; null where it has more than plain spans. */
    pairedCase(given: Case): PairedCase | null {
      if (!isSpanCase(given)) return null;
      const { labels: own } = given.spans.gold;
      scoring ??= new SpanScoring(settings[whole]!, (labels = own));
      return labels === own ? { given, scoring } : null;
    },
    /** Adds a case, and what moves from plan to plan. */
    add(paired: PairedCase, ways: readonly { from: number; to: number; moves: StepMoves | null }[]): void {
      const { given, scoring: own } = paired;
      own.pair(given);
      labels = given.spans.gold.labels;
      cells.addCase(own.schemes[0]!, given);
      cells.clear();
      for (const variant of variants.values()) variant.add(given, own.near, own.schemes[0]!);
      const pairedBy = (variant: SpanVariant | null): PairedSpans =>
        variant === null || variant.isSame ? own.schemes[0]! : variant;
      for (const { from, to, moves } of ways) {
        const [before, after] = [pairedBy(variantOf[from]!), pairedBy(variantOf[to]!)];
        if (before !== after) moves?.addSpans(given, before.pairing, after, settings[to]!.linkRule);
      }
    },
    /** Hands on what each plan made of the cases since the last time: verdicts that stand for many. */
    drain(addLike: (at: number, verdict: Verdict, n: number) => void): void {
      for (const [at, { schemes, linkRule }] of settings.entries()) {
        const { own, instead } = variantOf[at] ?? { own: null, instead: null };
        const count = Math.max(cells.totals.length, own?.totals.length ?? 0);
        for (let cell = 0; cell < count; cell += 1) {
          const n = (cells.totals[cell] ?? 0) - (instead?.totals[cell] ?? 0) + (own?.totals[cell] ?? 0);
          if (n > 0) addLike(at, cellVerdict(schemes[0]!, linkRule, labels, cell), n);
        }
      }
      for (const { totals } of [cells, ...variants.values().flatMap(({ own, instead }) => [own, instead])])
        totals.length = 0;
    },
  };
}
