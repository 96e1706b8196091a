import type { SpanCase } from '../data/span-case.ts';
import { CellCounts } from './span-counts.ts';
import { type NearSpans, SpanPairing, type SpanScheme } from './span-pairs.ts';
import type { PairedSpans } from './span-reasons.ts';

/** The variants of a recipe that pair plain spans in one way, which is not the recipe's own. */
export class SpanVariant implements PairedSpans {
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
  add(given: SpanCase, near: NearSpans, whole: PairedSpans): void {
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
