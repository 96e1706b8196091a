import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

import { filledTable, type Section, shellWord, UsageError, writeAside } from '../../plugin.ts';
import { personNamed, type ReviewSnapshot, sheetsFor } from '../../review.ts';
import { dataOption, type StoreFlags } from './review-store.ts';

interface SheetsFlags extends StoreFlags {
  readonly out: string;
  /** Reviewers whose sheets are written; all if empty. */
  readonly reviewer?: readonly string[];
  readonly force?: boolean;
}

/** Writes a folder of sheets for each reviewer; returns what was written and how to import it. */
export function writeSheets(
  snapshot: ReviewSnapshot,
  { out, reviewer = [], force = false, ...flags }: SheetsFlags,
): Section[] {
  const name = shellWord(snapshot.review.name);
  const reviewers = snapshot.people.filter(({ role }) => role === 'reviewer');
  const chosen = reviewer.length === 0 ? reviewers : reviewer.map((who) => personNamed(reviewers, who, 'reviewer'));
  if (chosen.length === 0)
    throw new UsageError('nobody reviews yet', `assay review links ${name} --add WHO${dataOption(flags)}`);
  const folders = chosen.map((person) => ({ folder: join(out, person.name), sheets: sheetsFor(snapshot, person.id) }));
  // All are checked before the first is written.
  if (!force)
    refuseFilled(
      folders.map(({ folder }) => folder),
      'name another folder with --out, or replace them with --force',
    );
  for (const { folder, sheets } of folders)
    for (const sheet of sheets)
      writeAside(join(folder, sheet.name), sheet.content, { next: 'choose another place with --out' });
  const table = filledTable<(typeof folders)[number]>(
    [
      [{ title: 'folder' }, ({ folder }) => ({ text: folder, tone: 'strong' })],
      [
        { title: 'files', wraps: true },
        ({ sheets }) => (sheets.length === 0 ? 'nothing to fill in' : sheets.map((sheet) => sheet.name).join(', ')),
      ],
    ],
    folders,
  );
  const example = shellWord(join(out, 'WHO', 'FILE.csv'));
  const next = `Once filled in: assay review import ${name} ${example}${dataOption(flags)}`;
  return [{ blocks: [table] }, { blocks: [{ text: next, whole: true }] }];
}

/** Refuses folders with files: somebody may have filled them in. */
export function refuseFilled(folders: readonly string[], others: string): void {
  const filled = folders.filter((folder) => existsSync(folder) && readdirSync(folder).length > 0);
  if (filled.length > 0)
    throw new UsageError(
      `${filled.join(', ')}: there are files already, and somebody may have filled them in`,
      `import them first, ${others}`,
    );
}
