import { DatabaseSync } from 'node:sqlite';

import { describe, expect, it } from 'vitest';

import { rawRequest } from '../langfuse/raw-socket.ts';
import { cell, servingReview, tokenFor } from './serving-review.ts';

const ONE = { people: [{ name: 'Anna' }] };
const EVENTS = '/items/answer-1/events';
const BEARER = { authorization: `Bearer ${tokenFor('Anna')}`, 'content-type': 'application/json' };

const thing = (own: object) => ({
  id: 'c1',
  start: 0,
  end: 15,
  text: 'Water it daily.',
  label: 'yes',
  from: ['c1'],
  ...own,
});

describe('answers', () => {
  it('that are not possible are refused with which, and nothing of the request is kept', async () => {
    const { as, log } = await servingReview(ONE);
    for (const [field, part, value] of [
      ['safety', 'harm', 6],
      ['safety', 'harm', 0],
      ['safety', 'harm', 2.5],
      ['safety', 'harm', '4'],
      ['safety', 'harm', true],
      ['safety', 'harm', 1e308],
      ['safety', 'harm', []],
      ['safety', null, 4],
      ['safety', 'other', 4],
      ['safety', '__proto__', 4],
      ['safety', 'constructor', 4],
      ['contents', 'water', 'na'],
      ['contents', 'toString', true],
      ['plant', null, 'rose'],
      ['nothing', null, 1],
      ['__proto__', null, 1],
      ['constructor', null, 1],
      ['#commit', null, true],
      ['comment', 'part', 'x'],
      ['comment', null, 'x'.repeat(100_000)],
      ['claims', null, 'yes'],
      ['claims', null, [thing({ label: 'maybe' })]],
      ['claims', null, [thing({ label: '__proto__' })]],
      ['claims', null, [thing({ start: 10, end: 5 })]],
      ['claims', null, [thing({ end: 33 })]],
      ['claims', null, [thing({}), thing({})]],
      ['claims', null, [thing({ text: 'x'.repeat(100_000) })]],
      ['claims', null, [thing({ from: ['nope'] })]],
      ['claims', null, [thing({}), thing({ id: 'c2' })]],
      ['claims', null, [thing({ note: 'nul \u0000' })]],
      ['claims', null, [thing({ text: 'half \ud800' })]],
      ['comment', null, 'a\u0000b'],
      ['comment', null, 'a\u001b[2Jb'],
      ['comment', null, 'half \ud800'],
    ] as const) {
      const events = [cell('comment', null, 'rides along'), cell(field, part, value)];
      const { status, body } = await as('Anna')('POST', EVENTS, { events });
      expect([field, part, status]).toEqual([field, part, 422]);
      expect(body.error.message).toMatch(/^The answer to .* cannot be kept \(event 2\): /);
      expect(body.error.message.length).toBeLessThan(400);
    }
    expect((await as('Anna')('GET', '/items/answer-1')).body).toMatchObject({ cells: [], version: 0 });
    expect(new Set(log)).toEqual(new Set(['POST /api/review/items/answer…/events 422 an answer that is not possible']));
  });

  it('with script, markup, marks of direction or formulas come back as the data they are', async () => {
    const { as } = await servingReview(ONE);
    for (const value of [
      '<script>alert(1)</script><img src=x onerror=alert(1)>',
      '</script><svg onload=alert(1)>',
      "=HYPERLINK('http://evil.example')",
      'a\u202eb\n\tc',
      '__proto__',
      '',
    ]) {
      expect((await as('Anna')('POST', EVENTS, { events: [cell('comment', null, value)] })).status).toBe(200);
      const { body, headers } = await as('Anna')('GET', '/items/answer-1');
      expect(body.cells[0]!.value).toBe(value);
      expect(headers.get('content-type')).toMatch(/^application\/json/);
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('content-security-policy')).toContain("default-src 'none'");
    }
  });

  it('cannot reach a prototype, nor bring fields of their own', async () => {
    const { as } = await servingReview(ONE);
    for (const sent of [
      '{"events":[{"id":"a","field":"comment","part":null,"value":"x","__proto__":{"polluted":1}}]}',
      '{"__proto__":{"polluted":1},"events":[{"id":"a","field":"comment","part":null,"value":"x"}]}',
      '{"events":[{"id":"a","field":"comment","part":null,"value":{"__proto__":{"polluted":1}}}]}',
      '{"events":[{"id":"a","field":"comment","part":null,"value":"x","personId":"p-pilot-Bora"}]}',
      '{"events":[{"id":"a","field":"claims","part":null,"value":[{"id":"c","start":0,"end":1,"text":"W","label":null,"from":[],"constructor":1}]}]}',
    ])
      expect([sent, (await as('Anna')('POST', EVENTS, sent)).status]).toEqual([sent, 400]);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
    expect((await as('Anna')('GET', '/items/answer-1')).body.version).toBe(0);
  });
});

