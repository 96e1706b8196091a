import { shorten } from '../../data/visible.ts';
import type { ReviewSection } from '../../recipe/review-section.ts';
import type { CellValue, ItemAnswer } from '../../store/review-records.ts';
import { proposedFor, type ProposedItem, type ReviewContent } from '../content.ts';
import { contentFor, fieldOf } from '../questions.ts';
import type { ReviewSnapshot } from '../snapshot.ts';
import { howToFill } from './fill-guide.ts';
import { marksFor } from './past-answers.ts';
import { currentClaims, type PersonWork, type WorkItem, workOf } from './person-work.ts';
import {
  AS_WRITTEN,
  CLAIM,
  CLAIM_SHEET,
  CLAIM_TEXT,
  claimColumns,
  FACTS,
  KIND,
  GUIDE,
  ITEM,
  LABEL,
  NOT_ASKED,
  NOTE,
  EMPTY_ITEM,
  escapedWords,
  PASSAGES,
  QUESTION,
  RATING_SHEET,
  ratingColumns,
  REVIEWER,
} from './sheet-columns.ts';
import { spreadsheetCsv } from './spreadsheet-cells.ts';

export interface Sheet {
  /** Of a file in the reviewer's folder. */
  readonly name: string;
  readonly content: string;
}

/**
 * The files by which a person does without the app what they would do in it: ratings, claims, and what the columns mean.
 * Only those for which there are questions. Nothing in them names a system, a gold label or an automatic score.
 */
export function sheetsFor(snapshot: ReviewSnapshot, personId: string): Sheet[] {
  const { form } = snapshot;
  const work = workOf(snapshot, personId);
  const sheets = [
    { name: RATING_SHEET, content: ratingSheet(form, work) },
    { name: CLAIM_SHEET, content: claimSheet(form, work) },
  ].filter(({ content }) => content !== '');
  if (sheets.length === 0) return [];
  const passages = { name: PASSAGES, content: passageList(form, work) };
  const guide = { name: GUIDE, content: howToFill(snapshot, work) };
  return [...sheets, ...(passages.content === '' ? [] : [passages]), guide];
}

/** A column: how its cell is written, and for one that is filled in, the answer that it holds. */
interface SheetColumn<Row> {
  readonly name: string;
  readonly text: (row: Row) => string;
  readonly answer?: (row: Row) => CellValue;
  /** Left out if it would be empty for everybody. */
  readonly optional?: boolean;
}

/** What every row is about; behind all other columns it has marks for the answers that it was written with. */
function sheetText<Row extends { readonly item: WorkItem }>(
  { person }: PersonWork,
  rows: readonly Row[],
  own: readonly SheetColumn<Row>[],
): string {
  const columns: readonly SheetColumn<Row>[] = [
    { name: REVIEWER, text: () => person.name },
    { name: ITEM, text: ({ item }) => item.record.id },
    ...own.filter(({ optional, text }) => optional !== true || rows.some((row) => text(row) !== '')),
    {
      name: AS_WRITTEN,
      text: (row) =>
        marksFor(
          row.item.version,
          own.flatMap(({ name, answer }) => (answer === undefined ? [] : [[name, answer(row)] as const])),
        ),
    },
  ];
  return spreadsheetCsv(
    columns.map(({ name }) => name),
    rows.map((row) => columns.map(({ text }) => text(row))),
  );
}

/** One row for each item of the queue, one column for each question; '' if the person has no such questions. */
function ratingSheet(form: ReviewSection, work: PersonWork): string {
  const { questions, blocks } = ratingColumns(form, work);
  const fields = new Set(questions.map(({ field }) => field));
  const rows = work.items.filter(({ asked }) => asked.some((field) => fields.has(field))).map((item) => ({ item }));
  if (questions.length === 0) return '';
  return sheetText(work, rows, [
    ...blocks.map(({ name, block }) => ({ name, text: ({ item }: RatingRow) => shownText(item, block) })),
    ...questions.map(({ name, field, part }) => ({
      name,
      text: ({ item }: RatingRow) => (item.asked.includes(field) ? cellText(item.answer(field, part)) : NOT_ASKED),
      answer: ({ item }: RatingRow) => (item.asked.includes(field) ? item.answer(field, part) : null),
    })),
  ]);
}

interface RatingRow {
  readonly item: WorkItem;
}

interface ClaimRow extends RatingRow {
  readonly field: string;
  readonly claim: ItemAnswer;
  /** The texts are in the first row of an item only. */
  readonly isFirst: boolean;
  /** What was proposed that the claim was made of. */
  readonly origins: readonly ProposedItem[];
  readonly passages: readonly string[];
}

