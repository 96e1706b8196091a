import type { ReviewField } from '../../../src/recipe/review-section.ts';
import { valueWords } from '../value-words.ts';

/** A value of the question's own, and the key that takes it while the list is open. */
export interface OtherValue {
  readonly key: string;
  readonly value: string | number | boolean;
  readonly words: string;
  readonly help: string;
}

const LETTERS = 'abcdefghijklmnopqrstuvwxyz';

/** Everything that the question allows. A list of claims or a text has none: `parted` means a label, not a list. */
export function otherValues(question: ReviewField, part: string | null, parted: boolean): OtherValue[] {
  switch (question.type) {
    case 'scale': {
      const points = Array.from({ length: question.to - question.from + 1 }, (_, index) => question.from + index);
      const plain = points.every((point) => point >= 0 && point <= 9);
      return points.map((point, index) => ({
        key: plain ? String(point) : keyAt(index, points.length),
        value: point,
        words: valueWords(question, point),
        help: '',
      }));
    }
    case 'choice':
      return named(Object.entries(question.options));
    case 'items':
      return parted ? named(Object.entries(question.labels)) : [];
    case 'checklist': {
      const values = [true, false, ...(part !== null && question.notApplicable.includes(part) ? ['na'] : [])];
      return values.map((value, index) => ({
        key: keyAt(index, values.length),
        value,
        words: valueWords(question, value),
        help: '',
      }));
    }
    case 'text':
      return [];
  }
}

function named(
  entries: readonly (readonly [string, { readonly title: string; readonly help: string }])[],
): OtherValue[] {
  return entries.map(([value, shown], index) => ({
    key: keyAt(index, entries.length),
    value,
    words: shown.title,
    help: shown.help,
  }));
}

/** Digits while they last for all, then letters; the few beyond those have no key and are clicked or tabbed to. */
function keyAt(index: number, count: number): string {
  return count <= 9 ? String(index + 1) : (LETTERS[index] ?? '');
}
