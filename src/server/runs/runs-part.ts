import { createHmac, hash } from 'node:crypto';

import type { Context } from 'hono';

import { UsageError } from '../../data/problems.ts';
import { keptTexts } from '../../report/html/hide-texts.ts';
import type { Store } from '../../store/store.ts';
import { isSameSecret, pagePolicy, refuseOtherSites } from '../guard.ts';
import { KeptAnswers } from '../kept-answers.ts';
import type { Keys } from '../langfuse/keys.ts';
import { keyGate } from '../langfuse/langfuse-server.ts';
import { existing, Refusal } from '../refusal.ts';
import { overviewApart } from '../review/owner-routes.ts';
import { type RouteGate, JSON_TYPE, publicGate, type Route, route, type ServerPart } from '../server-app.ts';
import { staticRoutes } from '../static-files.ts';
import { ItemCalls } from './item-calls.ts';
import { LiveState, type OpenableRun } from './live-state.ts';
import { markRoutes } from './mark-routes.ts';
import { ALL_RUNS, plainPage, wantsPage } from './plain-page.ts';
import { ReportPages } from './report-pages.ts';
import type { Live } from './live-data.ts';
import { runAddress } from './run-address.ts';

export interface RunsPartOptions {
  readonly store: Store;
  /** Of the API, which open what the screens keep from those who may be reviewers. */
  readonly keys: Keys;
  readonly runs: string;
  /** What the link to the screens carries; null if only this machine can reach the server. */
  readonly token: string | null;
}

type Screen = (path: string, answer: Route['answer']) => Route;

const MOST_COMPARED = 6;
const OWN_SOURCES = ['script-src', 'style-src', 'connect-src'].map((kind) => `${kind} 'self'`);
const HOME = {
  app: 'home',
  files: { '/': 'index.html', '/home.js': 'home.js', '/home.css': 'home.css' },
  policy: pagePolicy(...OWN_SOURCES, "img-src 'self' data:"),
} as const;

/** The token that opens the screens: the same as long as the secret is. */
export function viewToken(secret: string): string {
  return createHmac('sha256', secret).update('assay-view').digest('base64url');
}

/** Screens over a folder of runs and a store. */
export function runsPart({ store, keys, runs, token }: RunsPartOptions): ServerPart {
  const state = new LiveState(runs, store);
  const pages = new ReportPages((sentence) => state.withoutRoot(sentence));
  const calls = new ItemCalls(store);
  const gate = viewerGate(token);
  /** Shows why a folder cannot be read, which the API keeps to its log. */
  const screen: Screen = (path, answer) =>
    route('GET', path, gate, async (context) => {
      try {
        return await answer(context);
      } catch (error) {
        if (!(error instanceof UsageError)) throw error;
        throw new Refusal(503, [error.message, ...(error.next === null ? [] : [error.next])].join(': '));
      }
    });
  const runAt = async (path: string): Promise<OpenableRun> => {
    const run = await state.run(path);
    if (run === null) throw new Refusal(404, 'There is no such run here, or it cannot be read.');
    return run;
  };
  const routes: Route[] = [
    ...staticRoutes(HOME),
    entryRoute(token),
    screen('/live', async (context) => {
      const { json, tag } = await state.answer();
      if (context.req.header('if-none-match') === tag) return context.body(null, 304, { etag: tag });
      return context.body(json, 200, { ...JSON_TYPE, etag: tag });
    }),
    screen('/live/history', async (context) =>
      context.json(await state.history(await runAt(context.req.query('run') ?? ''))),
    ),
    screen('/live/calls', async (context) => {
      const paths = (context.req.queries('run') ?? []).slice(0, MOST_COMPARED);
      const folders = (await Promise.all(paths.map(runAt))).map(({ folder }) => folder);
      const [texts, item] = [await keptTexts(folders), context.req.query('case') ?? ''];
      return context.json(await Promise.all(folders.map((folder) => calls.of(folder, item, texts))));
    }),
    // Without a token any visitor may be a reviewer, and the progress of the others is not for them.
    overviewRoute(store, token === null ? keyGate(keys) : gate),
    screen('/run/*', async (context) => {
      const { path, rest } = runPath(context);
      // A typed address: what is relative to the page needs the slash at its end.
      if (rest !== '' && rest !== 'version') return context.redirect(`${new URL(context.req.url).pathname}/`);
      const found = await runAt(path);
      return rest === 'version' ? context.json({ version: found.run.version }) : await pages.ofRun(context, found);
    }),
    ...comparisonRoutes(screen, runAt, pages),
    ...markRoutes(store, gate, runAt),
    screen('/project/*', async (context) =>
      context.redirect(projectTarget(new URL(context.req.url).pathname, await state.live(), store)),
    ),
  ];
  return { routes, refused: refusedPage };
}

/** Browsers keep cookies by machine and not by port: two servers must not overwrite each other's. */
function cookieName(token: string): string {
  return `assay_view_${hash('sha256', token, 'base64url').slice(0, 8)}`;
}

