import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

import { describe, expect, it } from 'vitest';

import { writeCorpus } from '../../bench/corpus.ts';
import { fileSource } from '../../src/data/source.ts';
import { planRecipe } from '../../src/recipe/plan.ts';
import { scoreRun } from '../../src/report/score-run.ts';
import { score } from '../../src/report/score.ts';
import { temporaryFolder } from '../cli/run-assay.ts';

const QUICK = ['interval.resamples=200'];

/** Enough documents for several threads, changed line by line. */
function documents(change: (line: string, at: number) => string = (line) => line): string {
  const file = join(temporaryFolder(), 'documents.jsonl');
  writeCorpus(file, 1800);
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
  writeFileSync(file, `${lines.map(change).join('\n')}\n`);
  return file;
}

/** A record that has more than plain spans. */
const withAuthor = (line: string): string => line.replace('{"id"', '{"author":"Bo","id"');

const FILES = {
  'plain spans': () => documents(),
  'others from the start': () => documents((line, at) => (at % 100 === 7 ? withAuthor(line) : line)),
  'others late, after blank lines and carriage returns': () =>
    documents((line, at) => (at === 1500 ? withAuthor(line) : at % 50 === 3 ? `${line}\r\n\n \n` : line)),
  'texts that may have been read as something else': () =>
    documents((line, at) => (at % 300 === 5 ? line.replace('","gold":', ' sch\u00c3\u00b6n","gold":') : line)),
  gzip: () => {
    const file = documents();
    writeFileSync(`${file}.gz`, gzipSync(readFileSync(file)));
    return `${file}.gz`;
  },
};

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
  it.each([
    ...Object.entries(FILES).map(([name, make]) => ({ name, make, recipe: 'pii/strict' })),
    { name: 'plain spans', make: FILES['plain spans'], recipe: 'pii/semeval' },
  ])('have the same bytes with 1, 2 and 4 threads: $recipe, $name', async ({ make, recipe }) => {
    const plan = await planRecipe(recipe, QUICK);
    const sources = { cases: fileSource(make()) };
    const folder = temporaryFolder();
    const found = [];
    for (const workers of [1, 2, 4]) {
      const out = join(folder, String(workers));
      const { audit } = await scoreRun(plan, sources, { out, texts: 'full', workers, name: 'By threads' });
      found.push({ audit, files: hashes(out) });
    }
    expect(found[0]!.files.length).toBe(9);
    expect(found[1]).toEqual(found[0]);
    expect(found[2]).toEqual(found[0]);
  });

  it.each([
    ['is no JSON', (line: string) => line.slice(0, -2), /:1701: .*JSON/],
    ['has an id for the second time', (line: string) => line.replace('doc-1700', 'doc-3'), /:1701: .*doc-3.*before/],
    ['is not UTF-8', (line: string) => line.replace('"text":"', '"text":"\u00ff'), /:1701: .*UTF-8/],
  ])('name the line that %s with any number of threads', async (name, change, words) => {
    const file = documents((line, at) => (at === 1700 ? change(line) : line));
    if (name === 'is not UTF-8')
      writeFileSync(file, Buffer.from(readFileSync(file, 'latin1').replace('\u00c3\u00bf', '\u00ff'), 'latin1'));
    const plan = await planRecipe('pii/strict', QUICK);
    for (const workers of [1, 4])
      await expect(scoreRun(plan, { cases: fileSource(file) }, { out: null, texts: 'off', workers })).rejects.toThrow(
        words,
      );
  });

  it('give the same numbers alone', async () => {
    const plan = await planRecipe('pii/semeval', QUICK);
    const sources = { cases: fileSource(documents()) };
    const [one, four] = await Promise.all(
      [1, 4].map((workers) => scoreRun(plan, sources, { out: null, texts: 'off', workers })),
    );
    expect(four).toEqual(one);
  });

  it('are there for the library, which hears of the same cases', async () => {
    const cases = documents();
    const heard: string[][] = [[], []];
    const [one, four] = await Promise.all(
      [1, 4].map((workers, at) =>
        score('pii/strict', { cases }, { workers, set: QUICK, case: ({ case: id }) => void heard[at]!.push(id) }),
      ),
    );
    expect(four!.measures).toEqual(one!.measures);
    expect(heard[1]).toEqual(heard[0]);
    expect(heard[0]).toHaveLength(1800);
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
            if (cases === 1700)
              for (const name of readdirSync(folder)) rmSync(join(folder, name), { recursive: true, force: true });
          },
        },
      },
    );
    await expect(scored).rejects.toThrow(/cannot write the run folder .*ENOENT/);
    expect(readdirSync(folder)).toEqual([]);
  });
});
