import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Hono } from 'hono';
import { describe, expect, it, onTestFinished } from 'vitest';

import { langfuseApp } from '../../../src/server/langfuse/langfuse-server.ts';
import type { RunMarks } from '../../../src/server/runs/mark-routes.ts';
import { runsPart } from '../../../src/server/runs/runs-part.ts';
import { openStore } from '../../../src/store/store.ts';
import { assayHere } from '../../cli/assay-here.ts';
import { ok, refused } from '../../cli/review-files.ts';
import { temporaryFolder } from '../../cli/run-assay.ts';
import { KEYS } from '../langfuse/serving.ts';

const GOLD = [
  {
    id: 'd1',
    text: 'Ann Lee met Bo in Oslo.',
    spans: [
      { start: 0, end: 3, label: 'PERSON', text: 'Ann' },
      { start: 18, end: 22, label: 'LOC', text: 'Oslo' },
    ],
  },
  {
    id: 'd2',
    text: '🙂 Cy called 555-0101.',
    spans: [
      { start: 12, end: 20, label: 'PHONE', text: '555-0101' },
      { start: 5, end: 11, label: 'PERSON', text: 'called' },
    ],
  },
];
const PREDICTED = [
  {
    id: 'd1',
    spans: [
      { start: 0, end: 7, label: 'PERSON' },
      { start: 12, end: 14, label: 'PERSON' },
      { start: 18, end: 22, label: 'LOC' },
    ],
  },
  {
    id: 'd2',
    spans: [
      { start: 12, end: 20, label: 'PHONE' },
      { start: 2, end: 4, label: 'PERSON' },
    ],
  },
];

/** A scored run below a server with its own store. */
async function servedRun(...flags: string[]) {
  const folder = temporaryFolder();
  const data = join(folder, '.assay');
  const lines = (given: readonly object[]): string => given.map((line) => `${JSON.stringify(line)}\n`).join('');
  writeFileSync(join(folder, 'gold.jsonl'), lines(GOLD));
  writeFileSync(join(folder, 'pred.jsonl'), lines(PREDICTED));
  const run = (...args: string[]) => assayHere(args, { cwd: folder, env: { ASSAY_DATA: data } });
  ok(
    await run(
      'score',
      'pii/strict',
      '--gold',
      'gold.jsonl',
      '--predictions',
      'pred.jsonl',
      '--out',
      'runs/may/first',
      ...flags,
    ),
  );
  const store = openStore(data);
  onTestFinished(() => store.close());
  const app: Hono = langfuseApp({
    store,
    keys: KEYS,
    parts: [runsPart({ store, keys: KEYS, runs: join(folder, 'runs'), token: null })],
  });
  const address = 'http://127.0.0.1:4390/live/marks?run=may%2Ffirst';
  let sent = 0;
  const mark = async (body: object, headers: Readonly<Record<string, string>> = {}) => {
    sent += 1;
    return await app.request(address, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ id: `m${sent}`, by: 'Ann', ...body }),
    });
  };
  const marks = async (): Promise<RunMarks> => (await app.request(address)).json() as Promise<RunMarks>;
  return { folder, run, store, mark, marks };
}

const SHORT = { case: 'd1', item: 'gold.span.0', label: 'wrong_boundary', start: 0, end: 7 };
const BO = { case: 'd1', item: 'predicted.span.1', label: 'missing' };
const CALLED = { case: 'd2', item: 'gold.span.1', label: 'wrong', note: 'a verb' };
const CY = { case: 'd2', item: 'predicted.span.1', label: 'missing' };

