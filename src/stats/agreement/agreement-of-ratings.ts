import type { Agreement, AgreementOptions } from './agreement.ts';
import { cohenKappa, type KappaWeights, type PairwiseKappa, pairwiseKappa } from './cohen-kappa.ts';
import { type AlphaMetric, krippendorffAlpha } from './krippendorff-alpha.ts';
import { type MajorityVote, majorityVote } from './majority-vote.ts';
import { fleissKappa, gwetAc1, rawAgreement } from './pair-agreement.ts';
import type { Ratings } from './rating.ts';

export interface RatingsOptions extends Omit<AgreementOptions, 'clusters'> {
  /** What kind of scale the ratings are on; nominal by default. */
  readonly scale?: AlphaMetric;
  /** Of Cohen's kappa: by default quadratic on an ordinal scale, none elsewhere. */
  readonly weights?: KappaWeights;
  readonly quorum?: number;
}

type KappaName = 'cohen_kappa' | 'cohen_kappa_weighted' | 'fleiss_kappa';
export type CoefficientName = 'raw_agreement' | KappaName | 'krippendorff_alpha' | 'gwet_ac1';

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
  const isWeighted = weights !== 'none';
  const raters = ratings[0]?.length ?? 0;
  const all: readonly (readonly [name: CoefficientName, fits: boolean, make: () => Agreement])[] = [
    ['raw_agreement', true, () => rawAgreement(ratings, shared)],
    ['cohen_kappa', raters === 2 && !isMeasured, () => cohenKappa(ratings, shared)],
    ['cohen_kappa_weighted', raters === 2 && isWeighted, () => cohenKappa(ratings, { ...shared, weights })],
    ['fleiss_kappa', !isMeasured, () => fleissKappa(ratings, shared)],
    ['krippendorff_alpha', true, () => krippendorffAlpha(ratings, { ...shared, metric: scale })],
    ['gwet_ac1', !isMeasured, () => gwetAc1(ratings, shared)],
  ];
  const hasPairs = raters > 2 && (!isMeasured || isWeighted);
  return {
    coefficients: all.flatMap(([name, fits, make]) => (fits ? [{ name, agreement: make() }] : [])),
    weights,
    pairwise: hasPairs ? pairwiseKappa(ratings, { ...shared, weights, interval: false }) : null,
    vote: isMeasured ? null : majorityVote(ratings, { ...shared, quorum }),
  };
}
