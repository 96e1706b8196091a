import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';

import { runFolder } from '../../runs/run-folder.ts';
import type { Texts } from './report-data.ts';

const BLOCK = 1 << 20;
/** What is looked for is shorter, and may lie across two blocks. */
const OVERLAP = 128;
/** As the head of a report ends; inside its texts quotes are escaped, so that no text reads like it. */
const SAID = /"texts":"(full|redacted|none)","cases":\d+,"pages":\[/g;
const ORDER: readonly Texts[] = ['full', 'redacted', 'none'];

/**
 * How much of the texts a page made of these runs may hold: no more than the report of any of them does. Whoever left the
 * texts out of a report did not mean them to be seen here.
 */
export async function keptTexts(folders: readonly string[]): Promise<Texts> {
  const said = await Promise.all(folders.map(reportTexts));
  return ORDER[Math.max(0, ...said.map((texts) => ORDER.indexOf(texts)))] ?? 'none';
}

/** Looked for from the end of the file, where the head stands. */
async function reportTexts(folder: string): Promise<Texts> {
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW;
  const file = await open(join(runFolder(folder), 'report.html'), flags).catch(() => null);
  if (file === null) return 'full';
  try {
    const { size } = await file.stat();
    const block = Buffer.alloc(BLOCK + OVERLAP);
    for (let to = size; to > 0; to -= BLOCK) {
      const from = Math.max(0, to - BLOCK);
      const { bytesRead } = await file.read(block, 0, Math.min(to + OVERLAP, size) - from, from);
      const found = [...block.toString('latin1', 0, bytesRead).matchAll(SAID)].at(-1)?.[1];
      const texts = ORDER.find((one) => one === found);
      if (texts !== undefined) return texts;
    }
    return 'full';
  } finally {
    await file.close();
  }
}
