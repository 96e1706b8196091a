import { describe, expect, it } from 'vitest';

import type { Case } from '../../../src/data/case.ts';
import { defineCheck } from '../../../src/audit/define-check.ts';
import type { Plan } from '../../../src/recipe/plan.ts';
import { reportFiles, type ReportFilesOptions } from '../../../src/report/html/watch-report.ts';
import { Scoring } from '../../../src/score/score.ts';
import { scoreToRun } from '../../../src/score/score-to-folder.ts';
import { MERGEABLE_SETS, mergeableSet, stored } from './mergeable-sets.ts';

/** A watch whose files are kept in memory. */
async function watching(plan: Plan, options: ReportFilesOptions) {
  const files: Record<string, string> = {};
  const watch = await reportFiles(options)(plan, {
    aside: '',
    write: (file, content) => void (files[file] = (files[file] ?? '') + content),
    adopt: () => undefined,
    guard: (write) => write(),
  });
  return { files, watch };
}

async function savedPart(plan: Plan, cases: readonly Case[], options: ReportFilesOptions): Promise<unknown> {
  const { files, watch } = await watching(plan, { ...options, as: 'part' });
  const scoring = new Scoring(plan);
  for (const given of cases) {
    watch.sink.scored?.(scoring.add(given));
    await watch.sink.ready?.();
  }
  const saved = stored(watch.state?.save());
  expect(files).toEqual({});
  return saved;
}

describe('the files beside the ledger, of shards that are merged, are those of one run', () => {
  it.each(MERGEABLE_SETS)('%s', async (name) => {
    const { plan, size, read } = await mergeableSet(name);
    const options = { sizes: { pageCases: 7, indexCases: 20 } };
    const one = await watching(plan, options);
    expect(one.watch.state).toBeUndefined();
    const run = await scoreToRun(plan, await read(0, size), { sink: one.watch.sink });
    await one.watch.finish(run);
    const merged = await watching(plan, { ...options, as: 'merge' });
    const ends = [0, 3, 3, Math.floor(size / 2), size];
    for (const [at, to] of ends.slice(1).entries())
      merged.watch.state?.merge(await savedPart(plan, await read(ends[at]!, to), options));
    expect(merged.files).toEqual({});
    await merged.watch.finish(run);
    expect(Object.keys(merged.files)).toEqual(expect.arrayContaining(['figures.json', 'audit.json', 'report.md']));
    expect(Object.keys(merged.files).sort()).toEqual(Object.keys(one.files).sort());
    for (const [file, content] of Object.entries(one.files))
      expect([file, merged.files[file] === content]).toEqual([file, true]);
  });
});

it('a check that remembers cases in its own way keeps a shard from being scored', async () => {
  const { plan } = await mergeableSet('plain spans');
  const check = defineCheck({ name: 'own', about: 'x', open: () => ({ case: () => undefined, find: () => null }) });
  await expect(watching({ ...plan, definitions: [check] }, { as: 'part' })).rejects.toThrow('check own');
  await expect(watching({ ...plan, definitions: [check] }, {})).resolves.toBeDefined();
});
