import { basename } from 'node:path';

import type { CellValue, Decision, ReviewItemRecord, ReviewPerson } from '../store/review-records.ts';
import { compareNatural } from '../text/compare.ts';
import { type ReviewedItem, reviewedItems, type Work } from './review-work.ts';
import { proposedFor } from './content.ts';
import { decidedClaims } from './claim-decisions.ts';
import { byPlace, placeOfPart } from './place.ts';
import { fieldOf, isAnswerList, partsOf } from './questions.ts';
import { partsOfList, proposedById } from './segments.ts';
import { spreadsheetCsv } from './sheets/spreadsheet-cells.ts';
import type { ReviewSnapshot } from './snapshot.ts';
import { isRating } from './outcomes.ts';

/** One person's answer about one thing: the line in which reviews leave and enter Assay. */
export interface ReviewLine {
  readonly case_id: string;
  /** Null for what is asked of the case itself. */
  readonly system: string | null;
  readonly language: string | null;
  readonly reviewer: string;
  /** An adjudicator's line settles what the reviewers' lines leave open. A model's never counts among people's. */
  readonly role: 'reviewer' | 'adjudicator';
  readonly field: string;
  /** The dimension of a scale, the item of a checklist, the place `start-end` of a claim or span; null for a whole. */
  readonly part: string | null;
  /** A rating, a class, a tick (`na` where it does not apply), a label, a comment. */
  readonly value: string | number | boolean;
  readonly text: string | null;
  /** What the data should call a thing, where a reviewer corrected that. */
  readonly corrected_kind?: string;
  readonly because: string | null;
  /** What a reviewer noted about a claim or span; not written to files. */
  readonly note?: string;
  readonly at: string | null;
}

/** Name of the answers of a stored review among the inputs of a run. */
export function reviewInputName(review: string): string {
  return `review ${basename(review)}`;
}

/** Its parts in the order in which they are written. */
export const LINE_PARTS = [
  'case_id',
  'system',
  'language',
  'reviewer',
  'role',
  'field',
  'part',
  'value',
  'text',
  'because',
  'at',
  'corrected_kind',
] as const satisfies readonly (keyof ReviewLine)[];

/** Always the same order of keys, so that the same reviews are the same bytes. */
export function orderedLine(line: ReviewLine): ReviewLine {
  const { case_id, system, language, reviewer, role, field, part, value, text, because, at, corrected_kind } = line;
  const written = { case_id, system, language, reviewer, role, field, part, value, text, because, at };
  return corrected_kind === undefined ? written : { ...written, corrected_kind };
}

/** Reviews for other tools: CSV that is safe to open in a spreadsheet, or JSONL. Both are read back by readReviewLines. */
export function writeReviewLines(lines: readonly ReviewLine[], format: 'csv' | 'jsonl'): string {
  if (format === 'jsonl') return lines.map((line) => `${JSON.stringify(orderedLine(line))}\n`).join('');
  const columns = LINE_PARTS.filter(
    (column) => column !== 'corrected_kind' || lines.some((line) => line[column] !== undefined),
  );
  return spreadsheetCsv(
    columns,
    lines.map((line) => columns.map((column) => String(line[column] ?? ''))),
  );
}

/**
 * The answers that hold now, one line for each: by case in natural order, the case itself before its answers, by system
 * and language, by reviewer in natural order, adjudicators last, in the order of the form. Things are a line each, by place;
 * so are the things of a stretch that an adjudicator decided. That there is nothing on a stretch is `false` at its place.
 */
export function reviewLines(snapshot: ReviewSnapshot, { drafts = false } = {}): ReviewLine[] {
  const people = new Map(snapshot.people.map((person) => [person.id, person]));
  return reviewedItems(snapshot).flatMap((reviewed) => [
    ...(drafts ? [...reviewed.done, ...reviewed.begun] : reviewed.done)
      .toSorted((a, b) => compareNatural(a.person.name, b.person.name))
      .flatMap((work) => linesOfWork(snapshot, reviewed.item, work)),
    ...linesOfDecisions(snapshot, reviewed, people),
  ]);
}

function linesOfWork({ form }: ReviewSnapshot, item: ReviewItemRecord, work: Work): ReviewLine[] {
  const whose = { reviewer: work.person.name, role: 'reviewer', because: null, at: work.state.updatedAt } as const;
  return Object.entries(form.fields).flatMap(([field, declared]) => {
    if (declared.type === 'items') return linesOfThings(item, field, work.answer(field, null), whose);
    return partsOf(declared).flatMap((part) => {
      const value = work.answer(field, part);
      if (!isRating(value) || (typeof value === 'string' && value.trim() === '')) return [];
      return [{ ...namesOf(item), ...whose, field, part, value, text: null }];
    });
  });
}

type Whose = Pick<ReviewLine, 'reviewer' | 'role' | 'because' | 'at'>;

function linesOfThings(item: ReviewItemRecord, field: string, value: CellValue, whose: Whose): ReviewLine[] {
  if (!isAnswerList(value)) return [];
  const parts = partsOfList(value, proposedById(proposedFor(item, field)));
  return value
    .flatMap(({ text, label, kind, note = '' }, at) => {
      if (label === null) return [];
      const corrected = kind === undefined ? {} : { corrected_kind: kind };
      const line = { ...namesOf(item), ...whose, field, part: parts[at]!, value: label, text, ...corrected };
      return [note.trim() === '' ? line : { ...line, note }];
    })
    .sort(linesByPlace);
}

/** Also decisions on what is no conflict any more. */
function linesOfDecisions(
  { form }: ReviewSnapshot,
  reviewed: ReviewedItem,
  people: ReadonlyMap<string, ReviewPerson>,
): ReviewLine[] {
  const { item, decisions } = reviewed;
  const whoseOf = ({ personId, because, at }: Decision): Whose => ({
    reviewer: people.get(personId)?.name ?? personId,
    role: 'adjudicator',
    because,
    at,
  });
  return Object.keys(form.fields).flatMap((field) => {
    const declared = fieldOf(form, field)!;
    if (declared.type === 'items')
      return decidedClaims(reviewed, field, proposedById(proposedFor(item, field)))
        .flatMap(({ decision, part, claims }): ReviewLine[] => {
          const line = { ...namesOf(item), ...whoseOf(decision), field };
          if (decision.value === false || (isAnswerList(decision.value) && decision.value.length === 0))
            return [{ ...line, part, value: false, text: null }];
          return claims.map((claim) => {
            const thing = isAnswerList(decision.value)
              ? decision.value.find(({ text }) => text === claim.text)
              : undefined;
            const corrected = thing?.kind === undefined ? {} : { corrected_kind: thing.kind };
            return { ...line, part: claim.part, value: claim.label, text: claim.text, ...corrected };
          });
        })
        .sort(linesByPlace);
    return partsOf(declared).flatMap((part) => {
      const decision = decisions.find((one) => one.field === field && one.part === part);
      if (decision === undefined || !isRating(decision.value)) return [];
      return [{ ...namesOf(item), ...whoseOf(decision), field, part, value: decision.value, text: null }];
    });
  });
}

function namesOf({ caseId, system, language }: ReviewItemRecord): Pick<ReviewLine, 'case_id' | 'system' | 'language'> {
  return { case_id: caseId, system, language };
}

const NOWHERE = { start: -1, end: -1 };

function linesByPlace(a: ReviewLine, b: ReviewLine): number {
  return byPlace(placeOfPart(a.part) ?? NOWHERE, placeOfPart(b.part) ?? NOWHERE);
}
