import { count, counted } from '../../text/figures.ts';
import { safeText } from '../../report/safe-text.ts';
import type { MissingCell } from '../../review/questions.ts';
import type { SheetReading } from '../../review/sheets/read-sheet.ts';

/** What became of one file. */
export interface Imported {
  readonly file: string;
  /** Null for a file that is no sheet. */
  readonly kind: SheetReading['kind'] | null;
  readonly rows: number;
  /** Answers of a sheet of ratings, claims of one of claims. */
  readonly changed: number;
  readonly unchanged: number;
  readonly changedDone: number;
  readonly kept: number;
  readonly committed: number;
  readonly reopened: number;
  readonly incomplete: readonly Incomplete[];
  readonly problems: readonly string[];
  readonly problemCount: number;
  readonly notices: readonly string[];
}

/** An item that was begun and lacks answers. */
export interface Incomplete {
  readonly person: string;
  readonly item: string;
  readonly missing: readonly MissingCell[];
}

const MOST_ITEMS = 5;
const MOST_QUESTIONS = 3;

/** One line for a file; whatever is counted in it is counted in one unit. */
export function summaryOf(one: Imported, dryRun: boolean): string {
  const { file, kind, rows, changed, unchanged, changedDone, kept, committed, reopened } = one;
  if (kind === null) return safeText(`${file}: not read`);
  const unit = kind === 'claims' ? 'claim' : 'answer';
  const more = [
    ...(changedDone > 0
      ? [`${counted(changedDone, unit)} of items that were done ${changedDone === 1 ? 'has' : 'have'} changed`]
      : []),
    ...(kept > 0 ? [`kept what was changed since in ${counted(kept, 'cell')}`] : []),
    ...(reopened > 0 ? [`${counted(reopened, 'item')} opened again ${reopened === 1 ? 'stays' : 'stay'} open`] : []),
  ];
  return safeText(
    `${file}: ${kind}, ${counted(rows, 'row')}: ${dryRun ? 'would be ' : ''}${counted(changed, unit)} new or changed, ${count(unchanged)} as before, ${counted(committed, 'item')} done${more.map((words) => `; ${words}`).join('')}`,
  );
}

/** What keeps items from being done, the first few of them; no lines where nothing does. */
export function incompleteLines(items: readonly Incomplete[]): string[] {
  if (items.length === 0) return [];
  return [
    `${counted(items.length, 'item')} begun, and not done yet. Missing:`,
    ...items
      .slice(0, MOST_ITEMS)
      .map(({ person, item, missing }) => safeText(`  ${item} (${person}): ${missingWords(missing)}`)),
    ...(items.length > MOST_ITEMS ? [`  … and ${counted(items.length - MOST_ITEMS, 'item')} more`] : []),
  ];
}

/** Question by question: the part where one is missing, else how many are. */
function missingWords(missing: readonly MissingCell[]): string {
  const words = [...Map.groupBy(missing, ({ field }) => field)].map(([field, cells]) => {
    const [first] = cells;
    return cells.length > 1 ? `${field} (${cells.length})` : [field, first?.part ?? null].filter(isText).join('.');
  });
  const more = words.length > MOST_QUESTIONS ? ` and ${counted(words.length - MOST_QUESTIONS, 'question')} more` : '';
  return words.slice(0, MOST_QUESTIONS).join(', ') + more;
}

function isText(word: string | null): word is string {
  return word !== null;
}
