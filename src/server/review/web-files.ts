import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import type { Context } from 'hono';

import { errorCode } from '../../data/source.ts';
import type { SignedApp } from './signed.ts';

/** Beside the compiled program and beside the sources alike: three folders up is the package. */
const BUILT = fileURLToPath(new URL('../../../dist/web/review/', import.meta.url));

/** Kept by browsers, but asked about each time: whoever updates Assay updates the app. */
const ASK = 'no-cache';
/** A font of another release does no harm, and a text that changes its letters while it is read does. */
const KEEP = 'max-age=604800';

/** All that there is: no path of a request is ever looked up on the disk. */
const FILES = [
  { path: '/', file: 'index.html', type: 'text/html; charset=utf-8', cache: ASK },
  { path: '/index.html', file: 'index.html', type: 'text/html; charset=utf-8', cache: ASK },
  { path: '/review.js', file: 'review.js', type: 'text/javascript; charset=utf-8', cache: ASK },
  { path: '/review.css', file: 'review.css', type: 'text/css; charset=utf-8', cache: ASK },
  ...['noto-sans-devanagari-400.woff2', 'noto-sans-devanagari-700.woff2'].map((file) => ({
    path: `/${file}`,
    file,
    type: 'font/woff2',
    cache: KEEP,
  })),
] as const;

const FAVICON = '/favicon.ico';
/** What everybody may have: the app as it was built, without anything of a review. */
export const WEB_PATHS: readonly string[] = [...FILES.map(({ path }) => path), FAVICON];

export const APP_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

interface WebFile {
  readonly content: Uint8Array<ArrayBuffer>;
  readonly tag: string;
}

/** The built app. Files are read once, where they are asked for first. */
export function serveWebFiles(app: SignedApp, folder: string = BUILT): void {
  const read = new Map<string, WebFile>();
  const find = (file: string): WebFile | null => {
    const found = read.get(file) ?? readWebFile(`${folder}/${file}`);
    if (found !== null) read.set(file, found);
    return found;
  };
  for (const { path, file, type, cache } of FILES) {
    app.get(path, (context) => {
      context.header('content-security-policy', APP_POLICY);
      const found = find(file);
      return found === null ? notBuilt(context, type) : answer(context, found, { type, cache });
    });
  }
  // Asked for by every browser; without an answer it would fill the log.
  app.get(FAVICON, (context) => context.body(null, 204));
}

function readWebFile(file: string): WebFile | null {
  try {
    const content = new Uint8Array(readFileSync(file));
    return { content, tag: `"${hash('sha256', content, 'base64url')}"` };
  } catch (error) {
    if (errorCode(error) === 'ENOENT' || errorCode(error) === 'ENOTDIR') return null;
    throw error;
  }
}

function answer(
  context: Context,
  { content, tag }: WebFile,
  { type, cache }: { readonly type: string; readonly cache: string },
): Response {
  const headers = { 'cache-control': cache, etag: tag };
  const known = (context.req.header('if-none-match') ?? '').split(',').map((one) => one.trim().replace(/^W\//, ''));
  if (known.includes(tag)) return context.body(null, 304, headers);
  return context.body(content, 200, { ...headers, 'content-type': type });
}

function notBuilt(context: Context, type: string): Response {
  const isPage = type.startsWith('text/html');
  return context.body(isPage ? NOT_BUILT_PAGE : '/* not built: npm run build */\n', 503, { 'content-type': type });
}

const NOT_BUILT_PAGE = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>assay review</title>
<h1>The review app has not been built</h1>
<p>The server runs, and everything that was saved is safe. Whoever runs it: <code>npm run build</code> in the folder of
Assay makes the app; then load this page again. The server need not be started anew.</p>
</html>
`;
