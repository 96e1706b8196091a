import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { compareText } from '../../plugin.ts';
import { buildIndex } from './linker/build-index.ts';
import type { LinkerIndex } from './linker/linker-index.ts';
import { openKnowledgeBase } from './linker/read-kb.ts';

const FOLDER = fileURLToPath(new URL('vocabulary/', import.meta.url));

/** The files of the open vocabulary that ships, in text order; vocabulary/README.md describes it. */
export function vocabularyFiles(): string[] {
  return readdirSync(FOLDER)
    .filter((name) => name.endsWith('.jsonl'))
    .sort(compareText)
    .map((name) => join(FOLDER, name));
}

/** The index of a knowledge base that is small enough to be indexed again each time. */
export async function indexInMemory(paths: readonly string[]): Promise<LinkerIndex> {
  const base = await openKnowledgeBase(paths);
  return buildIndex(base.concepts(), { facts: () => base.facts() });
}

let shipped: Promise<LinkerIndex> | null = null;

/** Built once in a program, in a fraction of a second. */
export function vocabularyIndex(): Promise<LinkerIndex> {
  shipped ??= indexInMemory(vocabularyFiles());
  return shipped;
}
