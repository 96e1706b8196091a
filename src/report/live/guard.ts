import type { Context } from 'hono';

import { UsageError } from '../../data/problems.ts';
import { harmless, shorten } from '../../data/visible.ts';
import { Refusal, refusalBody } from '../../langfuse/server/refusal.ts';
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

/** Lets in whoever may look, and tells people in a page what programs are told in JSON. */
export function guardOf(entry: Entry, log: (line: string) => void): Guard {
  const logged = (context: Context, status: number): void => {
    const path = shorten(harmless(new URL(context.req.url).pathname), LONGEST_LOGGED);
    log(`${harmless(context.req.method)} ${path} ${status}`);
  };
  return (answer) => async (context) => {
    if (!entry.mayLook(context.req.header('cookie'))) {
      logged(context, 401);
      return noEntry(context);
    }
    try {
      return await answer(context);
    } catch (error) {
      const refusal = error instanceof UsageError ? new Refusal(503, `${error.message}: ${error.next ?? ''}`) : error;
      if (!(refusal instanceof Refusal) || !wantsPage(context)) throw refusal;
      if (refusal.status !== 404) logged(context, refusal.status);
      const page = plainPage({ title: 'This cannot be shown', sentences: [refusal.message], links: [ALL_RUNS] });
      return context.body(page, refusal.status, PLAIN_PAGE_HEADERS);
    }
  };
}

/** A person goes to the page that takes the token, and from there to where they wanted to go. */
function noEntry(context: Context): Response {
  const { pathname, search } = new URL(context.req.url);
  if (wantsPage(context)) return context.redirect(`/?to=${encodeURIComponent(`${pathname}${search}`)}`);
  const message = 'This needs the whole link that assay serve printed, with everything after the #.';
  // Without a word on how to sign in: a browser would ask for a name and a password.
  return context.body(refusalBody(401, message), 401, { 'content-type': 'application/json; charset=utf-8' });
}
