import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

import { describe, expect, it } from 'vitest';

import agreeCommand from '../../src/cli/agree.ts';
import type { AgreementReport } from '../../src/report/agreement-report.ts';
import { assayHere } from './assay-here.ts';
import { assay, example, type Finished, ROOT, temporaryFolder, words } from './run-assay.ts';

const EXPERTS = example('agree/experts.csv');
const CLAIMS = example('agree/claims.csv');
const LIKERT = example('agree/likert.csv');

const agree = (...args: string[]): Promise<Finished> => assayHere(['agree', ...args], { cwd: ROOT });

async function json(args: readonly string[], input = ''): Promise<AgreementReport> {
  const done = await assayHere(['agree', ...args, '--json'], { cwd: ROOT, input });
  expect(done).toMatchObject({ code: 0 });
  return JSON.parse(done.stdout) as AgreementReport;
}

const coefficient = (report: AgreementReport, name: string) =>
  report.ratings!.results[0]!.coefficients.find((one) => one.name === name)!;

async function refused(...args: string[]): Promise<string> {
  const done = await agree(...args);
  expect(done.code).toBe(2);
  expect(done.stdout).toBe('');
  expect(done.stderr).not.toMatch(/\n\s+at |undefined|\[object/);
  return done.stderr;
}

function file(content: string, name = 'ratings.csv'): string {
  const path = join(temporaryFolder(), name);
  writeFileSync(path, content);
  return path;
}

describe('assay agree', () => {
  it('advises no option that it does not have', async () => {
    const spans = (...annotations: object[]): string =>
      file(JSON.stringify([{ id: 'a', text: 'Ann in højesteret', annotations }]), 'docs.json');
    const place = (start_offset: number, end_offset: number, text: string): object => ({
      start_offset,
      end_offset,
      entity_type: 'P',
      annotator: 'x',
      span_text: text,
    });
    const said = [
      await refused(spans(place(0, 3, 'Bob'))),
      await refused(spans(place(7, 17, 'hÃ¸jesteret'))),
      await refused(file('doc,start,end,label,annotator\na,0,3,P,x\n')),
    ];
    expect(said[0]).toContain('(offsets are read as codepoint; change with --offsets utf16|codepoint|byte)');
    expect(said[1]).toContain('is broken UTF-8 for "højesteret"\n');
    expect(said[2]).toContain('expected a column for id');
    const known = agreeCommand(() => undefined).options.map(({ long }) => long);
    for (const [option] of said.join('').matchAll(/--[a-z-]+/g)) expect(known).toContain(option);
  });

  it('shows coefficients, the vote and the disputed cases of three experts', () => {
    const { code, stdout, stderr } = assay(['agree', 'examples/agree/experts.csv']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    // The twenty cases with three ratings are worked by hand in docs/agreement.md.
    expect(stdout).toContain('24 items, 3 raters, 67 of 72 ratings');
    expect(stdout).toMatch(/Fleiss' kappa +0\.584 +0\.344 to 0\.794 +20 +0\.700 +0\.279/);
    expect(stdout).toContain('20 items decided, 3 disputed, 1 with too few ratings');
    expect(stdout).toMatch(/C06 +vata-pitta +vata +pitta +tie at 1/);
    expect(stdout).toContain('too few ratings: C23');
    expect(stdout.split('\n').every((line) => line.length <= 80)).toBe(true);
  });

  it('says whether two annotators reach a target, and that the paradox bites, and still ends well', async () => {
    const { code, stdout } = await agree(CLAIMS, '--target', '0.75');
    expect(code).toBe(0);
    expect(stdout).toMatch(/Cohen's kappa +0\.399 +-0\.048 to 0\.789 +40 +inconclusive/);
    expect(stdout).toContain('the kappa paradox');
  });

  it('gives one result for each dimension of a long file, on an ordinal scale', async () => {
    const report = await json([LIKERT, '--scale', 'ordinal', '--range', '1..5']);
    expect(report.ratings).toMatchObject({ layout: 'long', by: 'dimension', scale: 'ordinal', weights: 'quadratic' });
    expect(report.ratings!.results.map(({ by, items }) => [by, items])).toEqual([
      ['efficacy', 12],
      ['safety', 12],
    ]);
  });

  it('suggests an ordinal scale for small whole numbers, unless a scale is named', async () => {
    expect((await agree(LIKERT)).stdout).toContain('--scale ordinal');
    expect((await agree(LIKERT, '--scale', 'nominal')).stdout).not.toContain('--scale ordinal');
  });

  it('measures spans of several annotators', async () => {
    const report = await json([example('pii/docs.json')]);
    // EX-002 and EX-004 have two annotators each; 34 and 36 spans, 22 of them alike.
    expect(report.spans).toMatchObject({
      n: 2,
      left: 3,
      match: 'exact',
      pairs: [{ matches: 22, spansA: 34, spansB: 36 }],
    });
    expect(report.spans!.value).toBeCloseTo(44 / 70, 12);
    expect((await json([example('pii/docs.json'), '--match', 'overlap'])).spans!.value).toBeGreaterThan(44 / 70);
  });

  it('reads standard input and gzip alike', async () => {
    const text = readFileSync(CLAIMS, 'utf8');
    const packed = join(temporaryFolder(), 'claims.csv.gz');
    writeFileSync(packed, gzipSync(text));
    const direct = await json([CLAIMS]);
    expect((await json(['-'], text)).ratings).toEqual(direct.ratings);
    expect((await json([packed])).ratings).toEqual(direct.ratings);
  });

  it('writes everything as JSON, the same every time, and nothing beside it', async () => {
    const folder = temporaryFolder();
    const out = join(folder, 'agreement.json');
    const run = async (): Promise<string> => {
      expect(await agree(EXPERTS, '--out', out, '--resamples', '500')).toMatchObject({ code: 0 });
      return readFileSync(out, 'utf8');
    };
    const first = await run();
    expect(await run()).toBe(first);
    expect(readdirSync(folder)).toEqual(['agreement.json']);
    const report = JSON.parse(first) as AgreementReport;
    expect(report.resampling).toEqual({ resamples: 500, level: 0.95, seed: 42, over: 'item' });
    const vote = report.ratings!.results[0]!.vote!;
    expect(vote.items).toHaveLength(24);
    expect(vote.disputed).toEqual(['C06', 'C14', 'C21']);
    expect(vote.items[3]).toMatchObject({ item: 'C04', line: 5, label: 'vata', ratings: ['vata', 'vata', 'pitta'] });
  });

  it('keeps JSON on standard output and the rest on standard error', async () => {
    const done = await agree(CLAIMS, '--json');
    expect(done.stdout).toMatch(/^\{/);
    expect(done.stderr).toContain("Cohen's kappa");
  });

  it('takes level, seed, resamples, categories, weights and quorum', async () => {
    const text = 'item,a,b\n1,low,mid\n2,mid,mid\n3,high,low\n4,low,low\n5,high,high\n';
    const args = words`- --weights linear --categories low,mid,high --level 0.9 --seed 7 --resamples 100`;
    const report = await json([...args, '--quorum', '2'], text);
    // Observed steps: 1 + 2 = 3. By chance, low, mid, high being 2, 1, 2 times a's and 2, 2, 1 times b's:
    // 4 + 2·2 + 2 + 1 + 2·4 + 4 = 23 of 25 pairs, so κ = 1 − 5 · 3 / 23.
    expect(coefficient(report, 'cohen_kappa_weighted').value).toBeCloseTo(1 - 15 / 23, 12);
    expect(report.resampling).toMatchObject({ level: 0.9, seed: 7, resamples: 100 });
  });

  it('does not act on hostile names', async () => {
    const done = await agree(file('item,\u001b[31mred,b\n1,\u001b[2J,x\n2,x,x\n'), '--json');
    expect(done.code).toBe(0);
    expect(done.stdout + done.stderr).not.toMatch(/\u001b/);
  });
});

describe('assay agree refuses', () => {
  it('all that is wrong with a file at once, with lines', async () => {
    const path = file('item,a,b\n1,x,y\n1,x,x\n2,z,x\n');
    const said = await refused(path, '--categories', 'x,y');
    expect(said).toContain('ratings.csv:3: a: a second rating of "1"; the first is on line 2');
    expect(said).toContain('ratings.csv:4: a: expected one of the declared categories (x, y), found "z"');
    expect(said).toContain('3 problems in the input; nothing was written.');
    expect((await refused(file('item,a,b\n1,0,6\n'), '--range', '1..5')).match(/from 1 to 5/g)).toHaveLength(2);
  });

  it('one rater, a rater who is not there, and a file that is not there', async () => {
    expect(await refused(file('item,a\n1,x\n'))).toContain('agreement needs two');
    expect(await refused(EXPERTS, '--raters', 'asha,brem')).toContain('bram');
    expect(await refused(example('agree/expert.csv'))).toContain('did you mean experts.csv');
  });

  it.each([
    [['--level', '95'], 'level 95'],
    [['--resamples', '1.5'], 'resamples 1.5'],
    [['--seed', 'x'], '--seed x'],
    [['--range', '5..1'], '--range 5..1'],
    [['--quorum', '4'], 'quorum 4'],
    [['--categories', 'a,,b'], '--categories'],
    [['--match', 'iou'], 'has ratings'],
    [['--scale', 'likert'], 'ordinal'],
    [['--scale', 'ordinal'], 'order of the categories is needed'],
  ])('%j', async (args, hint) => {
    const command = agreeCommand(() => undefined)
      .exitOverride()
      .configureOutput({ writeErr: () => undefined });
    await expect(command.parseAsync([EXPERTS, ...args], { from: 'user' })).rejects.toThrow(hint);
  });

  it('settings of ratings for spans', async () => {
    expect(await refused(example('pii/docs.json'), '--scale', 'ordinal')).toContain(
      '--scale: the file has documents with spans',
    );
    expect(await refused(example('pii/docs.json'), '--threshold', '0.3')).toContain('add --match iou');
  });

  it('to write over the ratings', async () => {
    const ratings = file('item,a,b\n1,x,y\n2,x,x\n');
    expect(await refused(ratings, '--out', ratings)).toContain('both name');
    expect(readFileSync(ratings, 'utf8')).toBe('item,a,b\n1,x,y\n2,x,x\n');
  });

  it('to leave half a file behind', async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'file'), 'kept');
    expect(await refused(EXPERTS, '--resamples', '10', '--out', join(folder, 'file/a.json'))).toContain('cannot write');
    expect(readdirSync(folder)).toEqual(['file']);
  });
});
