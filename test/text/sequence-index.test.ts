import fc from 'fast-check';
import { expect, it } from 'vitest';

import { SequenceIndex } from '../../src/text/sequence-index.ts';
import { runs } from './arbitraries.ts';

function placesOf(sequence: readonly number[], needle: readonly number[]): number[] {
  const places: number[] = [];
  new SequenceIndex(Int32Array.from(sequence)).find(Int32Array.from(needle), (at) => places.push(at) > 0);
  return places;
}

it('finds overlapping places too', () => {
  expect(placesOf([1, 2, 1, 2, 1, 3], [1, 2, 1])).toEqual([0, 2]);
  expect(placesOf([1, 2, 1, 2, 1, 3], [1])).toEqual([0, 2, 4]);
  expect(placesOf([1, 2, 1, 2, 1, 3], [2, 1])).toEqual([1, 3]);
});

it('finds nothing where there is nothing to find', () => {
  expect(placesOf([1, 2, 3], [])).toEqual([]);
  expect(placesOf([], [1])).toEqual([]);
  expect(placesOf([1, 2], [1, 2, 3])).toEqual([]);
  expect(placesOf([1, 2, 3, 4], [2, 3, 5])).toEqual([]);
});

it('goes on only as long as it is told to', () => {
  const index = new SequenceIndex(Int32Array.from({ length: 100 }, () => 7));
  for (const length of [1, 3, 60]) {
    const places: number[] = [];
    index.find(new Int32Array(length).fill(7), (at) => places.push(at) < 3);
    expect(places).toEqual([0, 1, 2]);
  }
});

it('finds what comparing every place finds, by the index and by reading', () => {
  const few = fc.array(fc.constantFrom(0, 1), { maxLength: 60 });
  const some = fc.array(fc.nat(5), { maxLength: 60 });
  fc.assert(
    fc.property(fc.oneof(few, some), fc.nat(60), fc.nat(20), fc.nat(5), (sequence, from, length, last) => {
      const needle = [...sequence.slice(from, from + length), last];
      const expected = sequence.flatMap((_, at) =>
        needle.every((one, each) => sequence[at + each] === one) ? [at] : [],
      );
      expect(placesOf(sequence, needle)).toEqual(expected);
    }),
    runs,
  );
});