/** Lets in browsers that have brought the token once. A link of another site may lead here; nothing else of it may. */
function viewerGate(token: string | null): RouteGate {
  return (context) => {
    if (context.req.header('sec-fetch-mode') !== 'navigate') refuseOtherSites(context);
    if (token === null) return;
    const cookies = (context.req.header('cookie') ?? '').split(';').map((cookie) => cookie.trim().split('='));
    const name = cookieName(token);
    if (cookies.some(([key, ...value]) => key === name && isSameSecret(value.join('='), token))) return;
    const { pathname, search } = new URL(context.req.url);
    // Without a challenge: a browser would ask for a name and a password. A person goes to the page that takes the token.
    throw new Refusal(401, 'This needs the whole link that assay serve printed, with everything after the #.', {
      location: `/?to=${encodeURIComponent(`${pathname}${search}`)}`,
    });
  };
}

/** Takes the token of the link, and gives the browser a cookie for it. */
function entryRoute(token: string | null): Route {
  return route('POST', '/live/entry', publicGate, (context) => {
    if (token === null) return context.body(null, 204);
    const sent = /^Bearer ([\w-]{1,200})$/.exec(context.req.header('authorization') ?? '')?.[1] ?? '';
    if (!isSameSecret(sent, token)) throw new Refusal(403, 'This link is not, or no longer, a link to these runs.');
    const cookie = `${cookieName(token)}=${token}; Path=/; HttpOnly; SameSite=Strict`;
    return context.body(null, 204, { 'set-cookie': cookie });
  });
}

function overviewRoute(store: Store, gate: RouteGate): Route {
  const overviews = new KeptAnswers<string>();
  return route('GET', '/live/reviews/:name', gate, async (context) => {
    const { id, name } = existing(store.reviews.find(context.req.param('name') ?? ''), 'A review of this name');
    return context.body(await overviews.get(id, () => overviewApart(store.folder, name, true)), 200, JSON_TYPE);
  });
}

function comparisonRoutes(screen: Screen, runAt: (path: string) => Promise<OpenableRun>, pages: ReportPages): Route[] {
  const compared = async (context: Context): Promise<OpenableRun[]> => {
    const paths = context.req.queries('run') ?? [];
    if (paths.length < 2 || paths.length > MOST_COMPARED || new Set(paths).size < paths.length)
      throw new Refusal(400, `A comparison is of 2 to ${MOST_COMPARED} different runs.`);
    return Promise.all(paths.map(runAt));
  };
  return [
    screen('/compare/version', async (context) =>
      context.json({ version: ReportPages.versionOf(await compared(context)) }),
    ),
    screen('/compare/', async (context) =>
      pages.ofComparison(context, await compared(context), context.req.query('force') === '1'),
    ),
    screen('/compare', (context) => context.redirect(`/compare/${new URL(context.req.url).search}`)),
  ];
}

/** `/run/a/b/` is the page of the run a/b, `/run/a/b/version` its version; `/run/` is the page of the folder itself. */
function runPath(context: Context): { readonly path: string; readonly rest: string } {
  const parts = new URL(context.req.url).pathname.split('/').slice(2);
  const rest = parts.pop() ?? '';
  try {
    return { path: parts.length === 0 ? '.' : parts.map(decodeURIComponent).join('/'), rest };
  } catch {
    throw new Refusal(400, 'The path cannot be read.');
  }
}

/** A page for a person, in place of JSON. */
function refusedPage(context: Context, { status, message, details }: Refusal): Response | null {
  if (!wantsPage(context)) return null;
  if (details.location !== undefined) return context.redirect(details.location);
  return plainPage(context, status, { title: 'This cannot be shown', sentences: [message], links: [ALL_RUNS] });
}

const DATASET_RUN = /^\/project\/[^/]+\/datasets\/[^/]+\/runs\/([^/]+)\/?$/;
const TRACE = /^\/project\/[^/]+\/traces\/([^/]+)\/?$/;

/** Something of an experiment that a link leads to. */
interface Meant {
  readonly experiment: string;
  readonly item: string | null;
}

/**
 * The target here of a link into Langfuse's own screens: to the scored run of its experiment, at the item of a trace,
 * or to the experiments.
 */
function projectTarget(pathname: string, live: Live, store: Store): string {
  const meant = meantBy(pathname, store);
  if (meant === null) return '/#part=experiments';
  const [run, ...others] = live.experiments.find(({ name }) => name === meant.experiment)?.runs ?? [];
  if (run === undefined || others.length > 0)
    return `/#${new URLSearchParams({ part: 'experiments', search: meant.experiment }).toString()}`;
  const at = meant.item === null ? '' : `#${new URLSearchParams({ view: 'cases', case: meant.item }).toString()}`;
  return `${runAddress(run)}${at}`;
}

function meantBy(pathname: string, store: Store): Meant | null {
  const run = decoded(DATASET_RUN.exec(pathname)?.[1]);
  if (run !== null) {
    const name = store.runs.byId(run)?.name;
    return name === undefined ? null : { experiment: name, item: null };
  }
  const trace = decoded(TRACE.exec(pathname)?.[1]);
  if (trace === null) return null;
  for (const { experiment } of store.traces.observationsOf(trace))
    if (experiment !== null) return { experiment: experiment.experimentName, item: experiment.itemId };
  return null;
}

function decoded(part: string | undefined): string | null {
  try {
    return part === undefined ? null : decodeURIComponent(part);
  } catch {
    return null;
  }
}
