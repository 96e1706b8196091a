import { spreadsheetCsv } from './spreadsheet-cells.ts';
import type { ReviewSection } from '../../recipe/review-section.ts';
import type { ItemAnswer } from '../../store/review-records.ts';
import type { ProposedItem, ReviewContent } from '../content.ts';
import { fieldOf } from '../questions.ts';
import { marksFor } from './as-written.ts';
import { NOTHING_FOUND, ownWords } from './control-words.ts';
import { claimsOf, type PersonWork, proposedOf } from './person-work.ts';
import { fitting, shownText } from './rating-sheet.ts';
import {
  AS_WRITTEN,
  CLAIM,
  CLAIM_TEXT,
  claimColumns,
  FACTS,
  FOUND_AS,
  ITEM,
  LABEL,
  NOTE,
  QUESTION,
  REVIEWER,
} from './sheet-columns.ts';

interface ClaimRow {
  readonly reviewer: string;
  readonly item: string;
  readonly version: number;
  readonly field: string;
  readonly claim: ItemAnswer;
  /** Empty after the first claim of an item: the answer is not repeated for each. */
  readonly blocks: readonly string[];
  readonly kind: string;
  readonly facts: string;
  readonly passages: readonly string[];
}

/** Without a name, as a claim that is none. */
const NOTHING: ItemAnswer = { id: '', start: -1, end: -1, text: NOTHING_FOUND, label: null, from: [] };

/**
 * One row for each claim (or span, or object), and one for an item in which nothing was found, that it can be finished too;
 * null where the person labels nothing.
 */
export function claimSheet(form: ReviewSection, work: PersonWork): string | null {
  const { fields, blocks } = claimColumns(form, work);
  if (fields.length === 0) return null;
  const rows = work.items.flatMap((item) =>
    fields
      .filter((field) => item.asked.includes(field))
      .flatMap((field) => {
        const question = fieldOf(form, field);
        const most = question?.type === 'items' ? question.passages : 0;
        const proposed = new Map(proposedOf(item, field).map((one) => [one.id, one]));
        const claims = proposed.size === 0 && claimsOf(item, field).length === 0 ? [NOTHING] : claimsOf(item, field);
        return claims.map((claim, at): ClaimRow => {
          const origins = (claim.from.length > 0 ? claim.from : [claim.id]).flatMap((id) => proposed.get(id) ?? []);
          return {
            reviewer: work.person.name,
            item: item.record.id,
            version: item.version,
            field,
            claim,
            blocks: blocks.map(({ block }) => (at === 0 ? shownText(item, block) : '')),
            kind: [...new Set(origins.flatMap(({ kind }) => kind ?? []))].join(', '),
            facts: origins.flatMap(factsOf).join('\n'),
            passages: passagesOf(origins, item.content, most),
          };
        });
      }),
  );
  return spreadsheetCsv(
    ...table(
      rows,
      fields.length > 1,
      blocks.map(({ name }) => name),
    ),
  );
}

/** Columns that would be empty for everybody are left out. */
function table(
  rows: readonly ClaimRow[],
  hasQuestion: boolean,
  blocks: readonly string[],
): [columns: string[], rows: string[][]] {
  const hasKind = rows.some(({ kind }) => kind !== '');
  const hasFacts = rows.some(({ facts }) => facts !== '');
  const passages = rows.reduce((most, row) => Math.max(most, row.passages.length), 0);
  const columns = [
    REVIEWER,
    ITEM,
    ...(hasQuestion ? [QUESTION] : []),
    CLAIM,
    ...blocks,
    CLAIM_TEXT,
    ...(hasKind ? [FOUND_AS] : []),
    ...(hasFacts ? [FACTS] : []),
    ...Array.from({ length: passages }, (_, at) => `passage_${at + 1}`),
    LABEL,
    NOTE,
    AS_WRITTEN,
  ];
  const cells = rows.map(({ claim, ...row }) => [
    row.reviewer,
    row.item,
    ...(hasQuestion ? [row.field] : []),
    claim.id,
    ...row.blocks,
    claim.text,
    ...(hasKind ? [row.kind] : []),
    ...(hasFacts ? [row.facts] : []),
    ...Array.from({ length: passages }, (_, at) => row.passages[at] ?? ''),
    claim.label ?? '',
    ownWords(claim.note ?? ''),
    marksFor(row.version, [
      [CLAIM_TEXT, claim.text],
      [LABEL, claim.label],
      [NOTE, claim.note ?? null],
    ]),
  ]);
  return [columns, cells];
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
    const found = passages.find((passage) => passage.id === id);
    return found === undefined ? [] : [fitting(found.source === null ? found.text : `[${found.source}] ${found.text}`)];
  });
}
