/**
 * Fifty reviewers who save at once: each over a connection of its own, every answer by itself as the app does it, with no
 * pause between two and with one of 50 ms, while the owner looks at the overview each second. The server is another
 * process, on a disk, since every answer is synced to it before it is acknowledged: once for each save, and once for all
 * that arrive together. Afterwards every acknowledged answer is looked for in the store.
 * `node --conditions=assay-source bench/review-load.ts`, or with another number of reviewers behind it.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

import { isRecord } from '../src/data/record-fields.ts';
import { reviewSection } from '../src/recipe/review-section.ts';
import { createReview } from '../src/review/create-review.ts';
import { groupedWrites, type Write } from '../src/server/review/grouped-writes.ts';
import { serveReviews } from '../src/server/review/review-server.ts';
import { reviewSecret, tokenOf } from '../src/review/review-access.ts';
import type { CellValue } from '../src/store/review-records.ts';
import { openStore } from '../src/store/store.ts';

const ITEMS = 40;
const REVIEWERS = 50;
/** The mark: 95 of 100 saves are answered within this time. */
const MARK_MS = 200;
const REVIEW = 'load';
const TYPED = ['Sound', 'Sound advice, but', 'Sound advice, but the dose is missing.'];

const FORM = reviewSection.parse({
  title: 'Load',
  show: [
    { field: 'text', title: 'The question' },
    { field: 'response', title: 'The answer', of: 'answer' },
  ],
  fields: {
    relevance: {
      type: 'scale',
      title: 'Relevance',
      adjudicate: true,
      dimensions: { safety: 'Safety', efficacy: 'Efficacy', completeness: 'Completeness', tone: 'Tone' },
    },
    verdict: { type: 'choice', title: 'Verdict', adjudicate: true, options: { good: 'Good', bad: 'Bad' } },
    comment: { type: 'text', title: 'Anything else?' },
  },
});

interface Written {
  readonly personId: string;
  readonly itemId: string;
  readonly field: string;
  readonly part: string | null;
  readonly value: CellValue;
}

interface Latencies {
  readonly saves: number[];
  readonly views: number[];
  readonly overviews: number[];
}

function makeReview(folder: string, reviewers: number): void {
  const store = openStore(folder);
  createReview(store, {
    name: REVIEW,
    form: FORM,
    task: 'consult',
    seed: 1,
    sources: Array.from({ length: ITEMS }, (_, at) => ({
      caseId: `c${at}`,
      system: 'system',
      language: 'en',
      texts: {
        text: `Question ${at}: ${'I sleep badly and feel cold in the morning. '.repeat(10)}`,
        response: `Answer ${at}. ${'Drink warm water, walk before breakfast and eat at set hours. '.repeat(30)}`,
      },
      predicted: [],
      passages: [],
      hidden: {},
    })),
    people: [
      ...Array.from({ length: reviewers }, (_, at) => ({ name: `Rater ${at}`, role: 'reviewer' as const, groups: [] })),
      { name: 'Owner', role: 'owner', groups: [] },
    ],
    origin: {},
    secret: reviewSecret(folder),
    expiresAt: '2100-01-01T00:00:00.000Z',
  });
  store.close();
}

/** The other process. */
async function serve(folder: string, writes: string): Promise<void> {
  const store = openStore(folder);
  const single: Write = (work) => new Promise((resolve) => resolve(store.transaction(work)));
  const write = writes === 'grouped' ? groupedWrites(store) : single;
  const { url } = await serveReviews({
    store,
    write,
    host: '127.0.0.1',
    port: 0,
    log: (refusal) => console.error(refusal),
  });
  console.log(url);
  process.once('SIGTERM', () => {
    const { userCPUTime, systemCPUTime } = process.resourceUsage();
    console.log(String((userCPUTime + systemCPUTime) / 1e6));
    store.close();
    process.exit(0);
  });
}

