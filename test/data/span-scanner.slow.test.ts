import { expect, it } from 'vitest';

import { damagesHere } from '../damaged-files.ts';
import { compareScanner, fuzzedRecords } from './scanner-fuzz.ts';

const RECORDS = damagesHere(250_000);

it('reads fuzzed records as parsing does', { timeout: 600_000 }, () => {
  expect(compareScanner(fuzzedRecords(RECORDS, 20_240)).scanned).toBeGreaterThan(RECORDS / 5);
});
