import fc from 'fast-check';

import type { Case } from '../../src/data/case.ts';
import type { Item } from '../../src/data/item.ts';
import { runsHere } from '../many-runs.ts';
import { caseOf, entity, object, relationship, span } from '../pair/items.ts';

/** Fixed, so that a failure on one machine is a failure on all. */
export const runs = { seed: 20261, numRuns: runsHere(300) };

const MOST = 7;

/** Words, white space, punctuation and an emoji, so that tokens, characters and UTF-16 units all differ. */
const spanText = fc
  .array(fc.constantFrom('Ann', 'of', 'Oslo', 'Court', '🙂', '-', ' ', ', ', 'x'), { minLength: 6, maxLength: 14 })
  .map((parts) => parts.join(' '));

const spanLabel = fc.constantFrom('PERSON', 'LOC', 'ORG', 'DATETIME');

/** Spans that begin and end between characters; nested, overlapping, equal and apart. */
function spanIn(text: string): fc.Arbitrary<Item> {
  const places = [0, ...[...text].map((_, at, all) => all.slice(0, at + 1).join('').length)];
  const last = places.length - 1;
  return fc
    .tuple(fc.integer({ min: 0, max: last - 1 }), fc.integer({ min: 1, max: 9 }), spanLabel)
    .map(([from, length, label]) => span(places[from]!, places[Math.min(last, from + length)]!, label));
}

export interface Sides {
  readonly text: string | null;
  readonly gold: readonly Item[];
  readonly predicted: readonly Item[];
}

export const spanSides: fc.Arbitrary<Sides> = spanText.chain((text) =>
  fc.record({
    text: fc.constant(text),
    gold: fc.array(spanIn(text), { maxLength: MOST }),
    predicted: fc.array(spanIn(text), { maxLength: MOST }),
  }),
);

const quote = fc
  .array(fc.constantFrom('bad', 'head', 'ache', 'two', 'dosas', 'no'), { maxLength: 4 })
  .map((parts) => parts.join(' '));

const journalObject = fc
  .record({
    domain: fc.constantFrom('symptom', 'food', 'emotion'),
    quote,
    polarity: fc.constantFrom('present', 'absent'),
    time: fc.constantFrom('today', 'unknown', undefined),
  })
  .map(({ domain, quote: text, polarity, time }) =>
    object(domain, text, { polarity, ...(time === undefined ? {} : { time_bucket: time }) }),
  );

export const journalSides: fc.Arbitrary<Sides> = fc.record({
  text: fc.constantFrom('bad head ache', 'two dosas no head ache', 'no bad ache two'),
  gold: fc.array(journalObject, { maxLength: MOST }),
  predicted: fc.array(journalObject, { maxLength: MOST }),
});

const NAMES = ['Benedikta', 'Benedikto', 'Benedikte', 'Bethlehem', 'BETHLEHEM', 'Rome'];

const graphEntity = fc
  .tuple(fc.constantFrom(...NAMES), fc.constantFrom('Person', 'Place'))
  .map(([name, type]) => entity(name, type));

/** Every name has its entity, so that each reference can be resolved. */
const graphItems = fc
  .tuple(
    fc.array(graphEntity, { maxLength: 4 }),
    fc.array(
      fc
        .tuple(
          fc.constantFrom(...NAMES),
          fc.constantFrom('employs', 'employed_by', 'married_to', 'knows'),
          fc.constantFrom(...NAMES),
        )
        .map(([source, type, target]) => relationship(source, type, target)),
      { maxLength: 5 },
    ),
  )
  .map(([entities, relationships]) => {
    const named = new Set(entities.map(({ text }) => text));
    const ends = new Set(relationships.flatMap(({ source, target }) => [source ?? '', target ?? '']));
    return [...entities, ...[...ends].filter((name) => !named.has(name)).map((name) => entity(name)), ...relationships];
  });

export const graphSides: fc.Arbitrary<Sides> = fc.record({
  text: fc.constant(null),
  gold: graphItems,
  predicted: graphItems,
});

export function made(sides: Sides, id = 'c1'): Case {
  return caseOf({ ...sides, id });
}

export function swapped({ text, gold, predicted }: Sides): Sides {
  return { text, gold: predicted, predicted: gold };
}
