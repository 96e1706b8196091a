import { phraseFinder } from '../text/phrases.ts';

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
  names: 'any-order' | 'as-written',
): ClassNames {
  const plain = new Map<string, string>();
  for (const [name, others] of Object.entries(classes)) for (const one of [name, ...others]) plain.set(tidy(one), name);
  const filler = phraseFinder(fillers);
  const fillerEverywhere = filler === null ? null : new RegExp(filler, 'giu');
  const keyOf = (label: string): string => {
    const parts = label.split(SEPARATOR).filter((part) => part !== '');
    return parts
      .map((part) => plain.get(part) ?? part)
      .toSorted()
      .join('-');
  };
  const byKey = new Map<string, string>();
  for (const [name, others] of Object.entries(classes))
    for (const one of [name, ...others]) byKey.set(keyOf(tidy(one)), name);
  const of = (label: string): string | null => {
    if (names === 'as-written') return null;
    const whole = tidy(label.replaceAll(/(?<=\p{Ll})(?=\p{Lu})/gu, '-'));
    const bare = fillerEverywhere === null ? whole : tidy(whole.replaceAll(fillerEverywhere, ' '));
    return plain.get(whole) ?? byKey.get(keyOf(whole)) ?? byKey.get(keyOf(bare)) ?? null;
  };
  const singles = [...plain.keys()].filter((name) => !SEPARATOR.test(name));
  const single = phraseFinder(singles)?.source ?? null;
  // Names with a hyphen, a slash or a space between them are one class; "vata and pitta" are two that are talked of.
  const mention =
    single === null ? null : new RegExp(`${single}(?:\\s*[-\\u2010-\\u2015/]\\s*${single}|[ \\t]${single})*`, 'giu');
  return {
    of,
    namedIn(text) {
      if (mention === null) return [];
      const found = [...text.normalize('NFC').matchAll(mention)].flatMap(([words]) => of(words) ?? []);
      return [...new Set(found)];
    },
  };
}

function tidy(label: string): string {
  return label.normalize('NFC').toLowerCase().replaceAll(AROUND, ' ').trim().replaceAll(/\s+/g, ' ');
}
