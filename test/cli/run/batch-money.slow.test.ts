import { openStore } from '../../../src/store/store.ts';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';

import {
  type BatchServer,
  type BatchServerOptions,
  type Fate,
  type Protocol,
  startBatchServer,
} from '../../experiment/batch/batch-server.ts';

import { assayHere } from '../assay-here.ts';
import { temporaryFolder } from '../run-assay.ts';
import { writeLines } from './recorded-experiment.ts';

const KEY = 'sk-batch-A1b2C3d4E5f6';
const ENV = {
  OPENAI_API_KEY: KEY,
  ANTHROPIC_API_KEY: KEY,
  GOOGLE_API_KEY: KEY,
  LANGFUSE_PUBLIC_KEY: '',
  LANGFUSE_SECRET_KEY: '',
};
const MODELS = {
  openai: ['openai-compatible/test', 'v1'],
  anthropic: ['anthropic/claude-sonnet-4-5', 'v1'],
  google: ['google/gemini-2.5-flash', 'v1beta'],
} as const;
const ITEMS = 4;

let server: BatchServer | null = null;
/** An hour passes in 120 ms. */
function hurry(): void {
  const [start, now] = [performance.now(), Date.now()];
  vi.spyOn(Date, 'now').mockImplementation(() => Math.round(now + (performance.now() - start) * 30_000));
}
afterEach(async () => {
  vi.restoreAllMocks();
  await server?.close();
  server = null;
});

async function folderWith(options: BatchServerOptions, protocol: Protocol = 'openai'): Promise<string> {
  server = await startBatchServer(options);
  const folder = temporaryFolder();
  // By that clock, a store that is being made looks like one that was emptied long ago.
  openStore(join(folder, '.assay')).close();
  hurry();
  const [model, version] = MODELS[protocol];
  writeLines(
    join(folder, 'items.jsonl'),
    Array.from({ length: ITEMS }, (_, at) => ({
      id: `i${at}`,
      input: { document_text: `[item i${at}] Ann met Bo.` },
      expected_output: { entities: [{ name: 'Ann', type: 'Person' }], relationships: [] },
    })),
  );
  writeFileSync(
    join(folder, 'e.yaml'),
    `name: one
dataset: items.jsonl
target: { use: graph-extractor, model: ${model}, baseUrl: '${server.url}/${version}' }
prices: { input: 10, output: 100 }
`,
  );
  return folder;
}

async function ask(folder: string, ...flags: readonly string[]) {
  const arguments_ = ['run', 'e.yaml', '--batch', '--batch-poll', '20ms', ...flags];
  const { code, stdout, stderr } = await assayHere(arguments_, { cwd: folder, env: ENV });
  return { code, printed: `${stdout}${stderr}`.replaceAll(/\s+/g, ' ') };
}

interface Cost {
  readonly cost: { readonly value: number | null; readonly unknown: number; readonly atLeast: number };
  readonly answered: number;
  readonly notRun: number;
  readonly batch?: object;
}
function summaryOf(folder: string): Cost {
  return JSON.parse(readFileSync(join(folder, 'runs/one/summary.json'), 'utf8')) as Cost;
}

const rows: string[] = [];
afterAll(() => {
  process.stdout.write(`case | calls counted | cost charged | cost reported\n${rows.join('\n')}\n`);
});
/** The calls that the stand-in counted and what it charged, against what the run reports. */
function note(name: string, folder: string): Cost {
  const { calls, charged } = server!.stats();
  const summary = summaryOf(folder);
  const { value, unknown, atLeast } = summary.cost;
  const reported = value === null ? `at least ${atLeast}, ${unknown} answers of unknown cost` : String(value);
  rows.push(`${name} | ${calls} | ${charged} | ${reported}`);
  expect(value ?? charged).toBe(charged);
  expect(atLeast).toBeLessThanOrEqual(charged);
  return summary;
}

/** Quirks of servers that have taken over OpenAI's protocol. */
const OF_OPENAI = ['hasEmptyTexts', 'status', 'lateLooks', 'keepsNoMetadata'];

const fates = (...all: readonly Fate[]): Record<string, Fate> =>
  Object.fromEntries(all.map((fate, at) => [`i${at}`, fate]));

