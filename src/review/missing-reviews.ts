import type { Plan } from '../recipe/plan.ts';
import type { SystemAnswers } from '../formats/case-format.ts';
import { ratersWanted } from './assignments.ts';
import { type ReviewedItem, reviewedItems } from './committed-work.ts';
import { partsOf } from './questions.ts';
import type { ReviewSnapshot } from './snapshot.ts';

/** One question about one system's answers (or about the cases): how many answers the form wants, and how many there are. */
export interface MissingReviews {
  readonly question: string;
  readonly title: string;
  /** Null for what is asked of the case itself. */
  readonly system: string | null;
  readonly given: number;
  readonly expected: number;
  /** Groups of people whose answers are missing, by their title. */
  readonly people: readonly string[];
}

/** What a complete evaluation would still need, question by question; what nobody has to answer is left out. */
export function missingReviews(
  { review: form }: Plan,
  files: readonly SystemAnswers[],
  snapshot: ReviewSnapshot | null,
): MissingReviews[] {
  if (form === null) return [];
  const reviewed = snapshot === null ? [] : reviewedItems(snapshot);
  return Object.entries(form.fields).flatMap(([question, field]): MissingReviews[] => {
    if (field.optional || field.by.length === 0) return [];
    const raters = field.by.reduce((sum, group) => sum + ratersWanted(form, group), 0);
    if (!Number.isFinite(raters)) return [];
    const parts = field.type === 'items' ? [null] : partsOf(field);
    const people = field.by.map((group) => form.people[group]?.title ?? group);
    const shared = { question, title: field.title, people };
    const count = (items: readonly ReviewedItem[]): number =>
      items.reduce((sum, item) => sum + answersTo(item, question, parts), 0);
    if (field.of === 'case') {
      const expected = (files[0]?.cases.rows.length ?? 0) * raters;
      const given = count(reviewed.filter(({ item }) => item.kind === 'case'));
      return given >= expected ? [] : [{ ...shared, system: null, given, expected }];
    }
    return files.flatMap(({ system, answers }) => {
      const asked = answers.rows.filter(
        ({ failed, language }) =>
          failed === null &&
          (field.languages.length === 0 || (language !== null && field.languages.includes(language))),
      );
      const expected = asked.length * raters * parts.length;
      const given = count(reviewed.filter(({ item }) => item.kind === 'answer' && item.system === system));
      return given >= expected ? [] : [{ ...shared, system, given, expected }];
    });
  });
}

function answersTo({ done }: ReviewedItem, question: string, parts: readonly (string | null)[]): number {
  return done.reduce((sum, work) => sum + parts.filter((part) => work.answer(question, part) !== null).length, 0);
}
