import type { ItemsField } from '../../recipe/review-section.ts';
import type { ItemAnswer } from '../../store/review-records.ts';
import { splitsPair } from '../../text/characters.ts';
import { contentWords } from '../../text/words.ts';
import type { ProposedItem } from '../content.ts';
import { isSamePlace, type Place } from '../place.ts';
import { type CellReading, readOption } from './cell-values.ts';
import {
  type CellSettling,
  type ClaimPart,
  type ClaimPast,
  type Standing,
  standingOf,
  versionIn,
} from './past-answers.ts';
import { AS_WRITTEN, CLAIM, CLAIM_TEXT, CLEAR, isClear, LABEL, NOTE, REMOVE, wordsIn } from './sheet-columns.ts';
import type { SheetContext } from './sheet-context.ts';
import { withPlainLineEnds } from './spreadsheet-cells.ts';
import type { SpreadsheetRow } from './spreadsheet-rows.ts';

export interface ClaimRow {
  readonly at: SpreadsheetRow;
  /** Names of the claims it is about: none for a new one, several to merge them. */
  readonly ids: readonly string[];
  readonly text: string;
  readonly label: string;
  readonly note: string;
  /** What was in the row when the sheet was written, and the version of the item then, if it is known. */
  readonly marks: string;
  readonly since: number | null;
  /** The names of the closest row above it that has some, of the same item. */
  readonly above: readonly string[];
}

export function claimRow(context: SheetContext, at: SpreadsheetRow): ClaimRow {
  const cell = (column: string): string => context.cell(at, column).trim();
  const ids = cell(CLAIM)
    .split('+')
    .map((id) => id.trim())
    .filter((id) => id !== '');
  const marks = cell(AS_WRITTEN);
  return {
    at,
    ids: [...new Set(ids)],
    text: cell(CLAIM_TEXT),
    label: cell(LABEL),
    note: cell(NOTE),
    marks,
    since: versionIn(marks),
    above: [],
  };
}

/** Of one item: what may be done with its claims, and what was. */
export interface ClaimSetting {
  readonly context: SheetContext;
  readonly field: ItemsField;
  readonly under: string;
  readonly past: ClaimPast;
  /** Whether all of these are places in the text, so that a new one has to be one too. */
  readonly isPlaced: boolean;
}

const DONE = { edit: 'edited', split: 'split', merge: 'merged', add: 'added', remove: 'removed' } as const;

export function allows(
  { context, field }: ClaimSetting,
  row: ClaimRow,
  act: keyof typeof DONE,
  column: string,
): boolean {
  if (field.allow.includes(act)) return true;
  context.problem(row.at, column, `the form does not let these be ${DONE[act]}: the change is left out`);
  return false;
}

const COLUMNS = { text: CLAIM_TEXT, label: LABEL, note: NOTE } as const;

/** What a row gives for a part of its claim; undefined if nothing. */
function valueIn(
  row: ClaimRow,
  part: ClaimPart,
  { labels }: ItemsField,
): CellReading | { readonly value: null } | undefined {
  const cell = row[part];
  if (cell === '') return undefined;
  if (part === 'text') return { value: withPlainLineEnds(cell) };
  if (isClear(cell)) return { value: null };
  return part === 'note' ? { value: withPlainLineEnds(wordsIn(cell)) } : readOption(labels, cell);
}

/** What a row changes a part of a claim to; undefined if it changes nothing that can be taken, with the problem noted. */
export function changedPart(setting: ClaimSetting, row: ClaimRow, claim: ItemAnswer, part: 'text'): string | undefined;
export function changedPart(
  setting: ClaimSetting,
  row: ClaimRow,
  claim: ItemAnswer,
  part: ClaimPart,
): string | null | undefined;
export function changedPart(
  { context, field, past }: ClaimSetting,
  row: ClaimRow,
  claim: ItemAnswer,
  part: ClaimPart,
): string | null | undefined {
  const reading = valueIn(row, part, field);
  if (reading === undefined) return undefined;
  if ('fault' in reading) {
    const meant = [CLEAR, REMOVE].find((word) => word === `[${row.label.toLowerCase()}]`);
    context.problem(row.at, LABEL, reading.fault, meant === undefined ? reading.next : `did you mean ${meant}?`);
    return undefined;
  }
  const standing = standingOf(settlingOf(row, claim.id, past, part, claim), reading.value);
  if (standing === 'kept') context.keep(row.at, COLUMNS[part]);
  if (standing !== 'new' || reading.value === null) return standing === 'new' ? null : undefined;
  const value = String(reading.value);
  const keeps = `the ${part === 'text' ? 'claim' : 'note'} keeps its words`;
  return part === 'label' || context.acceptsWords(row.at, COLUMNS[part], claim[part] ?? null, value, keeps)
    ? value
    : undefined;
}

