import type { Agreement } from './agreement.ts';
import type { AlphaMetric } from './alpha-metric.ts';
import { cohenKappa, type KappaWeights } from './cohen-kappa.ts';
import { fleissKappa } from './fleiss-kappa.ts';
import { gwetAc1 } from './gwet-ac1.ts';
import { krippendorffAlpha } from './krippendorff-alpha.ts';
import { type MajorityVote, majorityVote } from './majority-vote.ts';
import { type PairwiseKappa, pairwiseKappa } from './pairwise-kappa.ts';
import type { Rating, Ratings } from './rating.ts';
import { rawAgreement } from './raw-agreement.ts';
import type { ResampleSettings } from '../resample-settings.ts';

export interface RatingsOptions extends Partial<ResampleSettings> {
  /** What kind of scale the ratings are on; nominal unless it is said. */
  readonly scale?: AlphaMetric;
  /** Of Cohen's kappa: quadratic on an ordinal scale, none elsewhere, unless it is said. */
  readonly weights?: KappaWeights;
  readonly categories?: readonly Rating[];
  readonly quorum?: number;
  readonly interval?: boolean;
}

export type CoefficientName =
  | 'raw_agreement'
  | 'cohen_kappa'
  | 'cohen_kappa_weighted'
  | 'fleiss_kappa'
  | 'krippendorff_alpha'
  | 'gwet_ac1';

export interface RatingsAgreement {
  /** Those that fit the scale and the number of raters. */
  readonly coefficients: readonly { readonly name: CoefficientName; readonly agreement: Agreement }[];
  readonly weights: KappaWeights;
  /** Cohen's kappa, with the weights, of every two raters where there are more than two; null where it does not fit. */
  readonly pairwise: PairwiseKappa | null;
  /** Null on a scale of measurements, where equal values are chance. */
  readonly vote: MajorityVote | null;
}

/**
 * Every coefficient that makes sense for some ratings, with the vote. On an interval or ratio scale, kappas and AC1 of
 * unordered categories would call 3.1 and 3.2 as different as 0 and 9, and are left out.
 */
export function agreementOfRatings(ratings: Ratings, options: RatingsOptions = {}): RatingsAgreement {
  const { scale = 'nominal', quorum, weights = scale === 'ordinal' ? 'quadratic' : 'none', ...shared } = options;
  const isMeasured = scale === 'interval' || scale === 'ratio';
  const raters = ratings[0]?.length ?? 0;
  const coefficients: { name: CoefficientName; agreement: Agreement }[] = [
    { name: 'raw_agreement', agreement: rawAgreement(ratings, shared) },
  ];
  if (raters === 2 && !isMeasured) coefficients.push({ name: 'cohen_kappa', agreement: cohenKappa(ratings, shared) });
  if (raters === 2 && weights !== 'none')
    coefficients.push({ name: 'cohen_kappa_weighted', agreement: cohenKappa(ratings, { ...shared, weights }) });
  if (!isMeasured) coefficients.push({ name: 'fleiss_kappa', agreement: fleissKappa(ratings, shared) });
  coefficients.push({
    name: 'krippendorff_alpha',
    agreement: krippendorffAlpha(ratings, { ...shared, metric: scale }),
  });
  if (!isMeasured) coefficients.push({ name: 'gwet_ac1', agreement: gwetAc1(ratings, shared) });
  const votes = {
    ...(quorum === undefined ? {} : { quorum }),
    ...(shared.categories === undefined ? {} : { categories: shared.categories }),
  };
  return {
    coefficients,
    weights,
    pairwise:
      raters > 2 && (!isMeasured || weights !== 'none')
        ? pairwiseKappa(ratings, { ...shared, weights, interval: false })
        : null,
    vote: isMeasured ? null : majorityVote(ratings, votes),
  };
}
