import { expect, it } from 'vitest';

import { shareLine } from '../../src/cli/progress.ts';

it('a line of progress shows a bar, the share done and the time left', () => {
  // A quarter in 2 s: three quarters take 6 s.
  expect(shareLine(0.25, 2000)).toBe('[=====               ] 25 %  6 s left');
  expect(shareLine(0, 900)).toBe('[                    ] 0 %');
  expect(shareLine(1, 900)).toBe('[====================] 100 %  0 s left');
  expect(shareLine(1.2, 900)).toBe('[====================] 100 %  0 s left');
});
