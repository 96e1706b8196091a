import type { Row } from '../format.ts';
import type { Fields } from '../item.ts';
import type { Problem } from '../problems.ts';
import { isRecord } from '../record-fields.ts';

/** Fields with the classes of a whole text: spaCy, and intent detection of doccano. */
const CATEGORY_FIELDS: readonly string[] = ['cats', 'categories'];
const CLASS_FIELDS: readonly string[] = [...CATEGORY_FIELDS, 'label', 'labels', 'category', 'class', 'intent'];

/**
 * Classes of a whole text beside the annotations in it. No recipe scores them: they are counted, and named as not read. A
 * class with the score 0 is one that the text does not have.
 *
 * @example categoriesOf({ ents: [], cats: { travel: 1, food: 0 } }) // { categories: ['travel'] }
 */
export function categoriesOf(record: Fields, names = CATEGORY_FIELDS): Pick<Row, 'categories'> {
  const categories = names.flatMap((name) => classNames(record[name]) ?? []);
  return categories.length === 0 ? {} : { categories };
}

/** Classes as a name, a list of names, or scores by name; null for anything else. */
function classNames(value: unknown): string[] | null {
  if (typeof value === 'string') return value === '' ? null : [value];
  if (Array.isArray(value)) {
    const names = value.filter((name: unknown) => typeof name === 'string');
    return names.length === 0 || names.length < value.length ? null : names;
  }
  if (!isRecord(value)) return null;
  const scores = Object.entries(value);
  const isScored = scores.every(([, score]) => typeof score === 'number' || typeof score === 'boolean');
  return scores.length === 0 || !isScored
    ? null
    : scores.filter(([, score]) => Number(score) > 0).map(([name]) => name);
}

/** The field of a record that classifies its text, where nothing in it is annotated. */
export function classField(record: Fields): string | null {
  if (!['text', 'data'].some((name) => typeof record[name] === 'string')) return null;
  return CLASS_FIELDS.find((name) => classNames(record[name]) !== null) ?? null;
}

/** The problem of a file with nothing but classes; `holder` is what has them: `label holds`. */
export function classificationProblem(holder: string, file: string, line: number | null): Problem {
  return {
    file,
    line,
    message: `text classification is not scored: ${holder} classes of whole texts, and nothing is annotated in them`,
    next: 'give annotations within the texts; if they are in another field, name it with --columns spans=NAME',
  };
}
