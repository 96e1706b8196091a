import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { refuseAddress } from '../../src/cli/write-whole.ts';
import { assay, example, temporaryFolder, words } from './run-assay.ts';
import { assayHere } from './assay-here.ts';

const [GOLD, PREDICTED] = [example('pii/gold.jsonl'), example('pii/predictions.jsonl')];
const PAIR = words`spans/strict --gold ${GOLD} --predictions ${PREDICTED} --set interval=off`;

describe('an address where a path is expected is refused', () => {
  it.each([
    [['score', ...PAIR, '--out', 's3://bucket/run'], 'write to a local path, then upload it'],
    [['score', ...PAIR, '--out', 'gs://bucket/run'], 'write to a local path, then upload it'],
    [['score', ...PAIR, '--out', 'file:///tmp/run'], 'give the path without file://'],
    [['merge', 'a', 'b', '--out', 'abfss://c@x.net/run'], 'write to a local path, then upload it'],
    [['convert', GOLD, 's3://bucket/gold.jsonl'], 'write to a local path, then upload it'],
    [['audit', 'runs/a', '--out', 'https://x/a.md'], 'write to a local path, then upload it'],
    [['compare', 'a', 'b', '--html', 's3://b/c.html'], 'write to a local path, then upload it'],
    [['sweep', 'pii/strict', '--over', 'x=1,2', '--out', 's3://b/c.svg'], 'write to a local path, then upload it'],
    [['serve', '--data', 's3://bucket/data'], 'download the data, and give a local path'],
    [['explain', 's3://bucket/run'], 'download the data, and give a local path'],
    [['validate', 'https://example.com/a.jsonl'], 'download the data, and give a local path'],
    [
      ['score', 'pii/strict', '--cases', 'https://example.com/docs.jsonl?a=1&b=2'],
      "pipe it in: curl -s 'https://example.com/docs.jsonl?a=1&b=2' | assay … --cases -",
    ],
    [
      words`score spans/strict --gold ${GOLD} --predictions new=HTTPS://example.com/p.jsonl`,
      'pipe it in: curl -s HTTPS://example.com/p.jsonl | assay … --predictions -',
    ],
    [['score', 'pii/strict', '--cases', 'file:///tmp/docs.jsonl'], 'give the path without file://'],
  ])('%j', async (args, next) => {
    const folder = temporaryFolder();
    const { code, stderr } = await assayHere(args, { cwd: folder });
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringContaining('this is an address, expected a path'),
    });
    expect(stderr).toContain(next);
    expect(readdirSync(folder)).toEqual([]);
  });

  it.each(['C:\\runs\\a', 'C:/runs/a', 'c://runs', 'a:b', 'name=C:\\a.jsonl', 'runs/s3:/a', '-', 'a//b', 'x y://z'])(
    '%s is a path',
    (word) => expect(() => refuseAddress('--out', word, 'write')).not.toThrow(),
  );
});

describe('standard input', () => {
  it.each([
    ['--cases', words`score pii/strict --cases - --set interval=off`, example('pii/docs.json')],
    ['--gold', words`score spans/strict --gold - --predictions ${PREDICTED} --set interval=off`, GOLD],
    ['--predictions', words`score spans/strict --gold ${GOLD} --predictions - --set interval=off`, PREDICTED],
  ])('is scored as a file is: %s -', async (flag, args, file) => {
    const folder = temporaryFolder();
    const piped = assay([...args, '--json'], { input: readFileSync(file) });
    const named = await assayHere([...args.map((word) => (word === '-' ? file : word)), '--json'], { cwd: folder });
    expect({ flag, code: piped.code, stdout: piped.stdout }).toEqual({ flag, code: 0, stdout: named.stdout });
    const run = assay([...args, '--out', join(folder, 'run')], { input: readFileSync(file) });
    expect(run.code).toBe(0);
  });
});
