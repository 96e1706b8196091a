import type { ItemAnswer } from '../store/review-records.ts';
import { compareText } from '../text/compare.ts';
import { listsOf, type ReviewedItem, reviewedItem } from './committed-work.ts';
import { type DecidedClaim, decidedClaims, decisionFor, isTaken } from './decided-claims.ts';
import { proposedFor, textUnderReview } from './content.ts';
import { placeOfPart } from './place.ts';
import { partOf, partsOfList, type ProposedById, proposedById, type Segment, segmentsOf } from './segments.ts';
import type { ReviewSnapshot } from './snapshot.ts';
import { type How, type Outcome, quorumFor, settle } from './vote.ts';

/** A claim, span or object of the final list of an item. */
export interface ClaimOutcome {
  /** `start-end`, or what identifies it if it has no place. */
  readonly part: string;
  /** -1 where it has no place. */
  readonly start: number;
  readonly end: number;
  readonly text: string;
  /** Null if it has none, with the reason. */
  readonly label: string | null;
  readonly how: How;
  readonly reason: string | null;
  readonly votes: Outcome['votes'];
  /** Every label that was given here, however the text was cut; null for a reviewer who sees nothing here. */
  readonly labels: readonly (string | null)[];
  readonly raters: number;
}

/** What the reviewers of an item made of one question of things, side by side. */
interface AlignedLists {
  readonly segments: readonly Segment[];
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

/**
 * The vote on a segment: on labels where everybody sees one and the same thing, else on whole lists of places and labels,
 * since a claim that one person split in two has no label to compare. Edited words do not make two answers.
 */
export function voteOn(segment: Segment, { proposed }: AlignedLists, quorum: number): Outcome {
  const ratings = segment.aligned
    ? segment.lists.flatMap(([one]) => (one === undefined || one.label === null ? [] : [one.label]))
    : segment.lists.map((list) => listKey(list, proposed));
  return settle(ratings, quorum);
}

/** Whether all who labelled the item see the same here, and call it the same. */
export function isUnanimous({ aligned, lists }: Segment, { proposed }: AlignedLists): boolean {
  const [first] = lists;
  if (aligned) return lists.every(([one]) => one?.label === first?.[0]?.label);
  return new Set(lists.map((list) => listKey(list, proposed))).size < 2;
}

/** The same for lists of the same places and labels. */
export function listKey(list: readonly ItemAnswer[], proposed: ProposedById): string {
  const things = list.map((answer) => [partOf(answer, proposed), answer.label] as const);
  return JSON.stringify(things.toSorted(([a, x], [b, y]) => compareText(a, b) || compareText(x ?? '', y ?? '')));
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

function adjudicated(
  { part, start, end, text, label, because }: DecidedClaim,
  { segments }: AlignedLists,
): ClaimOutcome {
  const votes = segments.find((segment) => segment.aligned && segment.part === part)?.lists.flat() ?? [];
  const counts = Map.groupBy(votes, (answer) => answer.label);
  return {
    part,
    start,
    end,
    text,
    label,
    how: 'adjudicated',
    reason: because,
    votes: [...counts].flatMap(([value, given]) => (value === null ? [] : [{ value, count: given.length }])),
    labels: votes.flatMap((answer) => answer.label ?? []),
    raters: votes.length,
  };
}

function outcomesOf(segment: Segment, aligned: AlignedLists, quorum: number, { item }: ReviewedItem): ClaimOutcome[] {
  const outcome = voteOn(segment, aligned, quorum);
  const { how, raters } = outcome;
  const labels = segment.lists.flatMap((list) =>
    list.length === 0 ? [null] : list.flatMap((answer) => answer.label ?? []),
  );
  const place = { start: segment.start, end: segment.end };
  if (segment.aligned) {
    const label = typeof outcome.value === 'string' ? outcome.value : null;
    const chosen = segment.lists.flat().find((answer) => answer.label === label) ?? segment.lists[0]?.[0];
    const { votes, reason } = outcome;
    return [{ part: segment.part, ...place, text: chosen?.text ?? '', label, how, reason, votes, labels, raters }];
  }
  const winner = segment.lists.find((list) => listKey(list, aligned.proposed) === outcome.value);
  if (winner === undefined) {
    const text = textUnderReview(item)?.slice(segment.start, segment.end);
    const words = segment.lists.find((list) => list.length > 0)?.map((answer) => answer.text) ?? [];
    const sees = segment.lists.map((list) => list.length).join(' and ');
    return [
      {
        part: segment.part,
        ...place,
        text: segment.start < 0 || text === undefined ? words.join(' ') : text,
        label: null,
        how,
        reason: how === 'disputed' ? `reviewers cut it differently: they see ${sees} things here` : outcome.reason,
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
    how,
    reason: answer.label === null ? 'it was left without a label' : null,
    votes: [],
    labels,
    raters,
  }));
}
