import type { Check } from './check.ts';
import { CONTENT_CHECKS } from './checks/content/content-checks.ts';
import { decisiveAnnotator } from './checks/decisive-annotator.ts';
import { decisiveCase } from './checks/decisive-case.ts';
import { dropped } from './checks/dropped.ts';
import { excusedHits } from './checks/excused-hits.ts';
import { excusedPredictions } from './checks/excused-predictions.ts';
import { fewRatings } from './checks/few-ratings.ts';
import { gateCannotFail } from './checks/gate-cannot-fail.ts';
import { hiddenUndefined } from './checks/hidden-undefined.ts';
import { neverGold } from './checks/never-gold.ts';
import { neverPredicted } from './checks/never-predicted.ts';
import { noIntervals } from './checks/no-intervals.ts';
import { nothingRight } from './checks/nothing-right.ts';
import { nothingToCompare } from './checks/nothing-to-compare.ts';
import { otherSignatures } from './checks/other-signatures.ts';
import { ruleMadeHits } from './checks/rule-made-hits.ts';
import { sameRaters } from './checks/same-raters.ts';
import { standIns } from './checks/stand-ins.ts';
import { strayFields } from './checks/stray-fields.ts';
import { thresholdCliff } from './checks/threshold-cliff.ts';
import { tooFew } from './checks/too-few.ts';
import { turnedDirection } from './checks/turned-direction.ts';
import { ungrounded } from './checks/ungrounded.ts';
import { unresolved } from './checks/unresolved.ts';

/** Every check there is; the order of the findings is that of AUDIT_CHECKS. */
export const CHECKS: readonly Check[] = [
  ...CONTENT_CHECKS,
  decisiveAnnotator,
  decisiveCase,
  dropped,
  excusedHits,
  excusedPredictions,
  fewRatings,
  gateCannotFail,
  hiddenUndefined,
  neverGold,
  neverPredicted,
  noIntervals,
  nothingRight,
  nothingToCompare,
  otherSignatures,
  ruleMadeHits,
  sameRaters,
  standIns,
  strayFields,
  thresholdCliff,
  tooFew,
  turnedDirection,
  ungrounded,
  unresolved,
];
