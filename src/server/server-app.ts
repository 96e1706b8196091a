import { type Context, Hono } from 'hono';

import { UsageError } from '../data/problems.ts';
import { harmless, shorten } from '../data/visible.ts';
import { StoreConflict } from '../store/store-conflict.ts';
import { checkOrigin, type Reach, SECURITY_HEADERS } from './guard.ts';
import { Refusal } from './refusal.ts';

/** Lets a request in and gives what is known of its sender, or throws a Refusal. */
export type RouteGate<Entrant = void> = (context: Context) => Entrant;

type Answer = Response | Promise<Response>;

export interface Route {
  readonly method: string;
  /** `:name` stands for one part, `*` for any number. */
  readonly path: string;
  readonly answer: (context: Context) => Answer;
}

/** Routes that belong together. */
export interface ServerPart {
  readonly routes: readonly Route[];
  /** An answer to a refusal in place of the server's own, such as a page; null for the server's own. */
  readonly refused?: (context: Context, refusal: Refusal) => Response | null;
}

export interface ServerAppOptions {
  /** When two have the same path, the earlier one answers. */
  readonly parts: readonly ServerPart[];
  readonly reach: Reach;
  /** Guards everything that is not a route: without credentials nobody learns what there is. */
  readonly gate: RouteGate<unknown>;
  readonly missing: (context: Context) => Refusal;
  readonly refusalBody: (refusal: Refusal) => string;
  /** What the log has about a refusal besides method, path and status; null when it is not logged. */
  readonly logged: (refusal: Refusal) => string | null;
  /** Gets a line for a request that was refused or failed; nothing in it is secret. */
  readonly log: (line: string) => void;
}

export const JSON_TYPE = { 'content-type': 'application/json; charset=utf-8' } as const;

const LONGEST_METHOD = 10;
const LONGEST_PATH = 100;
const LONGEST_REASON = 200;
/** Of a part of a path that is in no route: it may be an id, or a token that was pasted in the wrong place. */
const LONGEST_PART = 6;

/** A route behind its gate: nothing of a request is read before the gate has let it in. */
export function route<Entrant>(
  method: string,
  path: string,
  gate: RouteGate<Entrant>,
  answer: (context: Context, entrant: Entrant) => Answer,
): Route {
  return { method, path, answer: (context) => answer(context, gate(context)) };
}

export const publicGate: RouteGate = () => undefined;

/** One app: checks host and origin of every request, asks the gate of its route, and answers all that is thrown. */
export function serverApp({ parts, reach, gate, missing, refusalBody, logged, log }: ServerAppOptions): Hono {
  const app = new Hono();
  const words = new Set(parts.flatMap(({ routes }) => routes.flatMap(({ path }) => path.split('/'))));
  const refuse = (context: Context, error: unknown, part?: ServerPart): Response => {
    const refusal = refusalOf(error, log);
    const { status, details } = refusal;
    const reason = logged(refusal);
    if (reason !== null)
      log(
        `${shorten(harmless(context.req.method), LONGEST_METHOD)} ${loggedPath(context, words)} ${status}${reason === '' ? '' : ` ${shorten(harmless(reason), LONGEST_REASON)}`}`,
      );
    return (
      part?.refused?.(context, refusal) ??
      context.body(refusalBody(refusal), status, {
        ...JSON_TYPE,
        ...(status === 503 ? { 'retry-after': '1' } : {}),
        ...details.headers,
      })
    );
  };
  app.use(async (context, next) => {
    for (const [name, value] of Object.entries(SECURITY_HEADERS)) context.header(name, value);
    checkOrigin(context, reach);
    await next();
  });
  for (const part of parts)
    for (const { method, path, answer } of part.routes)
      app.on(method, path, async (context) => {
        try {
          return await answer(context);
        } catch (error) {
          return refuse(context, error, part);
        }
      });
  app.onError((error, context) => refuse(context, error));
  app.notFound((context) => {
    try {
      gate(context);
      return refuse(context, missing(context));
    } catch (error) {
      return refuse(context, error);
    }
  });
  return app;
}

function refusalOf(error: unknown, log: (line: string) => void): Refusal {
  if (error instanceof Refusal) return error;
  if (error instanceof StoreConflict) return new Refusal(409, error.message, { next: 'Load the page again.' });
  if (error instanceof UsageError) {
    // What a user of this machine can fix: a store held by another program, a full disk.
    log(error.message);
    return new Refusal(503, 'Nothing can be read or saved at the moment; try again.', {
      next: 'Leave the page open: it tries again.',
      reason: 'the store cannot be used',
    });
  }
  log(`a bug in Assay: ${harmless(error instanceof Error ? error.message : String(error))}`);
  return new Refusal(500, 'This is a bug in Assay; the log of the server has more.', {
    next: 'Leave the page open and report it to the person who runs the server.',
    reason: 'a bug in Assay',
  });
}

function loggedPath(context: Context, words: ReadonlySet<string>): string {
  const parts = new URL(context.req.url).pathname.split('/');
  const cut = parts.map((part) => (words.has(part) ? part : shorten(part, LONGEST_PART))).join('/');
  return harmless(shorten(cut, LONGEST_PATH));
}
