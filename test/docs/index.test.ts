import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { expect, it } from 'vitest';

import { ROOT } from '../cli/run-assay.ts';

const DOCS = join(ROOT, 'docs');

it('links between the pages lead to pages and headings that are there', () => {
  const pages = readdirSync(DOCS, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.md'));
  const broken = pages.flatMap((page) => {
    const file = join(DOCS, page);
    return [...readFileSync(file, 'utf8').matchAll(/\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?\)/g)]
      .filter(([, path, heading]) => !leads(path === '' ? file : join(dirname(file), path!), heading))
      .map(([link]) => `${page}: ${link}`);
  });
  expect(broken).toEqual([]);
});

it('the index names every page and every decision', () => {
  const index = readFileSync(join(DOCS, 'README.md'), 'utf8');
  const pages = ['.', 'tasks', 'decisions'].flatMap((folder) =>
    readdirSync(join(DOCS, folder)).flatMap((name) => (name.endsWith('.md') ? [join(folder, name)] : [])),
  );
  expect(pages.filter((page) => page !== 'README.md' && !index.includes(`(${page})`))).toEqual([]);
});

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
