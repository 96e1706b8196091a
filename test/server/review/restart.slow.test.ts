import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { reviewServeCommand } from '../../../src/cli/review/serve.ts';
import { UsageError } from '../../../src/data/problems.ts';
import { reviewSection } from '../../../src/recipe/review-section.ts';
import { createReview } from '../../../src/review/create-review.ts';
import { serverUrls } from '../../../src/server/server-urls.ts';
import { reviewSecret } from '../../../src/review/review-access.ts';
import { openStore } from '../../../src/store/store.ts';
import { temporaryFolder } from '../../cli/run-assay.ts';
import { type ServedProcess, servedProcess } from '../../cli/served-process.ts';
import { rawRequest } from '../langfuse/raw-socket.ts';
import { asking, cell, FORM } from './serving-review.ts';

interface Ready {
  readonly url: string;
  readonly baseUrl: string;
  readonly links: readonly {
    readonly review: string;
    readonly name: string;
    readonly role: string;
    readonly link: string | null;
    readonly closed?: string;
  }[];
}

const serve = (...args: readonly string[]): Promise<ServedProcess> =>
  servedProcess(['review', 'serve', '--port', '0', ...args]);

const readyOf = ({ stdout }: ServedProcess): Ready => JSON.parse(stdout()) as Ready;
const tokenIn = (link: string | null): string => new URL(link!).hash.slice(1);

function makeStudy(folder: string, name = 'pilot'): void {
  const store = openStore(folder);
  try {
    createReview(store, {
      name,
      form: reviewSection.parse({ ...FORM, people: {}, fields: { comment: FORM.fields.comment } }),
      task: 'consult',
      seed: 7,
      sources: [
        {
          caseId: 'c1',
          system: 'a',
          language: null,
          texts: { text: 'What ails it?', response: 'Water it.' },
          predicted: [],
          passages: [],
          hidden: {},
        },
      ],
      people: [
        { name: 'Anna', role: 'reviewer', groups: [] },
        { name: 'Adja', role: 'adjudicator', groups: [] },
        { name: 'Olga', role: 'owner', groups: [] },
      ],
      origin: {},
      secret: reviewSecret(folder),
      expiresAt: '2100-01-01T00:00:00.000Z',
    });
  } finally {
    store.close();
  }
}

describe('a server that is killed while reviewers save', () => {
  it('has kept everything that it acknowledged, and the same links work with the next one', async () => {
    const folder = temporaryFolder();
    makeStudy(folder);
    const first = await serve('--data', folder, '--json');
    const before = readyOf(first);
    expect(before.links.map(({ review, name, role }) => [review, name, role])).toEqual([
      ['pilot', 'Olga', 'owner'],
      ['pilot', 'Adja', 'adjudicator'],
      ['pilot', 'Anna', 'reviewer'],
    ]);
    const token = tokenIn(before.links[2]!.link);
    const ask = asking(before.url, token);
    const item = (await ask('GET', '/me')).body.queue[0]!.item;
    const acknowledged: string[] = [];
    const saving = [1, 2, 3, 4].map(async (tab) => {
      for (let number = 1; ; number += 1) {
        const value = `tab ${tab}, save ${number}`;
        const saved = await ask('POST', `/items/${item}/events`, { events: [cell('comment', null, value)] });
        if (saved.status === 200) acknowledged.push(value);
        if (acknowledged.length === 100) first.child.kill('SIGKILL');
      }
    });
    await Promise.allSettled(saving);
    await first.ended;
    expect(acknowledged.length).toBeGreaterThanOrEqual(100);

    const second = await serve('--data', folder, '--json');
    const after = readyOf(second);
    expect(after.links.map(({ link }) => tokenIn(link))).toEqual(before.links.map(({ link }) => tokenIn(link)));
    const { body } = await asking(after.url, token)('GET', `/items/${item}`);
    expect(body.version).toBeGreaterThanOrEqual(acknowledged.length);
    second.child.kill('SIGTERM');
    expect(await second.ended).toBe(0);
    const store = openStore(folder);
    const kept = new Set(store.reviews.history(store.reviews.find('pilot')!.id).map(({ value }) => value));
    store.close();
    expect(acknowledged.filter((value) => !kept.has(value))).toEqual([]);
  });
});

