import { z } from 'zod';

import type { Case } from '../data/case.ts';
import { type Item, makeItem } from '../data/item.ts';
import { phraseFinder } from '../text/phrases.ts';
import { sentenceSpans } from '../text/sentences.ts';
import { loggedAnswer } from './answer.ts';
import { onSide, prepareRule } from './step.ts';

const names = z.array(z.string()).default([]);
const params = z.strictObject({
  classes: z.record(z.string(), z.array(z.string())).default({}).describe('each class with the other names it goes by'),
  fillers: names.describe('words that may stand beside a name and change nothing'),
  names: z
    .enum(['any-order', 'as-written'])
    .default('any-order')
    .describe('whether Pitta-Vata is Vata-Pitta; as written: names are equal or not, whatever their case'),
  read: z
    .enum(['answer', 'off'])
    .default('answer')
    .describe('without a class: read it from the answer, or take it as unknown'),
  cues: names.describe('words that announce the class: a sentence with one of them is believed first'),
  negations: names.describe('words that negate a sentence: its class is not taken'),
});

/** What stands for a class that nobody named. */
export const UNKNOWN_CLASS = 'unknown';

/**
 * Brings the classes of both sides to one name, and reads the class from the answer where the system gave none: from the
 * first sentence with a cue that names exactly one class; else, if the whole answer names exactly one, that; else it is
 * unknown. Sentences with a negation are passed over. What was read, and from where, is in the item's fields.
 */
export const readClass = prepareRule({
  name: 'read-class',
  about: 'brings class names to one form, and reads the class from the answer where the system gave none',
  params,
  // Without it most answers have no class at all.
  needed: {},
  step({ classes, fillers, names: how, read, cues, negations }) {
    const known = classNames(classes, fillers, how);
    const [cue, negation] = [phraseFinder(cues), phraseFinder(negations)];
    const withClassName = (item: Item): Item => {
      if (item.kind !== 'class') return item;
      const label = known.of(item.label) ?? item.label.trim().toLowerCase();
      return label === item.label ? item : { ...item, label, text: label, was: item.label };
    };
    const classFrom = (given: Case): Item => {
      const answer = loggedAnswer(given);
      const made = (label: string, fields: Item['fields']): Item =>
        makeItem({ kind: 'class', index: 0, label, text: label, fields });
      if (read === 'off' || answer === null) return made(UNKNOWN_CLASS, { read: 'the system gave no class' });
      const sentences = sentenceSpans(answer.text)
        .map(({ start, end }) => answer.text.slice(start, end))
        .filter((sentence) => negation?.test(sentence) !== true);
      for (const sentence of sentences) {
        if (cue?.test(sentence) !== true) continue;
        const [only, ...others] = known.namedIn(sentence);
        if (only !== undefined && others.length === 0)
          return made(only, { read: 'a sentence that announces it', sentence });
      }
      const all = [...new Set(sentences.flatMap((sentence) => known.namedIn(sentence)))];
      if (all.length === 1) return made(all[0]!, { read: 'the only class that the answer names' });
      return made(UNKNOWN_CLASS, { read: `the answer names ${all.length === 0 ? 'no class' : all.join(', ')}` });
    };
    return (given) => {
      const named = onSide(given, 'both', (items) => items.map(withClassName));
      if (!given.answered || named.predicted.some(({ kind }) => kind === 'class')) return named;
      return { ...named, predicted: [...named.predicted, classFrom(named)] };
    };
  },
});

/** Between the parts of a name: hyphens, slashes and the like, "and", or nothing but a space. */
const SEPARATOR = /[\s\u2010-\u2015/+&,_-]+(?:(?:and|और|व)[\s\u2010-\u2015/+&,_-]+)?/u;
/** What may stand around a name and is no part of it. */
const AROUND = /[()[\]{}.;:!?"'\u2018-\u201f*]+/gu;

/** Classes by all the names they go by. */
export interface ClassNames {
  /** The class that a label names; null where it names none. */
  of(label: string): string | null;
  /** The classes named in a text, each once, in the order of their first mention. */
  namedIn(text: string): string[];
}

/**
 * Reads class names: whatever the case, with signs and words that go with them (`fillers`: "Vata dosha") taken off, and
 * names made of several (Pitta-Vata, "pitta vata", VataPitta) in either order. With `as-written` a name is what it is,
 * but for its case.
 */
export function classNames(
  classes: Readonly<Record<string, readonly string[]>>,
  fillers: readonly string[],
  how: 'any-order' | 'as-written',
): ClassNames {
  const all = Object.entries(classes).flatMap(([name, others]) =>
    [name, ...others].map((one) => [tidy(one), name] as const),
  );
  const plain = new Map(all);
  const keyOf = (label: string): string => {
    const parts = label.split(SEPARATOR).filter((part) => part !== '');
    return parts
      .map((part) => plain.get(part) ?? part)
      .toSorted()
      .join('-');
  };
  const byKey = new Map(all.map(([label, name]) => [keyOf(label), name]));
  const filler = phraseFinder(fillers, 'giu');
  const of = (label: string): string | null => {
    if (how === 'as-written') return null;
    const whole = tidy(label.replaceAll(/(?<=\p{Ll})(?=\p{Lu})/gu, '-'));
    const bare = filler === null ? whole : tidy(whole.replaceAll(filler, ' '));
    return plain.get(whole) ?? byKey.get(keyOf(whole)) ?? byKey.get(keyOf(bare)) ?? null;
  };
  const single = phraseFinder([...plain.keys()].filter((name) => !SEPARATOR.test(name)))?.source ?? null;
  // Names with a hyphen, a slash or a space between them are one class; "vata and pitta" are two that are talked of.
  const mention =
    single === null ? null : new RegExp(`${single}(?:\\s*[-\\u2010-\\u2015/]\\s*${single}|[ \\t]${single})*`, 'giu');
  return {
    of,
    namedIn(text) {
      if (mention === null) return [];
      return [
        ...new Set(
          text
            .normalize('NFC')
            .match(mention)
            ?.flatMap((words) => of(words) ?? []),
        ),
      ];
    },
  };
}

function tidy(label: string): string {
  return label.normalize('NFC').toLowerCase().replaceAll(AROUND, ' ').trim().replaceAll(/\s+/g, ' ');
}
