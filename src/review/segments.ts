import { hash } from 'node:crypto';

import type { ItemAnswer } from '../store/review-records.ts';
import { alignLists } from '../stats/aligned-lists.ts';
import { compareText } from '../text/compare.ts';
import type { Proposed } from './content.ts';
import { byPlace, type Place, placeAround, placeOfPart } from './place.ts';

/** A stretch of the text, or a thing without a place, with what each reviewer sees in it. */
export interface ListSegment extends Place {
  /** `start-end`, or for what has no place the ids of the proposed things that it was made of. */
  readonly part: string;
  /** Every reviewer has exactly one thing here, at the same place: their labels can be compared. */
  readonly aligned: boolean;
  /** In the order of the reviewers; empty for one who sees nothing here. */
  readonly lists: readonly (readonly ItemAnswer[])[];
  readonly parts: readonly (readonly string[])[];
}

export type ProposedById = ReadonlyMap<string, Proposed>;

export function proposedById(proposed: readonly Proposed[]): ProposedById {
  return new Map(proposed.map((one) => [one.id, one]));
}

/**
 * Sets the lists of several reviewers beside each other. Things at the same place are the same thing, whatever became of
 * their words; of several at one place those that were made of the same proposed thing, and what is left by its order. What
 * is left where reviewers cut the text differently (one split what another kept whole, removed it or added to it) is
 * gathered into stretches of all that overlaps: on a stretch there is one question, not one for each piece. What has no
 * place is known by the proposed things that it was made of, and what was added by its words.
 *
 * Example: A has 0-20 and 21-40, B has 0-20, 21-30 and 31-40: the thing 0-20, and the stretch 21-40.
 */
export function segmentsOf(lists: readonly (readonly ItemAnswer[])[], proposed: ProposedById): ListSegment[] {
  const placed = lists
    .flatMap((answers, reviewer) => {
      const parts = partsOfList(answers, proposed);
      return answers.map((answer, at) => ({ answer, list: reviewer, ...identify(answer, proposed), part: parts[at]! }));
    })
    .map((one, order): Placed => ({ ...one, order }));
  const rest: Placed[] = [];
  const found: ListSegment[] = [];
  for (const same of Map.groupBy(placed, ({ base }) => base).values()) {
    const { things, left } = thingsAt(same, lists.length);
    found.push(...things.map((thing) => segment(thing, lists.length, true)));
    rest.push(...left);
  }
  const stretches = alignLists(rest, linksOf(rest));
  found.push(
    ...stretches.map((places) =>
      segment(
        places.map((at) => rest[at]!),
        lists.length,
        false,
      ),
    ),
  );
  return numbered(found.sort(byPlace));
}

/**
 * The place of a thing as a part: its own, or that of the proposed things it was made of; else what identifies it.
 * The second of the things that were proposed at one place is `start-end#2`, for everybody.
 */
export function partOf(answer: ItemAnswer, proposed: ProposedById): string {
  const { base, own } = identify(answer, proposed);
  return own ?? base;
}

/** Parts of the things of one list, told apart: one more at a place has the next number that is free. */
export function partsOfList(answers: readonly ItemAnswer[], proposed: ProposedById): string[] {
  const known = answers.map((answer) => identify(answer, proposed));
  const taken = new Set<string>();
  // What was proposed has its part, wherever it is in the list.
  const owned = known.map(({ own }) => {
    const isFree = own !== null && !taken.has(own);
    if (isFree) taken.add(own);
    return isFree ? own : null;
  });
  return known.map(({ base }, at) => owned[at] ?? freePart(base, taken));
}

interface Identity extends Place {
  /** Its part, were it alone at its place. */
  readonly base: string;
  /** The part of the proposed thing that it is, still at its place; null if it is none. */
  readonly own: string | null;
  /** Of what has no place: the proposed things it was made of, or its words. */
  readonly refs: readonly string[];
  readonly made: readonly string[];
}

interface Placed extends Identity {
  readonly part: string;
  readonly answer: ItemAnswer;
  readonly list: number;
  readonly order: number;
}

function identify({ id, start, end, text, from }: ItemAnswer, proposed: ProposedById): Identity {
  const made = [...new Set(from.length > 0 ? from : [id])].filter((ref) => proposed.has(ref)).sort();
  if (start >= 0 && end > start) {
    const placed = placedAt(start, end, made, proposed);
    // Lines of reviews know a thing by its part.
    const isPart = from.length === 1 && made.length === 0 && placeOfPart(from[0]!) !== null;
    return isPart && isPartAt(from[0]!, placed.base) ? { ...placed, own: from[0]! } : placed;
  }
  // Ids of what was added are made by each reviewer's own program: two may well be equal and mean different things.
  if (made.length === 0) {
    const base = `added-${shortHash(text.trim())}`;
    return { base, own: null, start: -1, end: -1, refs: [` ${text.trim()}`], made };
  }
  const places = made.map((ref) => proposed.get(ref)!);
  const around = placeAround(places);
  if (around !== null && places.every((place) => place.start >= 0))
    return placedAt(around.start, around.end, made, proposed);
  return { base: joined(made), own: null, start: -1, end: -1, refs: made, made };
}

function placedAt(start: number, end: number, made: readonly string[], proposed: ProposedById): Identity {
  const base = `${start}-${end}`;
  const part = made.length === 1 ? partsOfProposed(proposed).get(made[0]!) : undefined;
  return { base, own: part !== undefined && isPartAt(part, base) ? part : null, start, end, refs: [], made };
}