describe.each(Object.keys(MODELS) as Protocol[])('a batch of %s is paid for once', (protocol) => {
  const cases: readonly (readonly [name: string, options: BatchServerOptions])[] = [
    ['a sound batch', {}],
    ['404 a second after creation', { missing: [1] }],
    ['404 in between', { workMs: 200, missing: [2, 3] }],
    ['404 for the results', { missing: [2, 3, 4] }],
    ['HTML under 200', { pages: 3 }],
    ['503 to looks', { pollErrors: 3 }],
    ['lines in another order', { isReversed: true }],
    ['duplicates, foreign and broken lines', { isUntidy: true }],
    ['a lost answer to the submission', { brokenSubmits: 1 }],
    ['a lost answer to the submission, and no metadata', { brokenSubmits: 1, keepsNoMetadata: true }],
    ['"" for null', { hasEmptyTexts: true }],
    ['a status in capitals', { status: 'capitals' }],
    ['a status of 1 MB', { workMs: 100, status: 'huge' }],
    ['a late file of results', { lateLooks: 4 }],
    ['errors and expired requests', { fates: fates('answered', 'expired', 'server') }],
    ['requests left out, with room in the counts', { fates: fates('answered', 'missing') }],
  ];
  const isKnown = (name: string): boolean => protocol === 'openai' || !OF_OPENAI.includes(name);
  it.each(cases.filter(([, options]) => Object.keys(options).every(isKnown)))('%s', async (name, options) => {
    const folder = await folderWith(options, protocol);
    const { code, printed } = await ask(folder);
    expect([code, printed.length < 6000]).toEqual([0, true]);
    const { answered, notRun } = note(`${protocol}: ${name}`, folder);
    expect([answered, notRun, server!.stats().calls]).toEqual([ITEMS, 0, ITEMS]);
  });

  it('a batch that is gone: the run stops, looks again, and asks again only with --ask-again', async () => {
    const folder = await folderWith({ missing: 'all' }, protocol);
    for (let times = 0; times < 2; times += 1) {
      const { code, printed } = await ask(folder);
      expect(code).toBe(2);
      expect(printed).toMatch(/batch \S*batch_1: the provider no longer has it.*--ask-again/s);
      expect(server!.stats()).toMatchObject({ batches: 1, single: {}, calls: ITEMS });
    }
    expect(note(`${protocol}: gone`, folder)).toMatchObject({
      notRun: ITEMS,
      cost: { value: null, unknown: ITEMS },
      batch: { unread: { answers: ITEMS, cost: null } },
    });
    // It is there again: the same command takes its answers.
    server!.change({ missing: [] });
    expect((await ask(folder)).code).toBe(0);
    expect(server!.stats()).toMatchObject({ batches: 1, single: {}, calls: ITEMS });
    expect(note(`${protocol}: gone, and there again`, folder)).toMatchObject({ answered: ITEMS, notRun: 0 });
  });

  it('--ask-again asks in another batch, once, and counts both', async () => {
    const folder = await folderWith({ missing: 'all' }, protocol);
    expect((await ask(folder, '--ask-again')).code).toBe(2);
    expect(server!.stats()).toMatchObject({ batches: 1, single: {} });
    // The second batch is gone too: nothing is asked a third time.
    expect((await ask(folder, '--ask-again')).code).toBe(2);
    expect(server!.stats()).toMatchObject({ batches: 2, single: {} });
    server!.change({ missing: [] });
    expect((await ask(folder)).code).toBe(0);
    expect(server!.stats()).toMatchObject({ batches: 2, single: {}, calls: 2 * ITEMS });
    expect(note(`${protocol}: gone, and asked again`, folder)).toMatchObject({
      answered: ITEMS,
      cost: { atLeast: 0.006, unknown: ITEMS },
    });
  });

  it('--submit-only and --cancel', async () => {
    const folder = await folderWith({ workMs: 60_000 }, protocol);
    expect((await ask(folder, '--submit-only')).code).toBe(0);
    expect((await ask(folder, '--submit-only')).code).toBe(0);
    expect(server!.stats()).toMatchObject({ batches: 1, single: {}, cancels: 0 });
    expect((await ask(folder, '--cancel')).code).toBe(0);
    expect(server!.stats()).toMatchObject({ batches: 1, single: {}, cancels: 1 });
    expect((await ask(folder)).code).toBe(0);
    expect(server!.stats()).toMatchObject({ batches: 1, single: {}, calls: ITEMS });
    note(`${protocol}: submitted, cancelled, and read`, folder);
  });
});

describe('an ended batch of openai', () => {
  it.each<readonly [name: string, BatchServerOptions, cost: object]>([
    ['a file that never comes', { lateLooks: 1000 }, { value: null, unknown: 4, atLeast: 0 }],
    ['a file that never comes, with usage', { lateLooks: 1000, hasUsage: true }, { value: 0.006 }],
    ['expired, with counts and no file', { end: 'expired', lateLooks: 1000 }, { value: null, atLeast: 0 }],
    ['a last line that breaks off', { isCut: true }, { value: null, unknown: 1, atLeast: 0.0045 }],
    ['a last line that breaks off, with usage', { isCut: true, hasUsage: true }, { value: 0.006 }],
    ['requests left out, without counts', { hasNoCounts: true, fates: fates('answered', 'missing') }, { value: null }],
  ])('is not asked again on its own: %s', async (name, options, cost) => {
    const folder = await folderWith(options);
    const { code, printed } = await ask(folder);
    expect(code).toBe(2);
    expect(printed).toMatch(/batch batch_1 \((?:completed|expired)\).*may have been paid for.*--ask-again/s);
    expect(server!.stats()).toMatchObject({ batches: 1, single: {} });
    expect(note(`openai: ${name}`, folder)).toMatchObject({ cost });
    // Single calls would be paid for beside it.
    const single = await assayHere(['run', 'e.yaml'], { cwd: folder, env: ENV });
    expect([single.code, server!.stats().single]).toEqual([2, {}]);
  });

  it.each([KEY, KEY.slice(0, 10), KEY.slice(-12)])('that echoes %s writes it nowhere', async (echo) => {
    const folder = await folderWith({ echo, missing: [1], fates: fates('answered', 'expired') });
    const { printed } = await ask(folder);
    const files = ['log.jsonl', 'batches.jsonl', 'summary.json', 'report.md'].map((name) =>
      join(folder, 'runs/one', name),
    );
    const texts = files.map((file) => (existsSync(file) ? readFileSync(file, 'utf8') : ''));
    for (const text of [printed, ...texts]) expect(text).not.toContain(echo);
    expect(printed).toContain('batch_expired[key]');
  });
});
