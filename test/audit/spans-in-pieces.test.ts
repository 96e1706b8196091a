import { expect, test } from 'vitest';

import { shiftedSpans } from '../../src/audit/checks/content/shifted-spans.ts';
import { untrimmedSpans } from '../../src/audit/checks/content/untrimmed-spans.ts';
import { wholeText } from '../../src/audit/checks/content/answer-sizes.ts';
import { swappedLabels } from '../../src/audit/checks/swapped-labels.ts';
import { unannotatedCases } from '../../src/audit/checks/unannotated-cases.ts';
import { makeCase } from '../../src/data/case.ts';
import { type Item, makeItem } from '../../src/data/item.ts';
import { look } from './audited.ts';

const TEXT = 'word '.repeat(60);

function span(index: number, label: string, ...pieces: readonly (readonly [number, number])[]): Item {
  const [start, end] = [pieces[0]![0], pieces.at(-1)![1]];
  const fragments = pieces.map(([from, to]) => ({ start: from, end: to }));
  const text = pieces.map(([from, to]) => TEXT.slice(from, to)).join(' ');
  return makeItem({ kind: 'span', index, label, start, end, text, ...(pieces.length > 1 ? { fragments } : {}) });
}

function cases(count: number, gold: (at: number) => readonly Item[], predicted: (at: number) => readonly Item[]) {
  return Array.from({ length: count }, (_, at) =>
    makeCase({ id: `c${at}`, text: TEXT, gold: gold(at), predicted: predicted(at) }),
  );
}

test('a prediction of the first and the last word does not cover the text', async () => {
  const gold = [span(0, 'A', [0, 4])];
  const apart = await look(
    wholeText,
    'spans/type',
    cases(
      8,
      () => gold,
      () => [span(0, 'A', [0, 4], [295, 299])],
    ),
  );
  expect(apart.said).toEqual([]);
  const all = [span(0, 'A', [0, 149], [150, 299])];
  const whole = await look(
    wholeText,
    'spans/type',
    cases(
      8,
      () => gold,
      () => all,
    ),
  );
  expect(whole.said).toHaveLength(1);
});

test('labels are exchanged at places with the same pieces, not at those with the same ends', async () => {
  const gold = [span(0, 'A', [0, 4], [15, 19]), span(1, 'B', [20, 24], [30, 34])];
  const same = [span(0, 'B', [0, 4], [15, 19]), span(1, 'A', [20, 24], [30, 34])];
  const ends = [span(2, 'B', [0, 19]), span(3, 'A', [20, 34])];
  const { findings } = await look(
    swappedLabels,
    'spans/semeval',
    cases(
      20,
      () => gold,
      () => [...same, ...ends],
    ),
  );
  expect(findings).toHaveLength(1);
  expect(findings[0]?.items?.total).toBe(40);
});

test('predictions between the pieces of gold touch no gold', async () => {
  // 1 of 2 predictions is between the pieces, in the cases with gold: as many as in those without may be invented.
  const gold = (at: number) => (at < 20 ? [span(0, 'A', [0, 4], [50, 54])] : []);
  const predicted = (at: number) =>
    at < 20 ? [span(0, 'A', [0, 4], [50, 54]), span(1, 'A', [20, 24])] : [span(0, 'A', [20, 24])];
  const { said } = await look(unannotatedCases, 'spans/type', cases(40, gold, predicted));
  expect(said).toEqual([]);
});

/** In each of 20 cases one span in two pieces, and one prediction. */
function piecesAnd(...predicted: readonly (readonly [number, number])[]) {
  return cases(
    20,
    () => [span(0, 'A', [5, 9], [15, 19])],
    () => [span(0, 'A', ...predicted)],
  );
}

test('white space at an end of any piece is found, and promises no hit to a span that goes on between the pieces', async () => {
  const said = async (...predicted: readonly (readonly [number, number])[]) =>
    (await look(untrimmedSpans, 'spans/strict', piecesAnd(...predicted))).said;
  for (const pieces of [
    [[4, 9], [15, 19]],
    [[5, 9], [14, 19]],
    [[5, 10], [14, 20]],
  ] as const) expect(await said(...pieces)).toHaveLength(1); // prettier-ignore
  expect(await said([4, 19])).toEqual([]);
});

test('pieces are shifted one by one, and a span that goes on between them is another one', async () => {
  const said = async (...predicted: readonly (readonly [number, number])[]) =>
    (await look(shiftedSpans, 'spans/strict', piecesAnd(...predicted))).said;
  expect(await said([6, 10], [16, 20])).toHaveLength(1);
  expect(await said([6, 20])).toEqual([]);
});
