import { expect, it } from 'vitest';

import { openParquetRows } from '../../src/data/parquet-rows.ts';
import { readRun } from '../../src/score/run-file.ts';
import { writeRunTables } from '../../src/score/run-tables.ts';
import { measure, temporaryFolder, verdict, writeRun } from '../report/made-up-run.ts';

it('a run as tables: verdicts, cases with their measures, measures with their slices', async () => {
  const counts = { hit: 2, missed: 1, spurious: 0, excused: 0 };
  const slices = { lang: 'da' };
  const interval = { low: 0.5, high: 0.9, level: 0.95, method: 'm' };
  const folder = writeRun(
    { measures: { measures: [measure('f1', 0.8, { interval }), measure('f1', null, { slice: { label: 'LOC' } })] } },
    [
      { case: 'a', counts, measures: { f1: 0.8 }, slices },
      { case: 'b', counts, failed: 'crashed' },
    ],
    [verdict({ verdict: 'hit', case: 'a' }), verdict({ verdict: 'excused', case: 'b', scheme: 'token', weight: 3 })],
  );
  const tables = await writeRunTables(await readRun(folder), temporaryFolder());
  const rows = async (name: string) =>
    (await Array.fromAsync((await openParquetRows(name, tables[name]!)).batches())).flat();
  expect(await rows('ledger')).toMatchObject([
    { case: 'a', scheme: null, verdict: 'hit', weight: 1 },
    { case: 'b', scheme: 'token', verdict: 'excused', weight: 3 },
  ]);
  expect(await rows('cases')).toMatchObject([
    { case: 'a', hit: 2, missed: 1, failed: null, answered: true, slices: '{"lang":"da"}', f1: 0.8 },
    { case: 'b', hit: 2, missed: 1, failed: 'crashed', f1: null },
  ]);
  expect(await rows('measures')).toMatchObject([
    { name: 'f1', scheme: null, label: null, slice: '{}', value: 0.8, low: 0.5, high: 0.9, level: 0.95 },
    { name: 'f1', label: 'LOC', slice: '{"label":"LOC"}', value: null, low: null },
  ]);
});
