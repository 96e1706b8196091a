import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { SCHEME_PRESETS } from '../recipe/scheme-presets.ts';
import { made, runs, spanSides } from './arbitrary-cases.ts';
import { scorer } from './score-sync.ts';

describe('pii/every-scheme gives in one pass what each criterion gives alone', () => {
  test.each(SCHEME_PRESETS)('%s: %s', async (named, preset, set) => {
    // The first of them has no name of its own there.
    const scheme = named === 'strict' ? undefined : named;
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
