import type { Check } from './check.ts';
import { copiedGold } from './checks/content/copied-gold.ts';
import { duplicateCases, trainInTest } from './checks/content/duplicate-cases.ts';
import { emptyAnswers } from './checks/content/empty-answers.ts';
import { fallbackTimestamps } from './checks/content/fallback-timestamps.ts';
import { oneTemplate } from './checks/content/one-template.ts';
import { shreddedWords } from './checks/content/shredded-words.ts';
import { spanText } from './checks/content/span-text.ts';
import { wholeText } from './checks/content/whole-text.ts';
import { decisiveAnnotator, decisiveCase } from './checks/decisive.ts';
import { dropped } from './checks/dropped.ts';
import { excusedHits, excusedPredictions } from './checks/excused.ts';
import { fewRatings } from './checks/few-ratings.ts';
import { gateCannotFail, otherSignatures } from './checks/gate-and-others.ts';
import { hiddenUndefined } from './checks/hidden-undefined.ts';
import { nothingRight } from './checks/nothing-right.ts';
import { nothingToCompare, standIns } from './checks/nothing-to-compare.ts';
import { neverGold, neverPredicted } from './checks/one-sided-labels.ts';
import { ruleMadeHits } from './checks/rule-made-hits.ts';
import { sameRaters } from './checks/same-raters.ts';
import { strayFields } from './checks/stray-fields.ts';
import { noIntervals, tooFew } from './checks/sureness.ts';
import { thresholdCliff } from './checks/threshold-cliff.ts';
import { turnedDirection } from './checks/turned-direction.ts';
import { ungrounded } from './checks/ungrounded.ts';
import { unresolved } from './checks/unresolved.ts';

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
