import { expect, test } from 'vitest';

import { type Case, makeCase } from '../../src/data/case.ts';
import type { Foldable } from '../../src/data/fold-state.ts';
import { attributeTables } from '../../src/figures/attribute-tables.ts';
import { calibrationCounts } from '../../src/figures/calibration-counts.ts';
import { CeilingWatch } from '../../src/figures/ceiling-counts.ts';
import type { Verdict } from '../../src/judge/verdict.ts';
import { planRecipe } from '../../src/recipe/plan.ts';
import { hit, spurious } from '../judge/verdicts.ts';
import { object, span } from '../pair/items.ts';
import { stored } from '../report/html/mergeable-sets.ts';

/** What one pass over all makes, and what parts make that are saved and merged. */
function bothWays<T, Counts extends Foldable>(
  parts: readonly (readonly T[])[],
  make: (mergeable: boolean) => Counts,
  add: (counts: Counts, one: T) => void,
  list: (counts: Counts) => unknown,
): { readonly one: unknown; readonly merged: unknown } {
  const whole = make(false);
  const merged = make(true);
  for (const own of parts) {
    const part = make(true);
    for (const each of own) {
      add(whole, each);
      add(part, each);
    }
    merged.merge(stored(part.save()));
  }
  return { one: list(whole), merged: list(merged) };
}

const range = (from: number, to: number): number[] => Array.from({ length: to - from }, (_, at) => from + at);

/** Of 60,000 different ones, too many for one list; some values cut to four decimals come to other ones if cut twice. */
const sure = (at: number): Verdict => {
  const predicted = span(0, 5, 'PERSON', { fields: { confidence: ((at * 7919) % 60_000) / 59_999 } });
  return at % 3 === 0 ? spurious(predicted) : hit(span(0, 5), predicted);
};

test.each([
  ['in no part too many', [range(0, 30_000), range(30_000, 60_000), range(0, 10)]],
  ['in a part too many', [range(0, 100), range(50, 60_000), range(0, 200)]],
  ['in two parts too many', [range(0, 55_000), range(5000, 60_000), range(0, 60_000)]],
])('more confidences than can be told apart: %s', (_, parts) => {
  const { one, merged } = bothWays(
    parts,
    () => calibrationCounts(['span'], ['confidence']),
    (counts, at) => counts.add([sure(at)]),
    (counts) => counts.list(),
  );
  expect(merged).toEqual(one);
});

test('more values of an attribute than are kept apart are those of one pass, also if a part begins with others', async () => {
  const { attributes } = await planRecipe({
    task: 'journal',
    pair: { gate: ['label'], similarity: 'exact' },
    attributes: { note: {} },
  });
  const told = (at: number): Verdict => {
    const note = `note ${at}`;
    return { ...hit(object('symptom', 'x', { note }), object('symptom', 'x', { note })), attributes: { note: true } };
  };
  const parts = [range(0, 15_000), range(14_000, 40_000), [...range(60_000, 85_000), ...range(0, 9), 2, 3, 3]];
  const { one, merged } = bothWays(
    parts,
    (mergeable) => attributeTables(attributes, { mergeable }),
    (counts, at) => counts.add([told(at)]),
    (counts) => counts.list(),
  );
  expect(merged).toEqual(one);
  expect(one).toMatchObject([{ n: 66_012 }]);
});

test('the people of the first cases are compared, as many as in one pass', async () => {
  const plan = await planRecipe(
    { task: 'pii', prepare: { annotator: 'first' }, pair: { gate: ['label'], similarity: 'exact' }, measure: ['f1'] },
    ['interval=off'],
  );
  /** Two people with so many spans: 2 · 2n + 2n items to compare. */
  const shared = (id: string, n: number): Case => {
    const own = (annotator: string | null) =>
      range(0, n).map((at) => ({ ...span(at * 3, at * 3 + 2), index: at, annotator }));
    return makeCase({ id, gold: [...own('ann'), ...own('bo')], predicted: own(null) });
  };
  const parts = [
    [shared('a', 2000), shared('b', 30_000)],
    [],
    [shared('c', 40), shared('d', 35_000), shared('e', 10)],
    [shared('f', 1)],
    [shared('g', 70_000), shared('h', 1), shared('i', 1)],
  ];
  const watch = (cases: Case[][]) =>
    bothWays(
      cases,
      () => new CeilingWatch(plan),
      (counts, given) => counts.add(given, []),
      (counts) => counts.list(),
    );
  const { one, merged } = watch(parts);
  expect(merged).toEqual(one);
  expect(one).toMatchObject([{ cases: 3, about: expect.stringContaining('the first of 9') }]);
  const later = watch(parts.toReversed());
  expect(later.merged).toEqual(later.one);
  expect(later.one).toMatchObject([{ cases: 0 }]);
});
