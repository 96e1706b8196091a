import { describe } from '../data/record-fields.ts';
import { sortedJson } from '../data/sorted-json.ts';
import type { ReviewSection } from '../recipe/review-section.ts';
import type { CellValue } from '../store/review-records.ts';
import type { Conflict } from './conflicts.ts';
import { textUnderReview } from './content.ts';
import { cellFault, fieldOf, isAnswerList } from './questions.ts';

/** Why a conflict cannot be decided so; null if it can. Null opens it again, which is always possible. */
export function decisionFault(form: ReviewSection, conflict: Conflict, value: CellValue): string | null {
  const { field, part, item } = conflict;
  const question = fieldOf(form, field);
  if (value === null) return null;
  if (question?.type !== 'items') return cellFault(form, { field, part, value });
  // A label for a thing that all see; the list of what is there where people cut the text differently.
  if (!isAnswerList(value)) {
    return typeof value === 'string' && Object.hasOwn(question.labels, value)
      ? null
      : `expected one of ${Object.keys(question.labels).join(', ')}, or a list, found ${describe(value)}`;
  }
  const unlabelled = value.findIndex(({ label }) => label === null);
  if (unlabelled !== -1) return `entry ${unlabelled + 1} has no label`;
  return cellFault(form, { field, part: null, value }) ?? placeFault(value, textUnderReview(item)?.length ?? 0);
}

export function isAnAnswer({ answers }: Conflict, value: CellValue): boolean {
  return answers.some((answer) => sortedJson(answer.value) === sortedJson(value));
}

/** Why the places of labelled things cannot be: `length` is that of the text under review, in UTF-16 units. */
export function placeFault(value: CellValue, length: number): string | null {
  const beyond = isAnswerList(value) ? value.findIndex(({ end }) => end > length) : -1;
  return beyond === -1 ? null : `entry ${beyond + 1}: it ends beyond the text, which has ${length} characters`;
}
