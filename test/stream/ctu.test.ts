import { expect, test } from 'vitest';

import { ctu } from '../../src/stream/ctu.ts';

test('a unit is four code points, the last one filled up; nothing is nothing', () => {
  expect([ctu(''), ctu('a'), ctu('abcd'), ctu('abcde'), ctu('    ')]).toEqual([0, 1, 1, 2, 1]);
});

test('characters outside the basic plane count one each', () => {
  expect(ctu('🍵🍵🍵🍵')).toBe(1);
});
