import { describe, expect, it } from 'vitest';

import { failedSignIns } from '../../../src/server/review/sign-in.ts';
import { rawRequest } from '../langfuse/raw-socket.ts';
import { asking, hashOf, LATER, makeReview, servingReview, tokenFor } from './serving-review.ts';

const PEOPLE = [
  { name: 'Olga', role: 'owner' },
  { name: 'Anna' },
  { name: 'Old', expiresAt: '2026-01-01T00:00:00.000Z' },
  { name: 'Gone', revokedAt: '2026-01-01T00:00:00.000Z' },
] as const;

describe('a link', () => {
  it('lets its person in, and says who they are and what they have to do', async () => {
    const { as } = await servingReview({ people: PEOPLE });
    const { status, body, headers } = await as('Anna')('GET', '/me');
    expect(status).toBe(200);
    expect(body.person).toEqual({ name: 'Anna', role: 'reviewer', groups: [] });
    expect(body.review).toEqual({
      name: 'pilot',
      title: 'Garden advice',
      guidance: 'Judge each answer by itself.',
      texts: 0,
    });
    expect(body.queue.map((one) => [one.item, one.state])).toEqual([
      ['case-1', 'open'],
      ['answer-1', 'open'],
      ['case-2', 'open'],
      ['answer-2', 'open'],
    ]);
    expect(Object.keys(body.form)).toEqual(['plant', 'safety', 'contents', 'claims', 'comment']);
    expect(body.expiresAt).toBe(LATER);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
  });

  it('that is wrong in any way is refused alike, and logged without its token', async () => {
    const { url, log } = await servingReview({ people: PEOPLE });
    const right = tokenFor('Anna');
    const bodies = new Set<string>();
    for (const token of [`${right}x`, right.slice(0, -1), right.toUpperCase(), hashOf(right), 'x', 'y'.repeat(5000)]) {
      const { status, text, headers } = await asking(url, token)('GET', '/me');
      expect([token, status]).toEqual([token, 401]);
      expect(headers.get('www-authenticate')).toBe('Bearer realm="assay review"');
      bodies.add(text);
    }
    expect([...bodies]).toEqual([
      '{"error":{"message":"This link is not, or no longer, a link to a review.","next":"Open the newest link that was sent to you, or ask for a new one."}}',
    ]);
    expect(new Set(log)).toEqual(new Set(['GET /api/review/me 401 a token of nobody']));
    expect(log).toHaveLength(6);
  });

  it('that has expired or was withdrawn says whom to ask', async () => {
    const { as, log } = await servingReview({ people: PEOPLE });
    const old = await as('Old')('GET', '/me');
    expect([old.status, old.body.error.message]).toEqual([401, 'This link has expired; ask Olga for a new one.']);
    const gone = await as('Gone')('GET', '/me');
    expect([gone.status, gone.body.error.message]).toEqual([
      401,
      'This link has been withdrawn; ask Olga for a new one.',
    ]);
    expect(log).toEqual([
      'GET /api/review/me 401 a token that has expired',
      'GET /api/review/me 401 a token that was withdrawn',
    ]);
  });

  it('ends at its time and not before, also in the middle of the work', async () => {
    let now = new Date('2026-03-01T11:59:59.999Z');
    const { as } = await servingReview(
      { people: [{ name: 'Anna', expiresAt: '2026-03-01T12:00:00.000Z' }] },
      { now: () => now },
    );
    expect((await as('Anna')('GET', '/me')).status).toBe(200);
    now = new Date('2026-03-01T12:00:00.000Z');
    const { status, body } = await as('Anna')('GET', '/me');
    expect([status, body.error.message]).toEqual([
      401,
      'This link has expired; ask the person who sent it to you for a new one.',
    ]);
  });

  it('that is withdrawn or renewed while the server runs is worth nothing from then on', async () => {
    const { as, url, store } = await servingReview({ people: PEOPLE });
    expect((await as('Anna')('GET', '/me')).status).toBe(200);
    store.reviews.renew('p-pilot-Anna', { tokenHash: hashOf('new-one'), generation: 2, expiresAt: LATER });
    expect((await as('Anna')('GET', '/me')).status).toBe(401);
    expect((await asking(url, 'new-one')('GET', '/me')).status).toBe(200);
    store.reviews.revoke('p-pilot-Anna');
    expect((await asking(url, 'new-one')('GET', '/me')).status).toBe(401);
  });

  it('counts in the Authorization header only', async () => {
    const { url, log } = await servingReview({ people: PEOPLE });
    const token = tokenFor('Anna');
    for (const [path, headers] of [
      [`/api/review/me?token=${token}&access_token=${token}`, {}],
      ['/api/review/me', { cookie: `token=${token}` }],
      ['/api/review/me', { authorization: token }],
      ['/api/review/me', { authorization: `Basic ${token}` }],
      ['/api/review/me', { authorization: `Bearer ${token} ${token}` }],
      ['/api/review/me', { authorization: `Bearer  ${token}` }],
      ['/api/review/me', { 'x-token': token }],
      [`/api/review/${token}`, {}],
    ] as const) {
      expect([path, (await rawRequest(url, 'GET', path, headers)).status]).toEqual([path, 401]);
    }
    expect(log.join('\n')).not.toContain(token);
  });

  it('is needed for every path of the API, also for those that are not there', async () => {
    const { url } = await servingReview({ people: PEOPLE });
    for (const path of ['/api', '/api/', '/api/review', '/api/review/items/case-1', '/api/review/nothing', '/api/x'])
      expect([path, (await rawRequest(url, 'GET', path)).status]).toEqual([path, 401]);
    for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS', 'HEAD'])
      expect([method, (await rawRequest(url, method, '/api/review/me')).status]).toEqual([method, 401]);
  });

  it('of one review opens nothing of another', async () => {
    const { as, store } = await servingReview({ people: PEOPLE });
    makeReview(store, { name: 'other', prefix: 'other-', people: [{ name: 'Omar' }, { name: 'Oda', role: 'owner' }] });
    const own = await as('Omar')('GET', '/me');
    expect(own.body.review.name).toBe('other');
    const theirs = await as('Omar')('GET', '/items/case-1');
    const made = await as('Omar')('GET', '/items/made-up');
    expect([theirs.status, made.status]).toEqual([404, 404]);
    expect(theirs.text).toBe(made.text);
    expect((await as('Anna')('GET', '/items/other-case-1')).status).toBe(404);
    const overview = await as('Oda')('GET', '/overview');
    expect(overview.body.people.map(({ name }) => name).sort()).toEqual(['Oda', 'Omar']);
  });
});

