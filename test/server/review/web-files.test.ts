import fs, { mkdirSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';

import { describe, expect, it, vi } from 'vitest';

import { temporaryFolder } from '../../cli/run-assay.ts';
import { rawRequest } from '../langfuse/raw-socket.ts';
import { servingReview } from './serving-review.ts';

const ONE = { people: [{ name: 'Anna' }] };
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

function built(): string {
  const folder = join(temporaryFolder(), 'review');
  mkdirSync(folder);
  writeFileSync(join(folder, 'index.html'), '<!doctype html><title>App</title>');
  writeFileSync(join(folder, 'review.js'), 'start();');
  writeFileSync(join(folder, 'review.css'), 'body {}');
  for (const weight of [400, 700])
    writeFileSync(join(folder, `noto-sans-devanagari-${weight}.woff2`), `letters of ${weight}`);
  writeFileSync(join(folder, 'secret.txt'), 'secret');
  return folder;
}

describe('the app', () => {
  it('is served without a link, under a policy that lets nothing else in', async () => {
    const { url } = await servingReview(ONE, { webFolder: built() });
    for (const [path, type, text] of [
      ['/', 'text/html; charset=utf-8', '<!doctype html><title>App</title>'],
      ['/index.html', 'text/html; charset=utf-8', '<!doctype html><title>App</title>'],
      ['/review.js', 'text/javascript; charset=utf-8', 'start();'],
      ['/review.css', 'text/css; charset=utf-8', 'body {}'],
      ['/noto-sans-devanagari-400.woff2', 'font/woff2', 'letters of 400'],
      ['/noto-sans-devanagari-700.woff2', 'font/woff2', 'letters of 700'],
    ] as const) {
      const answer = await fetch(`${url}${path}`);
      expect([path, answer.status, await answer.text()]).toEqual([path, 200, text]);
      expect(answer.headers.get('content-type')).toBe(type);
      expect(answer.headers.get('content-security-policy')).toBe(POLICY);
      expect(answer.headers.get('referrer-policy')).toBe('no-referrer');
      expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
      // A font is not asked about for a week; the app is each time, so that whoever updates Assay updates it.
      expect(answer.headers.get('cache-control')).toBe(type.startsWith('font/') ? 'max-age=604800' : 'no-cache');
    }
  });

  it('is not sent again to a browser that has it', async () => {
    const { url } = await servingReview(ONE, { webFolder: built() });
    const tag = (await fetch(`${url}/review.js`)).headers.get('etag')!;
    expect(tag).toMatch(/^"[\w-]{43}"$/);
    for (const known of [tag, `W/${tag}`, `"other", ${tag}`]) {
      const again = await rawRequest(url, 'GET', '/review.js', { 'if-none-match': known });
      expect([known, again.status, again.body]).toEqual([known, 304, '']);
    }
    expect((await rawRequest(url, 'GET', '/review.js', { 'if-none-match': '"other"' })).status).toBe(200);
  });

  it('is a fixed set of files, whatever else lies beside them, and no path of a request is looked for on the disk', async () => {
    const { url } = await servingReview(ONE, { webFolder: built() });
    await fetch(url);
    const spies = (
      ['readFileSync', 'openSync', 'createReadStream', 'readFile', 'open', 'stat', 'statSync'] as const
    ).map((name) => vi.spyOn(fs, name));
    // So that those who imported them by name are seen too.
    syncBuiltinESMExports();
    try {
      for (const path of [
        '/secret.txt',
        '/etc/passwd',
        '/review.js/x',
        '/REVIEW.JS',
        '/assets/review.js',
        '/.git/config',
        '/noto-sans-devanagari-900.woff2',
      ])
        expect([path, (await rawRequest(url, 'GET', path)).status]).toEqual([path, 401]);
      expect((await rawRequest(url, 'GET', '/')).status).toBe(200);
      expect(spies.flatMap((spy) => spy.mock.calls)).toEqual([]);
    } finally {
      for (const spy of spies) spy.mockRestore();
      syncBuiltinESMExports();
    }
  });

  it('that has not been built says so, and is there as soon as it is', async () => {
    const folder = join(temporaryFolder(), 'not', 'built');
    const { url } = await servingReview(ONE, { webFolder: folder });
    const answer = await fetch(url);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([503, 'text/html; charset=utf-8']);
    expect(await answer.text()).toContain('<code>npm run build</code>');
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'index.html'), 'built');
    expect(await (await fetch(url)).text()).toBe('built');
  });
});
