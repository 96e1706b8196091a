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
        expect(twice.map(({ name, slice, value }) => ({ name, slice, value }))).toEqual(
          once.map(({ name, slice, value, range }) => {
            // A count doubles, a share stays.
            const isCount = range[1] === null && !name.endsWith('over_extraction');
            return { name, slice, value: isCount && value !== null ? 2 * value : value };
          }),
        );
      }),
      runs,
    );
  });
});
