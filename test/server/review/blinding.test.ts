import { describe, expect, it, onTestFinished } from 'vitest';

import { langfuseApp } from '../../../src/server/langfuse/langfuse-server.ts';
import { viewToken } from '../../../src/server/runs/runs-part.ts';
import { runsPart } from '../../../src/server/runs/runs-part.ts';
import { reviewApp } from '../../../src/server/review/review-server.ts';
import { openStore, type Store } from '../../../src/store/store.ts';
import { temporaryFolder } from '../../cli/run-assay.ts';
import { basic, KEYS } from '../langfuse/serving.ts';
import { makeReview, tokenFor } from './serving-review.ts';

const ORIGIN = 'http://127.0.0.1:4390';
const NAMES = ['Annabel', 'Borislav', 'Adjaratou', 'Olgierd'];
const SAID = 'an-answer-of-somebody';
/** Names of people and systems, and what anybody answered. */
const SECRETS = [...NAMES, ...NAMES.map((name) => `p-pilot-${name}`), SAID, 'SecretSystem', 'SecretStray'];

type Headers = Readonly<Record<string, string>>;
const bearer = (name: string): Headers => ({ authorization: `Bearer ${tokenFor(name)}` });

function reviewed(): Store {
  const store = openStore(temporaryFolder());
  onTestFinished(() => store.close());
  const [annabel, borislav, adjaratou, olgierd] = NAMES as [string, string, string, string];
  makeReview(store, {
    people: [
      { name: annabel },
      { name: borislav },
      { name: adjaratou, role: 'adjudicator' },
      { name: olgierd, role: 'owner' },
    ],
  });
  for (const [name, plant] of [
    [annabel, 'rose'],
    [borislav, 'fern'],
  ] as const) {
    const event = { itemId: 'case-1', personId: `p-pilot-${name}`, part: null, origin: 'library' as const };
    store.reviews.append([
      { ...event, id: `${name}-1`, field: 'plant', value: plant },
      { ...event, id: `${name}-2`, field: 'comment', value: name === annabel ? 'mine' : SAID },
      { ...event, id: `${name}-3`, field: '#commit', value: true },
    ]);
  }
  return store;
}

async function textOf(app: Pick<ReturnType<typeof langfuseApp>, 'request'>, path: string, headers: Headers = {}) {
  const answer = await app.request(`${ORIGIN}${path}`, { headers });
  return { status: answer.status, text: await answer.text() };
}

function liveOver(store: Store, token: string | null): ReturnType<typeof langfuseApp> {
  return langfuseApp({ store, keys: KEYS, parts: [runsPart({ store, keys: KEYS, runs: store.folder, token })] });
}

function expectNothingOf(text: string, secrets: readonly string[], where: string): void {
  for (const secret of secrets) expect(text, `${secret} at ${where}`).not.toContain(secret);
}

describe('the screens of runs', () => {
  it('do not show how reviewers are doing without a token, also where they are open', async () => {
    const app = liveOver(reviewed(), null);
    for (const path of [
      '/live/reviews/pilot',
      '/%6cive/reviews/pilot',
      '/live/reviews/%70ilot',
      '/live/reviews/none',
    ]) {
      const { status, text } = await textOf(app, path);
      expect([path, status]).toEqual([path, 401]);
      expectNothingOf(text, SECRETS, path);
    }
    expect((await textOf(app, '/live/reviews/pilot', bearer('Annabel'))).status).toBe(401);
  });

  it('show neither names nor answers with the token or the keys, but numbers', async () => {
    const store = reviewed();
    const app = liveOver(store, viewToken(KEYS.secretKey));
    const entered = await app.request(`${ORIGIN}/live/entry`, {
      method: 'POST',
      headers: { authorization: `Bearer ${viewToken(KEYS.secretKey)}` },
    });
    const cookie = (entered.headers.get('set-cookie') ?? '').split(';')[0]!;
    const keyed = await textOf(liveOver(store, null), '/live/reviews/pilot', { authorization: basic() });
    for (const { status, text } of [await textOf(app, '/live/reviews/pilot', { cookie }), keyed]) {
      expect(status).toBe(200);
      expectNothingOf(text, [...SECRETS, 'rose', 'fern'], '/live/reviews/pilot');
      expect(JSON.parse(text)).toMatchObject({
        people: [
          { name: 'Reviewer 1', role: 'reviewer', groups: [], lastAt: null, done: 1, total: 4 },
          { name: 'Reviewer 2', role: 'reviewer', groups: [], lastAt: null, done: 1, total: 4 },
        ],
        divided: [],
        items: { total: 4, done: 1 },
      });
    }
  });

  it('list a review with totals alone', async () => {
    const { text } = await textOf(liveOver(reviewed(), null), '/live');
    expectNothingOf(text, [...SECRETS, 'rose', 'fern'], '/live');
    expect(JSON.parse(text)).toMatchObject({
      reviews: [
        { name: 'pilot', task: 'consult', items: 4, people: 4, assigned: 8, begun: 0, finished: 2, decided: 0 },
      ],
    });
  });
});

describe('the review server', () => {
  const others = (name: string): string[] =>
    SECRETS.filter((secret) => !secret.includes(name) && !(name === 'Borislav' && secret === SAID));

  it.each(NAMES)('answers %s with nothing that another role has', async (name) => {
    const app = reviewApp({ store: reviewed(), log: () => undefined, host: '127.0.0.1' });
    const conflicts = await textOf(app, '/api/review/conflicts', bearer('Adjaratou'));
    const { conflicts: listed } = JSON.parse(conflicts.text) as { conflicts: { id: string }[] };
    expect(listed.length).toBeGreaterThan(0);
    for (const path of [
      '/me',
      '/items/case-1',
      '/items/answer-1',
      '/items/none',
      '/conflicts',
      `/conflicts/${encodeURIComponent(listed[0]!.id)}`,
      '/nothing',
    ]) {
      const { text } = await textOf(app, `/api/review${path}`, bearer(name));
      expectNothingOf(text, others(name), `${path} as ${name}`);
      expect(text).not.toContain('case-of-gold');
    }
    if (name === 'Olgierd') return;
    for (const path of ['/overview', '/export.csv', '/export.jsonl']) {
      const { status, text } = await textOf(app, `/api/review${path}`, bearer(name));
      expect([path, status]).toEqual([path, 403]);
      expectNothingOf(text, others(name), path);
    }
  });

  it('answers nobody else at all', async () => {
    const app = reviewApp({ store: reviewed(), log: () => undefined, host: '127.0.0.1' });
    for (const path of ['/api/review/me', '/api/review/overview', '/api/review/items/case-1', '/live/reviews/pilot']) {
      for (const headers of [{}, { authorization: basic() }, bearer('Somebody')]) {
        const { status, text } = await textOf(app, path, headers);
        expect([path, status]).toEqual([path, 401]);
        expectNothingOf(text, SECRETS, path);
      }
    }
  });
});
