import { getConnInfo } from '@hono/node-server/conninfo';
import { type Context, Hono } from 'hono';

import { UsageError } from '../../data/problems.ts';
import { harmless, visible } from '../../data/visible.ts';
import { REVIEW_REALM } from '../port-taken.ts';
import { Refusal } from '../refusal.ts';
import { askGates, type Gate, publicGate, refuseOtherSites, type RouteGates } from '../route-gates.ts';
import { SECURITY_HEADERS } from '../security-headers.ts';
import { StoreConflict } from '../../store/store-conflict.ts';
import type { Store } from '../../store/store.ts';
import { serveAdjudicators } from './adjudicator-routes.ts';
import { checkOrigin, type Reachable } from './check-origin.ts';
import { FailedSignIns } from '../failed-sign-ins.ts';
import { frozenReviews } from './frozen-reviews.ts';
import { groupedWrites, type Write } from './grouped-writes.ts';
import { serveOwners } from './owner-routes.ts';
import { refusalLine } from './request-log.ts';
import { ReviewRefusal, refusedBody } from './review-refusal.ts';
import { serveReviewers } from './reviewer-routes.ts';
import { signedIn } from './sign-in.ts';
import type { Serving, Signed, SignedApp, SignedEnv } from './signed.ts';
import { serveWebFiles, WEB_PATHS } from './web-files.ts';

export interface ReviewAppOptions {
  readonly store: Store;
  /** Gets a line for every request that was refused or failed; nothing in it is secret. */
  readonly log: (line: string) => void;
  /** The address it listens on, which requests may name besides this machine itself. */
  readonly host: string;
  /** Where people reach it through a proxy: https://review.example.org. Requests may then name that too. */
  readonly baseUrl?: string | undefined;
  readonly bodyLimitBytes?: number | undefined;
  readonly now?: (() => Date) | undefined;
  /** How work gets into the store: what arrives together in one transaction, unless told. */
  readonly write?: Write | undefined;
  /** Where the built app is, if not where the build leaves it. */
  readonly webFolder?: string | undefined;
}

export const DEFAULT_BODY_LIMIT = 1024 * 1024;
const MOST_FAILED_A_MINUTE = 30;

/** The review app and its API, for all reviews of a store: the token says which person, and so which review. */
export function reviewApp(options: ReviewAppOptions): SignedApp {
  const { store, log, host, bodyLimitBytes = DEFAULT_BODY_LIMIT, now = () => new Date() } = options;
  const app: SignedApp = new Hono<SignedEnv>();
  const signIn = signInWith(store, now);
  const reachable: Reachable = { bound: host, published: publishedAt(options.baseUrl) };
  const gates: RouteGates = new Map(WEB_PATHS.map((path) => [path, publicGate]));
  // Also for what is not there: without a token nobody learns what there is.
  const needsLink: Gate = (context) => {
    refuseOtherSites(context);
    context.set('signed', signIn(context));
    return null;
  };
  app.use(async (context, next) => {
    for (const [name, value] of Object.entries(SECURITY_HEADERS)) context.header(name, value);
    checkOrigin(context, reachable);
    return askGates(context, gates, needsLink) ?? (await next());
  });
  app.onError((error, context) => refuse(context, refusalOf(error, log), log));
  app.notFound((context) => refuse(context, new ReviewRefusal(404, 'There is nothing here.'), log));

  const serving: Serving = { store, write: options.write ?? groupedWrites(store), bodyLimit: bodyLimitBytes, now };
  serveWebFiles(app, options.webFolder);
  serveReviewers(app, serving);
  serveAdjudicators(app, serving);
  serveOwners(app, serving);
  return app;
}

function publishedAt(baseUrl: string | undefined): URL | null {
  if (baseUrl === undefined) return null;
  const url = URL.parse(baseUrl);
  if (url === null) throw new UsageError(`the base URL ${visible(baseUrl)} is no address`);
  return url;
}

function signInWith(store: Store, now: () => Date): (context: Context) => Signed {
  const failed = new FailedSignIns(MOST_FAILED_A_MINUTE, now);
  const frozen = frozenReviews(store);
  return (context) => {
    try {
      const person = signedIn(store, context.req.header('authorization'), now());
      return { person, review: frozen(person.reviewId) };
    } catch (error) {
      if (!(error instanceof ReviewRefusal) || !failed.isTooMany(addressOf(context))) throw error;
      throw new ReviewRefusal(429, 'Too many links from your address were refused within a minute.', {
        next: 'Wait a minute, then open the newest link that was sent to you.',
        reason: 'too many failed sign-ins from one address',
      });
    }
  };
}

function addressOf(context: Context): string {
  try {
    return getConnInfo(context).remote.address ?? '';
  } catch {
    // Not over a socket.
    return '';
  }
}

function refusalOf(error: Error, log: (line: string) => void): ReviewRefusal {
  if (error instanceof ReviewRefusal) return error;
  if (error instanceof Refusal) return new ReviewRefusal(error.status, error.message);
  if (error instanceof StoreConflict) {
    return new ReviewRefusal(409, 'This contradicts what was saved before.', { next: 'Load the page again.' });
  }
  if (error instanceof UsageError) {
    // What a user of this machine can mend: a store held by another program, a full disk.
    log(error.message);
    return new ReviewRefusal(503, 'Nothing can be saved or read at the moment.', {
      next: 'Leave the page open: it tries again.',
      reason: 'the store cannot be used',
    });
  }
  log(`a bug of ours: ${harmless(error.message)}`);
  return new ReviewRefusal(500, 'This is a bug of ours; the server says more where it runs.', {
    next: 'Leave the page open and tell the owner of the review.',
    reason: 'a bug of ours',
  });
}

function refuse(context: Context, refusal: ReviewRefusal, log: (line: string) => void): Response {
  const { status, message, details } = refusal;
  log(refusalLine(context.req.method, context.req.path, status, details.reason ?? message));
  return context.body(refusedBody(refusal), status, {
    'content-type': 'application/json; charset=utf-8',
    ...(status === 401 ? { 'www-authenticate': REVIEW_REALM } : {}),
    ...(status === 429 ? { 'retry-after': '60' } : {}),
    ...(status === 503 ? { 'retry-after': '1' } : {}),
    // What is left of a body that is too large is not waited for.
    ...(status === 413 ? { connection: 'close' } : {}),
  });
}
