import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';

import { errorCode } from '../data/source.ts';
import { publicGate, type Route, route } from './server-app.ts';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.woff2': 'font/woff2',
};
/** Kept by browsers, but checked each time: an update of Assay updates its pages. */
const CHECKED = 'no-cache';
/** A font of another release does no harm, and a text that changes its letters while it is read does. */
const KEPT = 'max-age=604800';

export interface StaticFiles {
  readonly app: 'home' | 'review';
  readonly folder?: string | undefined;
  /** The paths that there are, each with its file: no path of a request is ever looked up on the disk. */
  readonly files: Readonly<Record<string, string>>;
  readonly policy: string;
}

/** Built pages without any data, for everybody. Files are read once, when they are first asked for. */
export function staticRoutes({ app, folder, files, policy }: StaticFiles): Route[] {
  // Next to the compiled program and next to the sources alike: two folders up is the package.
  const from = folder ?? fileURLToPath(new URL(`../../dist/web/${app}`, import.meta.url));
  const known = new Map<string, { readonly content: Uint8Array<ArrayBuffer>; readonly tag: string }>();
  const routes = Object.entries(files).map(([path, file]) =>
    route('GET', path, publicGate, (context) => {
      const type = TYPES[extname(file)] ?? 'application/octet-stream';
      context.header('content-security-policy', policy);
      const content = known.has(file) ? null : readBuilt(`${from}/${file}`);
      if (content !== null) known.set(file, { content, tag: `"${hash('sha256', content, 'base64url')}"` });
      const found = known.get(file);
      if (found === undefined)
        return context.body(type.startsWith('text/html') ? NOT_BUILT : '/* not built: npm run build */\n', 503, {
          'content-type': type,
        });
      const headers = { 'cache-control': type.startsWith('font/') ? KEPT : CHECKED, etag: found.tag };
      const tags = (context.req.header('if-none-match') ?? '').split(',').map((tag) => tag.trim().replace(/^W\//, ''));
      if (tags.includes(found.tag)) return context.body(null, 304, headers);
      return context.body(found.content, 200, { ...headers, 'content-type': type });
    }),
  );
  // Asked for by every browser; without an answer it would fill the log.
  return [...routes, route('GET', '/favicon.ico', publicGate, (context) => context.body(null, 204))];
}

function readBuilt(file: string): Uint8Array<ArrayBuffer> | null {
  try {
    return new Uint8Array(readFileSync(file));
  } catch (error) {
    if (errorCode(error) === 'ENOENT' || errorCode(error) === 'ENOTDIR') return null;
    throw error;
  }
}

const NOT_BUILT = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>assay</title>
<h1>These pages have not been built</h1>
<p>The server runs, and all data is safe. If you run it: <code>npm run build</code> in the folder of Assay builds the
pages; then load this one again. The server does not need a restart.</p>
</html>
`;
