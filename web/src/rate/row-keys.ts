import type { ReviewField } from '../../../src/recipe/review-section.ts';
import type { CellValue } from '../../../src/store/review-records.ts';
import { scalePoints } from './scale-points.ts';
import type { Stop } from './stops.ts';

/** A key that answers the row that the person is at. */
export interface RowKey {
  readonly keys: readonly string[];
  readonly does: string;
  readonly value: Exclude<CellValue, readonly unknown[]>;
}

const LETTERS = 'abcdefghi';

/** Of the first nine options: letters beyond them move about. */
export function letterOf(index: number): string | null {
  return LETTERS[index] ?? null;
}

/** For the labels of a list the value is the label; a row of text has no such keys. */
export function rowKeys(field: ReviewField, { part }: Stop): readonly RowKey[] {
  switch (field.type) {
    case 'scale':
      return scalePoints(field)
        .filter(({ point }) => point >= 0 && point <= 9)
        .map(({ point, anchor }) => ({
          keys: [String(point)],
          does: anchor === '' ? `rate ${point}` : anchor,
          value: point,
        }));
    case 'choice':
      return Object.entries(field.options)
        .slice(0, LETTERS.length)
        .map(([value, { title }], index) => ({ keys: [LETTERS[index] ?? '', String(index + 1)], does: title, value }));
    case 'checklist': {
      const always: readonly RowKey[] = [
        { keys: ['y'], does: 'yes', value: true },
        { keys: ['n'], does: 'no', value: false },
      ];
      const mayNotApply = part !== null && field.notApplicable.includes(part);
      return mayNotApply ? [...always, { keys: ['x'], does: 'not applicable', value: 'na' }] : always;
    }
    case 'items':
      return part === null
        ? []
        : Object.entries(field.labels)
            .slice(0, 9)
            .map(([value, { title }], index) => ({ keys: [String(index + 1)], does: title, value }));
    case 'text':
      return [];
  }
}