async function started(folder: string, writes: string): Promise<{ child: ChildProcess; said: () => string }> {
  const child = spawn(process.execPath, [...process.execArgv, import.meta.filename, 'serve', folder, writes], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let said = '';
  await new Promise<void>((resolve, reject) => {
    child.stdout.on('data', (part: Buffer) => {
      said += part.toString();
      if (said.includes('\n')) resolve();
    });
    child.on('exit', () => reject(new Error('the server ended')));
  });
  return { child, said: () => said };
}

/** One person with one connection, which is kept. */
function client(url: string, token: string) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  return {
    close: () => agent.destroy(),
    ask: (path: string, took: number[], body?: object) =>
      new Promise<unknown>((resolve, reject) => {
        const began = performance.now();
        const sent = body === undefined ? '' : JSON.stringify(body);
        const asked = request(
          `${url}/api/review${path}`,
          {
            agent,
            method: body === undefined ? 'GET' : 'POST',
            headers: {
              authorization: `Bearer ${token}`,
              ...(body === undefined ? {} : { 'content-type': 'application/json', 'content-length': sent.length }),
            },
          },
          (answer) => {
            let text = '';
            answer.setEncoding('utf8').on('data', (part: string) => (text += part));
            answer.on('end', () => {
              took.push(performance.now() - began);
              if (answer.statusCode === 200) resolve(JSON.parse(text));
              else reject(new Error(`${path} was answered with ${answer.statusCode ?? 0}: ${text}`));
            });
          },
        );
        asked.on('error', reject);
        asked.end(sent);
      }),
  };
}

/** What a reviewer answers: something else for each person, item and part. */
function answersTo(person: number, item: number): Pick<Written, 'field' | 'part' | 'value'>[] {
  const parts = Object.keys(FORM.fields['relevance']?.type === 'scale' ? FORM.fields['relevance'].dimensions : {});
  return [
    ...parts.map((part, at) => ({ field: 'relevance', part, value: 1 + ((person + 3 * item + at) % 5) })),
    { field: 'verdict', part: null, value: (person + item) % 3 === 0 ? 'bad' : 'good' },
    ...TYPED.map((text) => ({ field: 'comment', part: null, value: `${text} (${person}, ${item})` })),
  ];
}

async function review(
  url: string,
  person: { readonly id: string; readonly token: string; readonly number: number },
  thinkMs: number,
  latencies: Latencies,
): Promise<Written[]> {
  const { ask, close } = client(url, person.token);
  const me = await ask('/me', latencies.views);
  const queue = isRecord(me) && Array.isArray(me['queue']) ? me['queue'] : [];
  const written: Written[] = [];
  for (const [at, entry] of queue.entries()) {
    const itemId = String(isRecord(entry) ? entry['item'] : '');
    await ask(`/items/${itemId}`, latencies.views);
    for (const [number, cell] of answersTo(person.number, at).entries()) {
      await ask(`/items/${itemId}/events`, latencies.saves, { events: [{ ...cell, id: `${itemId}-${number}` }] });
      written.push({ ...cell, personId: person.id, itemId });
      if (thinkMs > 0) await pause(thinkMs);
    }
    await ask(`/items/${itemId}/commit`, latencies.saves, { id: `${itemId}-commit` });
    written.push({ personId: person.id, itemId, field: '#commit', part: null, value: true });
  }
  close();
  return written;
}

/** How many acknowledged answers the store does not have, each as often and in the order in which it was given. */
function lostIn(folder: string, written: readonly Written[]): number {
  const store = openStore(folder);
  const key = (one: Written) => JSON.stringify([one.personId, one.itemId, one.field, one.part]);
  const history = store.reviews.history(store.reviews.find(REVIEW)!.id);
  store.close();
  const kept = Map.groupBy(history, key);
  let lost = history.length === written.length ? 0 : Math.abs(history.length - written.length);
  for (const [cell, given] of Map.groupBy(written, key)) {
    const there = kept.get(cell) ?? [];
    lost += given.filter(({ value }, at) => there[at]?.value !== value).length;
  }
  return lost;
}

