import type { Plan } from '../recipe/plan.ts';
import type { SystemAnswers } from '../formats/case-format.ts';
import type { ReviewField, ReviewSection } from '../recipe/review-section.ts';
import { answersWanted } from './assignments.ts';
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
    const raters = field.optional ? null : answersWanted(form, field);
    if (raters === null) return [];
    const parts = partsOf(field);
    const shared = { question, title: field.title, people: groupTitles(form, field) };
    const count = (items: readonly ReviewedItem[]): number => answersTo(items, question, parts);
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

/** The same of a review by itself: answers that reviewers were asked for and have not committed, by question and system. */
export function missingAnswers(snapshot: ReviewSnapshot): MissingReviews[] {
  const { form } = snapshot;
  return Object.entries(form.fields).flatMap(([question, field]) => {
    if (field.optional) return [];
    const parts = partsOf(field);
    const asked = reviewedItems(snapshot).filter((one) => one.asked(question).people > 0);
    const bySystem = Map.groupBy(asked, ({ item }) => (field.of === 'case' ? null : item.system));
    return [...bySystem].flatMap(([system, items]) => {
      const expected = items.reduce((sum, one) => sum + one.asked(question).people * parts.length, 0);
      const given = answersTo(items, question, parts);
      const people = groupTitles(form, field);
      return given >= expected ? [] : [{ question, title: field.title, system, given, expected, people }];
    });
  });
}

function groupTitles({ people }: ReviewSection, { by }: ReviewField): string[] {
  return by.map((group) => people[group]?.title ?? group);
}

function answersTo(items: readonly ReviewedItem[], question: string, parts: readonly (string | null)[]): number {
  const works = items.flatMap(({ done }) => done);
  return works.reduce((sum, work) => sum + parts.filter((part) => work.answer(question, part) !== null).length, 0);
}
