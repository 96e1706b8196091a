import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { graphSides, journalSides, made, runs, spanSides } from './arbitrary-cases.ts';
import { scorer } from './score-sync.ts';

describe('a document counted twice has the figures of the document, partial credit included', () => {
  test.each([
    ['pii/partial', spanSides],
    ['pii/every-scheme', spanSides],
    ['pii/piranha', spanSides],
    ['journal/ashwam', journalSides],
    ['graph/openspec', graphSides],
  ] as const)('%s', async (preset, sides) => {
    const score = await scorer(preset);
    fc.assert(
      fc.property(sides, (given) => {
        const once = score(made(given)).measures;
        const twice = score(made(given, 'a'), made(given, 'b')).measures;
        expect(twice.length).toBe(once.length);
        for (const [at, { name, slice, value, range }] of once.entries()) {
          expect(twice[at]).toMatchObject({ name, slice });
          // A count doubles, a share stays.
          const isCount = range[1] === null && !name.endsWith('over_extraction');
          expect(twice[at]?.value ?? null).toBe(isCount && value !== null ? 2 * value : value);
        }
      }),
      runs,
    );
  });
});
