import type { ReviewField } from '../../../src/recipe/review-section.ts';
import type { CellValue } from '../../../src/store/review-records.ts';

/** An answer as a person would say it. */
export function valueWords(field: ReviewField | undefined, value: CellValue): string {
  if (value === null) return 'no answer';
  if (value === true) return 'yes';
  if (value === false) return 'no';
  if (typeof value === 'number') {
    const anchor = field?.type === 'scale' ? field.anchors[String(value)] : undefined;
    return anchor === undefined ? String(value) : `${value}, ${anchor}`;
  }
  if (typeof value === 'string') {
    if (field?.type === 'choice') return field.options[value]?.title ?? value;
    return field?.type === 'checklist' && value === 'na' ? 'not applicable' : value;
  }
  const labels = field?.type === 'items' ? field.labels : {};
  const counts = new Map<string, number>();
  for (const { label } of value) {
    const title = label === null ? 'no label' : (labels[label]?.title ?? label);
    counts.set(title, (counts.get(title) ?? 0) + 1);
  }
  return [...counts].map(([title, count]) => `${count} × ${title}`).join(', ');
}
