import { z } from 'zod';

import type { Case } from '../data/case.ts';
import { type Item, makeItem } from '../data/item.ts';
import { phraseFinder } from '../text/phrases.ts';
import { sentenceSpans } from '../text/sentences.ts';
import { answerOf } from './answer-of.ts';
import { classNames, type ClassNames } from './class-names.ts';
import { defineRule } from './rule.ts';
import { onSide, type PrepareStep } from './step.ts';

const params = z.strictObject({
  classes: z
    .record(z.string(), z.array(z.string()))
    .default({})
    .meta({ description: 'each class with the other names it goes by' }),
  fillers: z
    .array(z.string())
    .default([])
    .meta({ description: 'words that may stand beside a name and change nothing' }),
  names: z
    .enum(['any-order', 'as-written'])
    .default('any-order')
    .meta({ description: 'whether Pitta-Vata is Vata-Pitta; as written: names are equal or not, whatever their case' }),
  read: z
    .enum(['answer', 'off'])
    .default('answer')
    .meta({ description: 'where the system gave no class: read it from its answer, or take it as unknown' }),
  cues: z
    .array(z.string())
    .default([])
    .meta({ description: 'words that announce the class: a sentence with one of them is believed first' }),
  negations: z
    .array(z.string())
    .default([])
    .meta({ description: 'words that turn a sentence round: what it names is not taken for the class' }),
});

/** What stands for a class that nobody named. */
export const UNKNOWN_CLASS = 'unknown';

/**
 * Brings the classes of both sides to one name, and reads the class from the answer where the system gave none: from the
 * first sentence with a cue that names exactly one class; else, if the whole answer names exactly one, that; else it is
 * unknown. Sentences with a negation are passed over. What was read, and from where, stands in the item's fields.
 */
export const readClass = defineRule<PrepareStep, z.infer<typeof params>>({
  name: 'read-class',
  about: 'brings class names to one form, and reads the class from the answer where the system gave none',
  params,
  // Without it most answers have no class at all.
  needed: {},
  step({ classes, fillers, names: how, read, cues, negations }) {
    const names = classNames(classes, fillers, how);
    const reading = { cue: phraseFinder(cues), negation: phraseFinder(negations) };
    return (given) => {
      const named = onSide(given, 'both', (items) => items.map((item) => withClassName(item, names)));
      if (!given.answered || named.predicted.some(({ kind }) => kind === 'class')) return named;
      return { ...named, predicted: [...named.predicted, classFrom(named, names, read === 'off' ? null : reading)] };
    };
  },
});

function withClassName(item: Item, names: ClassNames): Item {
  if (item.kind !== 'class') return item;
  const label = names.of(item.label) ?? item.label.trim().toLowerCase();
  return label === item.label ? item : { ...item, label, text: label, was: item.label };
}

interface Reading {
  readonly cue: RegExp | null;
  readonly negation: RegExp | null;
}

function classFrom(given: Case, names: ClassNames, how: Reading | null): Item {
  const answer = answerOf(given);
  const made = (label: string, fields: Item['fields']): Item =>
    makeItem({ kind: 'class', index: 0, label, text: label, fields });
  if (how === null || answer === null) return made(UNKNOWN_CLASS, { read: 'the system gave no class' });
  const { cue, negation } = how;
  const sentences = sentenceSpans(answer.text)
    .map(({ start, end }) => answer.text.slice(start, end))
    .filter((sentence) => negation?.test(sentence) !== true);
  for (const sentence of sentences) {
    if (cue?.test(sentence) !== true) continue;
    const [only, ...others] = names.namedIn(sentence);
    if (only !== undefined && others.length === 0)
      return made(only, { read: 'a sentence that announces it', sentence });
  }
  const all = [...new Set(sentences.flatMap((sentence) => names.namedIn(sentence)))];
  if (all.length === 1) return made(all[0]!, { read: 'the only class that the answer names' });
  const read = all.length === 0 ? 'the answer names no class' : `the answer names ${all.join(', ')}`;
  return made(UNKNOWN_CLASS, { read });
}
