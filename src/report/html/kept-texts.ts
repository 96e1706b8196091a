import { join } from 'node:path';

import { openPlain } from '../../data/read-file.ts';
import { runFolder } from '../../score/run-folder.ts';
import type { Texts } from './report-data.ts';

const BLOCK = 1 << 20;
/** No head is this far from the end; a hole may be larger than any disk. */
const FARTHEST = 256 * BLOCK;
/** The match is shorter, and may be in two blocks. */
const OVERLAP = 128;
/** At the end of the head; inside its texts quotes are escaped, so that no text reads like it. */
const TEXTS = /"texts":"(full|redacted|none)","cases":\d+,"pages":\[/g;
const ORDER: readonly Texts[] = ['full', 'redacted', 'none'];

/**
 * How much of the texts a page made of these runs may hold: no more than the report of any of them. Texts that were left
 * out of a report were not meant to be seen here.
 */
export async function keptTexts(folders: readonly string[]): Promise<Texts> {
  const kept = await Promise.all(folders.map(reportTexts));
  return ORDER[Math.max(0, ...kept.map((texts) => ORDER.indexOf(texts)))] ?? 'none';
}

/** Searched from the end of the file, which has the head. */
async function reportTexts(folder: string): Promise<Texts> {
  const opened = await openPlain(join(runFolder(folder), 'report.html')).catch(() => null);
  if (opened === null) return 'full';
  const { handle: file, size } = opened;
  try {
    const block = Buffer.alloc(BLOCK + OVERLAP);
    for (let to = size; to > Math.max(0, size - FARTHEST); to -= BLOCK) {
      const from = Math.max(0, to - BLOCK);
      const { bytesRead } = await file.read(block, 0, Math.min(to + OVERLAP, size) - from, from);
      const found = [...block.toString('latin1', 0, bytesRead).matchAll(TEXTS)].at(-1)?.[1];
      const texts = ORDER.find((one) => one === found);
      if (texts !== undefined) return texts;
    }
    return size > FARTHEST ? 'none' : 'full';
  } finally {
    await file.close();
  }
}
