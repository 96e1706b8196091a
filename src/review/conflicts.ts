import { hash } from 'node:crypto';

import type { ReviewField, ReviewSection } from '../recipe/review-section.ts';
import type { CellValue, Decision, ItemAnswer, ReviewItemRecord } from '../store/review-records.ts';
import { alignedLists, isUnanimous, listKey, voteOn } from './claims.ts';
import { type ReviewedItem, reviewedItems, type Work } from './committed-work.ts';
import { decidedClaims, decisionFor } from './decided-claims.ts';
import { decisionOn, isAdjudicated } from './outcomes.ts';
import { partsOf } from './questions.ts';
import type { Segment } from './segments.ts';
import type { ReviewSnapshot } from './snapshot.ts';
import { isRating, quorumFor, settle } from './vote.ts';

/** A question about an item on which the committed answers differ. */
export interface Conflict {
  /** Made of item, field and part. */
  readonly id: string;
  readonly item: ReviewItemRecord;
  readonly field: string;
  /** The dimension, the item of the checklist, the place of a thing or stretch; null for a whole. */
  readonly part: string | null;
  /** Each different answer with the ids of those who gave it; the comments are in the order of the people. */
  readonly answers: readonly ConflictAnswer[];
  readonly decision: Decision | null;
  /** How many who were asked have not committed: their answers may still settle it. */
  readonly waiting: number;
}

export interface ConflictAnswer {
  /** A label for a thing that all see; the list of things (empty: none) on a stretch that is cut differently. */
  readonly value: CellValue;
  readonly people: readonly string[];
  readonly comments: readonly (string | null)[];
}

export function conflictId(itemId: string, field: string, part: string | null): string {
  return hash('sha256', JSON.stringify([itemId, field, part])).slice(0, 16);
}

/**
 * Where at least two committed answers differ and no answer has more than half of those whom the form wants. On a scale,
 * which goes to the adjudicator only if the form wants it, every difference is one. Of things: a label on which people
 * differ is one conflict, and so is a stretch that they cut differently. With the decision that holds, if there is one;
 * what a vote has settled since is no conflict any more, though a decision on it holds.
 */
export function conflictsOf(snapshot: ReviewSnapshot): Conflict[] {
  const { form } = snapshot;
  const fields = Object.entries(form.fields).filter(([, field]) => isAdjudicated(field));
  return reviewedItems(snapshot).flatMap((reviewed) =>
    fields.flatMap(([name, field]) => {
      if (field.of !== reviewed.item.kind || reviewed.done.length < 2) return [];
      return field.type === 'items' ? onThings(form, reviewed, name) : onParts(form, reviewed, name, field);
    }),
  );
}

/** How many wait for a decision, and how many have one. */
export function conflictCounts(snapshot: ReviewSnapshot): { readonly open: number; readonly decided: number } {
  const conflicts = conflictsOf(snapshot);
  const open = conflicts.filter(({ decision }) => decision === null).length;
  return { open, decided: conflicts.length - open };
}

function onParts(form: ReviewSection, reviewed: ReviewedItem, name: string, field: ReviewField): Conflict[] {
  return partsOf(field).flatMap((part) => {
    const given = reviewed.done.flatMap((work) => {
      const value = work.answer(name, part);
      return isRating(value) ? [{ value, key: JSON.stringify(value), who: work, comment: commentOf(form, work) }] : [];
    });
    if (new Set(given.map(({ key }) => key)).size < 2) return [];
    const vote = settle(
      given.map(({ value }) => value),
      quorumFor(form, reviewed, name),
    );
    if (vote.value !== null && field.type !== 'scale') return [];
    return [conflict(reviewed, name, part, given, decisionOn(reviewed, name, part))];
  });
}

function onThings(form: ReviewSection, reviewed: ReviewedItem, name: string): Conflict[] {
  const aligned = alignedLists(reviewed, name);
  const decided = decidedClaims(reviewed, name, aligned.proposed);
  const quorum = quorumFor(form, reviewed, name);
  const works = new Map(reviewed.done.map((work) => [work.person.id, work]));
  return aligned.segments.flatMap((segment) => {
    if (isUnanimous(segment, aligned) || voteOn(segment, aligned, quorum).how !== 'disputed') return [];
    const given = segment.lists.flatMap((list, at) => {
      const who = works.get(aligned.people[at]!)!;
      const value = valueIn(segment, list);
      const key = segment.aligned ? JSON.stringify(value) : listKey(list, aligned.proposed);
      return value === null ? [] : [{ value, key, who, comment: notesOf(list) ?? commentOf(form, who) }];
    });
    return [conflict(reviewed, name, segment.part, given, decisionFor(segment, decided))];
  });
}

function valueIn(segment: Segment, list: readonly ItemAnswer[]): CellValue {
  return segment.aligned ? (list[0]?.label ?? null) : list;
}

interface Given {
  readonly value: CellValue;
  /** The same for the same answer. */
  readonly key: string;
  readonly who: Work;
  readonly comment: string | null;
}

function conflict(
  reviewed: ReviewedItem,
  field: string,
  part: string | null,
  given: readonly Given[],
  decision: Decision | null,
): Conflict {
  const { item } = reviewed;
  return {
    id: conflictId(item.id, field, part),
    item,
    field,
    part,
    answers: [...Map.groupBy(given, ({ key }) => key).values()].map((same) => ({
      value: same[0]!.value,
      people: same.map(({ who }) => who.person.id),
      comments: same.map(({ comment }) => comment),
    })),
    decision,
    waiting: reviewed.asked(field).waiting,
  };
}

/** What a person wrote about the item: the first question for text that they answered. */
function commentOf(form: ReviewSection, work: Work): string | null {
  for (const [name, { type }] of Object.entries(form.fields)) {
    const value = type === 'text' ? work.answer(name, null) : null;
    if (typeof value === 'string' && value.trim() !== '') return value;
  }
  return null;
}

function notesOf(list: readonly ItemAnswer[]): string | null {
  const notes = list.flatMap(({ note }) => (note === undefined || note.trim() === '' ? [] : [note]));
  return notes.length === 0 ? null : notes.join('\n');
}