describe('too many failed sign-ins from one address', () => {
  it('are put off for a minute, while good links of the same address are let in', async () => {
    let now = new Date('2026-03-01T12:00:00.000Z');
    const { as, url, log } = await servingReview({ people: PEOPLE }, { now: () => now });
    const guess = asking(url, 'guess');
    for (let tried = 1; tried <= 30; tried += 1) expect((await guess('GET', '/me')).status).toBe(401);
    const { status, headers, body } = await guess('GET', '/me');
    expect([status, headers.get('retry-after')]).toEqual([429, '60']);
    expect(body.error.message).toBe('Too many links from your address were refused within a minute.');
    expect(log.at(-1)).toBe('GET /api/review/me 429 too many failed sign-ins from one address');
    expect((await as('Anna')('GET', '/me')).status).toBe(200);
    now = new Date('2026-03-01T12:01:00.000Z');
    expect((await guess('GET', '/me')).status).toBe(401);
  });

  it('of ten thousand other addresses make the first be forgotten, so that memory has an end', () => {
    const isTooMany = failedSignIns(1, () => new Date(0));
    expect([isTooMany('first'), isTooMany('first')]).toEqual([false, true]);
    for (let number = 0; number < 10_000; number += 1) isTooMany(`address ${number}`);
    expect(isTooMany('first')).toBe(false);
  });
});
