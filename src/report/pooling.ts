import type { MeasureValue } from '../measure/results.ts';

/** A mean of the cases' own values, in which each case counts the same; all other values pool the cases. */
export const CASE_MEAN = 'case mean';

export const CASE_MEAN_MEANING = 'the mean of the cases’ own values, each case counting the same';

type Pooled = Pick<MeasureValue, 'name' | 'meanOfCases'>;

/** True if some of the values are means of cases and others are not: then each has to be named. */
export function poolsDiffer(values: readonly Pooled[]): boolean {
  return values.some(isCaseMean) && !values.every(isCaseMean);
}

export function isCaseMean({ meanOfCases }: Pick<MeasureValue, 'meanOfCases'>): boolean {
  return meanOfCases === true;
}

/** What a value is, in a table that has both. */
export function poolingWord(value: Pick<MeasureValue, 'meanOfCases'>): string {
  return isCaseMean(value) ? CASE_MEAN : 'pooled';
}

/** The measures of a table that are means of cases, if others of it pool them. */
export function poolingRemarks(values: readonly Pooled[]): string[] {
  if (!poolsDiffer(values)) return [];
  const names = [...new Set(values.filter(isCaseMean).map(({ name }) => name))];
  return [`${CASE_MEAN} (${CASE_MEAN_MEANING}): ${names.join(', ')}; other values pool all cases`];
}
