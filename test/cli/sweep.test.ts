import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import type { Comparison } from '../../src/compare/comparison.ts';
import type { Sweep } from '../../src/compare/sweep/sweep.ts';
import { assayHere } from './assay-here.ts';
import { example, type Finished, ROOT, temporaryFolder, words } from './run-assay.ts';

const assay = (args: readonly string[], input?: string): Promise<Finished> =>
  assayHere(args, { cwd: ROOT, ...(input === undefined ? {} : { input }) });
const QUICK = ['--set', 'interval.resamples=200'];
const FILES = ['--cases', example('journal/journals.jsonl'), '--gold', example('journal/gold.jsonl')];
const ANSWERS = example('journal/predictions.jsonl');
const OTHERS = example('journal/predictions-b.jsonl');
const JOURNAL = ['sweep', 'journal/ashwam', ...FILES, ...QUICK];

// The library's tests check what is in it.
const parsed = (text: string): Sweep => JSON.parse(text) as Sweep;

describe('assay sweep', () => {
  it('prints the values of every point, which are those of assay score', async () => {
    const done = await assay([...JOURNAL, '--over', 'pair.threshold=0.1..0.9', '--predictions', ANSWERS, '--json']);
    expect(done.code).toBe(0);
    const found = parsed(done.stdout);
    expect(found.points).toHaveLength(9);
    const own = found.points.find((point) => point.own)!;
    expect(own.set).toEqual(['pair.threshold=0.5']);
    // 21 hits, 7 spurious, 11 missed.
    expect(own.systems[0]![0]).toMatchObject({ name: 'f1', value: expect.closeTo(42 / 60, 12) });
    // The report goes where the JSON does not.
    expect(done.stderr).toContain('0.5 ◂');
    expect(done.stderr).toContain('f1 is best up to 0.3');
    const scored = await assay(
      words`score journal/ashwam ${FILES} --predictions ${ANSWERS} ${QUICK} --set pair.threshold=0.7 --json --quiet`,
    );
    const at = found.points.find(({ set }) => set[0] === 'pair.threshold=0.7')!;
    expect(JSON.parse(scored.stdout)).toMatchObject({
      measures: expect.arrayContaining([expect.objectContaining({ ...at.systems[0]![0], slice: {} })]),
    });
  });

  it('writes a figure, a table and a page, the same each time, and nothing else', async () => {
    const folder = temporaryFolder();
    const out = (name: string): string[] => ['--out', join(folder, name)];
    const call = [...JOURNAL, '--over', 'pair.threshold=0.1..0.9', '--predictions', ANSWERS, '--quiet'];
    const names = ['a.csv', 'a.json', 'a.md', 'a.svg'];
    expect(await assay([...call, ...names.flatMap(out)])).toMatchObject({ code: 0, stdout: '', stderr: '' });
    expect(readdirSync(folder).sort()).toEqual(names);
    const before = names.map((name) => readFileSync(join(folder, name), 'utf8'));
    expect((await assay([...call, ...names.flatMap(out)])).code).toBe(0);
    expect(names.map((name) => readFileSync(join(folder, name), 'utf8'))).toEqual(before);
    expect(before.join('')).not.toContain(ROOT);
    expect(parsed(before[1]!).format).toBe(1);
    expect(before[3]).toContain('<svg');
  });

  it('takes the recipe, settings and files of a run', async () => {
    const folder = join(temporaryFolder(), 'run');
    const scored = words`score journal/ashwam ${FILES} --predictions ${ANSWERS} ${QUICK} --out ${folder} --quiet`;
    expect((await assay(scored)).code).toBe(0);
    const over = ['--over', 'pair.threshold=0.5,0.7', '--json', '--quiet'];
    const named = await assay([...JOURNAL, '--predictions', ANSWERS, ...over]);
    const ofRun = await assay(['sweep', folder, ...over]);
    expect(ofRun.code).toBe(0);
    expect(parsed(ofRun.stdout).points).toEqual(parsed(named.stdout).points);
    const both = await assay(['sweep', folder, ...over, '--predictions', OTHERS]);
    expect(both.code).toBe(2);
    expect(both.stderr).toContain('--predictions: a run already defines what is scored');
  });

  it('compares systems that are named, and says where a conclusion flips', async () => {
    const done = await assay([
      ...JOURNAL,
      '--over',
      'pair.threshold=0.5,0.9',
      '--predictions',
      `first=${ANSWERS}`,
      '--predictions',
      `second=${OTHERS}`,
      '--measure',
      'f1,recall',
    ]);
    expect(done.code).toBe(0);
    expect(done.stdout).toContain('first: 8 cases (1 without an answer); second: 8 cases');
    expect(done.stdout).toMatch(/f1: (?:second is better|There is too little data)/);
    expect(done.stdout).toMatch(/recall: /);
  });

  it('takes the cases from standard input, once', async () => {
    const cases = readFileSync(example('pii/docs.json'), 'utf8');
    const call = ['sweep', 'pii/piranha', '--cases', '-', ...QUICK, '--json', '--quiet'];
    const done = await assay([...call, '--over', 'prepare.merge.gap=0..2'], cases);
    expect(done).toMatchObject({ code: 0, stderr: '' });
    expect(parsed(done.stdout).points).toHaveLength(3);
    const again = await assay([...call, '--over', 'data.missingPrediction=empty,failed'], cases);
    expect([again.code, again.stderr]).toEqual([2, expect.stringContaining('standard input can be read once only')]);
  });

  it('sweeps over consultations, and compares the systems over the cases that both answered', async () => {
    const folder = temporaryFolder();
    const inputs = (name: string): string => example(`consult/${name}`);
    const files = ['--cases', inputs('cases.csv')];
    const answers = ['--predictions', inputs('plain.jsonl'), '--predictions', inputs('guided.jsonl')];
    const done = await assay(
      words`sweep consult/ayurmind ${files} ${answers} ${QUICK} --over prepare.leave-out=on,off --measure completeness,accuracy --json --quiet`,
    );
    expect(done).toMatchObject({ code: 0, stderr: '' });
    const found = parsed(done.stdout);
    expect(found.systems.map(({ name }) => name)).toEqual(['plain', 'guided']);
    const runs = join(folder, 'runs');
    await assay(['score', 'consult/ayurmind', ...files, ...answers, ...QUICK, '--out', runs, '--quiet']);
    const compared = await assay(
      words`compare ${join(runs, 'plain')} ${join(runs, 'guided')} --measure completeness --json --quiet`,
    );
    const [row] = (JSON.parse(compared.stdout) as Comparison).measures;
    const own = found.points.find((point) => point.own)!.differences.find(({ name }) => name === 'completeness')!;
    const { difference, interval, units, wins, losses, ties, permutation } = row!;
    expect(own).toMatchObject({ difference, interval, units, wins, losses, ties, permutation });
    expect(difference).not.toBeNull();
    const gold = await assay(
      words`sweep consult/ayurmind --gold ${inputs('cases.csv')} --over prepare.leave-out=on,off`,
    );
    expect([gold.code, gold.stderr]).toEqual([2, expect.stringContaining('--gold is not for consult recipes')]);
  });

  it.each([
    [['--over', 'pair.threshold=0.1..1.2'], '--over pair.threshold=1.1: expected a number of at most 1'],
    [['--over', 'pair.threshold=1..0'], 'goes down'],
    [['--over', 'pair.threshold=0..1:1e-9'], 'has 1000000001 values'],
    [['--over', '__proto__.polluted=1,2'], 'is not a path'],
    [['--over', 'pair.threshold=0.1..0.9', '--measure', 'f2'], 'has no measure f2'],
    [['--over', 'pair.threshold=0.1..0.9', '--measure', 'f1,,'], 'expected names between commas'],
    [['--over', 'pair.threshold=0.1..0.9', '--out', 'curve.png'], 'end it in .svg, .csv, .json, .md'],
    [['--over', 'pair.threshold=0.1..0.9', '--out', ROOT], 'the extension decides what is written'],
    [[], "required option '--over <path=range>' not specified"],
  ])('refuses %j with exit code 2', async (flags, message) => {
    const done = await assay([...JOURNAL, '--predictions', ANSWERS, ...flags]);
    expect([done.code, done.stdout, done.stderr]).toEqual([2, '', expect.stringContaining(message)]);
    expect(Reflect.get({}, 'polluted')).toBeUndefined();
  });

  it('refuses what is wrong with the files as score does, and writes nothing', async () => {
    const folder = temporaryFolder();
    const bad = join(folder, 'bad.jsonl');
    writeFileSync(bad, '{"journal_id": "D01", "items": 7}\n');
    const out = join(folder, 'a.svg');
    const done = await assay([...JOURNAL, '--over', 'pair.threshold=0.1..0.9', '--predictions', bad, '--out', out]);
    expect([done.code, done.stderr]).toEqual([2, expect.stringContaining('bad.jsonl:1')]);
    expect(existsSync(out)).toBe(false);
    const none = await assay(['sweep', 'journal/ashwam', '--over', 'pair.threshold=0.1..0.9', '--predictions', bad]);
    expect([none.code, none.stderr]).toEqual([2, expect.stringContaining('nothing to score')]);
  });
});
