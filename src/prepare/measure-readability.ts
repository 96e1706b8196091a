import { z } from 'zod';

import type { Logged } from '../data/case.ts';
import { makeItem } from '../data/item.ts';
import { readability } from '../text/readability.ts';
import { answerOf, languageOf } from './answer-of.ts';
import { defineRule } from './rule.ts';
import type { PrepareStep } from './step.ts';

const params = z.strictObject({});

/** How hard an answer is to read: words, sentences and, for English, Flesch reading ease and Flesch-Kincaid grade. */
export const measureReadability = defineRule<PrepareStep, z.infer<typeof params>>({
  name: 'readability',
  about: 'how hard an answer is to read: Flesch reading ease and Flesch-Kincaid grade, for English only',
  params,
  // It is what makes the figures of reading; it moves no verdict.
  needed: {},
  step: (_, rule) => (given) => {
    const answer = answerOf(given);
    if (answer === null) return given;
    const { undefined: reason, ...figures } = { undefined: undefined, ...readability(answer.text, languageOf(answer)) };
    const line: Logged = {
      item: makeItem({
        kind: 'readability',
        index: 0,
        label: 'readability',
        fields: { ...figures, words_per_sentence: figures.sentences === 0 ? null : figures.words / figures.sentences },
      }),
      verdict: 'excused',
      rule,
      ...(reason === undefined ? {} : { because: reason }),
    };
    return { ...given, logged: [...(given.logged ?? []), line] };
  },
});
