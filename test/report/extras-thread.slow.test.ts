import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { writeCorpus } from '../../bench/corpus.ts';
import { fileSource } from '../../src/data/source.ts';
import { planRecipe } from '../../src/recipe/plan.ts';
import { scoreRun } from '../../src/report/score-run.ts';
import { temporaryFolder } from '../cli/run-assay.ts';

const QUICK = ['interval.resamples=200'];

/** Enough documents for a second thread, some of them with more than plain spans. */
function documents(): string {
  const file = join(temporaryFolder(), 'documents.jsonl');
  writeCorpus(file, 1200);
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
  const mixed = lines.map((line, at) => (at % 100 === 7 ? line.replace('{"id"', '{"author":"Bo","id"') : line));
  writeFileSync(file, `${mixed.join('\n')}\n`);
  return file;
}

const hashes = (folder: string): string[][] =>
  readdirSync(folder)
    .filter((name) => name !== 'timing.json')
    .map((name) => [
      name,
      createHash('sha256')
        .update(readFileSync(join(folder, name)))
        .digest('hex'),
    ]);

describe('reports made beside the scoring', () => {
  it.each(['pii/strict', 'pii/semeval'])('have the same bytes with 1, 2 and 4 threads: %s', async (recipe) => {
    const plan = await planRecipe(recipe, QUICK);
    const sources = { cases: fileSource(documents()) };
    const folder = temporaryFolder();
    const found = [];
    for (const workers of [1, 2, 4]) {
      const out = join(folder, String(workers));
      const { audit } = await scoreRun(plan, sources, { out, texts: 'full', workers });
      found.push({ audit, files: hashes(out) });
    }
    expect(found[0]!.files.length).toBe(8);
    expect(found[1]).toEqual(found[0]);
    expect(found[2]).toEqual(found[0]);
  });

  it('end the run with a reason where they cannot be written, and leave nothing behind', async () => {
    const plan = await planRecipe('pii/strict', QUICK);
    const folder = temporaryFolder();
    let cases = 0;
    const scored = scoreRun(
      plan,
      { cases: fileSource(documents()) },
      {
        out: join(folder, 'run'),
        texts: 'full',
        workers: 2,
        // Somebody clears the folder away while the run is written.
        sink: {
          scored() {
            cases += 1;
            if (cases === 1100)
              for (const name of readdirSync(folder)) rmSync(join(folder, name), { recursive: true, force: true });
          },
        },
      },
    );
    await expect(scored).rejects.toThrow(/cannot write the run folder .*ENOENT/);
    expect(readdirSync(folder)).toEqual([]);
  });
});
