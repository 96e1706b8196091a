import type { Context, Hono } from 'hono';

import { Refusal } from '../refusal.ts';
import { type Gate, publicGate, type RouteGates } from '../route-gates.ts';
import { KeptAnswers } from '../kept-answers.ts';
import { overviewApart } from '../review/overview-apart.ts';
import type { Store } from '../../store/store.ts';
import { Entry } from './entry.ts';
import { HOME_PATHS, serveHome } from './home-files.ts';
import { LiveState, type OpenableRun } from './live-state.ts';
import { type Answer, entryGate, type Guard, guardOf } from './guard.ts';
import { projectTarget } from './project-links.ts';
import { ReportPages } from './report-pages.ts';

export interface LiveOptions {
  readonly store: Store;
  /** The folder of runs. */
  readonly runs: string;
  /** What whoever looks has to bring; null where only this machine can reach the server. */
  readonly token: string | null;
  /** Gets a line for a request that was refused; nothing in it is secret. */
  readonly log?: (line: string) => void;
}

const MOST_COMPARED = 6;
const JSON_TYPE = { 'content-type': 'application/json; charset=utf-8' } as const;

const ENTRY_PATH = '/live/entry';
const REVIEW_PATH = '/live/reviews/:name';
/** A route that is missing here needs the keys of the server. */
const VIEWER_PATHS = ['/live', '/run/*', '/compare/version', '/compare/', '/compare', '/project/*'];

/** Screens over a folder of runs and a store, as routes of a server that asks the gates it gets back. */
export function serveLive(app: Hono, { store, runs, token, log = () => undefined }: LiveOptions): RouteGates {
  const state = new LiveState(runs, store);
  const pages = new ReportPages((sentence) => state.withoutRoot(sentence));
  const entry = new Entry(token);
  const guarded = guardOf(log);
  serveHome(app);
  app.post(ENTRY_PATH, (context) => {
    const cookie = entry.cookieFor(context.req.header('authorization'));
    if (cookie !== null) return context.body(null, 204, { 'set-cookie': cookie });
    if (token === null) return context.body(null, 204);
    throw new Refusal(403, 'This link is not, or no longer, a link to these runs.');
  });
  serveLists(app, guarded, state, store);
  app.get(
    '/run/*',
    guarded(async (context) => {
      const { path, rest } = runPath(context);
      // Somebody typed it: what is relative to the page needs the slash at its end.
      if (rest !== '' && rest !== 'version') return context.redirect(`${new URL(context.req.url).pathname}/`);
      const found = await runAt(state, path);
      return rest === 'version' ? context.json({ version: found.run.version }) : await pages.ofRun(context, found);
    }),
  );
  serveComparisons(app, guarded, state, pages);
  const project: Answer = async (context) =>
    context.redirect(projectTarget(new URL(context.req.url).pathname, await state.live(), store));
  app.get('/project/*', guarded(project));
  const gate = entryGate(entry, log);
  return new Map<string, Gate>([
    ...[...HOME_PATHS, ENTRY_PATH].map((path) => [path, publicGate] as const),
    // Whoever is let in without a token may be a reviewer, and how the others are doing is not for them.
    ...[...VIEWER_PATHS, ...(token === null ? [] : [REVIEW_PATH])].map((path) => [path, gate] as const),
  ]);
}

function serveLists(app: Hono, guarded: Guard, state: LiveState, store: Store): void {
  const overviews = new KeptAnswers<string>();
  app.get(
    '/live',
    guarded(async (context) => {
      const { json, tag } = await state.answer();
      if (context.req.header('if-none-match') === tag) return context.body(null, 304, { etag: tag });
      return context.body(json, 200, { ...JSON_TYPE, etag: tag });
    }),
  );
  app.get(
    REVIEW_PATH,
    guarded(async (context) => {
      const name = context.req.param('name') ?? '';
      const review = store.reviews.find(name);
      if (review === null) throw new Refusal(404, 'There is no review of this name.');
      const overview = await overviews.get(review.id, async () => await overviewApart(store.folder, name, true));
      return context.body(overview, 200, JSON_TYPE);
    }),
  );
}

function serveComparisons(app: Hono, guarded: Guard, state: LiveState, pages: ReportPages): void {
  const compared = async (context: Context): Promise<OpenableRun[]> => {
    const paths = context.req.queries('run') ?? [];
    if (paths.length < 2 || paths.length > MOST_COMPARED || new Set(paths).size < paths.length)
      throw new Refusal(400, `A comparison is of 2 to ${MOST_COMPARED} different runs.`);
    return Promise.all(paths.map((path) => runAt(state, path)));
  };
  app.get(
    '/compare/version',
    guarded(async (context) => context.json({ version: ReportPages.versionOf(await compared(context)) })),
  );
  app.get(
    '/compare/',
    guarded(async (context) =>
      pages.ofComparison(context, await compared(context), context.req.query('force') === '1'),
    ),
  );
  app.get(
    '/compare',
    guarded((context) => context.redirect(`/compare/${new URL(context.req.url).search}`)),
  );
}

/** `/run/a/b/` is the page of the run a/b, `/run/a/b/version` whether it has changed; `/run/` that of the folder itself. */
function runPath(context: Context): { readonly path: string; readonly rest: string } {
  const parts = new URL(context.req.url).pathname.split('/').slice(2);
  const rest = parts.pop() ?? '';
  try {
    return { path: parts.length === 0 ? '.' : parts.map(decodeURIComponent).join('/'), rest };
  } catch {
    throw new Refusal(400, 'The path cannot be read.');
  }
}

async function runAt(state: LiveState, path: string): Promise<OpenableRun> {
  const found = await state.run(path);
  if (found === null) throw new Refusal(404, 'There is no such run here, or it cannot be read.');
  return found;
}
