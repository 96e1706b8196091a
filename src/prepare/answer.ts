import { z } from 'zod';

import type { Case, Logged } from '../data/case.ts';
import { type Item, makeItem } from '../data/item.ts';
import { readability } from '../text/readability.ts';
import { prepareRule } from './step.ts';

/** What a system answered in words; null where it did not. */
export function loggedAnswer({ logged }: Case): Item | null {
  return logged?.find(({ item }) => item.kind === 'answer')?.item ?? null;
}

export function answerLanguage({ fields: { language } }: Item): string | null {
  return typeof language === 'string' ? language : null;
}

/** How hard an answer is to read: words, sentences and, for English, Flesch reading ease and Flesch-Kincaid grade. */
export const measureReadability = prepareRule({
  name: 'readability',
  about: 'how hard an answer is to read: Flesch reading ease and Flesch-Kincaid grade, for English only',
  params: z.strictObject({}),
  // It is what makes the figures of reading; it moves no verdict.
  needed: {},
  step: (_, rule) => (given) => {
    const answer = loggedAnswer(given);
    if (answer === null) return given;
    const found = readability(answer.text, answerLanguage(answer));
    const { undefined: because, ...figures } = { undefined: undefined, ...found };
    const fields = { ...figures, words_per_sentence: found.sentences === 0 ? null : found.words / found.sentences };
    const item = makeItem({ kind: 'readability', index: 0, label: 'readability', fields });
    const line: Logged = { item, verdict: 'excused', rule, ...(because === undefined ? {} : { because }) };
    return { ...given, logged: [...(given.logged ?? []), line] };
  },
});