export function standingOfGone({ field, past }: ClaimSetting, row: ClaimRow, id: string): Standing {
  const standings = (['label', 'note', 'text'] as const).map((part) => {
    const reading = valueIn(row, part, field);
    if (reading === undefined) return 'as-before';
    return 'fault' in reading ? 'new' : standingOf(settlingOf(row, id, past, part), reading.value);
  });
  return standings.find((one) => one === 'new') ?? standings.find((one) => one === 'kept') ?? 'as-before';
}

/** The words that the sheet was written with change nothing either. */
function settlingOf(
  { marks, since }: ClaimRow,
  id: string,
  past: ClaimPast,
  part: ClaimPart,
  claim?: ItemAnswer,
): CellSettling {
  const now = claim === undefined ? [] : [claim[part] ?? null];
  return {
    column: COLUMNS[part],
    marks,
    same: part === 'text' ? [...now, ...past.firstWords(id, since)] : now,
    had: (value) => past.had(id, part, value, since),
  };
}

/**
 * Of the places where words are in the text the first that no row has yet: several rows of the same words have one each.
 * Null, with the problem noted, if none is left.
 */
export function freePlace(
  { context, under }: ClaimSetting,
  row: ClaimRow,
  text: string,
  taken: readonly Place[],
): Place | null {
  const places = placesIn(under, text);
  const at = places.findIndex((place) => !taken.some((one) => isSamePlace(one, place)));
  if (places.length === 0)
    context.problem(
      row.at,
      CLAIM_TEXT,
      'these words are not in the text: the row is left out',
      'write them letter by letter as they are there',
    );
  else if (at === -1)
    context.problem(
      row.at,
      CLAIM_TEXT,
      `each place with these words (${places.length}) has its row already: this one is left out`,
    );
  else if (places.length > 1)
    context.notice(
      row.at,
      CLAIM_TEXT,
      `the words occur ${places.length} times in the text: the row is taken for place ${at + 1}`,
      'add a row for each place that is meant',
    );
  return places[at] ?? null;
}

export const NOWHERE: Place = { start: -1, end: -1 };
/** Nobody adds a row for each of more. */
const MOST_PLACES = 1000;

/** The place of words in a text, word for word: the first one from where they are expected on, or else the first. */
export function closestPlace(text: string, words: string, expected: Place | null): Place {
  const after = text.indexOf(words, expected?.start ?? 0);
  const start = after >= 0 ? after : text.indexOf(words);
  return words === '' || start < 0 ? NOWHERE : { start, end: start + words.length };
}

function placesIn(text: string, words: string): Place[] {
  const places: Place[] = [];
  let start = words === '' ? -1 : text.indexOf(words);
  while (start >= 0 && places.length < MOST_PLACES) {
    const end = start + words.length;
    const isWhole = !splitsPair(text, start) && !splitsPair(text, end);
    if (isWhole) places.push({ start, end });
    start = text.indexOf(words, isWhole ? end : start + 1);
  }
  return places;
}

/** A reworded part of a claim still has at least this share of its words from it. */
const SHARED = 0.5;
/** More of a text does not show better where it comes from. */
const MOST_WORDS = 200;
const WORDS = new WeakMap<ProposedItem, ReadonlySet<string>>();

/**
 * The claim that words were split from, if they are not in the text as they are: the one of the row above, or else
 * the first that shares most words with them. None if no claim has half of them: then they are from nowhere.
 */
export function originsByWords(
  text: string,
  above: readonly ProposedItem[],
  proposed: readonly ProposedItem[],
): ProposedItem[] {
  const words = [...new Set(contentWords(text).slice(0, MOST_WORDS))];
  const shareOf = (claims: readonly ProposedItem[]): number =>
    words.filter((word) => claims.some((claim) => wordsOf(claim).has(word))).length / Math.max(1, words.length);
  if (shareOf(above) >= SHARED) return [...above];
  let best: ProposedItem | null = null;
  let most = 0;
  for (const claim of proposed) {
    const share = shareOf([claim]);
    if (share > most) [best, most] = [claim, share];
  }
  return best === null || most < SHARED ? [] : [best];
}

/** The words of a claim are asked for by every new row. */
function wordsOf(claim: ProposedItem): ReadonlySet<string> {
  const words = WORDS.get(claim) ?? new Set(contentWords(claim.text));
  WORDS.set(claim, words);
  return words;
}
