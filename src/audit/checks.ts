import type { Check } from './check.ts';
import { strayFields, ungrounded, unresolved } from './checks/broken-items.ts';
import { gateCannotFail, noIntervals, otherSignatures, tooFew } from './checks/claims.ts';
import { emptyAnswers, wholeText } from './checks/content/answer-sizes.ts';
import { copiedGold } from './checks/content/copied-gold.ts';
import { duplicateCases, trainInTest } from './checks/content/duplicate-cases.ts';
import { oneTemplate } from './checks/content/one-template.ts';
import { spanText } from './checks/content/span-text.ts';
import { fallbackTimestamps, shreddedWords } from './checks/content/trace-faults.ts';
import { decisiveAnnotator, decisiveCase } from './checks/decisive.ts';
import { dropped } from './checks/dropped.ts';
import { fewRatings } from './checks/few-ratings.ts';
import { hiddenUndefined, nothingToCompare, standIns } from './checks/no-values.ts';
import { nothingRight } from './checks/nothing-right.ts';
import { neverGold, neverPredicted } from './checks/one-sided-labels.ts';
import { excusedHits, excusedPredictions, ruleMadeHits } from './checks/rule-credit.ts';
import { sameRaters } from './checks/same-raters.ts';
import { thresholdCliff } from './checks/threshold-cliff.ts';
import { turnedDirection } from './checks/turned-direction.ts';

const OF_ANSWERS: readonly Check[] = [copiedGold, oneTemplate, emptyAnswers, wholeText];
const OF_TEXTS: readonly Check[] = [duplicateCases, trainInTest, spanText, shreddedWords, fallbackTimestamps];
const OF_RULES: readonly Check[] = [excusedHits, excusedPredictions, ruleMadeHits, hiddenUndefined, thresholdCliff];
const OF_ITEMS: readonly Check[] = [dropped, neverPredicted, neverGold, ungrounded, unresolved, strayFields];
const OF_VALUES: readonly Check[] = [nothingToCompare, nothingRight, standIns, turnedDirection, decisiveCase];
const OF_PEOPLE: readonly Check[] = [decisiveAnnotator, fewRatings, sameRaters];
const OF_CLAIMS: readonly Check[] = [tooFew, noIntervals, gateCannotFail, otherSignatures];

/** Checks that look at what cases, gold and predictions say, not at how they are scored. */
export const CONTENT_CHECKS = [...OF_ANSWERS, ...OF_TEXTS];

/** Every check there is; the order of the findings is that of AUDIT_CHECKS. */
export const CHECKS = [...CONTENT_CHECKS, ...OF_RULES, ...OF_ITEMS, ...OF_VALUES, ...OF_PEOPLE, ...OF_CLAIMS];
