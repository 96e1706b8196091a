import type { Case, Logged } from '../data/case.ts';
import { makeItem } from '../data/item.ts';
import type { CaseReviews } from './case-format.ts';

/**
 * What people said of a case itself and of a system's answer to it, as items that measures of the form count.
 */
export function reviewItems(
  { settled }: CaseReviews,
  caseId: string,
  of: { readonly system: string; readonly language: string | null; readonly withCase: boolean },
): Logged[] {
  const said = [
    ...(of.withCase ? (settled.said?.(caseId, null, null) ?? []) : []),
    ...(settled.said?.(caseId, of.system, of.language) ?? []),
  ];
  return said.map(({ question, part, value, reviewer }, index): Logged => ({
    item: makeItem({
      kind: reviewer === null ? 'outcome' : 'review',
      index,
      label: typeof value === 'number' ? (part ?? question) : value,
      ...(reviewer === null ? {} : { annotator: reviewer }),
      fields: {
        question,
        ...(part === null ? {} : { part }),
        ...(typeof value === 'number' ? { value } : { option: value }),
        given: 1,
      },
    }),
    verdict: 'excused',
    rule: 'logged',
  }));
}

/** The case with what people said of it and of this system's answer. */
export function reviewedCase(given: Case, reviews: CaseReviews, system: string, language: string | null): Case {
  const items = reviewItems(reviews, given.id, { system, language, withCase: true });
  return items.length === 0 ? given : { ...given, logged: [...(given.logged ?? []), ...items] };
}
