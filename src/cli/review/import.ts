import {
  count,
  plural,
  type Document,
  type FilledColumn,
  filledTable,
  safeJson,
  sourceOf,
  UsageError,
} from '../../plugin.ts';
import {
  importSheet,
  type IncompleteItem,
  isUnnamed,
  type MissingCell,
  personNamed,
  type ReviewSnapshot,
  type SheetImport,
  type SheetOwner,
} from '../../review.ts';
import { command, type Terminal } from '../command.ts';
import * as flag from '../flags.ts';
import { EXIT } from '../group.ts';
import { REVIEW_FLAGS, REVIEW_NAME, withReview } from './review-store.ts';

type FileImport = SheetImport & { readonly file: string };

const FLAGS = {
  as: flag.string('<who>', 'reviewer whose sheets they are, if they do not say'),
  reviewer: flag.string('<name>', 'the same, also as a new name for a place that has none'),
  commit: flag.switchOff('leave items open that have all their answers now'),
  dryRun: flag.toggle('check everything and report what would happen'),
  ...REVIEW_FLAGS,
};

type ImportFlags = flag.FlagValues<typeof FLAGS>;

export const importSheetsCommand = command({
  name: 'import',
  arguments: { ...REVIEW_NAME, files: flag.someArguments('sheets; - is standard input') },
  flags: FLAGS,
  help: `
Rows may be in any order, half filled or missing; commas, semicolons and tabs,
UTF-8 and UTF-16 are understood, and Windows-1252 with a notice. An empty cell
changes nothing; [clear] takes an answer back. A cell that cannot be read, or
that is not asked for, is named by file, row and column; all others are kept.

Importing again changes nothing: an answer that was given before and changed
since, in the app or by another sheet, stays as it was changed, and is named. An
item that was opened again stays open. A sheet that is exported again counts.

Exit codes: 0 everything was read, 2 some cells were not (the rest is kept).

Examples:
  $ assay review import pilot sheets/Asha/*.csv
  $ assay review import pilot filled.csv --as Asha
  $ assay review import pilot sheets/expert-1/*.csv --reviewer Asha
  $ assay review import pilot sheets/*/*.csv --dry-run`,
  run({ files, ...flags }, terminal) {
    const { name, dryRun, json } = flags;
    return withReview(flags, dryRun ? 'look' : 'change', async (first, store) => {
      let snapshot = first;
      const results: FileImport[] = [];
      // What one file leaves open another may complete.
      const open = new Map<string, IncompleteItem>();
      for (const file of files) {
        const owner = ownerOf(snapshot, flags);
        const { result, whole, after } = await importSheet(store, snapshot, sourceOf(file), { ...flags, owner });
        results.push({ file, ...result });
        for (const { person, item } of whole) open.delete(JSON.stringify([person, item]));
        for (const entry of result.incomplete) open.set(JSON.stringify([entry.person, entry.item]), entry);
        // An item is done when its last sheet is in.
        snapshot = after;
      }
      if (!json) for (const result of results) noteProblems(result, terminal);
      const isFaulty = results.some(({ problemCount }) => problemCount > 0);
      return {
        document: () => importDocument(name, results, [...open.values()], dryRun),
        json: () => safeJson(results),
        exit: isFaulty ? EXIT.usage : EXIT.done,
        after() {
          if (isFaulty)
            terminal.note(
              dryRun
                ? 'Cells that are named cannot be read; all others can.'
                : 'Cells that are named were not read; all others are kept. Fix them, and import the file again.',
            );
        },
      };
    });
  },
});

/** Whose sheets the flags name: somebody of the review, or somebody who takes a place without a name. */
function ownerOf({ people, form }: ReviewSnapshot, { as, reviewer }: ImportFlags): SheetOwner {
  if (as !== undefined && reviewer !== undefined)
    throw new UsageError('--as and --reviewer both name the owner of the sheets', 'leave one of them out');
  const name = (reviewer ?? as)?.trim();
  if (name === undefined) return { id: null, newName: null };
  const isNew = !people.some((person) => person.name === name) && people.some((person) => isUnnamed(form, person.name));
  if (reviewer !== undefined && isNew) return { id: null, newName: name };
  return { id: personNamed(people, name, 'reviewer').id, newName: null };
}

const MOST_NOTED = 100;

function noteProblems({ notices, problems, problemCount }: SheetImport, { note }: Terminal): void {
  for (const [lines, total] of [
    [notices, notices.length],
    [problems, problemCount],
  ] as const) {
    lines.slice(0, MOST_NOTED).forEach(note);
    if (total > MOST_NOTED) note(`… and ${count(total - MOST_NOTED)} more`);
  }
}

const MOST_ITEMS = 5;
const MOST_QUESTIONS = 3;

function importDocument(
  name: string,
  results: readonly FileImport[],
  open: readonly IncompleteItem[],
  dryRun: boolean,
): Document {
  return {
    title: dryRun ? `Dry run of an import into ${name}: nothing was saved` : `Imported into ${name}`,
    sections: [
      { blocks: [filledTable(COLUMNS, results)] },
      {
        title: `${plural(open.length, 'item')} begun and not done yet`,
        blocks: [
          {
            list: open.map(({ person, item, missing }) => `${item} (${person}): ${missingText(missing)} missing`),
            shown: MOST_ITEMS,
          },
        ],
      },
    ],
  };
}

/** Of claims in a sheet of claims, else of answers. */
const COLUMNS: readonly FilledColumn<FileImport>[] = [
  [{ title: 'sheet', shrinks: 'last' }, ({ file }) => ({ text: file, tone: 'strong' })],
  [{ title: 'kind' }, ({ kind }) => kind ?? { text: 'not read', tone: 'bad' }],
  [{ title: 'rows', align: 'right' }, ({ rows }) => count(rows)],
  [{ title: 'changed', align: 'right' }, ({ changed }) => count(changed)],
  [{ title: 'unchanged', align: 'right' }, ({ unchanged }) => count(unchanged)],
  [{ title: 'items done', align: 'right' }, ({ committed }) => count(committed)],
  [{ title: 'remarks', below: true }, remarks],
];

function remarks({ kind, changedDone, kept, reopened }: SheetImport): string {
  const unit = kind === 'claims' ? 'claim' : 'answer';
  return [
    ...(changedDone > 0 ? [`${plural(changedDone, unit)} changed in items that were done`] : []),
    ...(kept > 0 ? [`${plural(kept, 'cell')} kept as changed since`] : []),
    ...(reopened > 0 ? [`${plural(reopened, 'item')} opened again ${reopened === 1 ? 'stays' : 'stay'} open`] : []),
  ].join('; ');
}

/** Question by question: the part if one is missing, else how many are. */
function missingText(missing: readonly MissingCell[]): string {
  const words = [...Map.groupBy(missing, ({ field }) => field)].map(([field, cells]) => {
    if (cells.length > 1) return `${field} (${cells.length})`;
    const part = cells[0]?.part ?? null;
    return part === null ? field : `${field}.${part}`;
  });
  const more = words.length > MOST_QUESTIONS ? ` and ${plural(words.length - MOST_QUESTIONS, 'question')} more` : '';
  return words.slice(0, MOST_QUESTIONS).join(', ') + more;
}
