import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import type { Context, Hono } from 'hono';

import { errorCode } from '../../data/source.ts';

/** Beside the compiled program and beside the sources alike: three folders up is the package. */
const BUILT = fileURLToPath(new URL('../../../dist/web/home/', import.meta.url));

/** All that there is: no path of a request is ever looked up on the disk. */
const FILES = [
  { path: '/', file: 'index.html', type: 'text/html; charset=utf-8' },
  { path: '/home.js', file: 'home.js', type: 'text/javascript; charset=utf-8' },
  { path: '/home.css', file: 'home.css', type: 'text/css; charset=utf-8' },
] as const;

const FAVICON = '/favicon.ico';
/** What everybody may have: the page as it was built, without anything of a run. */
export const HOME_PATHS: readonly string[] = [...FILES.map(({ path }) => path), FAVICON];

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** The page that lists runs, experiments and reviews. */
export function serveHome(app: Hono, folder: string = BUILT): void {
  for (const { path, file, type } of FILES)
    app.get(path, (context: Context) => {
      const content = read(`${folder}/${file}`);
      return context.body(content ?? NOT_BUILT, content === null ? 503 : 200, {
        'content-type': content === null ? 'text/html; charset=utf-8' : type,
        'content-security-policy': POLICY,
        'cache-control': 'no-cache',
      });
    });
  app.get(FAVICON, (context) => context.body(null, 204));
}

function read(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (errorCode(error) === 'ENOENT' || errorCode(error) === 'ENOTDIR') return null;
    throw error;
  }
}

const NOT_BUILT = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>assay serve</title>
<h1>The screens have not been built</h1>
<p>The server runs, and the Langfuse-compatible part of it works. Whoever runs it: <code>npm run build</code> in the folder
of Assay makes the screens; then load this page again.</p>
</html>
`;
