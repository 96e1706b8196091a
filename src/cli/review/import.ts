import { hash } from 'node:crypto';

import { Command } from 'commander';

import { InputError, problemText, UsageError } from '../../data/problems.ts';
import { sourceOf } from '../../data/source.ts';
import { count } from '../../text/figures.ts';
import { safeJson } from '../../report/safe-json.ts';
import { safeText } from '../../report/safe-text.ts';
import { personNamed } from '../../review/links.ts';
import { afterEvents } from '../../review/sheets/after-events.ts';
import type { HistoryOf } from '../../review/sheets/past-answers.ts';
import { readSheet, type SheetReading } from '../../review/sheets/read-sheet.ts';
import type { SheetOwner } from '../../review/sheets/sheet-people.ts';
import { isUnnamed } from '../../review/unnamed-places.ts';
import { loadSnapshot, type ReviewSnapshot } from '../../review/snapshot.ts';
import { COMMIT_FIELD, type NewReviewEvent } from '../../store/review-records.ts';
import type { Store } from '../../store/store.ts';
import { type Imported, type Incomplete, incompleteLines, summaryOf } from './import-text.ts';
import { type StoreFlags, storeOption, withStore } from './review-store.ts';

interface ImportFlags extends StoreFlags {
  readonly as?: string;
  readonly reviewer?: string;
  readonly dryRun?: boolean;
  readonly commit: boolean;
  readonly json?: boolean;
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
      .option('--reviewer <name>', 'who filled them in: the same, and a name for a place that had none')
      .option('--no-commit', 'leave items open that have all their answers now')
      .option('--dry-run', 'check everything and say what would happen')
      .option('--json', 'print what happened as JSON on standard output'),
  )
    .addHelpText('after', HELP)
    .action((name: string, files: readonly string[], flags: ImportFlags) => bringIn(name, files, flags, end));
}

const HELP = `
Rows may be in any order, half filled or missing; commas, semicolons and tabs,
UTF-8 and UTF-16 are understood, and Windows-1252 with a notice. An empty cell
says nothing; [clear] takes an answer back. A cell that cannot be read, or that
is not asked for, is named by file, row and column, and all others are kept.

Importing again changes nothing: an answer that was given before and changed
since, in the app or by another sheet, stays as it was changed, and is named. An
item that was opened again stays open. A sheet that is exported anew counts.

Exit codes: 0 everything was read, 2 some cells were not (the rest is kept).

Examples:
  $ assay review import pilot sheets/Asha/*.csv
  $ assay review import pilot filled.csv --as Asha
  $ assay review import pilot sheets/expert-1/*.csv --reviewer Asha
  $ assay review import pilot sheets/*/*.csv --dry-run`;

async function bringIn(
  name: string,
  files: readonly string[],
  flags: ImportFlags,
  end: (code: number) => void,
): Promise<void> {
  const isDry = flags.dryRun === true;
  await withStore(flags, isDry ? 'look' : 'change', async (store) => {
    const all: Imported[] = [];
    // What one file leaves open another may complete.
    const open = new Map<string, Incomplete>();
    let snapshot = loadSnapshot(store, name);
    for (const file of files) {
      const { imported, events, whole, names } = await bringInOne(
        store,
        snapshot,
        ownerOf(snapshot, flags),
        file,
        flags,
      );
      all.push(imported);
      for (const item of whole) open.delete(item);
      for (const one of imported.incomplete) open.set(keyOf(one.person, one.item), one);
      // An item is done when its last sheet is in.
      snapshot = isDry ? withNames(afterEvents(snapshot, events), names) : loadSnapshot(store, name);
    }
    if (flags.json === true) process.stdout.write(safeJson(all));
    else tell(all, [...open.values()], isDry);
    if (all.some(({ problemCount }) => problemCount > 0)) {
      end(BAD_CELLS);
      process.stderr.write(
        isDry
          ? 'Nothing was saved: --dry-run. Cells that are named cannot be read; all others can.\n'
          : 'Cells that are named were not read; all others are kept. Mend them, and import the file again.\n',
      );
    } else if (isDry && flags.json !== true) process.stdout.write('Nothing was saved: --dry-run.\n');
  });
}

