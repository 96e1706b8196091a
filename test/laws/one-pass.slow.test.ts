import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { made, runs, spanSides } from './arbitrary-cases.ts';
import { scorer } from './score-sync.ts';

describe('pii/every-scheme gives in one pass what each criterion gives alone', () => {
  test.each([
    [undefined, 'pii/strict', []],
    ['exact', 'pii/exact', []],
    ['type', 'pii/type', []],
    ['partial', 'pii/partial', []],
    ['iou-0.3', 'pii/iou', ['pair.threshold=0.3']],
    ['iou-0.5', 'pii/iou', []],
    ['iou-0.7', 'pii/iou', ['pair.threshold=0.7']],
    ['token', 'pii/token', []],
    ['character', 'pii/character', []],
  ] as const)('%s: %s', async (scheme, preset, set) => {
    const together = await scorer('pii/every-scheme');
    const alone = await scorer(preset, ...set);
    fc.assert(
      fc.property(spanSides, (sides) => {
        const all = together(made(sides));
        const one = alone(made(sides));
        for (const name of ['precision', 'recall', 'f1']) expect(all.value(name, scheme)).toBe(one.value(name));
      }),
      runs,
    );
  });
});
