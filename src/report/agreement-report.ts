import type { Agreement } from '../stats/agreement/agreement.ts';
import type { CoefficientName } from '../stats/agreement/agreement-of-ratings.ts';
import type { AlphaMetric } from '../stats/agreement/krippendorff-alpha.ts';
import type { TargetResult } from '../stats/agreement/against-target.ts';
import type { KappaWeights } from '../stats/agreement/cohen-kappa.ts';
import type { Rating } from '../stats/agreement/rating.ts';
import type { SpanF1, SpanPairF1 } from '../stats/agreement/pairwise-span-f1.ts';

/** What `assay agree` found, as its JSON holds it. */
export interface AgreementReport {
  readonly assay: string;
  readonly file: { readonly name: string; readonly sha256: string; readonly bytes: number };
  readonly resampling: {
    readonly resamples: number;
    readonly level: number;
    readonly seed: number;
    readonly over: string;
  };
  readonly raters: readonly string[];
  /** What to mind about the file. */
  readonly notes: readonly string[];
  readonly ratings: RatingsReport | null;
  readonly spans: SpansReport | null;
}

export interface RatingsReport {
  readonly layout: 'wide' | 'long';
  readonly scale: AlphaMetric;
  readonly weights: KappaWeights;
  readonly target: number | null;
  /** Votes a label needs; null: more than half of the ratings given, and at least 2. */
  readonly quorum: number | null;
  /** The column that divides the file. */
  readonly by: string | null;
  readonly missing: readonly { readonly mark: string; readonly count: number }[];
  readonly results: readonly RatingsResult[];
}

/** One dimension, or the whole file. */
export interface RatingsResult {
  readonly by: string | null;
  readonly items: number;
  /** Ratings given, of items times raters. */
  readonly given: number;
  readonly possible: number;
  readonly coefficients: readonly NamedAgreement[];
  readonly prevalence: readonly RaterPrevalence[];
  readonly pairwise: PairwiseResult | null;
  readonly vote: VoteResult | null;
}

export interface NamedAgreement extends Agreement {
  readonly name: CoefficientName;
  readonly target: TargetResult | null;
}

/** How often a category was given, and by whom, in the order of the raters. */
export interface RaterPrevalence {
  readonly category: Rating;
  readonly share: number;
  readonly count: number;
  readonly byRater: readonly number[];
}

export interface PairwiseResult {
  readonly pairs: readonly {
    readonly raters: readonly [string, string];
    readonly value: number | null;
    readonly undefined: string | null;
    readonly n: number;
    readonly left: number;
  }[];
  /** Light's kappa. */
  readonly mean: number | null;
  readonly undefinedPairs: number;
}

export interface VoteResult {
  readonly decided: number;
  readonly disputed: readonly string[];
  readonly undecided: readonly string[];
  readonly items: readonly VotedItem[];
}

export interface VotedItem {
  readonly item: string;
  readonly line: number;
  readonly label: Rating | null;
  /** In the order of the raters. */
  readonly ratings: readonly (Rating | null)[];
  readonly votes: readonly { readonly label: Rating; readonly count: number }[];
  readonly disputed: boolean;
  readonly reason: string | null;
}

export interface SpansReport extends SpanF1 {
  readonly match: 'exact' | 'overlap' | 'iou';
  readonly threshold: number | null;
  readonly target: TargetResult | null;
  readonly n: number;
  readonly left: number;
  readonly pooled: SpanF1;
  readonly pairs: readonly (Omit<SpanPairF1, 'a' | 'b'> & { readonly raters: readonly [string, string] })[];
  readonly prevalence: readonly { readonly category: string; readonly share: number; readonly count: number }[];
  readonly notes: readonly string[];
}
