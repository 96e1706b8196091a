import { hash } from 'node:crypto';

import type { Context } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';

import { element, type Markup, xmlText } from '../../report/svg/markup.ts';
import { pagePolicy } from '../guard.ts';

/** A page with one thing to say, for a person who followed a link. */
export interface PlainPage {
  readonly title: string;
  readonly sentences: readonly string[];
  readonly links: readonly { readonly href: string; readonly text: string }[];
  /** Reloads itself until there is something else to show. */
  readonly again?: boolean;
}

export const ALL_RUNS = { href: '/', text: 'All runs' } as const;

/** Reloads the page as it is, with what is after the #. */
const AGAIN = 'setTimeout(() => location.reload(), 700)';

const HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': pagePolicy(`script-src 'sha256-${hash('sha256', AGAIN, 'base64')}'`, "style-src 'self'"),
};

/** Whether a person is about to see the answer, rather than a program. */
export function wantsPage(context: Context): boolean {
  return (context.req.header('accept') ?? '').includes('text/html');
}

export function plainPage(context: Context, status: ContentfulStatusCode, page: PlainPage): Response {
  const { title, sentences, links, again = false } = page;
  const paragraphs = sentences.map((sentence) => element('p', {}, [sentence]));
  const ways = links.map(({ href, text }) => element('li', {}, [element('a', { href }, [text])]));
  const main = element('main', { class: 'lone', ...(again ? { 'aria-busy': 'true' } : {}) }, [
    element('h1', {}, [title]),
    ...paragraphs,
    ...(ways.length === 0 ? [] : [element('ul', { class: 'ways' }, ways)]),
  ] satisfies Markup[]);
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${xmlText(title)} · Assay</title>
${again ? '<noscript><meta http-equiv="refresh" content="1"></noscript>\n' : ''}<link rel="stylesheet" href="/home.css">
</head>
<body>
${main.markup}
${again ? `<script>${AGAIN}</script>\n` : ''}</body>
</html>
`;
  return context.body(html, status, HEADERS);
}
