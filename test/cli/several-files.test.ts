import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

import { describe, expect, it } from 'vitest';

import { assayHere } from './assay-here.ts';
import { example, temporaryFolder, words } from './run-assay.ts';

const SAME = ['measures.json', 'cases.jsonl', 'ledger.jsonl', 'audit.json', 'figures.json'];
const bytesOf = (run: string): string[] => SAME.map((name) => readFileSync(join(run, name), 'utf8'));
const QUICK = words`--set interval.resamples=200`;
const ROLES = { cases: 'journals.jsonl', gold: 'gold.jsonl', predictions: 'predictions.jsonl' };

/** The example, cut into `parts` files for each role, as an export of Spark is. */
function cutExample(parts: number): string {
  const folder = temporaryFolder();
  for (const [role, name] of Object.entries(ROLES)) {
    const lines = readFileSync(example(`journal/${name}`), 'utf8')
      .trimEnd()
      .split('\n');
    const size = Math.ceil(lines.length / parts);
    mkdirSync(join(folder, role));
    for (let part = 0; part * size < lines.length; part += 1)
      writeFileSync(
        join(folder, role, `part-${part + 8}.jsonl`),
        `${lines.slice(part * size, (part + 1) * size).join('\n')}\n`,
      );
    writeFileSync(join(folder, role, '_SUCCESS'), '');
  }
  return folder;
}

