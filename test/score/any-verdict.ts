import fc from 'fast-check';

import { ITEM_KINDS, type Item, makeItem } from '../../src/data/item.ts';
import { makeVerdict, VERDICTS } from '../../src/judge/verdict.ts';

/** A text with characters of one and of two units. */
export const TEXT = 'Zoë 🍵 met Bo';
const PLACES = [0, 1, 2, 3, 4, 6, 7, 8, TEXT.length];
const text = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('\ud800', 'a\u2028b', '"\\\u0000', '🙂'));
const number = fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value || 0);
const optional = <T>(value: fc.Arbitrary<T>, name: string): fc.Arbitrary<object> =>
  fc.option(value).map((one) => (one === null ? {} : { [name]: one }));
const itemOf = (kind: Item['kind'], index: number): fc.Arbitrary<Item> =>
  fc
    .tuple(
      fc.record({
        label: text,
        text,
        place: fc.option(fc.tuple(fc.constantFrom(...PLACES), fc.constantFrom(...PLACES))),
        annotator: fc.option(text),
        ends: fc.tuple(fc.option(text), fc.option(text)),
        fields: fc.option(fc.dictionary(text, fc.oneof(text, number, fc.boolean(), fc.constant(null)))),
        parts: fc.option(fc.array(fc.nat())),
        grounded: fc.option(fc.boolean()),
      }),
      optional(text, 'was'),
      optional(text, 'ungrounded'),
      optional(fc.array(text), 'unresolved'),
      optional(fc.record({ start: number, end: number, because: text }, { noNullPrototype: true }), 'refused'),
    )
    .map(([{ place, ends, fields, parts, grounded, ...rest }, ...more]) => ({
      ...makeItem({
        ...rest,
        kind,
        index,
        ...(place === null ? {} : { start: Math.min(...place), end: Math.max(...place) }),
        ...(kind === 'relationship' ? { source: ends[0], target: ends[1] } : {}),
        ...(fields === null ? {} : { fields: Object.fromEntries(Object.entries(fields)) }),
      }),
      parts,
      grounded,
      ...Object.fromEntries(more.flatMap((one) => Object.entries(one))),
    }));
/** A verdict with whatever a verdict can hold. */
export const anyVerdict = fc.constantFrom(...ITEM_KINDS).chain((kind) =>
  fc
    .record({
      case: text,
      scheme: fc.option(text),
      verdict: fc.constantFrom(...VERDICTS),
      rule: text,
      label: text,
      similarity: fc.option(number),
      credit: number,
      weight: number,
      match: fc.option(text),
      gold: fc.option(itemOf(kind, 0)),
      predicted: fc.option(itemOf(kind, 1)),
      because: fc.option(text),
      setAside: fc.boolean(),
      attributes: fc.option(fc.dictionary(text, fc.boolean(), { noNullPrototype: true })),
    })
    .map((init) => makeVerdict({ kind, ...init })),
);
