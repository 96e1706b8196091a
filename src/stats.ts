/** Intervals, paired tests, agreement coefficients, and the similarities of texts and spans. */

export { assign, type Assign } from './pair/assign.ts';
export { bootstrap, type BootstrapOptions, type BootstrapResult, type Statistic } from './stats/bootstrap.ts';
export { cohenDz, rankBiserial } from './stats/effect-size.ts';
export { holm } from './stats/holm.ts';
export { mcnemar, type McNemarResult } from './stats/mcnemar.ts';
export { neededPairs } from './stats/power.ts';
export { type PermutationResult, permutationTest } from './stats/sign-flip.ts';
export { wilcoxon, type WilcoxonOptions, type WilcoxonResult } from './stats/wilcoxon.ts';
export { wilson } from './stats/wilson.ts';
export type { Agreement, AgreementOptions } from './stats/agreement/agreement.ts';
export { agreementOfRatings } from './stats/agreement/agreement-of-ratings.ts';
export { cohenKappa, type PairwiseKappa, pairwiseKappa } from './stats/agreement/cohen-kappa.ts';
export { fleissKappa, gwetAc1, rawAgreement } from './stats/agreement/pair-agreement.ts';
export { krippendorffAlpha } from './stats/agreement/krippendorff-alpha.ts';
export { type MajorityVote, majorityVote, type Vote } from './stats/agreement/majority-vote.ts';
export {
  type AnnotatedSpan,
  pairwiseSpanF1,
  type SpanAgreement,
  type SpanDocument,
} from './stats/agreement/pairwise-span-f1.ts';
export type { Rating, Ratings } from './stats/agreement/rating.ts';
export { jaccard, wordSet } from './text/words.ts';
export { levenshtein, levenshteinSimilarity } from './text/levenshtein.ts';
export { type NoReadability, type Readability, readability } from './text/readability.ts';
export { sentenceSpans } from './text/sentences.ts';
export { iou } from './text/span.ts';
export { syllables } from './text/syllables.ts';
export { pairwiseSum, percentile, percentileOf } from './measure/numpy.ts';
export { ends, FEW_UNITS } from './stats/interval.ts';
export { measureIntervals } from './stats/measure-intervals.ts';
export { MersenneTwister } from './stats/mersenne-twister.ts';
export { MOST_RESAMPLES, resampleSettings, type ResampleSettings } from './stats/resample-settings.ts';
export { resampleTimes } from './stats/resample.ts';