function isPartAt(part: string, base: string): boolean {
  return part === base || part.startsWith(`${base}#`);
}

/** The parts of what was proposed with a place, by id. */
function partsOfProposed(proposed: ProposedById): ReadonlyMap<string, string> {
  const found = partsKnown.get(proposed);
  if (found !== undefined) return found;
  const taken = new Set<string>();
  const parts = new Map<string, string>();
  for (const { id, start, end } of proposed.values())
    if (start >= 0 && end > start) parts.set(id, freePart(`${start}-${end}`, taken));
  partsKnown.set(proposed, parts);
  return parts;
}
const partsKnown = new WeakMap<ProposedById, ReadonlyMap<string, string>>();

function freePart(base: string, taken: Set<string>): string {
  let part = base;
  for (let time = 2; taken.has(part); time += 1) part = `${base}#${time}`;
  taken.add(part);
  return part;
}

/** Of all that stands at one place: what everybody has, thing by thing, and what cannot be set beside each other. */
function thingsAt(
  same: readonly Placed[],
  reviewers: number,
): { readonly things: readonly (readonly Placed[])[]; readonly left: readonly Placed[] } {
  const isEverybodys = (of: readonly Placed[]): boolean =>
    of.length === reviewers && new Set(of.map(({ list }) => list)).size === reviewers;
  const byOwn = [...Map.groupBy(same, ({ own }) => own)];
  const things = byOwn.flatMap(([own, of]) => (own !== null && isEverybodys(of) ? [of] : []));
  const left = same.filter((one) => !things.some((thing) => thing.includes(one)));
  const lists = [...Map.groupBy(left, ({ list }) => list).values()].map((list) =>
    list.toSorted((a, b) => compareText(a.made.join('+'), b.made.join('+')) || a.order - b.order),
  );
  const rows = (lists[0] ?? []).map((_, at) => lists.flatMap((list) => list[at] ?? []));
  const isAlike =
    lists.length === reviewers &&
    lists.every((list) => list.length === rows.length) &&
    rows.every((row) => isOneThing(row, rows.length > 1));
  return isAlike ? { things: [...things, ...rows], left: [] } : { things, left };
}

/** Two that were proposed beside each other are two; of the pieces of one thing at its place only the words tell. */
function isOneThing(row: readonly Placed[], hasOthers: boolean): boolean {
  const owned = new Set(row.flatMap(({ own }) => own ?? []));
  if (owned.size > 1) return false;
  const made = new Set(row.map((one) => one.made.join('+')));
  if (!hasOthers || (made.size === 1 && made.has(''))) return true;
  return made.size === 1 && new Set(row.map(({ answer }) => answer.text.trim())).size === 1;
}

function joined(refs: readonly string[]): string {
  const all = [...new Set(refs)].sort().join('+');
  return all.length > 200 ? `things-${shortHash(all)}` : all;
}

function shortHash(text: string): string {
  return hash('sha256', text).slice(0, 12);
}

function segment(members: readonly Placed[], reviewers: number, aligned: boolean): ListSegment {
  const { start, end } = placeAround(members) ?? { start: -1, end: -1 };
  const refs = members.flatMap((one) => one.refs);
  const lists = Array.from({ length: reviewers }, (_, reviewer) =>
    members.filter(({ list }) => list === reviewer).sort((x, y) => byPlace(x, y) || x.order - y.order),
  );
  return {
    part: aligned ? (members.find(({ own }) => own !== null) ?? members[0]!).part : partOfStretch(members, refs),
    start,
    end,
    aligned,
    lists: lists.map((list) => list.map(({ answer }) => answer)),
    parts: lists.map((list) => list.map(({ part }) => part)),
  };
}

function partOfStretch(members: readonly Placed[], refs: readonly string[]): string {
  const [first] = [members[0]!];
  if (members.every(({ part }) => part === first.part)) return first.part;
  if (first.start < 0) return refs.every((ref) => ref === refs[0]) ? first.base : joined(refs);
  const { start, end } = placeAround(members)!;
  return `${start}-${end}`;
}

/** Pairs that share a character, and those without a place that were made of the same proposed things. */
function linksOf(placed: readonly Placed[]): [number, number][] {
  const links: [number, number][] = [];
  const firstWith = new Map<string, number>();
  let reach = { at: 0, end: -1 };
  for (const at of [...placed.keys()].sort((a, b) => byPlace(placed[a]!, placed[b]!) || a - b)) {
    const { start, end, refs } = placed[at]!;
    if (start >= 0 && start < reach.end) links.push([reach.at, at]);
    if (end > reach.end) reach = { at, end };
    for (const ref of refs) {
      links.push([firstWith.get(ref) ?? at, at]);
      firstWith.set(ref, firstWith.get(ref) ?? at);
    }
  }
  return links;
}

/** A stretch around things keeps clear of the parts of what lies beside it. */
function numbered(segments: readonly ListSegment[]): ListSegment[] {
  const isThing = ({ aligned, parts }: ListSegment): boolean => aligned || new Set(parts.flat()).size === 1;
  const taken = new Set<string>();
  const kept = new Set<ListSegment>();
  for (const one of segments.filter(isThing)) {
    if (taken.has(one.part)) continue;
    taken.add(one.part);
    kept.add(one);
  }
  return segments.map((one) => (kept.has(one) ? one : { ...one, part: freePart(one.part, taken) }));
}
