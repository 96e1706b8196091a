import { untouched } from '../../../src/review/corrections.ts';
import type { ReviewContent } from '../../../src/review/content.ts';
import type { CellValue, ItemAnswer, ReviewCell } from '../../../src/store/review-records.ts';

/** Null where there is no answer, or where it was taken back. */
export function valueOf(cells: readonly ReviewCell[], field: string, part: string | null): CellValue {
  return cells.find((cell) => cell.field === field && cell.part === part)?.value ?? null;
}

/** The cells with this one in place of the earlier answer. */
export function withCell(cells: readonly ReviewCell[], cell: ReviewCell): readonly ReviewCell[] {
  const others = cells.filter((other) => other.field !== cell.field || other.part !== cell.part);
  return cell.value === null ? others : [...others, cell];
}

/** The list as the person left it, or as it was proposed where nobody touched it. */
export function labelledItems(
  content: ReviewContent,
  cells: readonly ReviewCell[],
  field: string,
): readonly ItemAnswer[] {
  const value = valueOf(cells, field, null);
  if (isList(value)) return value;
  const proposed = Object.hasOwn(content.proposed, field) ? content.proposed[field] : undefined;
  return untouched(proposed ?? []);
}

function isList(value: CellValue): value is readonly ItemAnswer[] {
  return Array.isArray(value);
}
