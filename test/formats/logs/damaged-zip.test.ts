import { expect, test } from 'vitest';

import { readLogs } from '../../../src/formats/logs/read-logs.ts';
import { damagesHere, fuzzReader } from '../../damaged-files.ts';
import { makeZip } from './make-zip.ts';

const sample = {
  id: 1,
  epoch: 1,
  input: 'x',
  target: 'y',
  output: { completion: 'y' },
  scores: { match: { value: 'C' } },
};
const entries = [
  { name: 'header.json', content: JSON.stringify({ version: 2, status: 'success', eval: { task: 't', model: 'm' } }) },
  { name: 'samples/1_epoch_1.json', content: JSON.stringify(sample) },
  { name: 'samples/2_epoch_1.json', content: JSON.stringify({ ...sample, id: 2 }), method: 'stored' as const },
];

test.each([
  ['zip', false],
  ['zip64', true],
])('damaged %s archives are read or refused with a message', async (name, wide) => {
  const count = damagesHere(300);
  const file = { name: 'log.eval', bytes: makeZip(entries, { wide }) };
  const outcome = await fuzzReader([file], async (source) => (await readLogs([source])).length > 0, { count });
  if (process.env['ASSAY_FUZZ'] !== undefined) console.log(name, outcome);
  expect(outcome.accepted + outcome.refused).toBe(count);
});
