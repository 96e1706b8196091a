import { expect, test } from 'vitest';

import { callsAtOnce, workerName } from '../../../src/experiment/queue/worker-name.ts';

test('calls at once are read from the names of workers; a name that does not say counts 8', () => {
  expect(callsAtOnce([workerName('host-1', 4), 'assay:w:host-2-x2', 'named-by-hand'])).toBe(4 + 2 + 8);
});
