import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import type { Item } from '../../src/data/item.ts';
import { makeCriterion } from '../../src/pair/criterion.ts';
import { makePairer } from '../../src/pair/pair.ts';
import { runsHere } from '../many-runs.ts';
import { entity, numbered, object, relationship, span } from './items.ts';

const runs = { seed: 20261, numRuns: runsHere(150) };
const letters = fc
  .array(fc.constantFrom('a', 'b', 'c', 'B', ' ', '😀'), { maxLength: 9 })
  .map((parts) => parts.join(''));
const label = fc.constantFrom('Person', 'Place');
const threshold = fc.constantFrom(0, 0.3, 0.5, 0.85, 1, { default: 0.8, Place: 0.4 });
const assign = fc.constantFrom('greedy', 'optimal', 'in-order', 'every');
const gate = fc.constantFrom([], ['label']);
const listOf = (item: fc.Arbitrary<Item>) => fc.array(item, { minLength: 21, maxLength: 30 }).map(numbered);

/**
 * Long lists are searched, and lists under two criteria are not: naming the same one twice compares each with each.
 */
function expectSameBySearch(
  gold: readonly Item[],
  predicted: readonly Item[],
  settings: Readonly<Record<string, unknown>> & { readonly assign: 'greedy' | 'optimal' | 'in-order' | 'every' },
): void {
  const { assign: way, ...own } = settings;
  const criterion = makeCriterion('pair', own);
  const common = { assign: way, ties: 'content', partial: 1, unit: 'item' } as const;
  const { isSearched, ...searched } = makePairer({ ...common, accept: [criterion] }).pair(gold, predicted);
  const compared = makePairer({ ...common, accept: [criterion, criterion] }).pair(gold, predicted);
  expect(isSearched).toBe(true);
  expect(searched).toEqual(compared);
}

describe('pairing by search gives what comparing each with each gives', () => {
  it.each(['levenshtein', 'jaccard', 'exact'])('entities by %s', (similarity) => {
    const list = listOf(fc.tuple(letters, label).map(([name, type]) => entity(name, type)));
    fc.assert(
      fc.property(list, list, threshold, assign, gate, (gold, predicted, least, way, own) =>
        expectSameBySearch(gold, predicted, {
          similarity,
          threshold: least,
          gate: own,
          normalise: ['lower', 'trim'],
          assign: way,
        }),
      ),
      runs,
    );
  });

  it('spans by their texts, overlapping or not', () => {
    const place = fc.tuple(fc.nat(60), fc.nat(8), letters, label);
    const list = listOf(place.map(([start, length, text, type]) => span(start, start + length, type, { text })));
    fc.assert(
      fc.property(list, list, threshold, assign, (gold, predicted, least, way) =>
        expectSameBySearch(gold, predicted, { similarity: 'levenshtein', threshold: least, assign: way }),
      ),
      runs,
    );
  });

  it('objects by the words of their quotes', () => {
    const quote = fc.array(fc.constantFrom('bad', 'head', 'ache', 'Knee', '—'), { maxLength: 4 });
    const list = listOf(fc.tuple(label, quote).map(([domain, words]) => object(domain, words.join(' '))));
    fc.assert(
      fc.property(list, list, threshold, assign, gate, (gold, predicted, least, way, own) =>
        expectSameBySearch(gold, predicted, { similarity: 'jaccard', threshold: least, gate: own, assign: way }),
      ),
      runs,
    );
  });

  it('relationships by their ends, of which some resolved to nothing', () => {
    const end = fc.constantFrom('Ada', 'Adda', 'ada ', 'Bo', 'Bob', 'Cem', '', '😀', 'Adam', 'Dbo');
    const type = fc.constantFrom('knows', 'owns', 'owned_by', 'near');
    const lost = fc.constantFrom<'source' | 'target' | null>('source', 'target', null, null, null, null);
    const made = fc.tuple(end, type, end, lost).map(([source, own, target, without]) => {
      const item = relationship(source, own, target);
      return without === null ? item : { ...item, [without]: null };
    });
    const list = listOf(made);
    fc.assert(
      fc.property(list, list, threshold, assign, (gold, predicted, least, way) =>
        expectSameBySearch(gold, predicted, {
          similarity: 'relation',
          threshold: least,
          normalise: ['lower', 'trim'],
          inverse: [['owns', 'owned_by']],
          symmetric: ['near'],
          assign: way,
        }),
      ),
      runs,
    );
  });

  it.each(['place', 'place-and-type'] as const)('relationships by the %s of their ends', (ends) => {
    const place = fc
      .tuple(fc.nat(12), fc.integer({ min: 1, max: 4 }), label)
      .map(([start, length, type]) => ({ start, end: start + length, label: type }));
    const end = fc.option(place, { freq: 8 });
    const made = fc.tuple(end, fc.constantFrom('knows', 'near'), end).map(([source, type, target]) => ({
      ...relationship('a', type, 'b'),
      ends: { source, target },
    }));
    const list = listOf(made);
    fc.assert(
      fc.property(list, list, threshold, assign, (gold, predicted, least, way) =>
        expectSameBySearch(gold, predicted, {
          similarity: 'relation',
          ends,
          threshold: least,
          symmetric: ['near'],
          assign: way,
        }),
      ),
      runs,
    );
  });
});
