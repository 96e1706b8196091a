import type { Context } from 'hono';

import { UsageError } from '../../data/problems.ts';
import { harmless, shorten } from '../../data/visible.ts';
import { Refusal, refusalBody } from '../refusal.ts';
import { type Gate, refuseOtherSites } from '../route-gates.ts';
import type { Entry } from './entry.ts';
import { PLAIN_PAGE_HEADERS, plainPage } from './plain-page.ts';

export type Answer = (context: Context) => Promise<Response> | Response;
export type Guard = (answer: Answer) => (context: Context) => Promise<Response>;

const LONGEST_LOGGED = 100;
const ALL_RUNS = { href: '/', text: 'All runs' } as const;

/** Whether a person is about to see the answer, rather than a program. */
export function wantsPage(context: Context): boolean {
  return (context.req.header('accept') ?? '').includes('text/html');
}

/** Lets in whoever may look. A link of another site may lead here; nothing else of it may. */
export function entryGate(entry: Entry, log: (line: string) => void): Gate {
  return (context) => {
    if (context.req.header('sec-fetch-mode') !== 'navigate') refuseOtherSites(context);
    if (entry.mayLook(context.req.header('cookie'))) return null;
    logRefusal(context, 401, log);
    return noEntry(context);
  };
}

/** Tells people in a page what programs are told in JSON. */
export function guardOf(log: (line: string) => void): Guard {
  return (answer) => async (context) => {
    try {
      return await answer(context);
    } catch (error) {
      const refusal = error instanceof UsageError ? new Refusal(503, `${error.message}: ${error.next ?? ''}`) : error;
      if (!(refusal instanceof Refusal) || !wantsPage(context)) throw refusal;
      if (refusal.status !== 404) logRefusal(context, refusal.status, log);
      const page = plainPage({ title: 'This cannot be shown', sentences: [refusal.message], links: [ALL_RUNS] });
      return context.body(page, refusal.status, PLAIN_PAGE_HEADERS);
    }
  };
}

function logRefusal(context: Context, status: number, log: (line: string) => void): void {
  const path = shorten(harmless(new URL(context.req.url).pathname), LONGEST_LOGGED);
  log(`${harmless(context.req.method)} ${path} ${status}`);
}

/** A person goes to the page that takes the token, and from there to where they wanted to go. */
function noEntry(context: Context): Response {
  const { pathname, search } = new URL(context.req.url);
  if (wantsPage(context)) return context.redirect(`/?to=${encodeURIComponent(`${pathname}${search}`)}`);
  const message = 'This needs the whole link that assay serve printed, with everything after the #.';
  // Without a word on how to sign in: a browser would ask for a name and a password.
  return context.body(refusalBody(401, message), 401, { 'content-type': 'application/json; charset=utf-8' });
}
