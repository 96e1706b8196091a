import { expect, it } from 'vitest';

import { compareScanner, fuzzedRecords } from './scanner-fuzz.ts';

it('reads a million fuzzed records as parsing does', { timeout: 600_000 }, () => {
  expect(compareScanner(fuzzedRecords(1_000_000, 20_240)).scanned).toBeGreaterThan(200_000);
});
