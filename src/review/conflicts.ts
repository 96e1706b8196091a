import { hash } from 'node:crypto';

import { UsageError } from '../data/problems.ts';
import { describe } from '../data/record-fields.ts';
import { sortedJson } from '../data/sorted-json.ts';
import { shorten } from '../data/visible.ts';
import type { ReviewField, ReviewSection } from '../recipe/review-section.ts';
import type { CellValue, Decision, ItemAnswer, ReviewItemRecord, ReviewRecord } from '../store/review-records.ts';
import type { Store } from '../store/store.ts';
import { decidedClaims, decisionFor } from './claim-decisions.ts';
import { contentOf, proposedFor, textUnderReview } from './content.ts';
import {
  alignedLists,
  decisionOn,
  isAdjudicated,
  isLabelVote,
  isRating,
  isUnanimous,
  listKey,
  quorumFor,
  tallyVotes,
  voteOn,
} from './outcomes.ts';
import { placeOfPart } from './place.ts';
import { cellFault, fieldOf, isAnswerList, partsOf } from './questions.ts';
import { type ReviewedItem, reviewedItems, type Work } from './review-work.ts';
import { loadSnapshot, type ReviewSnapshot } from './snapshot.ts';

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

export function conflictCounts(snapshot: ReviewSnapshot): { readonly open: number; readonly decided: number } {
  const conflicts = conflictsOf(snapshot);
  const open = conflicts.filter(({ decision }) => decision === null).length;
  return { open, decided: conflicts.length - open };
}

/**
 * How many conflicts of a review of the store are decided, for lists of reviews; if its form is of another version, which
 * cannot be read, every decision.
 */
export function decidedConflicts(store: Store, { id, name }: Pick<ReviewRecord, 'id' | 'name'>): number {
  const decisions = store.reviews.decisions(id).length;
  if (decisions === 0) return 0;
  try {
    return conflictCounts(loadSnapshot(store, name)).decided;
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return decisions;
  }
}

function onParts(form: ReviewSection, reviewed: ReviewedItem, name: string, field: ReviewField): Conflict[] {
  return partsOf(field).flatMap((part) => {
    const given = reviewed.done.flatMap((work) => {
      const value = work.answer(name, part);
      return isRating(value) ? [{ value, key: JSON.stringify(value), who: work, comment: commentOf(form, work) }] : [];
    });
    if (new Set(given.map(({ key }) => key)).size < 2) return [];
    const vote = tallyVotes(
      given.map(({ value }) => value),
      quorumFor(form, reviewed, name),
    );
    if (vote.value !== null && field.type !== 'scale') return [];
    return [makeConflict(reviewed, name, part, given, decisionOn(reviewed, name, part))];
  });
}

function onThings(form: ReviewSection, reviewed: ReviewedItem, name: string): Conflict[] {
  const aligned = alignedLists(reviewed, name);
  const decided = decidedClaims(reviewed, name, aligned.proposed);
  const quorum = quorumFor(form, reviewed, name);
  const works = new Map(reviewed.done.map((work) => [work.person.id, work]));
  return aligned.segments.flatMap((segment) => {
    if (isUnanimous(segment, aligned) || voteOn(segment, aligned, quorum).how !== 'disputed') return [];
    const isLabel = isLabelVote(segment, aligned);
    const given = segment.lists.flatMap((list, at) => {
      const who = works.get(aligned.people[at]!)!;
      const value = isLabel ? (list[0]?.label ?? null) : list;
      const key = isLabel ? JSON.stringify(value) : listKey(list, aligned.proposed);
      return value === null ? [] : [{ value, key, who, comment: notesOf(list) ?? commentOf(form, who) }];
    });
    return [makeConflict(reviewed, name, segment.part, given, decisionFor(segment, decided))];
  });
}

interface Given {
  readonly value: CellValue;
  readonly key: string;
  readonly who: Work;
  readonly comment: string | null;
}

function makeConflict(
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

/** What a conflict is about, for somebody who cannot see the screen. */
interface Disputed {
  /** The words of the claim or span; null if the question is about the whole. */
  readonly words: string | null;
  /** How each text that reviewers see begins, in their order. */
  readonly texts: readonly { readonly title: string; readonly begins: string }[];
}

const LONGEST_WORDS = 2000;
const LONGEST_BEGINNING = 300;

export function disputedIn({ show }: ReviewSection, conflict: Conflict): Disputed {
  const { blocks, title: beginning } = contentOf(conflict.item);
  const shown = new Set(show.map(({ field }) => field));
  const texts = blocks
    .filter(({ name }) => shown.has(name))
    .map(({ title, text }) => ({ title, begins: shorten(text.replaceAll(/\s+/g, ' ').trim(), LONGEST_BEGINNING) }));
  return {
    words: disputedWords(conflict),
    texts: texts.length > 0 ? texts : [{ title: '', begins: beginning }],
  };
}

/** At its place in the text; of what has no place, as it was proposed or as reviewers have it. */
function disputedWords({ item, field, part, answers }: Conflict): string | null {
  if (part === null) return null;
  const place = placeOfPart(part);
  const text = place === null ? undefined : textUnderReview(item)?.slice(place.start, place.end);
  if (text !== undefined && text !== '') return shorten(text, LONGEST_WORDS);
  const ids = new Set(part.split('+'));
  const proposed = proposedFor(item, field).filter(({ id }) => ids.has(id));
  const answered = answers.flatMap(({ value }) => (isAnswerList(value) ? value : []));
  const words = [...new Set((proposed.length > 0 ? proposed : answered).map((entry) => entry.text))];
  return words.length === 0 ? null : shorten(words.join(' / '), LONGEST_WORDS);
}

/** Why a conflict cannot be decided so; null if it can. Null opens it again, which is always possible. */
export function decisionFault(form: ReviewSection, conflict: Conflict, value: CellValue): string | null {
  const { field, part, item } = conflict;
  const question = fieldOf(form, field);
  if (value === null) return null;
  if (question?.type !== 'items') return cellFault(form, { field, part, value });
  // A label for a thing that all see; the list of what is there where people cut the text differently.
  if (!isAnswerList(value)) {
    return typeof value === 'string' && Object.hasOwn(question.labels, value)
      ? null
      : `expected one of ${Object.keys(question.labels).join(', ')}, or a list, found ${describe(value)}`;
  }
  const unlabelled = value.findIndex(({ label }) => label === null);
  if (unlabelled !== -1) return `entry ${unlabelled + 1} has no label`;
  return cellFault(form, { field, part: null, value }) ?? placeFault(value, textUnderReview(item)?.length ?? 0);
}

export function isAnAnswer({ answers }: Conflict, value: CellValue): boolean {
  return answers.some((answer) => sortedJson(answer.value) === sortedJson(value));
}

/** Why the places of labelled things cannot be: `length` is that of the text under review, in UTF-16 units. */
export function placeFault(value: CellValue, length: number): string | null {
  const beyond = isAnswerList(value) ? value.findIndex(({ end }) => end > length) : -1;
  return beyond === -1 ? null : `entry ${beyond + 1}: it ends beyond the text, which has ${length} characters`;
}