/** Without a name, as a claim that is none. */
const NOTHING: ItemAnswer = { id: '', start: -1, end: -1, text: EMPTY_ITEM, label: null, from: [] };

/**
 * One row for each claim (or span, or object), and one for an item in which nothing was found, so that it can be finished
 * too; '' if the person labels nothing.
 */
function claimSheet(form: ReviewSection, work: PersonWork): string {
  const { fields, blocks } = claimColumns(form, work);
  if (fields.length === 0) return '';
  const rows = work.items.flatMap((item) =>
    fields.filter((field) => item.asked.includes(field)).flatMap((field) => claimRows(form, item, field)),
  );
  const most = Math.max(0, ...rows.map(({ passages }) => passages.length));
  return sheetText<ClaimRow>(work, rows, [
    ...(fields.length > 1 ? [{ name: QUESTION, text: ({ field }: ClaimRow) => field }] : []),
    { name: CLAIM, text: ({ claim }) => claim.id },
    ...blocks.map(({ name, block }) => ({
      name,
      text: ({ item, isFirst }: ClaimRow) => (isFirst ? shownText(item, block) : ''),
    })),
    { name: CLAIM_TEXT, text: ({ claim }) => claim.text, answer: ({ claim }) => claim.text },
    {
      name: KIND,
      text: ({ origins }) => [...new Set(origins.flatMap(({ kind }) => kind ?? []))].join(', '),
      optional: true,
    },
    { name: FACTS, text: ({ origins }) => origins.flatMap(factsOf).join('\n'), optional: true },
    ...Array.from({ length: most }, (_, at) => ({
      name: `passage_${at + 1}`,
      text: ({ passages }: ClaimRow) => passages[at] ?? '',
    })),
    { name: LABEL, text: ({ claim }) => claim.label ?? '', answer: ({ claim }) => claim.label },
    { name: NOTE, text: ({ claim }) => escapedWords(claim.note ?? ''), answer: ({ claim }) => claim.note ?? null },
  ]);
}

function claimRows(form: ReviewSection, item: WorkItem, field: string): ClaimRow[] {
  const question = fieldOf(form, field);
  const most = question?.type === 'items' ? question.passages : 0;
  const proposed = new Map(proposedFor(item.record, field).map((one) => [one.id, one]));
  const claims = currentClaims(item, field);
  return (proposed.size === 0 && claims.length === 0 ? [NOTHING] : claims).map((claim, at) => {
    const origins = (claim.from.length > 0 ? claim.from : [claim.id]).flatMap((id) => proposed.get(id) ?? []);
    return { item, field, claim, isFirst: at === 0, origins, passages: passagesOf(origins, item.content, most) };
  });
}

function factsOf({ facts }: ProposedItem): string[] {
  return Object.entries(facts).map(([name, fact]) => `${name}: ${fact}`);
}

/** The best of each origin first, each passage once. */
function passagesOf(origins: readonly ProposedItem[], { passages }: ReviewContent, most: number): string[] {
  const longest = Math.max(0, ...origins.map((one) => one.passages.length));
  const ids = new Set(
    Array.from({ length: longest }, (_, rank) => origins.flatMap((one) => one.passages[rank] ?? [])).flat(),
  );
  return [...ids].slice(0, most).flatMap((id) => {
    const passage = passages.find((one) => one.id === id);
    if (passage === undefined) return [];
    return [fitting(passage.source === null ? passage.text : `[${passage.source}] ${passage.text}`)];
  });
}

/** All that was retrieved, item by item: the sheet has the best for each claim only. '' if none of it is shown. */
function passageList(form: ReviewSection, { items }: PersonWork): string {
  const parts = items.flatMap(({ record, asked, content }) => {
    const { passages } = contentFor(form, asked, content);
    if (passages.length === 0) return [];
    const all = passages.map(({ source, text }, at) => `[${at + 1}]${source === null ? '' : ` ${source}`}\n${text}\n`);
    return [`Item ${record.id}\n\n${all.join('\n')}`];
  });
  return parts.join('\n');
}

/** A cell of Excel holds 32,767 characters; what is longer would spill into the next rows. */
const LONGEST_SHOWN = 32_000;

/** A block as it is in a sheet; '' if the item has none. */
export function shownText({ content }: WorkItem, block: string): string {
  return fitting(content.blocks.find(({ name }) => name === block)?.text ?? '');
}

function fitting(text: string): string {
  return text.length <= LONGEST_SHOWN ? text : `${shorten(text, LONGEST_SHOWN)} (cut off here)`;
}

/** TRUE would become WAHR on a German computer. */
function cellText(value: CellValue): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'string') return escapedWords(value);
  return typeof value === 'number' ? String(value) : '';
}
