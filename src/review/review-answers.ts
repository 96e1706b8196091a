import type { ReviewAnswer } from '../formats/consult/consult-reviews.ts';
import type { ReviewField } from '../recipe/review-section.ts';
import { claimsOf } from './claims.ts';
import { listsOf, type ReviewedItem } from './committed-work.ts';
import { decisionOn, isAdjudicated, outcomeOf } from './outcomes.ts';
import { fieldOf, partsOf } from './questions.ts';
import type { ReviewSnapshot } from './snapshot.ts';
import { ratingsOf } from './vote.ts';

type Answer = Pick<ReviewAnswer, 'part' | 'value' | 'reviewer'>;

/** What was said of an item to these questions: each person's answer, then what holds after adjudication. */
export function reviewAnswers(
  snapshot: ReviewSnapshot,
  reviewed: ReviewedItem,
  questions: readonly string[],
): ReviewAnswer[] {
  return questions.flatMap((question) => {
    const field = fieldOf(snapshot.form, question);
    if (field === null || field.type === 'text' || field.of !== reviewed.item.kind) return [];
    const answers =
      field.type === 'items' ? labels(snapshot, reviewed, question) : ratings(snapshot, reviewed, question, field);
    return answers.map((answer) => ({ question, ...answer }));
  });
}

/** Labels as each annotator gave them, on the text as they cut it; then those of the claims that are settled. */
function labels(snapshot: ReviewSnapshot, reviewed: ReviewedItem, question: string): Answer[] {
  const given = listsOf(reviewed, question).flatMap(({ work, answers }) =>
    answers.flatMap(({ label }) => (label === null ? [] : [{ part: null, value: label, reviewer: work.person.name }])),
  );
  const settled = claimsOf(snapshot, reviewed.item.id, question).flatMap(({ label }) =>
    label === null ? [] : [{ part: null, value: label, reviewer: null }],
  );
  return [...given, ...settled];
}

function ratings(snapshot: ReviewSnapshot, reviewed: ReviewedItem, question: string, field: ReviewField): Answer[] {
  return partsOf(field).flatMap((part): Answer[] => {
    const given = reviewed.done.flatMap((work) => {
      const value = numberOrName(work.answer(question, part));
      return value === null ? [] : [{ part, value, reviewer: work.person.name }];
    });
    const settled =
      field.type === 'scale'
        ? settledRating(reviewed, question, part, field)
        : numberOrName(outcomeOf(snapshot, reviewed.item.id, question, part).value);
    return settled === null ? given : [...given, { part, value: settled, reviewer: null }];
  });
}

/** What the adjudicator decided, else the mean of the ratings; none while differing ones wait for a decision. */
function settledRating(
  reviewed: ReviewedItem,
  question: string,
  part: string | null,
  field: ReviewField,
): number | null {
  const decided = decisionOn(reviewed, question, part)?.value;
  if (typeof decided === 'number') return decided;
  const all = ratingsOf(reviewed, question, part).filter((value) => typeof value === 'number');
  if (all.length === 0 || (isAdjudicated(field) && new Set(all).size > 1)) return null;
  return all.reduce((sum, value) => sum + value, 0) / all.length;
}

/** A tick is 1 or 0; what does not apply is no answer. */
function numberOrName(value: unknown): number | string | null {
  if (typeof value === 'boolean') return value ? 1 : 0;
  return typeof value === 'number' || (typeof value === 'string' && value !== 'na') ? value : null;
}
