import { expect, test } from 'vitest';

import { compareRuns } from '../../../../src/compare/compare-runs.ts';
import { eachOf, folders, spansCase } from '../../../score/scored-folders.ts';
import { swappedComparison } from '../../../../web/src/report/compare/swapped-comparison.ts';

const scoredAll = eachOf(folders());

/** Numbers as they are but for the last digits, which the order of adding up decides. */
function rounded(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (_, one: unknown) => (typeof one === 'number' ? Number(one.toPrecision(10)) : one)),
  );
}

test('a comparison turned round is the one that assay compare makes with the runs the other way round', async () => {
  // One is better at X, the other at Y; both are right of Z.
  const cases = (x: number, y: number) =>
    Array.from({ length: 24 }, (_, at) =>
      spansCase(`c${at}`, { X: [x, at % 3, 3 - x], Y: [y, 0, 3 - y], Z: [1, 0, 0] }),
    );
  const runs = await scoredAll('turned', [cases(1, 3), cases(3, 2)]);
  const [there, back] = [
    await compareRuns(runs, { slices: true }),
    await compareRuns(runs.toReversed(), { slices: true }),
  ];
  const turned = swappedComparison(there);
  expect(new Set(there.measures.map(({ verdict }) => verdict))).toEqual(
    new Set(['better', 'worse', 'no difference shown']),
  );
  expect(rounded(turned.systems)).toEqual(rounded(back.systems));
  expect(rounded(turned.measures)).toEqual(rounded(back.measures));
  expect(rounded(turned.moved)).toEqual(rounded(back.moved));
  expect(swappedComparison(turned)).toEqual(there);
});
