import { type Case, type CaseInit, makeCase } from '../../src/data/case.ts';
import { type Item, makeItem } from '../../src/data/item.ts';

/** Spans by `LABEL start`, five characters long: the same words are the same span. */
export function spans(...words: readonly string[]): Item[] {
  return words.map((word, index) => {
    const [label = '', start = '0'] = word.split(' ');
    return makeItem({ kind: 'span', index, label, text: word, start: Number(start), end: Number(start) + 5 });
  });
}

/** A case of spans: gold, and what was predicted. */
export function spanCase(
  id: string,
  gold: readonly string[],
  predicted: readonly string[],
  more: Partial<CaseInit> = {},
): Case {
  return makeCase({ id, gold: spans(...gold), predicted: spans(...predicted), ...more });
}

/** So many cases, each made from its number. */
export function times<T = Case>(n: number, make: (at: number) => T): T[] {
  return Array.from({ length: n }, (_, at) => make(at));
}

/** Same boundaries and same label, and nothing else. */
export const STRICT = {
  task: 'pii',
  pair: { gate: ['label'], similarity: 'exact' },
  measure: ['precision', 'recall', 'f1'],
};
