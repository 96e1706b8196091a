import type { ReviewField, ReviewSection } from '../recipe/review-section.ts';
import { majorityVote } from '../stats/agreement/majority-vote.ts';
import type { Rating } from '../stats/agreement/rating.ts';
import type { CellValue, Decision, ItemAnswer } from '../store/review-records.ts';
import { compareText } from '../text/compare.ts';
import { answersWanted } from './assignments.ts';
import { type DecidedClaim, decidedClaims, decisionFor, isTaken } from './claim-decisions.ts';
import { proposedFor, textUnderReview } from './content.ts';
import { kindOf } from './corrections.ts';
import { placeOfPart } from './place.ts';
import { fieldOf } from './questions.ts';
import { listsOf, type ReviewedItem, reviewedItem } from './review-work.ts';
import { type ListSegment, partOf, partsOfList, type ProposedById, proposedById, segmentsOf } from './segments.ts';
import type { ReviewSnapshot } from './snapshot.ts';

/**
 * The outcome of a question about an item: a decision where there is one, else the vote of those who have committed. On a
 * scale whose differences go to the adjudicator, a majority is not enough. A comment has no outcome; what is labelled thing
 * by thing has one for each, by its place as part (`claimsOf` has them all).
 */
export function outcomeOf(snapshot: ReviewSnapshot, itemId: string, name: string, part: string | null): ReviewOutcome {
  const reviewed = reviewedItem(snapshot, itemId);
  const field = fieldOf(snapshot.form, name);
  if (reviewed === null || field === null) return noOutcome('the review has no such question');
  if (field.type === 'text') return noOutcome('a comment has no outcome');
  if (field.type === 'items') {
    const claim = claimsOf(snapshot, itemId, name).find((one) => one.part === part);
    if (claim === undefined) return noOutcome('nobody sees anything there');
    return { value: claim.label, how: claim.how, reason: claim.reason, votes: claim.votes, raters: claim.raters };
  }
  const settled = tallyVotes(committedRatings(reviewed, name, part), quorumFor(snapshot.form, reviewed, name));
  const decision = decisionOn(reviewed, name, part);
  if (decision !== null && isRating(decision.value))
    return { ...settled, value: decision.value, how: 'adjudicated', reason: decision.because };
  if (field.type === 'scale' && isAdjudicated(field) && settled.votes.length > 1)
    return { ...settled, value: null, how: 'disputed', reason: 'the ratings differ, and differences are adjudicated' };
  return settled;
}

/** Whether differing answers go to the adjudicator: as the form sets it, else yes but for scales and texts. */
export function isAdjudicated(field: ReviewField): boolean {
  if (field.type === 'text') return false;
  return field.adjudicate ?? field.type !== 'scale';
}

/** The decision that holds on a question; null if absent. */
export function decisionOn({ decisions }: ReviewedItem, name: string, part: string | null): Decision | null {
  return decisions.find((decision) => decision.field === name && decision.part === part) ?? null;
}

/** A claim, span or object of the final list of an item. */
export interface ClaimOutcome {
  /** `start-end`, or what identifies it if it has no place. */
  readonly part: string;
  readonly start: number;
  readonly end: number;
  readonly text: string;
  readonly label: string | null;
  /** What the data calls it, as corrected; null while that is open. */
  readonly kind: string | null;
  /** The proposed things that it was made of; none if it was added. */
  readonly from: readonly string[];
  readonly how: How;
  readonly reason: string | null;
  readonly votes: ReviewOutcome['votes'];
  /** Every label that was given here, however the text was cut; null for a reviewer who sees nothing here. */
  readonly labels: readonly (string | null)[];
  readonly raters: number;
}

/** What the reviewers of an item made of one question of things, side by side. */
interface AlignedLists {
  readonly segments: readonly ListSegment[];
  /** Whose the lists of each segment are, in their order. */
  readonly people: readonly string[];
  readonly proposed: ProposedById;
}

/** Worked out once: conflicts, figures and outcomes all ask for it. */
export function alignedLists(reviewed: ReviewedItem, field: string): AlignedLists {
  const own = known.get(reviewed) ?? new Map<string, AlignedLists>();
  known.set(reviewed, own);
  const found = own.get(field) ?? align(reviewed, field);
  own.set(field, found);
  return found;
}
const known = new WeakMap<ReviewedItem, Map<string, AlignedLists>>();

