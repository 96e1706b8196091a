import type { Decision, ItemAnswer } from '../store/review-records.ts';
import { listsOf, type ReviewedItem } from './review-work.ts';
import { textUnderReview } from './content.ts';
import { kindOf } from './corrections.ts';
import { isAnswerList } from './questions.ts';
import { isSamePlace, isWithin, overlap, type Place, placeOfPart } from './place.ts';
import { partsOfList, type ProposedById, type ListSegment } from './segments.ts';

export interface DecidedClaim {
  readonly part: string;
  readonly start: number;
  readonly end: number;
  readonly text: string;
  readonly label: string;
  readonly kind: string | null;
  readonly from: readonly string[];
  readonly because: string;
}

/** A decision on a thing (one label) or on a stretch (a list of things, which may be empty: there is nothing). */
interface DecidedStretch {
  readonly decision: Decision;
  readonly part: string;
  readonly place: Place | null;
  /** It speaks for everything within its place, not for one thing at it. */
  readonly whole: boolean;
  /** No reviewer has anything within its place any more. */
  readonly stale: boolean;
  /** Without those that a later decision has replaced. */
  readonly claims: readonly DecidedClaim[];
}

interface GivenThing {
  readonly answer: ItemAnswer;
  readonly part: string;
}

/**
 * What adjudicators settled on the things of an item, newest first. A decision holds also when reviewers have since opened
 * their work again and cut the text in another way: a label for a place that nobody has any more then speaks for all that
 * lies within. A later decision replaces an earlier one where both are about the same thing.
 */
export function decidedClaims(reviewed: ReviewedItem, field: string, proposed: ProposedById): DecidedStretch[] {
  const given = listsOf(reviewed, field).flatMap(({ answers }) => {
    const own = partsOfList(answers, proposed);
    return answers.map((answer, at): GivenThing => ({ answer, part: own[at]! }));
  });
  const parts = new Set(given.map(({ part }) => part));
  const places = [...parts].map(placeOfPart).filter((place) => place !== null);
  const found: DecidedStretch[] = [];
  for (const decision of reviewed.decisions) {
    if (decision.field !== field || decision.part === null) continue;
    const place = placeOfPart(decision.part);
    const claims = claimsIn(decision, reviewed, given, proposed);
    if (claims === null) continue;
    found.push({
      decision,
      part: decision.part,
      place,
      whole: typeof decision.value !== 'string' || !parts.has(decision.part),
      stale: place !== null && !places.some((one) => isWithin(one, place)),
      claims: claims.filter((claim) => !found.some((later) => isSpokenFor(claim, later))),
    });
  }
  return found;
}

/** Whether a claim that reviewers settled among themselves stands where a decision stands. */
export function isTaken(claim: Place & { readonly part: string }, decided: readonly DecidedStretch[]): boolean {
  return decided.some(
    (one) => isSpokenFor(claim, one) || (one.stale && one.place !== null && overlap(claim, one.place)),
  );
}

/**
 * The decision that settles what reviewers see here; null if absent. A stretch is settled by decisions on single
 * things too, as lines of reviews have them: where each thing of one reviewer's list has one, or where decisions within the
 * stretch touch all that anybody sees in it.
 */
export function decisionFor(segment: ListSegment, decided: readonly DecidedStretch[]): Decision | null {
  const direct = decided.find((one) => isSpokenFor(segment, one));
  if (direct !== undefined) return direct.decision;
  if (segment.aligned) return null;
  const own = decided.filter(
    ({ part, place, whole }) =>
      segment.parts.flat().includes(part) ||
      // A label for one thing settles nothing of what stands beside it.
      (whole && place !== null && isWithin(place, segment) && !isSamePlace(place, segment)),
  );
  const isNamed = (part: string): boolean => own.some((one) => one.part === part);
  const isTouched = (part: string): boolean => {
    const place = placeOfPart(part);
    return place !== null && own.some((one) => one.place !== null && overlap(place, one.place));
  };
  const isSettled =
    segment.parts.some((list) => list.length > 0 && list.every(isNamed)) || segment.parts.flat().every(isTouched);
  return isSettled ? (own[0]?.decision ?? null) : null;
}

function isSpokenFor(
  thing: Place & { readonly part: string },
  { part, place, whole, claims }: DecidedStretch,
): boolean {
  return (
    thing.part === part ||
    claims.some((claim) => claim.part === thing.part) ||
    // Of several at its own place it means the one that it names.
    (whole && place !== null && isWithin(thing, place) && !isSamePlace(thing, place))
  );
}

/** Null for a value that is no decision on things. `false` is how lines say that there is nothing. */
function claimsIn(
  { part, value, because }: Decision,
  { item }: ReviewedItem,
  given: readonly GivenThing[],
  proposed: ProposedById,
): DecidedClaim[] | null {
  if (value === false) return [];
  if (isAnswerList(value)) {
    const parts = partsOfList(value, proposed);
    return value.flatMap((answer, at) => {
      const { text, label, from } = answer;
      const place = placeOfPart(parts[at]!) ?? { start: -1, end: -1 };
      const kind = kindOf(answer, proposed);
      return label === null ? [] : [{ part: parts[at]!, ...place, text, label, kind, from, because }];
    });
  }
  if (typeof value !== 'string' || part === null) return null;
  const place = placeOfPart(part);
  const said = given.flatMap((one) => (one.part === part ? [one.answer] : []));
  const chosen = said.find((answer) => answer.label === value) ?? said[0];
  const text =
    chosen?.text ?? (place === null ? proposed.get(part)?.text : textUnderReview(item)?.slice(place.start, place.end));
  const kind = chosen === undefined ? (proposed.get(part)?.kind ?? null) : kindOf(chosen, proposed);
  const from = chosen?.from ?? (proposed.has(part) ? [part] : []);
  return [{ part, ...(place ?? { start: -1, end: -1 }), text: text ?? '', label: value, kind, from, because }];
}
