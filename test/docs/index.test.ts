import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { expect, it } from 'vitest';

import { ROOT } from '../cli/run-assay.ts';

const DOCS = join(ROOT, 'docs');

/** Counted as `wc -w` does, with the pages for readers of three evaluation documents. */
const MOST_WORDS = 37_000;
const MOST_WORDS_OF_A_DECISION = 150;
const MOST_WORDS_OF_THE_README = 900;

const PAGES = readdirSync(DOCS, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.md'))
  .map((name) => join('docs', name));
/** Other files that link to pages. */
const OTHERS = readdirSync(join(ROOT, 'examples'), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.md'))
  .map((name) => join('examples', name))
  .concat('README.md', 'CHANGELOG.md', 'containers/stream/README.md', 'bench/README.md');

const textOf = (file: string): string => readFileSync(join(ROOT, file), 'utf8');
const wordsIn = (file: string): number => textOf(file).split(/\s+/).filter(Boolean).length;

it('links lead to files and headings that are there', () => {
  const broken = [...PAGES, ...OTHERS].flatMap((page) =>
    [...withoutCode(textOf(page)).matchAll(/\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?\)/g)]
      .filter(([, path, heading]) => !leads(path === '' ? join(ROOT, page) : join(ROOT, dirname(page), path!), heading))
      .map(([link]) => `${page}: ${link}`),
  );
  expect(broken).toEqual([]);
});

it('pages that sources, tests and messages name are there', () => {
  const files = ['src', 'test', 'web', 'bench', 'tools'].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(?:ts|tsx|mjs|yaml)$/.test(name) && !name.includes('node_modules'))
      .map((name) => join(folder, name)),
  );
  const missing = files.flatMap((file) =>
    [...textOf(file).matchAll(/\bdocs\/[\w/-]+\.md\b/g)]
      .filter(([page]) => !existsSync(join(ROOT, page)))
      .map(([page]) => `${file}: ${page}`),
  );
  expect(missing).toEqual([]);
});

it('the index names every page outside decisions', () => {
  const index = textOf('docs/README.md');
  const unnamed = PAGES.map((page) => page.slice('docs/'.length)).filter(
    (page) => page !== 'README.md' && !page.startsWith('decisions/') && !index.includes(`(${page})`),
  );
  expect(unnamed).toEqual([]);
});

it('the docs are short', () => {
  expect(PAGES.reduce((sum, page) => sum + wordsIn(page), 0)).toBeLessThanOrEqual(MOST_WORDS);
  expect(wordsIn('README.md')).toBeLessThanOrEqual(MOST_WORDS_OF_THE_README);
  const decisions = PAGES.filter((page) => page.startsWith('docs/decisions/'));
  expect(decisions.filter((page) => wordsIn(page) > MOST_WORDS_OF_A_DECISION)).toEqual([]);
});

it('a decision has its number, what was decided, why, and what follows', () => {
  const wrong = PAGES.filter((page) => page.startsWith('docs/decisions/')).filter((page) => {
    const [, number = ''] = /\/0*(\d+)-[^/]+$/.exec(page) ?? [];
    const parts = ['Decision', 'Why', 'Consequence'].map((name) => `\\n\\*\\*${name}\\.\\*\\* [^\\n]+\\n`);
    return !new RegExp(`^# ${number}\\. [^\\n]+\\n${parts.join('')}$`).test(textOf(page));
  });
  expect(wrong).toEqual([]);
});

/** Fenced blocks and code in lines have no links. */
function withoutCode(text: string): string {
  return text.replaceAll(/^```[\s\S]*?^```$/gm, '').replaceAll(/`[^`\n]*`/g, '');
}

function leads(file: string, heading: string | undefined): boolean {
  if (!existsSync(file)) return false;
  if (heading === undefined) return true;
  const headings = [...readFileSync(file, 'utf8').matchAll(/^#+ (.+)$/gm)].map(([, text]) => anchor(text!));
  return headings.includes(heading);
}

/** As GitHub makes it. */
function anchor(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
}