/** Whose sheets flags say they are: somebody of the review, or somebody who takes a place without a name. */
function ownerOf({ people, form }: ReviewSnapshot, { as, reviewer }: ImportFlags): SheetOwner {
  if (as !== undefined && reviewer !== undefined)
    throw new UsageError('--as and --reviewer both say whose sheets they are', 'leave one of them out');
  const name = (reviewer ?? as)?.trim();
  if (name === undefined) return { id: null, newName: null };
  const isNew = !people.some((person) => person.name === name) && people.some((one) => isUnnamed(form, one.name));
  if (reviewer !== undefined && isNew) return { id: null, newName: name };
  return { id: personNamed(people, name, 'reviewer').id, newName: null };
}

function withNames(snapshot: ReviewSnapshot, names: ReadonlyMap<string, string>): ReviewSnapshot {
  const people = snapshot.people.map((person) => ({ ...person, name: names.get(person.id) ?? person.name }));
  return { ...snapshot, people };
}

interface BroughtIn {
  readonly imported: Imported;
  readonly events: readonly NewReviewEvent[];
  /** Items that have all their answers. */
  readonly whole: readonly string[];
  readonly names: ReadonlyMap<string, string>;
}

function keyOf(person: string, item: string): string {
  return JSON.stringify([person, item]);
}

/** A file that is no sheet at all is one more problem: the other files are read all the same. */
async function bringInOne(
  store: Store,
  snapshot: ReviewSnapshot,
  owner: SheetOwner,
  file: string,
  { dryRun, commit }: ImportFlags,
): Promise<BroughtIn> {
  const history: HistoryOf = (itemId, personId) => store.reviews.history(snapshot.review.id, { itemId, personId });
  let reading: SheetReading;
  try {
    reading = await readSheet(snapshot, owner.id, sourceOf(file), history, owner.newName);
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    const problems = error.problems.map(problemText);
    return {
      imported: { ...NOTHING, file, problems, problemCount: error.total },
      events: [],
      whole: [],
      names: new Map(),
    };
  }
  const commits = commit ? commitsOf(snapshot, reading) : [];
  const events = [...reading.events, ...commits];
  // All good cells of a file in one transaction.
  if (dryRun !== true)
    store.transaction(() => {
      for (const [personId, name] of reading.names) store.reviews.rename(personId, name);
      store.reviews.append(events);
    });
  const nameOf = (personId: string): string =>
    reading.names.get(personId) ?? snapshot.people.find(({ id }) => id === personId)?.name ?? personId;
  const whole = [...reading.complete, ...reading.reopened].map((one) => keyOf(nameOf(one.personId), one.itemId));
  return { imported: told(reading, file, commits.length, nameOf), events, whole, names: reading.names };
}

const NOTHING = {
  kind: null,
  rows: 0,
  changed: 0,
  unchanged: 0,
  changedDone: 0,
  kept: 0,
  committed: 0,
  reopened: 0,
  incomplete: [],
  notices: [],
} as const;

function told(reading: SheetReading, file: string, committed: number, nameOf: (personId: string) => string): Imported {
  const { kind, rows, changed, unchanged, changedDone, kept, reopened, problemCount } = reading;
  return {
    file,
    kind,
    rows,
    changed,
    unchanged,
    changedDone,
    kept,
    committed,
    reopened: reopened.length,
    incomplete: reading.incomplete.map(({ personId, itemId, missing }) => ({
      person: nameOf(personId),
      item: itemId,
      missing,
    })),
    problems: reading.problems.map(problemText),
    problemCount,
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

function tell(all: readonly Imported[], open: readonly Incomplete[], isDry: boolean): void {
  for (const one of all) {
    process.stdout.write(`${summaryOf(one, isDry)}\n`);
    const { notices, problems, problemCount } = one;
    tellSome(notices, notices.length);
    tellSome(problems, problemCount);
  }
  for (const line of incompleteLines(open)) process.stdout.write(`${line}\n`);
}

function tellSome(lines: readonly string[], total: number): void {
  for (const line of lines.slice(0, MOST_SHOWN)) process.stderr.write(`${safeText(line)}\n`);
  if (total > MOST_SHOWN) process.stderr.write(`… and ${count(total - MOST_SHOWN)} more\n`);
}
