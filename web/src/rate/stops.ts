import type { ReviewField } from '../../../src/recipe/review-section.ts';
import type { ReviewContent } from '../../../src/review/content.ts';
import { lacksKind } from '../../../src/review/corrections.ts';
import type { ReviewCell } from '../../../src/store/review-records.ts';
import { labelledItems, valueOf } from './cells.ts';

/** A row of the form that takes one answer: a dimension, a tick, a claim, a whole question. */
export interface Stop {
  readonly field: string;
  readonly part: string | null;
}

export type Form = Readonly<Record<string, ReviewField>>;

export function stopKey({ field, part }: Stop): string {
  return part === null ? field : `${field}/${part}`;
}

export function isSameStop(a: Stop | null, b: Stop | null): boolean {
  return a?.field === b?.field && a?.part === b?.part;
}

/** The rows of an item from top to bottom. A list without anything in it is a row too, so that something can be added. */
export function stopsOf(
  form: Form,
  fields: readonly string[],
  content: ReviewContent,
  cells: readonly ReviewCell[],
): readonly Stop[] {
  return fields.flatMap((field): readonly Stop[] => {
    const question = form[field];
    switch (question?.type) {
      case 'scale':
        return partsOf(field, Object.keys(question.dimensions));
      case 'checklist':
        return partsOf(field, Object.keys(question.items));
      case 'items':
        return partsOf(
          field,
          labelledItems(content, cells, field).map(({ id }) => id),
        );
      case 'choice':
      case 'text':
        return [{ field, part: null }];
      case undefined:
        return [];
    }
  });
}

/** The rows without which an item is not done. What is optional may stay half answered: what has no answer counts as none. */
export function neededStops(
  form: Form,
  fields: readonly string[],
  content: ReviewContent,
  cells: readonly ReviewCell[],
): readonly Stop[] {
  const asked = fields.filter((field) => form[field]?.optional === false);
  return stopsOf(form, asked, content, cells);
}

/** Those of them that have no answer yet. */
export function missingStops(...of: Parameters<typeof neededStops>): readonly Stop[] {
  const [form, , content, cells] = of;
  return neededStops(...of).filter((stop) => !isAnswered(form, content, cells, stop));
}

/** Where to go on: at the beginning of what was not begun, or has all that it needs; otherwise at the first thing missing. */
export function firstOpen(...of: Parameters<typeof neededStops>): Stop | null {
  const [form, , content, cells] = of;
  const stops = stopsOf(...of);
  const isBegun = stops.some((stop) => isAnswered(form, content, cells, stop));
  return (isBegun ? missingStops(...of)[0] : undefined) ?? stops[0] ?? null;
}

export function isAnswered(form: Form, content: ReviewContent, cells: readonly ReviewCell[], stop: Stop): boolean {
  const field = form[stop.field];
  if (field?.type !== 'items') {
    const value = valueOf(cells, stop.field, stop.part);
    return typeof value === 'string' ? value.trim() !== '' : value !== null;
  }
  const list = labelledItems(content, cells, stop.field);
  const thing = list.find(({ id }) => id === stop.part);
  return stop.part === null || (thing !== undefined && thing.label !== null && !lacksKind(field.allow, thing));
}

function partsOf(field: string, parts: readonly string[]): readonly Stop[] {
  return parts.length === 0 ? [{ field, part: null }] : parts.map((part) => ({ field, part }));
}
