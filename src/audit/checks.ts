import type { AuditCheck } from './check.ts';
import { misplacedFields, ungrounded, unresolved } from './checks/broken-items.ts';
import { gateCannotFail, missingIntervals, differentSignatures, tooFewCases } from './checks/claims.ts';
import { emptyAnswers, wholeText } from './checks/content/answer-sizes.ts';
import { cutOffPredictions } from './checks/content/cut-off-answers.ts';
import { repeatedPredictions } from './checks/content/repeated-predictions.ts';
import { shiftedSpans } from './checks/content/shifted-spans.ts';
import { untrimmedSpans } from './checks/content/untrimmed-spans.ts';
import { swappedLabels } from './checks/swapped-labels.ts';
import { copiedGold } from './checks/content/copied-gold.ts';
import { goldInText } from './checks/content/gold-in-text.ts';
import { refusedAnswers } from './checks/content/refused-answers.ts';
import { spansWithinWords } from './checks/content/spans-within-words.ts';
import { duplicateCases, trainingDataInTest } from './checks/content/duplicate-cases.ts';
import { repeatedAnswersCheck } from './checks/content/template-answers.ts';
import { spanText } from './checks/content/span-text.ts';
import { fallbackTimestamps, splitWords } from './checks/content/trace-faults.ts';
import { singleAnnotatorDependence, singleCaseDependence } from './checks/decisive.ts';
import { dropped } from './checks/dropped-data.ts';
import { incompleteRatings } from './checks/incomplete-ratings.ts';
import { hiddenUndefinedValues, noValues, placeholderAnswers } from './checks/no-values.ts';
import { zeroMatches } from './checks/zero-matches.ts';
import { labelsNeverInGold, labelsNeverPredicted } from './checks/one-sided-labels.ts';
import { excusedHits, excusedFalsePositives, ruleMadeHits } from './checks/rule-credit.ts';
import { duplicateRaters } from './checks/duplicate-raters.ts';
import { reportedValuesCheck } from './checks/reported-values.ts';
import { thresholdSensitivity } from './checks/threshold-sensitivity.ts';
import { unannotatedCases } from './checks/unannotated-cases.ts';
import { unreadableConfidence } from './checks/unreadable-confidence.ts';
import { invertedDirection } from './checks/inverted-direction.ts';

const OF_ANSWERS: readonly AuditCheck[] = [copiedGold, repeatedAnswersCheck, emptyAnswers, refusedAnswers, wholeText];
const OF_TEXTS: readonly AuditCheck[] = [
  duplicateCases,
  trainingDataInTest,
  goldInText,
  spanText,
  spansWithinWords,
  splitWords,
  fallbackTimestamps,
  untrimmedSpans,
  shiftedSpans,
  cutOffPredictions,
  repeatedPredictions,
];
const OF_RULES: readonly AuditCheck[] = [
  excusedHits,
  excusedFalsePositives,
  ruleMadeHits,
  hiddenUndefinedValues,
  thresholdSensitivity,
];
const OF_ITEMS: readonly AuditCheck[] = [
  dropped,
  unannotatedCases,
  unreadableConfidence,
  labelsNeverPredicted,
  labelsNeverInGold,
  swappedLabels,
  ungrounded,
  unresolved,
  misplacedFields,
];
const OF_VALUES: readonly AuditCheck[] = [
  noValues,
  zeroMatches,
  placeholderAnswers,
  invertedDirection,
  singleCaseDependence,
];
const OF_PEOPLE: readonly AuditCheck[] = [singleAnnotatorDependence, incompleteRatings, duplicateRaters];
const OF_CLAIMS: readonly AuditCheck[] = [
  reportedValuesCheck,
  tooFewCases,
  missingIntervals,
  gateCannotFail,
  differentSignatures,
];

/** Checks that look at what cases, gold and predictions say, not at how they are scored. */
export const CONTENT_CHECKS = [...OF_ANSWERS, ...OF_TEXTS];

/** Every check there is; the order of the findings is that of AUDIT_CHECKS. */
export const CHECKS = [...CONTENT_CHECKS, ...OF_RULES, ...OF_ITEMS, ...OF_VALUES, ...OF_PEOPLE, ...OF_CLAIMS];
