import { hash } from 'node:crypto';

import type { ReviewField, ReviewSection } from '../recipe/review-section.ts';
import { MersenneTwister } from '../stats/mersenne-twister.ts';
import type { ReviewAssignment, ReviewItemRecord } from '../store/review-records.ts';
import { fieldsFor } from './questions.ts';

export interface Assignable extends Queued {
  readonly id: string;
  readonly language: string | null;
}

export interface Rater {
  readonly id: string;
  readonly name: string;
  readonly groups: readonly string[];
}

/** Which groups of people an item is for, and how many of each; an empty list of groups means everybody. */
interface Wanted {
  readonly groups: readonly string[];
  readonly everybody: boolean;
}

/**
 * Who reviews what. If a group has more people than are to rate an item, people are chosen case by case and by who has
 * least so far: the same ones rate all answers to a case, so that a difference between systems is not one between raters.
 */
export function assignItems(
  form: ReviewSection,
  items: readonly Assignable[],
  raters: readonly Rater[],
  seed: number,
): { readonly assignments: ReviewAssignment[]; readonly notices: string[] } {
  const numbers = seededNumbers(seed, 'assignments');
  const own = new Map<Rater, Assignable[]>(raters.map((rater) => [rater, []]));
  const give = (rater: Rater, some: readonly Assignable[]): void => void own.get(rater)!.push(...some);
  const grouped = raters.filter(({ groups }) => groups.length > 0);
  for (const rater of raters) if (rater.groups.length === 0) give(rater, items);

  for (const ofCase of shuffled([...byCase(items).values()], numbers)) {
    const got = new Map<Rater, Set<Assignable>>();
    for (const [group, wanted] of itemsByGroup(form, ofCase, grouped)) {
      const most = ratersWanted(form, group);
      const members = grouped.filter(({ groups }) => groups.includes(group));
      for (const rater of chosen(members, most, got, own, numbers))
        got.set(rater, new Set([...(got.get(rater) ?? []), ...wanted]));
    }
    for (const [rater, some] of got)
      give(
        rater,
        ofCase.filter((item) => some.has(item)),
      );
  }

  return {
    assignments: raters.flatMap((rater) => queueOf(rater, own.get(rater)!, seed)),
    notices: [...shortages(form, items, raters), ...idle(raters, own)],
  };
}

/** A person's items in the order in which they meet them, from the given position on. */
export function queueOf(rater: Rater, items: readonly Assignable[], seed: number, from = 0): ReviewAssignment[] {
  return queueOrder(items, seededNumbers(seed, 'queue', rater.name)).map((item, at) => ({
    personId: rater.id,
    itemId: item.id,
    position: from + at,
  }));
}

/** How many of a group are to rate each item; nobody said means all of them. */
export function ratersWanted(form: ReviewSection, group: string): number {
  return Object.hasOwn(form.people, group) ? form.people[group]!.raters : Infinity;
}

/** How many answers the form wants to a question, over all of its groups; null if it does not say. */
export function answersWanted(form: ReviewSection, { by }: Pick<ReviewField, 'by'>): number | null {
  const wanted = by.reduce((sum, group) => sum + ratersWanted(form, group), 0);
  return by.length > 0 && Number.isFinite(wanted) ? wanted : null;
}

/** Groups whose questions are asked of an item. What everybody may add (an optional question of nobody's own) is no reason to. */
export function wantedFor(form: ReviewSection, item: Pick<ReviewItemRecord, 'kind' | 'language'>): Wanted {
  const asked = fieldsFor(form, [], item).map((name) => form.fields[name]!);
  const groups = [...new Set(asked.flatMap(({ by }) => by))];
  const everybody = asked.some(({ by, optional }) => by.length === 0 && (groups.length === 0 || !optional));
  return { groups, everybody };
}

function itemsByGroup(
  form: ReviewSection,
  items: readonly Assignable[],
  raters: readonly Rater[],
): Map<string, Assignable[]> {
  const every = [...new Set(raters.flatMap(({ groups }) => groups))];
  const out = new Map<string, Assignable[]>();
  for (const item of items) {
    const { groups, everybody } = wantedFor(form, item);
    for (const group of everybody ? new Set([...groups, ...every]) : groups)
      out.set(group, [...(out.get(group) ?? []), item]);
  }
  return out;
}

