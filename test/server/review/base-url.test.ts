import { describe, expect, it } from 'vitest';

import { UsageError } from '../../../src/data/problems.ts';
import { serveReviews } from '../../../src/server/review/review-server.ts';
import { openStore } from '../../../src/store/store.ts';
import { temporaryFolder } from '../../cli/run-assay.ts';
import { rawRequest } from '../langfuse/raw-socket.ts';
import { servingReview, tokenFor } from './serving-review.ts';

const ONE = { people: [{ name: 'Anna' }] };
const BEARER = { authorization: `Bearer ${tokenFor('Anna')}` };
const BASE = 'https://Review.example.org/study/';

describe('behind a proxy', () => {
  it('requests are let in by the name and the origin of its address, besides this machine’s own', async () => {
    const { url } = await servingReview(ONE, { baseUrl: BASE });
    const own = new URL(url).host;
    for (const headers of [
      { host: 'review.example.org', origin: 'https://review.example.org', 'sec-fetch-site': 'same-origin' },
      { host: 'REVIEW.example.org:443', origin: 'https://review.example.org' },
      { host: 'review.example.org' },
      // A proxy that calls the server by the address it listens on.
      { host: own, origin: 'https://review.example.org' },
      { host: own, origin: url },
      { host: own },
    ])
      expect([headers, (await rawRequest(url, 'GET', '/api/review/me', { ...BEARER, ...headers })).status]).toEqual([
        headers,
        200,
      ]);
  });

  it('every other name and origin stays refused', async () => {
    const { url } = await servingReview(ONE, { baseUrl: BASE });
    for (const headers of [
      { host: 'example.org' },
      { host: 'review.example.org.evil.example' },
      { host: 'review.example.org', origin: 'http://review.example.org' },
      { host: 'review.example.org', origin: 'https://evil.example' },
      { host: 'review.example.org', origin: 'null' },
      { host: 'review.example.org', 'sec-fetch-site': 'same-site' },
    ])
      expect([headers, (await rawRequest(url, 'GET', '/api/review/me', { ...BEARER, ...headers })).status]).toEqual([
        headers,
        403,
      ]);
  });

  it('the name is refused by a server that was not told of it', async () => {
    const { url } = await servingReview(ONE);
    const { status, body } = await rawRequest(url, 'GET', '/api/review/me', { ...BEARER, host: 'review.example.org' });
    expect(status).toBe(403);
    expect(body).toContain('behind a proxy it needs --base-url');
  });
});

describe('a port that is taken', () => {
  it('by another review server is told as that', async () => {
    const { url } = await servingReview(ONE);
    const store = openStore(temporaryFolder());
    const started = serveReviews({ store, log: () => {}, host: '127.0.0.1', port: Number(new URL(url).port) });
    await expect(started).rejects.toBeInstanceOf(UsageError);
    await expect(started).rejects.toThrow(/is taken: another assay review serve runs there$/);
    store.close();
  });
});