describe('several files for one flag', () => {
  it('give the bytes of the whole file, named one by one, by a pattern or cut into shards', async () => {
    const cwd = cutExample(4);
    const whole = Object.entries(ROLES).flatMap(([role, name]) => [`--${role}`, example(`journal/${name}`)]);
    const patterns = Object.keys(ROLES).flatMap((role) => [`--${role}`, `${role}/part-*.jsonl`]);
    const score = async (out: string, files: readonly string[]): Promise<void> => {
      const done = await assayHere(['score', 'journal/ashwam', ...files, ...QUICK, '--out', out], { cwd });
      expect([done.code, done.stderr]).toEqual([0, '']);
    };
    await score('whole', whole);
    await score('patterns', patterns);
    expect(bytesOf(join(cwd, 'patterns'))).toEqual(bytesOf(join(cwd, 'whole')));
    const listed = Object.keys(ROLES).flatMap((role) =>
      [8, 9, 10, 11].flatMap((part) => [
        `--${role}`,
        `${role === 'predictions' ? 'model=' : ''}${role}/part-${part}.jsonl`,
      ]),
    );
    await score('listed', listed);
    expect(bytesOf(join(cwd, 'listed'))).toEqual(bytesOf(join(cwd, 'whole')));
    for (const shard of ['1/2', '2/2'])
      await score(`shard-${shard.replace('/2', '')}`, [...patterns, '--shard', shard]);
    expect((await assayHere(['merge', 'shard-1', 'shard-2', '--out', 'merged'], { cwd })).code).toBe(0);
    expect(bytesOf(join(cwd, 'merged'))).toEqual(bytesOf(join(cwd, 'whole')));
    const { inputs } = JSON.parse(readFileSync(join(cwd, 'merged', 'manifest.json'), 'utf8')) as {
      readonly inputs: readonly { readonly role: string; readonly name: string; readonly sha256: string }[];
    };
    expect(inputs.map(({ role, name }) => `${role} ${name}`)).toEqual(
      Object.keys(ROLES).flatMap((role) => [8, 9, 10, 11].map((part) => `${role} part-${part}.jsonl`)),
    );
    expect(new Set(inputs.map(({ sha256 }) => sha256)).size).toBe(12);
    const explained = await assayHere(['explain', 'merged', '--all'], { cwd });
    expect(explained.code).toBe(0);
    expect(explained.stdout).not.toContain('the text is not shown');
    const waterfall = await assayHere(['waterfall', 'merged'], { cwd });
    expect([waterfall.code, waterfall.stderr]).toEqual([0, '']);
  });

  it('are found again by the run that was scored from them: folders, a pattern, and both where they are now', async () => {
    const cwd = cutExample(2);
    const assay = (...args: readonly string[]) => assayHere(args, { cwd });
    const folders = Object.keys(ROLES).flatMap((role) => [`--${role}`, role]);
    const pattern = Object.keys(ROLES).flatMap((role) => [`--${role}`, `${role}/*.jsonl`]);
    for (const [out, files] of Object.entries({ folders, pattern }))
      expect((await assay('score', 'journal/ashwam', ...files, ...QUICK, '--out', out)).code).toBe(0);
    const expected = await assay('explain', 'folders', '--all');
    expect(expected.stdout).not.toContain('the text is not shown');
    expect((await assay('explain', 'pattern', '--all')).stdout).toBe(expected.stdout);
    expect((await assay('waterfall', 'folders')).stdout).toBe((await assay('waterfall', 'pattern')).stdout);
    renameSync(join(cwd, 'cases'), join(cwd, 'moved'));
    expect((await assay('explain', 'folders', '--all')).stdout).toContain('cases is gone. Point to it with --cases');
    for (const [out, place] of Object.entries({ folders: 'moved', pattern: 'moved/*.jsonl' }))
      expect((await assay('explain', out, '--all', '--cases', place)).stdout).toBe(expected.stdout);
  });

  it('may hold nothing, as parts of Spark without rows do, which is noted; but not all of them', async () => {
    const cwd = cutExample(2);
    writeFileSync(join(cwd, 'gold', 'part-1.jsonl'), '');
    writeFileSync(join(cwd, 'predictions', 'part-1.jsonl.gz'), gzipSync(''));
    writeFileSync(join(cwd, 'predictions', 'part-2.jsonl'), '[]\n');
    const assay = (...args: readonly string[]) => assayHere(args, { cwd });
    const folders = Object.keys(ROLES).flatMap((role) => [`--${role}`, role]);
    const score = ['score', 'journal/ashwam', ...QUICK];
    const done = await assay(...score, ...folders, '--out', 'empties');
    expect([done.code, done.stdout]).toEqual([0, expect.stringContaining('! 3 files of several without a record\n')]);
    for (const name of ['part-1.jsonl', 'part-1.jsonl.gz', 'part-2.jsonl'])
      for (const role of ['gold', 'predictions']) rmSync(join(cwd, role, name), { force: true });
    expect((await assay(...score, ...folders, '--out', 'sound')).code).toBe(0);
    expect(readFileSync(join(cwd, 'empties/measures.json'), 'utf8')).toBe(
      readFileSync(join(cwd, 'sound/measures.json'), 'utf8'),
    );
    for (const name of ['part-8.jsonl', 'part-9.jsonl']) writeFileSync(join(cwd, 'gold', name), '');
    expect(await assay(...score, ...folders)).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(
        /gold\/part-8\.jsonl: the file is empty.*\n.*gold\/part-9\.jsonl: the file is empty/,
      ) as unknown,
    });
  });

  it('refuses what a shell made of a pattern without quotes, a file that is named twice and a pattern without files', async () => {
    const cwd = cutExample(2);
    const files = words`--cases cases/part-8.jsonl cases/part-9.jsonl --gold gold --predictions predictions`;
    const score = (...more: readonly string[]) => assayHere(['score', 'journal/ashwam', ...more], { cwd });
    const spread = await score(...files);
    expect([spread.code, spread.stderr]).toEqual([
      2,
      "assay: journal/ashwam is a recipe, and cases/part-9.jsonl comes after it\nname the files with --cases, --gold and --predictions; for several, repeat the flag, name their folder or quote a pattern: --cases 'data/*.jsonl'\n",
    ]);
    const twice = await score(...words`--cases cases/part-8.jsonl --cases ./cases/part-8.jsonl --gold gold`);
    expect([twice.code, twice.stderr]).toEqual([
      2,
      'assay: ./cases/part-8.jsonl was given twice\npass each file once\n',
    ]);
    const none = await score(...words`--cases cases/*.csv --gold gold`);
    expect([none.code, none.stderr]).toEqual([
      2,
      'assay: no file matches cases/*.csv\na pattern is a path with * for any part of a name\n',
    ]);
  });

  it('reads consultations from several tables', async () => {
    const cwd = temporaryFolder();
    const [header = '', ...lines] = readFileSync(example('consult/cases.csv'), 'utf8').trimEnd().split('\n');
    writeFileSync(join(cwd, 'a.csv'), `${[header, ...lines.slice(0, 2)].join('\n')}\n`);
    writeFileSync(join(cwd, 'b.csv'), `${[header, ...lines.slice(2)].join('\n')}\n`);
    const score = (out: string, ...cases: readonly string[]) =>
      assayHere(
        words`score consult/ayurmind ${cases.flatMap((file) => ['--cases', file])} --predictions ${example('consult/plain.jsonl')} ${QUICK} --out ${out}`,
        { cwd },
      );
    expect((await score('whole', example('consult/cases.csv'))).code).toBe(0);
    expect(await score('cut', 'a.csv', 'b.csv')).toMatchObject({ code: 0 });
    mkdirSync(join(cwd, 'cases'));
    for (const file of ['a.csv', 'b.csv']) renameSync(join(cwd, file), join(cwd, 'cases', file));
    expect(await score('folder', 'cases')).toMatchObject({ code: 0 });
    const measures = (run: string): string => readFileSync(join(cwd, run, 'measures.json'), 'utf8');
    expect([measures('cut'), measures('folder')]).toEqual([measures('whole'), measures('whole')]);
  });

  it('are what a review of folders asks for again, with the texts beside annotations', async () => {
    const cwd = temporaryFolder();
    mkdirSync(join(cwd, 'gold'));
    for (const [name, text] of Object.entries({ 'a.ann': 'T1\tPER 0 3\tAnn\n', 'a.txt': 'Ann met Bo' }))
      writeFileSync(join(cwd, 'gold', name), text);
    const assay = (...args: readonly string[]) => assayHere(args, { cwd });
    const create = words`review create letters --recipe pii/review --gold gold --predictions system=gold --reviewer Ann`;
    expect((await assay(...create)).code).toBe(0);
    const gold = words`review export letters --unresolved keep-gold --gold`;
    expect((await assay(...gold, 'gold.jsonl')).code).toBe(0);
    expect(readFileSync(join(cwd, 'gold.jsonl'), 'utf8')).toContain('"text":"Ann met Bo"');
    writeFileSync(join(cwd, 'gold', 'a.txt'), 'Ann met Jo');
    expect(await assay(...gold, 'again.jsonl')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('gold has changed since the review was made of it') as unknown,
    });
  });

  it('converts and checks the files of a pattern as one', async () => {
    const cwd = cutExample(2);
    const checked = await assayHere(words`validate journal/ashwam --cases cases/*.jsonl --gold gold/*.jsonl --json`, {
      cwd,
    });
    expect(checked.code).toBe(0);
    const alone = await assayHere(words`validate gold/*.jsonl`, { cwd });
    expect([alone.code, alone.stderr]).toEqual([0, '']);
    expect(alone.stdout).toContain('gold/*.jsonl');
    const converted = await assayHere(words`convert gold/*.jsonl out.jsonl --cases cases/*.jsonl`, { cwd });
    expect([converted.code, converted.stderr]).toEqual([0, '']);
  });
});
