import { createHmac, timingSafeEqual } from 'node:crypto';

import type { Context, Hono } from 'hono';

import { UsageError } from '../../data/problems.ts';
import { Refusal } from '../../langfuse/server/refusal.ts';
import type { Store } from '../../store/store.ts';
import { liveOverview } from './live-review.ts';
import { LiveState, type OpenableRun } from './live-state.ts';
import { ReportPages } from './report-pages.ts';
import { serveHome } from './home-files.ts';

export interface LiveOptions {
  readonly store: Store;
  /** The folder of runs. */
  readonly runs: string;
  /** What whoever looks has to bring; null where only this machine can reach the server. */
  readonly token: string | null;
}

const COOKIE = 'assay_view';
const MOST_COMPARED = 6;
/** The page brings its own policy, which a header can only narrow further. */
const PAGE_POLICY = "frame-ancestors 'none'";

/** The token that opens the screens: the same as long as the secret is. */
export function viewToken(secret: string): string {
  return createHmac('sha256', secret).update('assay-view').digest('base64url');
}

/** Screens over a folder of runs and a store, as routes of a server that guards against other origins. */
export function serveLive(app: Hono, { store, runs, token }: LiveOptions): void {
  const state = new LiveState(runs, store);
  const pages = new ReportPages();
  const guarded = (answer: (context: Context) => Promise<Response> | Response) => {
    return async (context: Context): Promise<Response> => {
      if (token !== null && !mayLook(context, token))
        throw new Refusal(401, 'This needs the whole link that assay serve printed, with everything after the #.');
      return await answer(context);
    };
  };
  serveHome(app);
  app.post('/live/entry', (context) => {
    const given = /^Bearer ([\w-]{1,200})$/.exec(context.req.header('authorization') ?? '')?.[1] ?? '';
    if (token !== null && !same(given, token))
      throw new Refusal(401, 'This link is not, or no longer, a link to these runs.');
    const cookie = `${COOKIE}=${token ?? 'open'}; Path=/; HttpOnly; SameSite=Strict`;
    return context.body(null, 204, { 'set-cookie': cookie });
  });
  app.get(
    '/live',
    guarded(async (context) => context.json(await state.live())),
  );
  app.get(
    '/live/reviews/:name',
    guarded((context) => {
      const overview = liveOverview(store, context.req.param('name') ?? '');
      if (overview === null) throw new Refusal(404, 'There is no review of this name.');
      return context.json(overview);
    }),
  );
  app.get(
    '/run/*',
    guarded(async (context) => {
      const { path, rest } = runPath(context);
      const found = await runAt(state, path);
      return rest === 'version' ? context.json({ version: found.run.version }) : html(await pages.ofRun(found));
    }),
  );
  const compared = async (context: Context): Promise<OpenableRun[]> => {
    const paths = context.req.queries('run') ?? [];
    if (paths.length < 2 || paths.length > MOST_COMPARED || new Set(paths).size < paths.length)
      throw new Refusal(400, `A comparison is of 2 to ${MOST_COMPARED} different runs.`);
    return Promise.all(paths.map((path) => runAt(state, path)));
  };
  app.get(
    '/compare/version',
    guarded(async (context) => {
      const found = await compared(context);
      return context.json({ version: found.map(({ run }) => run.version).join('.') });
    }),
  );
  app.get(
    '/compare/',
    guarded(async (context) => {
      const found = await compared(context);
      try {
        return html(await pages.ofComparison(found, context.req.query('force') === '1'));
      } catch (error) {
        // Runs that were not scored alike: what is the matter is for whoever asked.
        if (error instanceof UsageError) throw new Refusal(409, state.withoutRoot(error.message));
        throw error;
      }
    }),
  );
}

/** `/run/a/b/` is the page of the run a/b, `/run/a/b/version` whether it has changed. */
function runPath(context: Context): { readonly path: string; readonly rest: string } {
  const parts = new URL(context.req.url).pathname.split('/').slice(2);
  const rest = parts.pop() ?? '';
  try {
    return { path: parts.map(decodeURIComponent).join('/'), rest };
  } catch {
    throw new Refusal(400, 'The path cannot be read.');
  }
}

async function runAt(state: LiveState, path: string): Promise<OpenableRun> {
  const found = await state.run(path);
  if (found === null) throw new Refusal(404, 'There is no such run here, or it cannot be read.');
  return found;
}

function html(pieces: readonly Uint8Array[]): Response {
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const piece of pieces) controller.enqueue(piece);
      controller.close();
    },
  });
  return new Response(body, {
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': PAGE_POLICY,
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
    },
  });
}

function mayLook(context: Context, token: string): boolean {
  const cookies = (context.req.header('cookie') ?? '').split(';').map((one) => one.trim());
  return cookies.some((one) => one.startsWith(`${COOKIE}=`) && same(one.slice(COOKIE.length + 1), token));
}

/** In a time that says nothing of how near it came. */
function same(given: string, wanted: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(wanted)];
  return a.length === b.length && timingSafeEqual(a, b);
}
