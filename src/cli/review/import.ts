import { hash } from 'node:crypto';

import { Command } from 'commander';

import { InputError, problemText } from '../../data/problems.ts';
import { sourceOf } from '../../data/source.ts';
import { count, counted } from '../../report/figures.ts';
import { safeJson } from '../../report/safe-json.ts';
import { safeText } from '../../report/safe-text.ts';
import { personNamed } from '../../review/links.ts';
import { readSheet, type SheetReading } from '../../review/sheets/read-sheet.ts';
import { loadSnapshot, type ReviewSnapshot } from '../../review/snapshot.ts';
import { COMMIT_FIELD, type NewReviewEvent } from '../../store/review-records.ts';
import type { Store } from '../../store/store.ts';
import { type StoreFlags, storeOption, withStore } from './review-store.ts';

interface ImportFlags extends StoreFlags {
  readonly as?: string;
  readonly dryRun?: boolean;
  readonly commit: boolean;
  readonly json?: boolean;
}

interface Imported {
  readonly file: string;
  /** Null for a file that is no sheet. */
  readonly kind: SheetReading['kind'] | null;
  readonly rows: number;
  readonly changed: number;
  readonly unchanged: number;
  readonly committed: number;
  readonly problems: readonly string[];
  readonly problemCount: number;
  readonly notices: readonly string[];
}

/** Bad cells are named, the rest is kept: the input is wrong all the same. */
const BAD_CELLS = 2;
const MOST_SHOWN = 100;

export function importCommand(end: (code: number) => void): Command {
  return storeOption(
    new Command('import')
      .description('read sheets that were filled in, as any spreadsheet saves them')
      .argument('<name>', 'of the review')
      .argument('<files...>', 'sheets; - is standard input')
      .option('--as <who>', 'whose sheets they are, where they do not say')
      .option('--no-commit', 'leave items open that have all their answers now')
      .option('--dry-run', 'check everything and say what would happen')
      .option('--json', 'print what happened as JSON on standard output'),
  )
    .addHelpText('after', HELP)
    .action((name: string, files: readonly string[], flags: ImportFlags) => bringIn(name, files, flags, end));
}

const HELP = `
Rows may be in any order, half filled or missing; commas, semicolons and tabs,
UTF-8 and UTF-16 are understood. An empty cell says nothing; [clear] takes an
answer back. A cell that cannot be read is named by file, row and column, and
all others are kept. Importing again changes nothing.

Exit codes: 0 everything was read, 2 some cells were not (the rest is kept).

Examples:
  $ assay review import pilot sheets/Asha/*.csv
  $ assay review import pilot filled.csv --as Asha
  $ assay review import pilot sheets/*/*.csv --dry-run`;

async function bringIn(
  name: string,
  files: readonly string[],
  flags: ImportFlags,
  end: (code: number) => void,
): Promise<void> {
  await withStore(flags, flags.dryRun === true ? 'look' : 'change', async (store) => {
    const all: Imported[] = [];
    for (const file of files) {
      // Read anew for each file: an item is done when its last sheet is in.
      const snapshot = loadSnapshot(store, name);
      const as = flags.as === undefined ? null : personNamed(snapshot.people, flags.as, 'reviewer').id;
      all.push(await bringInOne(store, snapshot, as, file, flags));
    }
    if (flags.json === true) process.stdout.write(safeJson(all));
    else for (const one of all) tell(one, flags.dryRun === true);
    if (all.some(({ problemCount }) => problemCount > 0)) {
      end(BAD_CELLS);
      process.stderr.write(
        flags.dryRun === true
          ? 'Nothing was saved: --dry-run. Cells that are named cannot be read; all others can.\n'
          : 'Cells that are named were not read; all others are kept. Mend them, and import the file again.\n',
      );
    } else if (flags.dryRun === true && flags.json !== true) process.stdout.write('Nothing was saved: --dry-run.\n');
  });
}

/** A file that is no sheet at all is one more problem: the other files are read all the same. */
async function bringInOne(
  store: Store,
  snapshot: ReviewSnapshot,
  as: string | null,
  file: string,
  flags: ImportFlags,
): Promise<Imported> {
  let reading: SheetReading;
  try {
    reading = await readSheet(snapshot, as, sourceOf(file));
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    const problems = error.problems.map(problemText);
    const nothing = { kind: null, rows: 0, changed: 0, unchanged: 0, committed: 0, notices: [] };
    return { file, ...nothing, problems, problemCount: error.total };
  }
  return keep(store, snapshot, reading, file, flags);
}

/** All good cells of a file in one transaction. */
function keep(
  store: Store,
  snapshot: ReviewSnapshot,
  reading: SheetReading,
  file: string,
  { dryRun, commit }: ImportFlags,
): Imported {
  const commits = commit ? commitsOf(snapshot, reading) : [];
  if (dryRun !== true) store.reviews.append([...reading.events, ...commits]);
  return {
    file,
    kind: reading.kind,
    rows: reading.rows,
    changed: reading.events.length,
    unchanged: reading.unchanged,
    committed: commits.length,
    problems: reading.problems.map(problemText),
    problemCount: reading.problemCount,
    notices: reading.notices.map(problemText),
  };
}

/** Whoever has answered everything in a sheet is done with the item. Made of the answers: the same import is one event. */
function commitsOf({ states }: ReviewSnapshot, { complete, events }: SheetReading): NewReviewEvent[] {
  return complete.map(({ personId, itemId }) => {
    const version = states.find((state) => state.itemId === itemId && state.personId === personId)?.version ?? 0;
    const own = events.filter((event) => event.itemId === itemId && event.personId === personId).map(({ id }) => id);
    const id = `sheet-commit-${hash('sha256', JSON.stringify([itemId, personId, version, own])).slice(0, 32)}`;
    return { id, itemId, personId, field: COMMIT_FIELD, part: null, value: true, origin: 'sheet' };
  });
}

function tell(
  { file, kind, rows, changed, unchanged, committed, problems, problemCount, notices }: Imported,
  dryRun: boolean,
): void {
  const would = dryRun ? 'would be ' : '';
  process.stdout.write(
    safeText(
      kind === null
        ? `${file}: not read`
        : `${file}: ${kind}, ${counted(rows, 'row')}: ${would}${counted(changed, 'answer')} new or changed, ${count(unchanged)} as before, ${counted(committed, 'item')} done`,
    ) + '\n',
  );
  for (const notice of notices) process.stderr.write(`${safeText(notice)}\n`);
  for (const problem of problems.slice(0, MOST_SHOWN)) process.stderr.write(`${safeText(problem)}\n`);
  if (problemCount > MOST_SHOWN) process.stderr.write(`… and ${count(problemCount - MOST_SHOWN)} more\n`);
}
