import { hash } from 'node:crypto';

import type { ItemAnswer } from '../store/review-records.ts';
import type { Proposed } from './item-content.ts';

/** A stretch of the text, or a thing without a place, with what each reviewer sees in it. */
export interface Segment {
  /** `start-end`, or for what has no place the ids of the proposed things that it was made of. */
  readonly part: string;
  /** -1 where it has no place. */
  readonly start: number;
  readonly end: number;
  /** Every reviewer has exactly one thing here, at the same place: their labels can be compared. */
  readonly aligned: boolean;
  /** In the order of the reviewers; empty for one who sees nothing here. */
  readonly lists: readonly (readonly ItemAnswer[])[];
  /** The part of each thing of each list by itself. */
  readonly parts: readonly (readonly string[])[];
}

/** What is proposed for labelling, by id. */
export type ProposedById = ReadonlyMap<string, Proposed>;

export function proposedById(proposed: readonly Proposed[]): ProposedById {
  return new Map(proposed.map((one) => [one.id, one]));
}

/**
 * Sets the lists of several reviewers beside each other. Things at the same place are the same thing, whatever became of
 * their words. What is left where reviewers cut the text differently (one split what another kept whole, removed it or
 * added to it) is gathered into stretches of all that overlaps: on a stretch there is one question, not one for each piece.
 * What has no place of its own is known by the proposed things that it was made of, and what was added by its words.
 *
 * Example: A has 0-20 and 21-40, B has 0-20, 21-30 and 31-40: the thing 0-20, and the stretch 21-40.
 */
export function segmentsOf(lists: readonly (readonly ItemAnswer[])[], proposed: ProposedById): Segment[] {
  const placed = lists
    .flatMap((answers, reviewer) => answers.map((answer) => ({ answer, reviewer, ...identify(answer, proposed) })))
    .map((one, order): Placed => ({ ...one, order }));
  const rest: Placed[] = [];
  const found: Segment[] = [];
  for (const same of Map.groupBy(placed, ({ part }) => part).values()) {
    const isEverybodys = same.length === lists.length && new Set(same.map((one) => one.reviewer)).size === lists.length;
    if (isEverybodys) found.push(segment(same, lists.length, true));
    else rest.push(...same);
  }
  const stretches = [...overlapping(rest.filter(({ start }) => start >= 0)), ...related(rest.filter(hasNoPlace))];
  found.push(...stretches.map((stretch) => segment(stretch, lists.length, false)));
  return numbered(found.sort(byPlace));
}

/** The place of a thing as a part: its own, or that of the proposed things it was made of; else what tells it from others. */
export function partOf(answer: ItemAnswer, proposed: ProposedById): string {
  return identify(answer, proposed).part;
}

/** Parts of the things of one list, told apart: the second thing at one place is `start-end#2`. */
export function partsOfList(answers: readonly ItemAnswer[], proposed: ProposedById): string[] {
  return numbered(answers.map((answer) => ({ part: partOf(answer, proposed) }))).map(({ part }) => part);
}

/** `12-40` as a place; null for a part that is none. */
export function placeOfPart(part: string | null): { readonly start: number; readonly end: number } | null {
  const found = /^(\d{1,15})-(\d{1,15})(?:#\d+)?$/.exec(part ?? '');
  return found === null ? null : { start: Number(found[1]), end: Number(found[2]) };
}

interface Identity {
  readonly part: string;
  readonly start: number;
  readonly end: number;
  /** The proposed things it was made of, or its words. */
  readonly refs: readonly string[];
}

interface Placed extends Identity {
  readonly answer: ItemAnswer;
  readonly reviewer: number;
  readonly order: number;
}

function identify({ id, start, end, text, from }: ItemAnswer, proposed: ProposedById): Identity {
  if (start >= 0 && end > start) return { part: `${start}-${end}`, start, end, refs: [] };
  const made = (from.length > 0 ? from : [id]).filter((ref) => proposed.has(ref));
  // Ids of what was added are made by each reviewer's own program: two may well be equal and mean different things.
  if (made.length === 0)
    return { part: `added-${shortHash(text.trim())}`, start: -1, end: -1, refs: [` ${text.trim()}`] };
  const places = made.map((ref) => proposed.get(ref)!);
  if (places.every((place) => place.start >= 0)) {
    const from0 = Math.min(...places.map((place) => place.start));
    const to = Math.max(...places.map((place) => place.end));
    return { part: `${from0}-${to}`, start: from0, end: to, refs: [] };
  }
  return { part: joined(made), start: -1, end: -1, refs: made };
}

function joined(refs: readonly string[]): string {
  const all = [...new Set(refs)].sort().join('+');
  return all.length > 200 ? `things-${shortHash(all)}` : all;
}

function shortHash(text: string): string {
  return hash('sha256', text).slice(0, 12);
}

function segment(members: readonly Placed[], reviewers: number, aligned: boolean): Segment {
  const start = Math.min(...members.map((one) => one.start));
  const end = Math.max(...members.map((one) => one.end));
  const refs = members.flatMap((one) => one.refs);
  const [first] = members;
  const lists = Array.from({ length: reviewers }, (_, reviewer) =>
    members.filter((one) => one.reviewer === reviewer).sort((x, y) => byPlace(x, y) || x.order - y.order),
  );
  return {
    part: start >= 0 ? `${start}-${end}` : aligned || refs.every((ref) => ref === refs[0]) ? first!.part : joined(refs),
    start,
    end,
    aligned,
    lists: lists.map((list) => list.map(({ answer }) => answer)),
    parts: lists.map((list) => list.map(({ part }) => part)),
  };
}

/** Groups of what shares a character with another of its group. */
function overlapping(placed: readonly Placed[]): Placed[][] {
  const groups: Placed[][] = [];
  let end = -1;
  for (const one of placed.toSorted(byPlace)) {
    if (one.start < end) groups.at(-1)!.push(one);
    else groups.push([one]);
    end = Math.max(end, one.end);
  }
  return groups;
}

/** Groups of what was made of the same proposed things, directly or by way of others. */
function related(placed: readonly Placed[]): Placed[][] {
  const groupOf = new Map<string, Placed[]>();
  for (const one of placed) {
    const group = [one];
    for (const ref of one.refs) {
      const other = groupOf.get(ref);
      if (other !== undefined && other !== group) {
        group.push(...other);
        for (const member of other) for (const shared of member.refs) groupOf.set(shared, group);
      }
      groupOf.set(ref, group);
    }
  }
  return [...new Set(groupOf.values())];
}

function hasNoPlace({ start }: Placed): boolean {
  return start < 0;
}

/** By place; what has none comes last, in the order in which it came. */
function byPlace(a: { start: number; end: number }, b: { start: number; end: number }): number {
  if (a.start < 0 || b.start < 0) return Number(a.start < 0) - Number(b.start < 0);
  return a.start - b.start || a.end - b.end;
}

function numbered<T extends { readonly part: string }>(things: readonly T[]): T[] {
  const times = new Map<string, number>();
  return things.map((thing) => {
    const time = (times.get(thing.part) ?? 0) + 1;
    times.set(thing.part, time);
    return time === 1 ? thing : { ...thing, part: `${thing.part}#${time}` };
  });
}