describe('assay review serve', () => {
  it('prints the links of all reviews, or of one; says why there is none; ends at Ctrl-C', async () => {
    const folder = temporaryFolder();
    makeStudy(folder);
    makeStudy(folder, 'second');
    const store = openStore(folder);
    store.reviews.revoke(store.reviews.people(store.reviews.find('second')!.id)[0]!.id);
    store.close();
    const all = await serve('--data', folder);
    const url = /http:\/\/127\.0\.0\.1:\d+/.exec(all.stdout())![0];
    expect(all.stdout().match(new RegExp(`${url}/#[\\w-]{43}\n`, 'g'))).toHaveLength(5);
    expect(all.stdout()).toMatch(/ {2}Olga \(owner\) {8}http/);
    expect(all.stdout()).toMatch(/ {2}Anna \(reviewer\) {5}no link: revoked on \d{4}-\d\d-\d\d\n/);
    expect(all.stdout()).toContain('Ctrl-C stops it');
    // What is refused is told on standard error, without anything secret.
    await asking(url, 'guess')('GET', '/me');
    expect(all.stderr()).toBe('GET /api/review/me 401 a token of nobody\n');
    all.child.kill('SIGINT');
    expect(await all.ended).toBe(0);

    const one = await serve('second', '--data', folder, '--json', '--host', '0.0.0.0');
    const { links, url: here, baseUrl } = readyOf(one);
    expect(baseUrl).toBe(serverUrls(here, '0.0.0.0')[0]);
    expect(links[0]!.link).toMatch(new RegExp(`^${baseUrl.replaceAll('.', '\\.')}/#`));
    expect(links.map(({ review, name }) => [review, name])).toEqual([
      ['second', 'Olga'],
      ['second', 'Adja'],
      ['second', 'Anna'],
    ]);
    expect(links[2]!.link).toBeNull();
    expect(links[2]!.closed).toMatch(/^revoked on /);
    expect(one.stderr()).toContain('Listening on 0.0.0.0: others can reach it');
  });

  it('makes links for the address that people use, and lets in who names it', async () => {
    const folder = temporaryFolder();
    makeStudy(folder);
    const served = await serve('--data', folder, '--json', '--base-url', 'https://review.example.org/');
    const { url, baseUrl, links } = readyOf(served);
    expect(baseUrl).toBe('https://review.example.org');
    expect(links[2]!.link).toMatch(/^https:\/\/review\.example\.org\/#[\w-]{43}$/);
    const headers = {
      authorization: `Bearer ${tokenIn(links[2]!.link)}`,
      host: 'review.example.org',
      origin: 'https://review.example.org',
    };
    expect((await rawRequest(url, 'GET', '/api/review/me', headers)).status).toBe(200);
  });

  it('says what is wrong with its call, and makes nothing', async () => {
    const folder = temporaryFolder();
    const failing = async (...args: readonly string[]): Promise<unknown> => {
      const { message, next } = await reviewServeCommand(() => undefined)
        .parseAsync([...args], { from: 'user' })
        .then(
          () => new UsageError('it did not fail'),
          (error: unknown) => error as UsageError,
        );
      return [message, next];
    };
    const empty = join(folder, 'empty');
    expect(await failing('--data', empty)).toEqual([
      `there is no review in ${empty}: nothing has been kept there yet`,
      'assay review create NAME makes one; --data names another folder',
    ]);
    expect(existsSync(empty)).toBe(false);
    openStore(join(folder, 'begun')).close();
    expect(await failing('--data', join(folder, 'begun'))).toEqual([
      `there is no review in ${join(folder, 'begun')} yet`,
      'assay review create NAME makes one',
    ]);
    makeStudy(folder);
    expect(await failing('pilt', '--data', folder)).toEqual([
      `there is no review "pilt" in ${folder}`,
      'did you mean pilot?',
    ]);
    expect(await failing('--data', folder, '--host', ' ')).toEqual([
      '--host is empty, which would let everybody in',
      'leave it out for 127.0.0.1',
    ]);
    for (const url of ['ftp://x', 'review.example.org', 'https://x/?a', 'https://x/#a', 'https://a:b@x'])
      expect(await failing('--data', folder, '--base-url', url)).toEqual([
        `--base-url "${url}": expected an http or https address without ?, # and names`,
        'for example --base-url https://review.example.org',
      ]);
    expect(await failing('--data', folder, '--port', '70000')).toEqual([
      '--port 70000: expected a whole number from 0 to 65535',
      null,
    ]);
  });
});
