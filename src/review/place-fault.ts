import type { CellValue } from '../store/review-records.ts';
import { isAnswerList } from './questions.ts';

/** Why the places of labelled things cannot be: `length` is that of the text under review, in UTF-16 units. */
export function placeFault(value: CellValue, length: number): string | null {
  const beyond = isAnswerList(value) ? value.findIndex(({ end }) => end > length) : -1;
  return beyond === -1 ? null : `entry ${beyond + 1}: it ends beyond the text, which has ${length} characters`;
}