describe('requests', () => {
  it('that are not what they should be are refused', async () => {
    const { as } = await servingReview(ONE);
    const many = (count: number) => ({
      events: Array.from({ length: count }, (_, at) => cell('comment', null, String(at))),
    });
    for (const [what, body] of [
      ['cut short', '{"events":['],
      ['empty', ''],
      ['null', 'null'],
      ['a list', '[]'],
      ['of no events', { events: [] }],
      ['of too many events', many(201)],
      ['without ids', { events: [{ field: 'comment', part: null, value: 'x' }] }],
      ['with an empty id', { events: [cell('comment', null, 'x', '')] }],
      ['with an id beyond measure', { events: [cell('comment', null, 'x', 'i'.repeat(101))] }],
      ['with an id that a terminal acts on', { events: [cell('comment', null, 'x', 'a\u001b[2J')] }],
      ['with a number that is none', '{"events":[{"id":"a","field":"safety","part":"harm","value":1e999}]}'],
      ['nested too deep', `{"events":${'['.repeat(100_000)}${']'.repeat(100_000)}}`],
    ] as const)
      expect([what, (await as('Anna')('POST', EVENTS, body)).status]).toEqual([what, 400]);
    expect((await as('Anna')('POST', EVENTS, many(200))).body.version).toBe(200);
    expect((await as('Anna')('POST', '/items/answer-1/commit', { id: 7 })).status).toBe(400);
    expect((await as('Anna')('POST', '/items/answer-1/commit', {})).status).toBe(400);
  });

  it('of more than a megabyte are refused, and logged', async () => {
    const { url, log } = await servingReview(ONE);
    const headers = { ...BEARER, 'content-length': '1048577' };
    expect((await rawRequest(url, 'POST', `/api/review${EVENTS}`, headers)).status).toBe(413);
    expect(log).toEqual([
      'POST /api/review/items/answer…/events 413 The body is larger than 1048576 bytes; send it in parts.',
    ]);
  });

  it('that a link in a mail leads to are let in, as pages without data', async () => {
    const { url } = await servingReview(ONE);
    expect((await rawRequest(url, 'GET', '/favicon.ico', { 'sec-fetch-site': 'cross-site' })).status).toBe(204);
    expect((await rawRequest(url, 'GET', '/api/review/me', { ...BEARER, 'sec-fetch-site': 'cross-site' })).status).toBe(
      403,
    );
  });

  it('with a path that climbs are refused in the words of this server', async () => {
    const { url, log } = await servingReview(ONE);
    for (const path of ['/../etc/passwd', '/%2e%2e/etc/passwd', '/api/review/items/..%2f..%2fx', '/\\x']) {
      const { status, body } = await rawRequest(url, 'GET', path, BEARER);
      expect([path, status]).toEqual([path, 400]);
      expect(body).toContain('{"error":{"message":"The path is not one that can be asked for.","next":null}}');
    }
    expect(log).toHaveLength(4);
  });

  it('are logged without the rest of an id, or of a token in a wrong place', async () => {
    const { url, log } = await servingReview(ONE);
    const token = 'Zm9vYmFyZm9vYmFyZm9vYmFyZm9vYmFyZm9vYmFyZm9';
    const paths = ['/api/review/items/iAbCdEfGhIjK', `/${token}`, `/api/${token}`, `/api/review/${token}?x=${token}`];
    for (const path of paths) await rawRequest(url, 'GET', path, BEARER);
    expect(log).toEqual([
      'GET /api/review/items/iAbCdE… 404 no such item for this person',
      'GET /Zm9vYm… 404 There is nothing here.',
      'GET /api/Zm9vYm… 404 There is nothing here.',
      'GET /api/review/Zm9vYm… 404 There is nothing here.',
    ]);
  });

  it('to what is not there are answered alike', async () => {
    const { as } = await servingReview(ONE);
    for (const [method, path] of [
      ['GET', '/nothing'],
      ['PUT', EVENTS],
      ['DELETE', '/items/answer-1'],
      ['POST', '/me'],
    ] as const) {
      const { status, body } = await as('Anna')(method, path);
      expect([method, path, status, body]).toEqual([
        method,
        path,
        404,
        { error: { message: 'There is nothing here.', next: null } },
      ]);
    }
  });
});

describe('a store that cannot be used', () => {
  it('is told where the server runs, and to the app as something to try again', async () => {
    const { as, store, log } = await servingReview(ONE);
    const other = new DatabaseSync(store.file);
    other.exec("UPDATE review_people SET groups = '{broken'");
    other.close();
    const { status, headers, body } = await as('Anna')('GET', '/me');
    expect([status, headers.get('retry-after')]).toEqual([503, '1']);
    expect(body.error).toEqual({
      message: 'Nothing can be read or saved at the moment; try again.',
      next: 'Leave the page open: it tries again.',
    });
    expect(log[0]).toContain('the store is damaged');
    expect(log[1]).toBe('GET /api/review/me 503 the store cannot be used');
  });

  it('in a way that nobody thought of is a bug of ours, of which the app is told no more', async () => {
    const { as, store, log } = await servingReview(ONE);
    store.close();
    const { status, text } = await as('Anna')('GET', '/me');
    expect(status).toBe(500);
    expect(text).not.toMatch(/database|sqlite/i);
    expect(log).toHaveLength(2);
    expect(log[0]).toMatch(/^a bug in Assay: /);
  });
});