/** Those who have this case already through another group first, then those with least to do; ties by the seed. */
function chosen(
  members: readonly Rater[],
  most: number,
  got: ReadonlyMap<Rater, unknown>,
  own: ReadonlyMap<Rater, readonly Assignable[]>,
  numbers: MersenneTwister,
): Rater[] {
  if (members.length <= most) return [...members];
  const load = (rater: Rater): number => own.get(rater)!.length;
  const order = shuffled(members, numbers);
  return order.toSorted((a, b) => Number(got.has(b)) - Number(got.has(a)) || load(a) - load(b)).slice(0, most);
}

function byCase(items: readonly Assignable[]): Map<string, Assignable[]> {
  return Map.groupBy(items, ({ caseId }) => caseId);
}

export function shortages(form: ReviewSection, items: readonly Assignable[], raters: readonly Rater[]): string[] {
  const groups = new Set(items.flatMap((item) => wantedFor(form, item).groups));
  return [...groups].flatMap((group) => {
    const there = raters.filter((rater) => rater.groups.length === 0 || rater.groups.includes(group)).length;
    const wanted = ratersWanted(form, group);
    const title = Object.hasOwn(form.people, group) ? ` (${form.people[group]!.title})` : '';
    if (there === 0)
      return [
        `nobody is in the group ${group}${title}: its questions (${questionsOf(form, group)}) stay without an answer`,
      ];
    if (wanted === Infinity || there >= wanted) return [];
    return [
      `${wanted} of the group ${group}${title} are to rate each item, and there ${there === 1 ? 'is 1' : `are ${there}`}`,
    ];
  });
}

function idle(raters: readonly Rater[], own: ReadonlyMap<Rater, readonly Assignable[]>): string[] {
  return raters.filter((rater) => own.get(rater)!.length === 0).map(({ name }) => `${name} has nothing to review`);
}

function questionsOf(form: ReviewSection, group: string): string {
  return Object.entries(form.fields)
    .filter(([, { by }]) => by.includes(group))
    .map(([name]) => name)
    .join(', ');
}

export interface Queued {
  readonly kind: 'case' | 'answer';
  readonly caseId: string;
}

/** Numbers of one person's own: the same for the same seed and name, unlike anybody else's. */
export function seededNumbers(seed: number, ...names: readonly string[]): MersenneTwister {
  return new MersenneTwister(Number.parseInt(hash('sha256', JSON.stringify([seed, ...names]), 'hex').slice(0, 8), 16));
}

/**
 * The order in which one person meets their items. Cases by themselves come before all answers: who has read an answer
 * is no longer independent. Two answers to one case stand next to each other only where that cannot be avoided.
 */
export function queueOrder<T extends Queued>(items: readonly T[], numbers: MersenneTwister): T[] {
  const cases = shuffled(
    items.filter(({ kind }) => kind === 'case'),
    numbers,
  );
  const answers = shuffled(
    items.filter(({ kind }) => kind === 'answer'),
    numbers,
  );
  return [...cases, ...spreadOut(answers, cases.at(-1)?.caseId ?? null)];
}

/** Fisher and Yates. */
export function shuffled<T>(items: readonly T[], numbers: MersenneTwister): T[] {
  const out = [...items];
  for (let at = out.length - 1; at > 0; at -= 1) {
    const other = numbers.below(at + 1);
    [out[at], out[other]] = [out[other]!, out[at]!];
  }
  return out;
}

/** Takes the first that is of another case, but in time those of a case that would else be left over at the end. */
function spreadOut<T extends Queued>(items: readonly T[], after: string | null): T[] {
  const left = [...items];
  const counts = new Map<string, number>();
  for (const { caseId } of left) counts.set(caseId, (counts.get(caseId) ?? 0) + 1);
  const out: T[] = [];
  let last = after;
  while (left.length > 0) {
    const pressing = [...counts].find(([caseId, count]) => caseId !== last && 2 * count > left.length)?.[0];
    const wanted = left.findIndex(({ caseId }) => (pressing === undefined ? caseId !== last : caseId === pressing));
    const [next] = left.splice(Math.max(0, wanted), 1);
    last = next!.caseId;
    counts.set(last, counts.get(last)! - 1);
    out.push(next!);
  }
  return out;
}
