import { phraseFinder } from '../text/phrase.ts';

const SEPARATOR = /\s*[-\u2010-\u2015/+&,]\s*|\s+(?:and|और|व)\s+/u;

/** Classes by all the names they go by. */
export interface ClassNames {
  /** The class that a label names; null where it names none. */
  of(label: string): string | null;
  /** The classes named in a text, each once, in the order of their first mention. */
  namedIn(text: string): string[];
}

/**
 * Reads class names: whatever the case, with the words that go with them (`fillers`: "Vata dosha") taken off, and names
 * made of several (Pitta-Vata) in either order, unless `order` says that they stand as they are given.
 */
export function classNames(
  classes: Readonly<Record<string, readonly string[]>>,
  fillers: readonly string[],
  order: 'any' | 'given',
): ClassNames {
  const plain = new Map<string, string>();
  for (const [name, others] of Object.entries(classes)) for (const one of [name, ...others]) plain.set(tidy(one), name);
  const filler = phraseFinder(fillers);
  const keyOf = (label: string): string => {
    const parts = tidy(label)
      .split(SEPARATOR)
      .map((part) => plain.get(part) ?? part);
    return (order === 'any' ? parts.toSorted() : parts).join('-');
  };
  const byKey = new Map<string, string>();
  for (const [name, others] of Object.entries(classes))
    for (const one of [name, ...others]) byKey.set(keyOf(one), name);
  const of = (label: string): string | null => {
    const bare = filler === null ? label : label.replaceAll(new RegExp(filler, 'giu'), ' ');
    return plain.get(tidy(label)) ?? byKey.get(keyOf(label)) ?? byKey.get(keyOf(bare)) ?? null;
  };
  const singles = [...plain.keys()].map((name) => name.replaceAll('-', ' ')).filter((name) => !/[\s]/.test(name));
  const single = phraseFinder([...singles])?.source ?? null;
  // Several names with a hyphen or a slash between them are one class; "vata and pitta" are two that are talked of.
  const mention = single === null ? null : new RegExp(`${single}(?:\\s*[-\\u2010-\\u2015/]\\s*${single})*`, 'giu');
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
  return label.normalize('NFC').toLowerCase().trim().replaceAll(/\s+/g, ' ');
}
