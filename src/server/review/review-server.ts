import type { Hono } from 'hono';

import { UsageError } from '../../data/problems.ts';
import { visible } from '../../data/visible.ts';
import type { Store } from '../../store/store.ts';
import { pagePolicy } from '../guard.ts';
import { type ClientPatience, listen, type RunningServer } from '../listen.ts';
import { Refusal } from '../refusal.ts';
import { serverApp } from '../server-app.ts';
import { staticRoutes } from '../static-files.ts';
import { adjudicatorRoutes } from './adjudicator-routes.ts';
import { type CheckpointPace, groupedWrites, withCheckpoints, type Write } from './grouped-writes.ts';
import { ownerRoutes } from './owner-routes.ts';
import { reviewerRoutes } from './reviewer-routes.ts';
import { type ReviewServing, signIn } from './sign-in.ts';

export interface ReviewAppOptions {
  readonly store: Store;
  /** Gets a line for every request that was refused or failed; nothing in it is secret. */
  readonly log: (line: string) => void;
  /** The address it listens on, which requests may name besides this machine itself. */
  readonly host: string;
  /** The address of a proxy in front of it, such as https://review.example.org. Requests may then name that too. */
  readonly baseUrl?: string | undefined;
  readonly bodyLimitBytes?: number | undefined;
  readonly now?: (() => Date) | undefined;
  /** How work gets into the store; by default what arrives together is written in one transaction. */
  readonly write?: Write | undefined;
  /** The folder of the built app, if not where the build puts it. */
  readonly webFolder?: string | undefined;
}

export interface ReviewServerOptions extends ReviewAppOptions {
  /** 0 takes any that is free. */
  readonly port: number;
  readonly patience?: ClientPatience;
  /** How soon the file of the store has what was saved; by default a second after the last save. */
  readonly checkpoints?: CheckpointPace;
}

const DEFAULT_BODY_LIMIT = 1024 * 1024;

/** All that there is of the built app, for everybody: nothing of a review is in it. */
const WEB_FILES = {
  '/': 'index.html',
  '/index.html': 'index.html',
  '/review.js': 'review.js',
  '/review.css': 'review.css',
  '/noto-sans-devanagari-400.woff2': 'noto-sans-devanagari-400.woff2',
  '/noto-sans-devanagari-700.woff2': 'noto-sans-devanagari-700.woff2',
};
const OWN_SOURCES = ['script-src', 'style-src', 'connect-src'].map((kind) => `${kind} 'self'`);
const POLICY = pagePolicy(...OWN_SOURCES, "img-src 'self' data:", "font-src 'self'");

/** Serves all reviews of a store over HTTP. */
export async function serveReviews(options: ReviewServerOptions): Promise<RunningServer> {
  const { host, port, patience, log, store } = options;
  const { write, stop } = withCheckpoints(store, options.write ?? groupedWrites(store), options.checkpoints);
  const server = await listen({ app: reviewApp({ ...options, write }), refusalBody, host, port, patience, log });
  return {
    url: server.url,
    async close() {
      await server.close();
      stop();
    },
  };
}

/** The review app and its API, for all reviews of a store: the token determines the person, and so the review. */
export function reviewApp(options: ReviewAppOptions): Hono {
  const { store, log, host, baseUrl, webFolder: folder, now = () => new Date() } = options;
  const published = baseUrl === undefined ? null : URL.parse(baseUrl);
  if (published === null && baseUrl !== undefined)
    throw new UsageError(`the base URL ${visible(baseUrl)} is not an address`);
  const serving: ReviewServing = {
    store,
    write: options.write ?? groupedWrites(store),
    bodyLimit: options.bodyLimitBytes ?? DEFAULT_BODY_LIMIT,
    signIn: signIn(store, now),
  };
  const api = [reviewerRoutes, adjudicatorRoutes, ownerRoutes].flatMap((make) => make(serving));
  return serverApp({
    parts: [{ routes: [...staticRoutes({ app: 'review', folder, files: WEB_FILES, policy: POLICY }), ...api] }],
    reach: { bound: host, published },
    gate: serving.signIn(),
    missing: () => new Refusal(404, 'There is nothing here.'),
    refusalBody,
    logged: ({ message, details }) => details.reason ?? message,
    log,
  });
}

/** As the app expects it: `Refused` in src/review/api.ts. */
function refusalBody({ message, details: { next, fields } }: Refusal): string {
  return JSON.stringify({ error: { message, next: next ?? null }, ...fields });
}
