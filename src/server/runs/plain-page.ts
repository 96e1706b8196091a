import { hash } from 'node:crypto';

import { element, type Markup, xmlText } from '../../report/svg/markup.ts';

/** A page with one thing to say, to a person who followed a link. */
export interface PlainPage {
  readonly title: string;
  readonly sentences: readonly string[];
  readonly links: readonly { readonly href: string; readonly text: string }[];
  /** Loads itself again, until there is something else to show. */
  readonly again?: boolean;
}

/** Loaded again as it is, with what stands after the #. */
const AGAIN = 'setTimeout(() => location.reload(), 700)';

const POLICY = [
  "default-src 'none'",
  `script-src 'sha256-${hash('sha256', AGAIN, 'base64')}'`,
  "style-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

export const PLAIN_PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': POLICY,
} as const;

export function plainPage({ title, sentences, links, again = false }: PlainPage): string {
  const paragraphs = sentences.map((sentence) => element('p', {}, [sentence]));
  const ways = links.map(({ href, text }) => element('li', {}, [element('a', { href }, [text])]));
  const main = element('main', { class: 'lone', ...(again ? { 'aria-busy': 'true' } : {}) }, [
    element('h1', {}, [title]),
    ...paragraphs,
    ...(ways.length === 0 ? [] : [element('ul', { class: 'ways' }, ways)]),
  ] satisfies Markup[]);
  return `<!doctype html>
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
}
