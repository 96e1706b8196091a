import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, expect, it } from 'vitest';

import { compare, importLog } from '../../src/index.ts';
import { example } from '../cli/run-assay.ts';

const folder = mkdtempSync(join(tmpdir(), 'assay-logs-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('the example logs give what their README says', async () => {
  const options = { slices: ['level'], texts: 'off', set: ['interval.resamples=200'] } as const;
  const [small, large] = [join(folder, 'small'), join(folder, 'large')];
  const [first] = await importLog(example('logs/small-model.json'), { ...options, out: small });
  const [second] = await importLog(example('logs/large-model.json'), { ...options, out: large });
  expect(first!.reported).toMatchObject([{ reported: 0.55, value: 11 / 20, agrees: true }]);
  expect(second!.reported).toMatchObject([{ reported: 0.9, value: 17 / 19, n: 19, agrees: false }]);
  const { paired, measures } = await compare([small, large]);
  // Of the 2⁷ ways to swap the seven that differ, all one way, 2 are as far apart: p 1/64.
  expect(paired).toBe(19);
  expect(measures).toMatchObject([{ wins: 7, losses: 0, ties: 12, permutation: { pValue: 1 / 64 } }]);
});
