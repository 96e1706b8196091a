import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { measureRuns } from '../../src/cli/stream/measure.ts';
import { displayWidth } from '../../src/report/display-width.ts';
import { waterfallShape } from '../../src/compare/waterfall/waterfall.ts';
import { expectWellFormed } from '../report/svg/well-formed.ts';
import { assayHere } from './assay-here.ts';
import type { Finished } from './run-assay.ts';

const EXAMPLES = join(import.meta.dirname, '../../examples');
const folder = mkdtempSync(join(tmpdir(), 'assay-waterfall-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function assay(...args: readonly string[]): Promise<Finished> {
  return assayHere(args, { cwd: folder });
}

beforeAll(() => {
  for (const [from, to] of [
    ['pii/docs.json', 'docs.json'],
    ['graph/items.jsonl', 'items.jsonl'],
    ['graph/outputs.jsonl', 'outputs.jsonl'],
    ['consult/cases.csv', 'cases.csv'],
    ['consult/guided.jsonl', 'guided.jsonl'],
    ['consult/reviews.csv', 'reviews.csv'],
  ] as const)
    cpSync(join(EXAMPLES, from), join(folder, to));
});

const GRAPH = ['graph/as-coded', '--gold', 'items.jsonl', '--predictions', 'outputs.jsonl'];

describe('assay waterfall', () => {
  test('prints the way, each rule taken away and what moved, in 80 columns', async () => {
    const { code, stdout, stderr } = await assay('waterfall', 'pii/piranha', '--cases', 'docs.json');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('pii/piranha: from strict matching to the score, rule by rule');
    for (const words of ['prepare.relabel', 'judge.excuse-overlap', 'less pair.tolerance', 'What moved'])
      expect(stdout).toContain(words);
    expect(stdout.split('\n').filter((line) => displayWidth(line) > 80)).toEqual([]);
  });

  test('as JSON it ends in what assay score measures', async () => {
    const { stdout } = await assay('waterfall', ...GRAPH, '--json');
    const found = waterfallShape.parse(JSON.parse(stdout));
    const scored: unknown = JSON.parse((await assay('score', ...GRAPH, '--set', 'interval=off', '--json')).stdout);
    const overall = measuresOf(scored).filter(({ slice }) => Object.keys(slice).length === 0);
    expect(found.steps.at(-1)?.measures).toEqual(Object.fromEntries(overall.map(({ name, value }) => [name, value])));
  });

  test('writes a figure, Markdown and JSON, all of the same waterfall', async () => {
    const out = ['w.svg', 'w.md', 'w.json'].flatMap((file) => ['--out', file]);
    const { code, stdout } = await assay('waterfall', ...GRAPH, ...out, '--measure', 'overall_quality', '--quiet');
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
    const svg = readFileSync(join(folder, 'w.svg'), 'utf8');
    expectWellFormed(svg);
    expect(svg).toContain('overall_quality, rule by rule');
    expect(readFileSync(join(folder, 'w.md'), 'utf8')).toContain('## overall_quality');
    expect(waterfallShape.parse(JSON.parse(readFileSync(join(folder, 'w.json'), 'utf8'))).recipe).toBe(
      'graph/as-coded',
    );
  });

  test('--set changes the recipe, and with it the steps', async () => {
    const { stdout } = await assay('waterfall', ...GRAPH, '--set', 'pair.assign=greedy', '--moves', '0');
    expect(stdout).not.toContain('pair.assign');
    expect(stdout).toContain('pair.ties');
    expect(stdout).not.toContain('What moved');
  });

  test('consultations are read with what experts said', async () => {
    const base = ['waterfall', 'consult/ayurmind', '--cases', 'cases.csv', '--predictions', 'guided.jsonl', '--json'];
    const plain = await assay(...base);
    expect(plain.code).toBe(0);
    const reviewed = await assay(...base, '--reviews', 'reviews.csv');
    expect(reviewed.code).toBe(0);
    expect(reviewed.stdout).not.toBe(plain.stdout);
  });
});

describe('of a run', () => {
  const run = (): Promise<Finished> =>
    assay('score', 'pii/piranha', '--cases', 'docs.json', '--set', 'interval=off', '--out', 'run', '--quiet');

  test('it is the one that was made when it was scored, and the same when made again', async () => {
    await run();
    const first = await assay('waterfall', 'run', '--json', '--quiet');
    expect(first.code).toBe(0);
    rmSync(join(folder, 'run', 'figures.json'));
    const again = await assay('waterfall', 'run', '--json', '--quiet');
    expect(again).toEqual(first);
    const named = await assay('waterfall', 'pii/piranha', '--cases', 'docs.json', '--json', '--quiet');
    expect(named).toEqual(first);
    const both = await assay('waterfall', 'run', '--offsets', 'byte');
    expect([both.code, both.stderr]).toEqual([2, expect.stringContaining('--offsets: a run already defines')]);
  });

  test('that has several cases of one document, or answers to one case, says both numbers', async () => {
    const each = ['pii/piranha', '--cases', 'docs.json', '--set', 'prepare.annotator=each', '--moves', '0'];
    const { stdout } = await assay('waterfall', ...each);
    expect(stdout).toMatch(/^5 cases, scored as \d+ since a rule/m);
    const consult = ['consult/ayurmind', '--cases', 'cases.csv', '--predictions', 'guided.jsonl', '--moves', '0'];
    expect((await assay('waterfall', ...consult)).stdout).toMatch(/^8 answers to 6 cases\. /m);
  });

  test('of partial credit says what TP is made of', async () => {
    const { stdout } = await assay('waterfall', 'pii/partial', '--cases', 'docs.json', '--moves', '0');
    // 49 hits; the 6 with the same boundaries count in full, the other 43 for half: 6 + 21.5.
    expect(stdout).toContain('TP 27.5 is the credit of 49 hits');
    expect(stdout).toContain('pair.partial: 43 hits lose credit');
    expect(stdout).toContain('iou > 0');
  });

  test('of a stream says why there is none', async () => {
    const [traces, runs] = ['stream/traces', 'stream/answers'].map((name) => join(EXAMPLES, name));
    await measureRuns({ traces: traces!, runs: runs!, out: join(folder, 'stream'), variants: ['V0', 'V2'] });
    const { code, stderr } = await assay('waterfall', join('stream', 'V2'));
    expect(code).toBe(2);
    expect(stderr).toContain('has no waterfall: a stream recipe pairs concepts that are equal');
  });

  test('of consultations it is made again, though the run names the slices that it found', async () => {
    const files = ['--cases', 'cases.csv', '--predictions', 'guided.jsonl', '--set', 'interval=off'];
    await assay('score', 'consult/ayurmind', ...files, '--out', 'advice', '--quiet');
    const first = await assay('waterfall', 'advice', '--json', '--quiet');
    rmSync(join(folder, 'advice', 'figures.json'));
    expect(await assay('waterfall', 'advice', '--json', '--quiet')).toEqual({ ...first, code: 0 });
  });

  test('whose files have changed since, it says which', async () => {
    await run();
    rmSync(join(folder, 'run', 'figures.json'));
    const text = readFileSync(join(folder, 'docs.json'), 'utf8');
    writeFileSync(join(folder, 'docs.json'), `${text}\n`);
    const { code, stderr } = await assay('waterfall', 'run');
    writeFileSync(join(folder, 'docs.json'), text);
    expect(code).toBe(2);
    expect(stderr).toContain('docs.json');
    expect(stderr).toContain('another one now');
  });

  test('whose recipe is a file, the file is asked for', async () => {
    writeFileSync(join(folder, 'mine.yaml'), 'extends: pii/strict\ninterval: off\n');
    await assay('score', 'mine.yaml', '--cases', 'docs.json', '--out', 'own', '--quiet');
    rmSync(join(folder, 'own', 'figures.json'));
    const { code, stderr } = await assay('waterfall', 'own');
    expect(code).toBe(2);
    expect(stderr).toContain('assay waterfall mine.yaml');
  });
});

describe('mistakes', () => {
  test.each([
    [['stream/exaid', '--cases', 'x'], 'is a stream recipe', 'assay stream measure'],
    [['pii/strict'], 'nothing to score', '--cases FILE'],
    [[...GRAPH, '--measure', 'overal_quality'], 'no such measure', 'overall_quality'],
    [[...GRAPH, '--moves', 'many'], '--moves many', 'whole number'],
    [[...GRAPH, '--out', 'w.png'], '.png is not known', '.svg'],
    [[...GRAPH, '--predictions', 'again.jsonl'], 'a waterfall is of one system', '--predictions FILE once'],
    [[...GRAPH, '--reviews', 'reviews.csv'], 'has no review form', 'add a review section'],
    [['consult/ayurmind', '--cases', 'cases.csv'], 'needs the answers', '--predictions FILE'],
  ])('%j', async (args, what, next) => {
    const { code, stdout, stderr } = await assay('waterfall', ...args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(what);
    expect(stderr).toContain(next);
  });
});

interface MeasureLine {
  readonly name: string;
  readonly slice: object;
  readonly value: number | null;
}

function measuresOf(scored: unknown): MeasureLine[] {
  const lines: unknown = typeof scored === 'object' && scored !== null ? Reflect.get(scored, 'measures') : null;
  return Array.isArray(lines) ? lines.filter(isMeasureLine) : [];
}

function isMeasureLine(line: unknown): line is MeasureLine {
  return typeof line === 'object' && line !== null && 'name' in line && 'slice' in line && 'value' in line;
}