describe('marks on the gold of a run', () => {
  it('of a ledger with any byte changed are answered or refused within seconds, by name', async () => {
    const { folder, mark, marks } = await servedRun('--ledger', 'parquet');
    const path = join(folder, 'runs/may/first/ledger.parquet');
    const bytes = readFileSync(path);
    const statuses = new Set<number>();
    const refusals: string[] = [];
    for (let at = 4; at < bytes.length; at += 101)
      for (const byte of [0, 0x7f, 0xff]) {
        writeFileSync(path, bytes.with(at, byte));
        const start = performance.now();
        const answer = await mark(CALLED);
        statuses.add(answer.status);
        if (answer.status === 409) refusals.push(await answer.text());
        expect(performance.now() - start, `${at}=${byte}`).toBeLessThan(15_000);
      }
    expect([...statuses].filter((status) => ![200, 404, 409].includes(status))).toEqual([]);
    expect(statuses).toContain(409);
    expect(refusals.filter((text) => !text.includes('may/first/ledger.parquet'))).toEqual([]);
    writeFileSync(path, bytes);
    expect((await marks()).marks).toHaveLength(1);
  });

  it('are kept as a review of the run from the first on, and are listed, changed and taken back', async () => {
    const { mark, marks, store, run } = await servedRun();
    expect(await marks()).toEqual({ review: null, kinds: ['LOC', 'PERSON', 'PHONE'], marks: [] });
    expect(store.reviews.list()).toEqual([]);
    expect((await mark(CALLED)).status).toBe(200);
    expect(store.reviews.list().map(({ name }) => name)).toEqual(['gold-may-first']);
    const { marks: first } = (await (await mark(SHORT)).json()) as RunMarks;
    expect(first).toEqual([
      {
        case: 'd2',
        item: 'gold.span.1',
        by: 'Ann',
        text: 'called',
        was: 'PERSON',
        kind: null,
        words: null,
        start: 6,
        end: 12,
        label: 'wrong',
        note: 'a verb',
        at: expect.any(String) as string,
      },
      {
        case: 'd1',
        item: 'gold.span.0',
        by: 'Ann',
        text: 'Ann',
        was: 'PERSON',
        kind: null,
        words: 'Ann Lee',
        start: 0,
        end: 7,
        label: 'wrong_boundary',
        note: '',
        at: expect.any(String) as string,
      },
    ]);
    await mark({ ...CALLED, label: 'wrong_label', kind: 'VERB' });
    expect((await marks()).marks[0]).toMatchObject({ label: 'wrong_label', kind: 'VERB', note: 'a verb' });
    await mark({ ...CALLED, label: null });
    expect((await marks()).marks.map(({ item }) => item)).toEqual(['gold.span.0']);
    // Nothing is lost of what was marked before.
    const history = ok(await run('review', 'history', 'gold-may-first', '--json', '--case', 'd2'));
    const values = history
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { field: string; value: { label: string }[] | null });
    expect(values.flatMap(({ field, value }) => (field === 'gold' ? [value?.[0]?.label ?? null] : []))).toEqual([
      'wrong',
      'wrong_label',
      null,
    ]);
    expect(ok(await run('review', 'status', 'gold-may-first'))).toContain('Gold annotations of may/first');
  });

  it('are exported as gold that scores as worked out by hand', async () => {
    const { mark, run, folder } = await servedRun();
    for (const one of [SHORT, BO, CALLED, CY]) expect((await mark(one)).status).toBe(200);
    expect(ok(await run('review', 'export', 'gold-may-first', '--gold', 'new.jsonl', '--provenance'))).toContain(
      '2 cases: 2 kept, 1 corrected, 2 added, 1 dropped',
    );
    const written = readFileSync(join(folder, 'new.jsonl'), 'utf8')
      .trim()
      .split('\n')
      .map((line): unknown => JSON.parse(line));
    expect(written).toEqual([
      {
        ...GOLD[0],
        spans: [
          { start: 0, end: 7, label: 'PERSON', text: 'Ann Lee', provenance: 'corrected' },
          { start: 18, end: 22, label: 'LOC', text: 'Oslo', provenance: 'gold' },
          { start: 12, end: 14, label: 'PERSON', text: 'Bo', provenance: 'added' },
        ],
      },
      {
        ...GOLD[1],
        spans: [
          { start: 12, end: 20, label: 'PHONE', text: '555-0101', provenance: 'gold' },
          { start: 2, end: 4, label: 'PERSON', text: 'Cy', provenance: 'added' },
        ],
      },
    ]);
    // Before, 2 of 5 predictions were hits of 4 gold spans; with the new gold all 5 are.
    const score = async (gold: string) => {
      const scored = ok(await run('score', 'pii/strict', '--gold', gold, '--predictions', 'pred.jsonl', '--json'));
      const { measures } = JSON.parse(scored) as { measures: { name: string; slice: object; value: number }[] };
      return ['precision', 'recall'].map(
        (name) => measures.find((one) => one.name === name && Object.keys(one.slice).length === 0)?.value,
      );
    };
    expect(await score('gold.jsonl')).toEqual([2 / 5, 2 / 4]);
    expect(await score('new.jsonl')).toEqual([1, 1]);
  });

  it('of two people that differ are a conflict, which an adjudicator settles; one that was taken back is none', async () => {
    const { mark, run } = await servedRun();
    await mark(CALLED);
    await mark({ ...CALLED, by: 'Ben', label: 'wrong_label', kind: 'VERB' });
    const open = refused(await run('review', 'export', 'gold-may-first', '--gold', 'new.jsonl'));
    expect(open).toContain('"d2" "called": reviewers call it differently');
    ok(await run('review', 'links', 'gold-may-first', '--adjudicator', 'Cay'));
    const [, item] = /--item (\S+)/.exec(ok(await run('review', 'adjudicate', 'gold-may-first')))!;
    const place = ['--item', item!, '--field', 'gold', '--part', '6-12'];
    ok(await run('review', 'adjudicate', 'gold-may-first', ...place, '--answer', '1'));
    expect(ok(await run('review', 'export', 'gold-may-first', '--gold', 'a.jsonl'))).toContain(
      '3 kept, 0 corrected, 0 added, 1 dropped',
    );
    await mark({ ...CY });
    await mark({ ...CY, by: 'Ben', label: 'unsure' });
    await mark({ ...CY, by: 'Ben', label: null });
    expect(ok(await run('review', 'export', 'gold-may-first', '--gold', 'b.jsonl'))).toContain('1 added');
    await mark({ ...CY, label: 'unsure' });
    const unsure = refused(await run('review', 'export', 'gold-may-first', '--gold', 'c.jsonl'));
    expect(unsure).toContain('"d2" "Cy": “Unsure” leaves it open');
  });

  it('begin anew once the gold is another, and stay with the gold that they are about', async () => {
    const { mark, marks, run } = await servedRun();
    await mark(CALLED);
    ok(await run('review', 'export', 'gold-may-first', '--gold', 'new.jsonl'));
    ok(
      await run('score', 'pii/strict', '--gold', 'new.jsonl', '--predictions', 'pred.jsonl', '--out', 'runs/may/first'),
    );
    await expect.poll(async () => (await marks()).marks.length).toBe(0);
    await mark(CY);
    expect(await marks()).toMatchObject({ review: 'gold-may-first-2', marks: [{ text: 'Cy' }] });
  });

  it('are refused if they are of nothing in the run, cannot be, or come from elsewhere', async () => {
    const { mark, store } = await servedRun();
    const status = async (body: object, headers?: Readonly<Record<string, string>>) =>
      (await mark(body, headers)).status;
    expect(await status({ ...CALLED, case: 'd9' })).toBe(404);
    expect(await status({ ...CALLED, item: 'gold.span.7' })).toBe(404);
    expect(await status({ ...CALLED, item: 'gold.constructor.0' })).toBe(404);
    expect(await status({ ...CALLED, item: '../etc' })).toBe(400);
    expect(await status({ ...CALLED, label: 'nonsense' })).toBe(422);
    expect(await status({ ...CALLED, label: 'missing' })).toBe(422);
    expect(await status({ ...CALLED, by: '' })).toBe(422);
    expect(await status({ ...CALLED, by: 'a/b' })).toBe(422);
    expect(await status({ ...CALLED, start: 6, end: 600 })).toBe(422);
    expect(await status({ ...CALLED, start: 1, end: 6 })).toBe(422);
    expect(await status({ ...CALLED, start: 9, end: 9 })).toBe(422);
    expect(await status({ ...CALLED, more: 1 })).toBe(400);
    for (const headers of [
      { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' },
      { origin: 'http://evil.example' },
      { origin: 'null' },
    ])
      expect(await status(CALLED, headers)).toBe(403);
    expect(await status(CALLED, { 'content-type': 'text/plain' })).toBe(415);
    expect(store.reviews.list()).toEqual([]);
  });
});
