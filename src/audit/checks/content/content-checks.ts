import type { Check } from '../../check.ts';
import { copiedGold } from './copied-gold.ts';
import { duplicateCases } from './duplicate-cases.ts';
import { emptyAnswers } from './empty-answers.ts';
import { fallbackTimestamps } from './fallback-timestamps.ts';
import { oneTemplate } from './one-template.ts';
import { shreddedWords } from './shredded-words.ts';
import { spanText } from './span-text.ts';
import { trainInTest } from './train-in-test.ts';
import { wholeText } from './whole-text.ts';

/** Checks that look at what cases, gold and predictions say, not at how they are scored. */
export const CONTENT_CHECKS: readonly Check[] = [
  copiedGold,
  oneTemplate,
  emptyAnswers,
  wholeText,
  duplicateCases,
  trainInTest,
  spanText,
  shreddedWords,
  fallbackTimestamps,
];
