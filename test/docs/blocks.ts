import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { ROOT } from '../cli/run-assay.ts';

/** A fenced block of a page. */
export interface Block {
  readonly page: string;
  readonly line: number;
  readonly language: string;
  /** After the language: `yaml preset=pii/piranha`. */
  readonly info: string;
  /** The file that the line before it names: `` `gold.jsonl`: ``. */
  readonly file: string | null;
  readonly content: string;
}

/** Generated. */
const ELSEWHERE = /^reference\//;

export const PAGES = readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.md') && !ELSEWHERE.test(name))
  .toSorted();

export function pageText(page: string): string {
  return readFileSync(join(ROOT, 'docs', page), 'utf8');
}

export function blocksOf(page: string): Block[] {
  return blocksIn(page, pageText(page));
}

export function blocksIn(page: string, text: string): Block[] {
  return [...text.matchAll(/(?:^`([\w./-]+)`:\n\n)?^```(\S*)(?: (.*))?\n([\s\S]*?)^```$/gm)].map((found) => ({
    page,
    line: text.slice(0, found.index).split('\n').length,
    language: found[2]!,
    info: found[3] ?? '',
    file: found[1] ?? null,
    content: found[4]!,
  }));
}
