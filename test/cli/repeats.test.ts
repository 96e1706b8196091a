import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import type { Repeats } from '../../src/compare/repeats/repeats.ts';
import { assayHere } from './assay-here.ts';
import { assay, example, type Finished, ROOT, temporaryFolder, words } from './run-assay.ts';

const CASES = ['--recipe', 'journal/ashwam', '--cases', example('journal/journals.jsonl')];
const GOLD = ['--gold', example('journal/gold.jsonl')];
const PREDICTIONS = [1, 2, 3].flatMap((at) => ['--predictions', example(`journal/repeats/run${at}.jsonl`)]);

const repeats = (...args: string[]): Promise<Finished> => assayHere(['repeats', ...args], { cwd: ROOT });
// The shape is that of the library, which the tests under compare/repeats look into.
const parsed = (text: string): Repeats => JSON.parse(text) as Repeats;

describe('assay repeats', () => {
  it('compares files of predictions', async () => {
    const done = await repeats(...CASES, ...GOLD, ...PREDICTIONS);
    expect(done).toMatchObject({ code: 0, stderr: '' });
    expect(done.stdout).toContain('Come and go  11 of 36 objects');
    expect(done.stdout).toContain('present, absent, present  "cramps at all"');
  });

  it('compares run folders, and gives what the files give', async () => {
    const base = temporaryFolder();
    const folders: string[] = [];
    for (const at of [1, 2, 3]) {
      const out = join(base, String(at));
      const predictions = ['--predictions', example(`journal/repeats/run${at}.jsonl`)];
      const [, recipe, ...cases] = CASES;
      const call = ['score', recipe!, ...cases, ...GOLD, ...predictions, '--out', out, '--set', 'interval=off'];
      await assayHere([...call, '--quiet'], { cwd: ROOT });
      folders.push(out);
    }
    const fromFolders = await repeats(...folders, '--json', '--quiet');
    expect(fromFolders).toMatchObject({ code: 0, stderr: '' });
    const fromFiles = parsed((await repeats(...CASES, ...GOLD, ...PREDICTIONS, '--json', '--quiet')).stdout);
    expect({ ...parsed(fromFolders.stdout), runs: [] }).toEqual({ ...fromFiles, runs: [] });
  });

  it('takes the recipe as score, sweep and waterfall do: as the first word', async () => {
    const named = [...CASES, ...GOLD, ...PREDICTIONS, '--json', '--quiet'];
    const flagged = await repeats(...named);
    expect(await repeats(...named.slice(1))).toEqual(flagged);
    const file = join(temporaryFolder(), 'mine.yaml');
    writeFileSync(file, 'extends: journal/ashwam\n');
    const own = await repeats(file, ...named.slice(2));
    expect(parsed(own.stdout).items).toEqual(parsed(flagged.stdout).items);
  });

  it('names a misspelt recipe instead of taking it for a run folder', async () => {
    expect(await repeats('journal/ashwan', ...CASES.slice(2), ...GOLD, ...PREDICTIONS)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('did you mean journal/ashwam?') as unknown,
    });
  });

  it('reports only the stability without gold, and says so', async () => {
    const done = await repeats(...CASES, ...PREDICTIONS);
    expect(done.stdout).toContain('No measures: no gold was given');
    expect(done.stdout).not.toContain('Gold items');
  });

  it('writes JSON and Markdown, the same bytes each time, and leaves nothing else behind', async () => {
    const folder = temporaryFolder();
    const call = [...CASES, ...GOLD, ...PREDICTIONS];
    const first = await repeats(
      ...words`${call} --out ${join(folder, 'a.json')} --markdown ${join(folder, 'a.md')} --quiet`,
    );
    expect(first).toMatchObject({ code: 0, stdout: '', stderr: '' });
    const second = await repeats(
      ...words`${call} --out ${join(folder, 'b.json')} --markdown ${join(folder, 'b.md')} --json`,
    );
    expect(readdirSync(folder).toSorted()).toEqual(['a.json', 'a.md', 'b.json', 'b.md']);
    const read = (file: string): string => readFileSync(join(folder, file), 'utf8');
    expect(read('b.json')).toBe(read('a.json'));
    expect(read('b.md')).toBe(read('a.md'));
    expect(second.stdout).toBe(read('a.json'));
    expect(second.stderr).toContain('Come and go');
    expect(parsed(read('a.json')).format).toBe(1);
  });

  it('takes the values that decide nothing, a limit of rows, and cases from standard input', async () => {
    const undecided = parsed((await repeats(...CASES, ...PREDICTIONS, '--undecided', '', '--json', '--quiet')).stdout);
    expect(undecided.items?.attributes[0]).toMatchObject({ attribute: 'polarity', flips: 3, undecided: 0 });
    expect((await repeats(...CASES, ...PREDICTIONS, '--limit', '2')).stdout).toContain('… and 9 more');
    const piped = assay(['repeats', '--recipe', 'journal/ashwam', '--cases', '-', ...PREDICTIONS], {
      input: readFileSync(example('journal/journals.jsonl')),
    });
    expect(piped.stdout).toContain('Come and go  11 of 36 objects');
  });

  it.each([
    ['nothing', [], 'no runs were given'],
    ['one run', [...CASES, ...PREDICTIONS.slice(0, 2)], 'one run was given'],
    ['no recipe', PREDICTIONS, 'no recipe: nothing defines how items are compared'],
    ['folders and files', ['examples', ...PREDICTIONS], '--predictions is for files of predictions'],
    ['a folder that is none', ['nowhere/1', 'nowhere/2'], 'nowhere/1 does not exist'],
    ['a setting for folders', ['runs/1', 'runs/2', '--set', 'pair.threshold=0.3'], '--set changes a recipe'],
    ['a limit that is none', [...CASES, ...PREDICTIONS, '--limit', 'many'], '--limit many: expected a whole number'],
    ['a word after the recipe', ['journal/ashwam', 'runs/1', ...PREDICTIONS], 'journal/ashwam is a recipe, and runs/1'],
    ['two recipes', ['spans/strict', ...CASES, ...PREDICTIONS], 'two recipes: spans/strict and --recipe'],
    ['a recipe and no files', ['journal/ashwam'], 'no runs were given'],
    ['force with files', [...CASES, ...PREDICTIONS, '--force'], '--force is for run folders'],
    ['standard input twice', [...CASES, '--predictions', '-', '--predictions', '-'], 'can be read once only'],
    [
      'a place that cannot be',
      [...CASES, ...PREDICTIONS, '--out', 'package.json/a.json'],
      'cannot write package.json/a.json',
    ],
  ])('%s: exit code 2 and a sentence', async (_, args, message) => {
    const done = await repeats(...args);
    expect(done.code).toBe(2);
    expect(done.stderr).toContain(message);
  });
});