interface Measured extends Latencies {
  readonly seconds: number;
  readonly serverSeconds: number;
  readonly lost: number;
  readonly written: number;
}

async function measure(writes: string, thinkMs: number, reviewers: number): Promise<Measured> {
  const folder = mkdtempSync(join(tmpdir(), 'assay-bench-'));
  try {
    makeReview(folder, reviewers);
    const secret = reviewSecret(folder);
    const store = openStore(folder);
    const people = store.reviews.people(store.reviews.find(REVIEW)!.id);
    store.close();
    const { child, said } = await started(folder, writes);
    const url = said().trim();
    const latencies: Latencies = { saves: [], views: [], overviews: [] };
    const owning = people.find(({ role }) => role === 'owner')!;
    const owner = client(url, tokenOf(secret, owning));
    const looking = setInterval(() => void owner.ask('/overview', latencies.overviews).catch(console.error), 1000);
    const began = performance.now();
    const written = await Promise.all(
      people
        .filter(({ role }) => role === 'reviewer')
        .map((person, number) =>
          review(url, { id: person.id, token: tokenOf(secret, person), number }, thinkMs, latencies),
        ),
    );
    const seconds = (performance.now() - began) / 1000;
    clearInterval(looking);
    owner.close();
    const ended = new Promise((resolve) => {
      child.once('exit', resolve);
    });
    child.kill('SIGTERM');
    await ended;
    const serverSeconds = Number(said().trim().split('\n').at(-1));
    const all = written.flat();
    return { ...latencies, seconds, serverSeconds, lost: lostIn(folder, all), written: all.length };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The value below which that share of the sorted values lies. */
function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)] ?? NaN;
}

function line(name: string, thinkMs: number, measured: Measured): number {
  const saves = measured.saves.toSorted((a, b) => a - b);
  const [p50, p95, p99] = [0.5, 0.95, 0.99].map((share) => quantile(saves, share));
  const cells = [
    `${thinkMs} ms`,
    measured.written,
    Math.round(measured.written / measured.seconds),
    ...[p50, p95, p99, saves.at(-1)].map((ms) => (ms ?? NaN).toFixed(1)),
    Math.max(0, ...measured.overviews).toFixed(0),
    measured.serverSeconds.toFixed(1),
    measured.lost,
  ];
  console.log(name.padEnd(22) + cells.map((cell) => String(cell).padStart(10)).join(''));
  return p95 ?? NaN;
}

function judge(mark: string, isKept: boolean): void {
  console.log(`${mark}: ${isKept ? 'kept' : 'MISSED'}`);
  if (!isKept) process.exitCode = 1;
}

async function compare(reviewers: number): Promise<void> {
  console.log(`${reviewers} reviewers, ${ITEMS} items each, Node ${process.version}; times in ms\n`);
  const heads = ['think', 'written', 'saves/s', 'p50', 'p95', 'p99', 'slowest', 'overview', 'cpu s', 'lost'];
  console.log('synced to the disk'.padEnd(22) + heads.map((head) => head.padStart(10)).join(''));
  const marked: { readonly think: number; readonly p95: number; readonly lost: number }[] = [];
  for (const think of [0, 50]) {
    line('once for each save', think, await measure('single', think, reviewers));
    const measured = await measure('grouped', think, reviewers);
    marked.push({ think, p95: line('once for a group', think, measured), lost: measured.lost });
  }
  console.log('');
  for (const { think, p95, lost } of marked) {
    judge(`grouped, ${think} ms to think: 95 of 100 saves take less than ${MARK_MS} ms`, p95 < MARK_MS);
    judge(`grouped, ${think} ms to think: no acknowledged answer is lost`, lost === 0);
  }
}

const [first = '', folder = '', writes = ''] = process.argv.slice(2);
if (first === 'serve') await serve(folder, writes);
else await compare(first === '' ? REVIEWERS : Number(first));
