import type { ConsultSection } from '../recipe/consult-section.ts';
import type { AnswerReviews, ConsultReviews, SettledClass } from '../formats/consult/consult-reviews.ts';
import { claimsOf } from './claims.ts';
import { type ReviewedItem, reviewedItems } from './committed-work.ts';
import { type Outcome, outcomeOf } from './outcomes.ts';
import { fieldOf, partsOf } from './questions.ts';
import { reviewAnswers } from './review-answers.ts';
import type { ReviewSnapshot } from './snapshot.ts';
import { isRating } from './vote.ts';

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
  // Reviews that say nothing of a language are of the usual one.
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

/** Null where nobody has said anything. */
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

/** How an outcome came about, in words. */
function because({ how, reason, votes, raters }: Outcome, who: string): string {
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

/** One expert's tick is enough to stand above a rule; null where experts are divided. */
function tickOf({ value, how, votes }: Outcome): boolean | 'na' | null {
  const said = how === 'undecided' && votes.length === 1 ? (votes[0]?.value ?? null) : value;
  return said === 'na' || typeof said === 'boolean' ? said : null;
}
