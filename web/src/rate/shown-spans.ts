import type { ReviewContent } from '../../../src/review/content.ts';
import type { ReviewCell } from '../../../src/store/review-records.ts';
import type { ShownSpan } from '../shown-content.tsx';
import { labelledItems } from './cells.ts';
import type { Form } from './stops.ts';

/** The things of an item that have a place in its text, each in the colour of its label. */
export function shownSpans(
  form: Form,
  fields: readonly string[],
  content: ReviewContent,
  cells: readonly ReviewCell[],
): readonly ShownSpan[] {
  return fields.flatMap((name) => {
    const field = form[name];
    if (field?.type !== 'items') return [];
    const labels = Object.keys(field.labels);
    const kinds = new Map((content.proposed[name] ?? []).map(({ id, kind }) => [id, kind]));
    return labelledItems(content, cells, name)
      .filter(({ start }) => start >= 0)
      .map(({ id, start, end, label }) => ({
        id,
        start,
        end,
        tone: label === null ? null : labels.indexOf(label),
        kind: kinds.get(id) ?? null,
      }));
  });
}
