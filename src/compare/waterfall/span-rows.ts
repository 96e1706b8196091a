import { CellCounts, cellVerdict } from '../../columns/span-counts.ts';
import { SpanPairing, type SpanScheme } from '../../columns/span-pairs.ts';
import type { PairedSpans } from '../../columns/span-reasons.ts';
import { spanPlanOf } from '../../columns/span-scoring.ts';
import type { Verdict } from '../../judge/verdict.ts';
import type { Plan } from '../../recipe/plan.ts';
import type { SpanFacts } from '../../score/score.ts';

/** The variants of a recipe that pair plain spans in one way, which is not the recipe's own. */
class SpanVariant implements PairedSpans {
  readonly scheme: SpanScheme;
  /** The rule that links errors under some of them. */
  linkRule: string | null = null;
  readonly pairing = new SpanPairing();
  /** What they make of cases in which they may differ from the recipe, and what the recipe makes of these. */
  readonly own = new CellCounts();
  readonly instead = new CellCounts();
  /** Whether they can choose other pairs than the recipe, and nothing else. */
  readonly #choosesOnly: boolean;
  /** Whether the case at hand is what the recipe makes of it. */
  isSame = true;

  constructor(scheme: SpanScheme, whole: SpanScheme) {
    const { similarity, gated, threshold } = scheme;
    this.scheme = scheme;
    this.#choosesOnly = similarity === whole.similarity && gated === whole.gated && threshold === whole.threshold;
  }

  /** Pairs the spans of a case, unless that comes to what the recipe itself makes of them. */
  add({ given, scoring: { near, schemes } }: SpanFacts): void {
    const whole = schemes[0]!;
    this.isSame = this.#choosesOnly && whole.pairing.isUndisputed;
    if (this.isSame) return;
    this.pairing.pair(this.scheme, given.spans.gold, given.spans.predicted, near);
    if (this.linkRule !== null) this.pairing.link(near, true);
    this.own.addCase(this, given);
    this.own.clear();
    this.instead.addCase(whole, given);
    this.instead.clear();
  }
}

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
  return {
    linkRules: settings.map(({ linkRule }) => linkRule),
    add(scored: SpanFacts): void {
      labels = scored.given.spans.gold.labels;
      cells.addCase(scored.scoring.schemes[0]!, scored.given);
      cells.clear();
      for (const variant of variants.values()) variant.add(scored);
    },
    /** How a plan pairs the spans of the case that was added last. */
    pairedBy(at: number, { scoring }: SpanFacts): PairedSpans {
      const variant = variantOf[at]!;
      return variant === null || variant.isSame ? scoring.schemes[0]! : variant;
    },
    /** Hands on what a plan made of all cases: verdicts that stand for many. */
    verdicts(at: number, addLike: (verdict: Verdict, n: number) => void): void {
      const { schemes, linkRule } = settings[at]!;
      const { own, instead } = variantOf[at] ?? { own: null, instead: null };
      const count = Math.max(cells.totals.length, own?.totals.length ?? 0);
      for (let cell = 0; cell < count; cell += 1) {
        const n = (cells.totals[cell] ?? 0) - (instead?.totals[cell] ?? 0) + (own?.totals[cell] ?? 0);
        if (n > 0) addLike(cellVerdict(schemes[0]!, linkRule, labels, cell), n);
      }
    },
  };
}
