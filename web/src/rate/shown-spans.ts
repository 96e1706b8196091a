import type { ReviewContent } from '../../../src/review/content.ts';
import type { ReviewCell } from '../../../src/store/review-records.ts';
import type { ShownSpan } from '../text-segments.ts';
import { relationOf } from '../relation.ts';
import { labelledItems } from './cells.ts';
import type { Form, Stop } from './stops.ts';

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
      .map(({ id, start, end, label, kind }) => ({
        id,
        start,
        end,
        tone: label === null ? null : labels.indexOf(label),
        kind: kind ?? kinds.get(id) ?? null,
      }));
  });
}

/** Those that belong to the row at hand: the thing itself, or the two that a link joins. */
export function spansAt(
  form: Form,
  content: ReviewContent,
  cells: readonly ReviewCell[],
  at: Stop | null,
): readonly string[] {
  if (at === null || at.part === null || form[at.field]?.type !== 'items') return [];
  const proposed = (content.proposed[at.field] ?? []).find(({ id }) => id === at.part);
  const relation = proposed === undefined ? null : relationOf(proposed);
  if (relation === null) return [at.part];
  return labelledItems(content, cells, at.field)
    .filter(({ start, text }) => start >= 0 && (text === relation.source || text === relation.target))
    .map(({ id }) => id);
}