function align(reviewed: ReviewedItem, field: string): AlignedLists {
  const lists = listsOf(reviewed, field);
  const proposed = proposedById(proposedFor(reviewed.item, field));
  return {
    segments: segmentsOf(
      lists.map(({ answers }) => answers),
      proposed,
    ),
    people: lists.map(({ work }) => work.person.id),
    proposed,
  };
}

/** Whether only labels can differ: everybody sees one and the same thing, and calls it the same. */
export function isLabelVote({ aligned, lists }: ListSegment, { proposed }: Pick<AlignedLists, 'proposed'>): boolean {
  return aligned && new Set(lists.flat().map((answer) => kindOf(answer, proposed))).size < 2;
}

/**
 * The vote on a segment: on labels where only these can differ, else on whole lists of places, labels and kinds, since a
 * claim that one person split in two has no label to compare. Edited words do not make two answers.
 */
export function voteOn(segment: ListSegment, aligned: AlignedLists, quorum: number): ReviewOutcome {
  const ratings = isLabelVote(segment, aligned)
    ? segment.lists.flatMap(([one]) => (one === undefined || one.label === null ? [] : [one.label]))
    : segment.lists.map((list) => listKey(list, aligned.proposed));
  return tallyVotes(ratings, quorum);
}

export function isUnanimous(segment: ListSegment, aligned: AlignedLists): boolean {
  const { lists } = segment;
  if (isLabelVote(segment, aligned)) return lists.every(([one]) => one?.label === lists[0]?.[0]?.label);
  return new Set(lists.map((list) => listKey(list, aligned.proposed))).size < 2;
}

/** The same for lists of the same places, labels and kinds. */
export function listKey(list: readonly ItemAnswer[], proposed: ProposedById): string {
  const things = list.map((answer) => [partOf(answer, proposed), answer.label, kindOf(answer, proposed)] as const);
  const byText = (a: (typeof things)[number], b: (typeof things)[number]): number =>
    compareText(a[0], b[0]) || compareText(a[1] ?? '', b[1] ?? '') || compareText(a[2] ?? '', b[2] ?? '');
  return JSON.stringify(things.toSorted(byText));
}

/**
 * The final list of an item after adjudication: what was decided, and of all else what reviewers agree on or most of them
 * said. If they cut a stretch differently and nothing has settled it, the stretch is one entry, without a label.
 */
export function claimsOf(snapshot: ReviewSnapshot, itemId: string, field: string): ClaimOutcome[] {
  const reviewed = reviewedItem(snapshot, itemId);
  if (reviewed === null) return [];
  const aligned = alignedLists(reviewed, field);
  const decided = decidedClaims(reviewed, field, aligned.proposed);
  const quorum = quorumFor(snapshot.form, reviewed, field);
  const open = aligned.segments
    .filter((segment) => decisionFor(segment, decided) === null)
    .flatMap((segment) => outcomesOf(segment, aligned, quorum, reviewed))
    .filter((claim) => claim.label === null || !isTaken(claim, decided));
  const settled = decided.flatMap(({ claims }) => claims.map((claim) => adjudicated(claim, aligned)));
  return [...settled, ...open].sort((a, b) => order(a) - order(b) || a.end - b.end);
}

function order({ start }: ClaimOutcome): number {
  return start < 0 ? Infinity : start;
}

function adjudicated({ because, ...claim }: DecidedClaim, { segments }: AlignedLists): ClaimOutcome {
  const votes = segments.find((segment) => segment.aligned && segment.part === claim.part)?.lists.flat() ?? [];
  const counts = Map.groupBy(votes, (answer) => answer.label);
  return {
    ...claim,
    how: 'adjudicated',
    reason: because,
    votes: [...counts].flatMap(([value, given]) => (value === null ? [] : [{ value, count: given.length }])),
    labels: votes.flatMap((answer) => answer.label ?? []),
    raters: votes.length,
  };
}

