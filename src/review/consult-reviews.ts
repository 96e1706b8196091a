import type { AnswerReviews, ConsultReviews, ReviewAnswer, SettledClass } from '../formats/consult/consult-reviews.ts';
import type { ConsultSection } from '../recipe/consult-section.ts';
import type { ReviewField } from '../recipe/review-section.ts';
import {
  claimsOf,
  committedRatings,
  decisionOn,
  isAdjudicated,
  isRating,
  outcomeOf,
  type ReviewOutcome,
} from './outcomes.ts';
import { fieldOf, partsOf } from './questions.ts';
import { listsOf, type ReviewedItem, reviewedItems } from './review-work.ts';
import type { ReviewSnapshot } from './snapshot.ts';

/**
 * A review as the measures need it: ratings as they were given, all else as it was settled; of `questions`, whose measures
 * are the form's own, both.
 */
export function consultReviews(
  snapshot: ReviewSnapshot,
  section: ConsultSection,
  questions: readonly string[] = [],
): ConsultReviews {
  const cases = new Map<string, ReviewedItem>();
  const classes = new Map<string, SettledClass>();
  const answers = new Map<string, ReviewedItem>();
  for (const reviewed of reviewedItems(snapshot)) {
    const { item } = reviewed;
    if (item.kind === 'case') {
      cases.set(item.caseId, reviewed);
      const settled = classOf(snapshot, reviewed, section);
      if (settled !== null) classes.set(item.caseId, settled);
    } else answers.set(keyOf(item.caseId, item.system, item.language), reviewed);
  }
  const [usual] = section.languages;
  // Reviews that say nothing of a language are of the default one.
  const itemOf = (caseId: string, system: string, language: string | null): ReviewedItem | undefined =>
    answers.get(keyOf(caseId, system, language)) ??
    (usual === undefined || language === usual ? answers.get(keyOf(caseId, system, null)) : undefined);
  return {
    hasClasses: classes.size > 0,
    classOf: (caseId) => classes.get(caseId) ?? null,
    ofAnswer(caseId, system, language) {
      const found = itemOf(caseId, system, language);
      return found === undefined ? null : answerReviews(snapshot, found, section);
    },
    said(caseId, system, language) {
      const found = system === null ? cases.get(caseId) : itemOf(caseId, system, language);
      return found === undefined ? [] : reviewAnswers(snapshot, found, questions);
    },
  };
}

function keyOf(caseId: string, system: string | null, language: string | null): string {
  return JSON.stringify([caseId, system, language]);
}

/** Null if nobody has answered. */
function classOf(
  snapshot: ReviewSnapshot,
  { item, done }: ReviewedItem,
  { question }: ConsultSection,
): SettledClass | null {
  if (fieldOf(snapshot.form, question) === null) return null;
  const outcome = outcomeOf(snapshot, item.id, question, null);
  if (outcome.raters === 0 && outcome.how !== 'adjudicated') return null;
  return {
    label: outcome.value === null ? null : String(outcome.value),
    disputed: outcome.how === 'disputed',
    because: because(outcome, 'experts'),
    votes: done.flatMap((work) => {
      const said = work.answer(question, null);
      return isRating(said) ? [{ reviewer: work.person.name, label: String(said) }] : [];
    }),
  };
}

function because({ how, reason, votes, raters }: ReviewOutcome, who: string): string {
  const [first] = votes;
  switch (how) {
    case 'adjudicated':
      return `adjudicated${reason === null || reason === '' ? '' : `: ${reason}`}`;
    case 'agreed':
    case 'majority':
      return `${first?.count ?? 0} of ${raters} ${who}`;
    case 'single':
      return 'one of one';
    case 'disputed':
    case 'undecided':
      return `${how}: ${reason ?? `${raters} ${who}`}`;
  }
}

function answerReviews(snapshot: ReviewSnapshot, reviewed: ReviewedItem, section: ConsultSection): AnswerReviews {
  const { form } = snapshot;
  const scales = Object.entries(form.fields).filter(([, { type, of }]) => type === 'scale' && of === 'answer');
  const ticked = fieldOf(form, section.ticks);
  return {
    ratings: scales.flatMap(([question, field]) =>
      partsOf(field).flatMap((part) =>
        reviewed.done.flatMap((work) => {
          const value = work.answer(question, part);
          return typeof value === 'number'
            ? [{ question, dimension: part ?? question, value, reviewer: work.person.name }]
            : [];
        }),
      ),
    ),
    ticks:
      ticked?.type !== 'checklist'
        ? []
        : Object.keys(ticked.items).flatMap((component) => {
            const outcome = outcomeOf(snapshot, reviewed.item.id, section.ticks, component);
            if (outcome.raters === 0 && outcome.how !== 'adjudicated') return [];
            return [{ component, value: tickOf(outcome), because: because(outcome, 'experts') }];
          }),
    claims:
      fieldOf(form, section.claims)?.type !== 'items'
        ? []
        : claimsOf(snapshot, reviewed.item.id, section.claims).map((claim) => ({
            text: claim.text,
            part: claim.part,
            label: claim.label,
            votes: claim.labels,
            aligned: claim.votes.length > 0,
            because: because({ ...claim, value: claim.label }, 'annotators'),
          })),
  };
}

/** One expert's tick is enough to override a rule; null if experts are divided. */
function tickOf({ value, how, votes }: ReviewOutcome): boolean | 'na' | null {
  const said = how === 'undecided' && votes.length === 1 ? (votes[0]?.value ?? null) : value;
  return said === 'na' || typeof said === 'boolean' ? said : null;
}

type Answer = Pick<ReviewAnswer, 'part' | 'value' | 'reviewer'>;

/** The answers about an item to these questions: each person's answer, then what holds after adjudication. */
function reviewAnswers(snapshot: ReviewSnapshot, reviewed: ReviewedItem, questions: readonly string[]): ReviewAnswer[] {
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
  const all = committedRatings(reviewed, question, part).filter((value) => typeof value === 'number');
  if (all.length === 0 || (isAdjudicated(field) && new Set(all).size > 1)) return null;
  return all.reduce((sum, value) => sum + value, 0) / all.length;
}

/** A tick is 1 or 0; what does not apply is no answer. */
function numberOrName(value: unknown): number | string | null {
  if (typeof value === 'boolean') return value ? 1 : 0;
  return typeof value === 'number' || (typeof value === 'string' && value !== 'na') ? value : null;
}
