import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { graphSides, journalSides, made, runs, type Sides, spanSides } from './arbitrary-cases.ts';
import { type Score, scorer } from './score-sync.ts';

/** Gold as its own prediction, in its own order or another: 1, or undefined where there is nothing. */
function expectPerfect(score: Score, sides: fc.Arbitrary<Sides>, names: readonly string[], shuffle: boolean): void {
  const given = sides.chain((one) =>
    fc.record({
      text: fc.constant(one.text),
      gold: fc.constant(one.gold),
      predicted: shuffle ? fc.shuffledSubarray([...one.gold], { minLength: one.gold.length }) : fc.constant(one.gold),
    }),
  );
  fc.assert(
    fc.property(given, (one) => {
      const { measures } = score(made(one));
      const own = measures.filter(({ name }) => names.includes(name));
      expect(own.filter(({ value }) => value !== null && value !== 1)).toEqual([]);
      // What can be undefined with gold at hand is a figure of something else (relationships where there are entities).
      const first = own.find(({ name }) => name === names[0]);
      expect(first?.value).toBe(one.gold.length > 0 ? 1 : null);
    }),
    runs,
  );
}

const PLAIN = ['precision', 'recall', 'f1', 'macro_precision', 'macro_recall', 'macro_f1'];

describe('gold against itself is perfect', () => {
  test('journal, its attributes too', async () => {
    const names = [...PLAIN, 'polarity_accuracy', 'bucket_accuracy', 'time_accuracy'];
    expectPerfect(await scorer('journal/ashwam'), journalSides, names, false);
  });

  test.each(['pii/strict', 'pii/semeval', 'pii/every-scheme'])('%s, under every scheme', async (preset) => {
    expectPerfect(await scorer(preset), spanSides, PLAIN, false);
  });

  test('pii/piranha, where neighbours are not merged on one side only', async () => {
    expectPerfect(await scorer('pii/piranha', 'prepare.merge=off'), spanSides, PLAIN, false);
    expectPerfect(await scorer('pii/piranha', 'prepare.merge.side=both'), spanSides, PLAIN, false);
  });

  test('graph', async () => {
    const names = [
      'entity_f1',
      'entity_precision',
      'entity_recall',
      'type_accuracy',
      'relationship_precision',
      'relationship_recall',
      'relationship_f1',
      'relationship_accuracy',
      'relationship_strict_f1',
      'entity_strict_f1',
      'overall_quality',
    ];
    expectPerfect(await scorer('graph/openspec'), graphSides, names, false);
  });
});

describe('nested gold predicted in another order is perfect', () => {
  test.each(['pii/strict', 'pii/semeval', 'pii/every-scheme'])('%s', async (preset) => {
    expectPerfect(await scorer(preset), spanSides, PLAIN, true);
  });

  test('pii/piranha', async () => {
    expectPerfect(await scorer('pii/piranha', 'prepare.merge=off'), spanSides, PLAIN, true);
  });
});