function outcomesOf(
  segment: ListSegment,
  aligned: AlignedLists,
  quorum: number,
  { item }: ReviewedItem,
): ClaimOutcome[] {
  const outcome = voteOn(segment, aligned, quorum);
  const { how, raters } = outcome;
  const labels = segment.lists.flatMap((list) =>
    list.length === 0 ? [null] : list.flatMap((answer) => answer.label ?? []),
  );
  const place = { start: segment.start, end: segment.end };
  const from = [...new Set(segment.lists.flat().flatMap((answer) => answer.from))];
  if (isLabelVote(segment, aligned)) {
    const label = typeof outcome.value === 'string' ? outcome.value : null;
    const chosen = segment.lists.flat().find((answer) => answer.label === label) ?? segment.lists[0]?.[0];
    const { votes, reason } = outcome;
    const kind = chosen === undefined ? null : kindOf(chosen, aligned.proposed);
    const claim = { part: segment.part, ...place, text: chosen?.text ?? '', label, kind, from };
    return [{ ...claim, how, reason, votes, labels, raters }];
  }
  const winner = segment.lists.find((list) => listKey(list, aligned.proposed) === outcome.value);
  if (winner === undefined) {
    const text = textUnderReview(item)?.slice(segment.start, segment.end);
    const words = segment.lists.find((list) => list.length > 0)?.map((answer) => answer.text) ?? [];
    const sees = segment.lists.map((list) => list.length).join(' and ');
    const kinds = new Set(segment.lists.flat().map((answer) => kindOf(answer, aligned.proposed) ?? 'nothing'));
    const dispute = segment.aligned
      ? `reviewers call it differently: ${[...kinds].join(' and ')}`
      : `reviewers cut it differently: they see ${sees} things here`;
    return [
      {
        part: segment.part,
        ...place,
        text: segment.start < 0 || text === undefined ? words.join(' ') : text,
        label: null,
        kind: null,
        from,
        how,
        reason: how === 'disputed' ? dispute : outcome.reason,
        votes: [],
        labels,
        raters,
      },
    ];
  }
  const parts = partsOfList(winner, aligned.proposed);
  return winner.map((answer, at) => ({
    part: parts[at]!,
    ...(placeOfPart(parts[at]!) ?? { start: -1, end: -1 }),
    text: answer.text,
    label: answer.label,
    kind: kindOf(answer, aligned.proposed),
    from: answer.from,
    how,
    reason: answer.label === null ? 'it was left without a label' : null,
    votes: [],
    labels,
    raters,
  }));
}

/**
 * How an answer came about. `agreed`: as many as it takes said the same and nobody anything else; `majority`: as many as
 * it takes, others differ; `adjudicated`: an adjudicator decided; `single`: one answer was wanted, and is there;
 * `disputed`: answers differ and nothing has settled it; `undecided`: too few have answered.
 */
export type How = 'agreed' | 'majority' | 'adjudicated' | 'single' | 'disputed' | 'undecided';

export interface ReviewOutcome {
  readonly value: Rating | null;
  readonly how: How;
  /** Why there is no value; of a decision, what the adjudicator wrote. */
  readonly reason: string | null;
  /** Most votes first. */
  readonly votes: readonly { readonly value: Rating; readonly count: number }[];
  readonly raters: number;
}

/** How many are to answer, of which more than half have to agree: as many as the form wants, or else all who were asked. */
export function quorumFor(form: ReviewSection, reviewed: ReviewedItem, name: string): number {
  const field = fieldOf(form, name);
  return (field === null ? null : answersWanted(form, field)) ?? reviewed.asked(name).people;
}

/**
 * The answer that more than half of those gave whom the form wants (2 of 3, 2 of 2), if no other has as many votes.
 * More answers than are wanted raise what it takes. One answer is an outcome only where one is wanted.
 */
export function tallyVotes(ratings: readonly Rating[], wanted: number): ReviewOutcome {
  if (ratings.length === 0) return noOutcome('nobody has committed an answer to it');
  const of = Math.max(wanted, ratings.length);
  const [vote] = majorityVote([ratings], { quorum: Math.floor(of / 2) + 1, of }).items;
  const { label, disputed, reason, votes } = vote!;
  const counted = { votes: votes.map((one) => ({ value: one.label, count: one.count })), raters: ratings.length };
  if (of === 1) return { ...counted, value: ratings[0]!, how: 'single', reason: null };
  if (label === null) return { ...counted, value: null, how: disputed ? 'disputed' : 'undecided', reason };
  return { ...counted, value: label, how: votes.length === 1 ? 'agreed' : 'majority', reason: null };
}

function noOutcome(reason: string): ReviewOutcome {
  return { value: null, how: 'undecided', reason, votes: [], raters: 0 };
}

export function committedRatings({ done }: ReviewedItem, name: string, part: string | null): Rating[] {
  return done.map((work) => work.answer(name, part)).filter(isRating);
}

export function isRating(value: CellValue): value is Rating {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}
