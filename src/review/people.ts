import { hash } from 'node:crypto';

import { UsageError } from '../data/problems.ts';
import { shorten, UNSAFE, visible } from '../data/visible.ts';
import { didYouMean } from '../prepare/setting-error.ts';
import type { ReviewSection } from '../recipe/review-section.ts';
import type { ReviewItemRecord, ReviewPerson, ReviewRecord, ReviewRole } from '../store/review-records.ts';
import type { Store } from '../store/store.ts';
import { plural } from '../text/figures.ts';
import { queueOf, type Rater, ratersWanted, shortages, wantedFor } from './assignments.ts';
import { type OpaqueIds, opaqueIds } from './blinding.ts';
import { hashToken, personNamed, renewLink, tokenOf } from './review-access.ts';
import { queuedItems } from './review-progress.ts';
import type { ReviewSnapshot } from './snapshot.ts';

export interface PersonInit {
  readonly name: string;
  readonly role: ReviewRole;
  readonly groups: readonly string[];
}

const LONGEST_NAME = 80;
const MOST_PEOPLE = 500;

/** `Anna:expert,annotator` is Anna of two groups; `Anna` alone has every question. Only reviewers have groups. */
export function parsePerson(given: string, role: ReviewRole): PersonInit {
  if (role !== 'reviewer') return { name: given.trim(), role, groups: [] };
  const at = given.lastIndexOf(':');
  const name = (at === -1 ? given : given.slice(0, at)).trim();
  const groups =
    at === -1
      ? []
      : given
          .slice(at + 1)
          .split(',')
          .map((group) => group.trim());
  if (groups.includes(''))
    throw new UsageError(`${visible(shorten(given))}: expected NAME or NAME:group,group`, 'for example Anna:expert');
  return { name, role, groups: [...new Set(groups)] };
}

/** Refuses names that cannot be told apart or shown, and groups that the form does not know. */
export function checkPeople(form: ReviewSection, people: readonly PersonInit[]): void {
  if (people.length > MOST_PEOPLE)
    throw new UsageError(`${people.length} people are more than one review can have (${MOST_PEOPLE})`);
  const known = new Set([...Object.keys(form.people), ...Object.values(form.fields).flatMap(({ by }) => by)]);
  const seen = new Set<string>();
  for (const { name, groups } of people) {
    const fault = nameFault(name);
    if (fault !== null)
      throw new UsageError(`${visible(shorten(name))} cannot be the name of a person: ${fault}`, 'choose another name');
    const key = name.toLowerCase();
    if (seen.has(key))
      throw new UsageError(
        `two people have the name ${visible(name)}`,
        'give each their own name; one person has one role in a review',
      );
    seen.add(key);
    const unknown = groups.find((group) => !known.has(group));
    if (unknown === undefined) continue;
    throw new UsageError(
      `${visible(name)}: the form has no group ${visible(shorten(unknown))}`,
      known.size === 0
        ? 'its questions are for everybody: leave the group out'
        : (didYouMean(unknown, known) ?? `groups: ${[...known].join(', ')}`),
    );
  }
}

export function reviewPeople(
  people: readonly PersonInit[],
  given: {
    readonly reviewId: string;
    readonly ids: OpaqueIds;
    readonly secret: Buffer;
    readonly expiresAt: string;
  },
): Omit<ReviewPerson, 'reviewId'>[] {
  const { reviewId, ids, secret, expiresAt } = given;
  return people.map(({ name, role, groups }) => {
    const id = ids.person(name);
    const tokenHash = hashToken(tokenOf(secret, { reviewId, id, generation: 1 }));
    return { id, name, role, groups, generation: 1, tokenHash, expiresAt, revokedAt: null };
  });
}

/** Why somebody cannot be called so; null if they can. */
export function nameFault(name: string): string | null {
  if (name === '') return 'it is empty';
  if (name !== name.trim()) return 'it begins or ends with a space';
  if (name.length > LONGEST_NAME) return `it has ${name.length} characters, and ${LONGEST_NAME} are the most`;
  if (name.search(UNSAFE) !== -1) return 'it has characters that cannot be seen';
  // Sheets are kept in a folder of this name.
  if (/[/\\]/.test(name) || name === '.' || name === '..')
    return 'it is also the name of a folder, and has a slash or is . or ..';
  return null;
}

const ANYBODY = 'reviewer';
const MOST = 100;

/**
 * Places for reviewers who are not named yet. `3` are reviewer-1 to reviewer-3, who are asked everything; `expert:3` are
 * expert-1 to expert-3 of that group; `form` are as many of each group as the form wants.
 */
export function unnamedPlaces(form: ReviewSection, given: string): PersonInit[] {
  const groups = Object.entries(form.people).filter(([, { raters }]) => raters > 0);
  if (given.trim() === 'form') {
    if (groups.length === 0)
      throw new UsageError(
        'the form has no groups, and does not say how many reviewers it wants',
        'say so: --reviewers 3',
      );
    return groups.flatMap(([group, { raters }]) => places(group, [group], raters));
  }
  const [, group, number] = /^\s*(?:([^:]+):)?\s*(\d{1,3})\s*$/.exec(given) ?? [];
  const count = Number(number);
  if (number === undefined || count < 1 || count > MOST)
    throw new UsageError(
      `--reviewers ${visible(given)}: expected a number up to ${MOST}, GROUP:NUMBER or form`,
      'for example --reviewers 3, or --reviewers expert:3 --reviewers annotator:2',
    );
  return group === undefined ? places(ANYBODY, [], count) : places(group.trim(), [group.trim()], count);
}

function places(name: string, groups: readonly string[], count: number): PersonInit[] {
  return Array.from({ length: count }, (_, at) => ({ name: `${name}-${at + 1}`, role: 'reviewer', groups }));
}

/** Whether a name is that of a place, so that the person who takes it may get their own. */
export function isUnnamed(form: ReviewSection, name: string): boolean {
  const [, group] = /^(.+)-\d+$/.exec(name) ?? [];
  return group !== undefined && (group === ANYBODY || Object.hasOwn(form.people, group));
}

/**
 * What reviewers are called before others: `Reviewer 1` and so on. The order is by a hash of review and person, the same
 * at every look, and follows neither names nor the order in which people were entered.
 */
export function reviewerNumbers(people: readonly ReviewPerson[]): ReadonlyMap<string, string> {
  const keyed = people
    .filter(({ role }) => role === 'reviewer')
    .map(({ id, reviewId }) => ({ id, key: hash('sha256', JSON.stringify([reviewId, id])) }))
    .toSorted((a, b) => (a.key < b.key ? -1 : 1));
  return new Map(keyed.map(({ id }, at) => [id, `Reviewer ${at + 1}`]));
}

interface Added {
  readonly store: Store;
  readonly review: ReviewRecord;
  readonly form: ReviewSection;
  readonly people: readonly PersonInit[];
  readonly secret: Buffer;
  readonly expiresAt: string;
}

/**
 * People who come later. A reviewer gets the items that have too few raters of their groups; where none has, all items of
 * their groups.
 */
export function addPeople({ store, review, form, people, secret, expiresAt }: Added): readonly string[] {
  return store.transaction(() => {
    const there = store.reviews.people(review.id);
    checkPeople(form, [...there, ...people]);
    const ids = opaqueIds(secret, review.name);
    const made = reviewPeople(people, { reviewId: review.id, ids, secret, expiresAt });
    const items = store.reviews.items(review.id);
    const raters = new Map<string, Rater[]>(items.map(({ id }) => [id, []]));
    const [assigned, states] = [store.reviews.assignments(review.id), store.reviews.states(review.id)];
    for (const { itemId, person } of queuedItems({ people: there, assignments: assigned, states }))
      raters.get(itemId)?.push(person);
    const assignments = made
      .filter(({ role }) => role === 'reviewer')
      .flatMap((person) => {
        const own = itemsFor(form, person, items, raters);
        for (const { id } of own) raters.get(id)?.push(person);
        return queueOf(person, own, review.seed);
      });
    store.reviews.addPeople(review.id, made, assignments);
    return lackingReviewers({ form, items, people: store.reviews.people(review.id) });
  });
}

/** Groups with fewer reviewers than the form wants for each item, one sentence each. */
export function lackingReviewers({ form, items, people }: Pick<ReviewSnapshot, 'form' | 'items' | 'people'>) {
  const present = people.filter(({ role, revokedAt }) => role === 'reviewer' && revokedAt === null);
  return shortages(form, items, present);
}

function itemsFor(
  form: ReviewSection,
  person: Rater,
  items: readonly ReviewItemRecord[],
  raters: ReadonlyMap<string, readonly Rater[]>,
): ReviewItemRecord[] {
  if (person.groups.length === 0) return [...items];
  const asked = items.flatMap((item) => {
    const { groups, everybody } = wantedFor(form, item);
    const own = everybody ? person.groups : person.groups.filter((group) => groups.includes(group));
    return own.length === 0 ? [] : [{ item, own }];
  });
  const lacking = asked.filter(({ item, own }) =>
    own.some((group) => {
      const there = (raters.get(item.id) ?? []).filter(({ groups }) => groups.length === 0 || groups.includes(group));
      return there.length < ratersWanted(form, group);
    }),
  );
  return (lacking.length > 0 ? lacking : asked).map(({ item }) => item);
}

interface PeopleChanges {
  readonly renew: readonly string[];
  readonly revoke: readonly string[];
  /** `WHO=NAME` */
  readonly rename: readonly string[];
  readonly added: readonly PersonInit[];
  readonly secret: Buffer;
  readonly expiresAt: string;
}

/** All changes or none. Returns what came of them, for the owner of the review to know. */
export function changePeople(
  store: Store,
  { review, form, people }: ReviewSnapshot,
  { renew, revoke, rename, added, secret, expiresAt }: PeopleChanges,
): readonly string[] {
  const both = renew.find((who) => revoke.includes(who));
  if (both !== undefined) throw new UsageError(`${visible(both)} is to be renewed and revoked`, 'give one of the two');
  return store.transaction(() => {
    for (const who of new Set(revoke)) store.reviews.revoke(personNamed(people, who).id);
    for (const who of new Set(renew)) renewLink(store, personNamed(people, who), secret, expiresAt);
    for (const words of rename) renamePerson(store, people, words);
    if (added.length === 0) return [];
    const notices = addPeople({ store, review, form, people: added, secret, expiresAt });
    const queues = added.flatMap(({ name }) => {
      const { id, role } = personNamed(store.reviews.people(review.id), name);
      return role === 'reviewer' ? [`${name} has ${plural(store.reviews.queue(id).length, 'item')}`] : [];
    });
    return [...queues, ...notices];
  });
}

function renamePerson(store: Store, people: ReviewSnapshot['people'], words: string): void {
  const [who = '', ...rest] = words.split('=');
  const person = personNamed(people, who.trim());
  const name = rest.join('=').trim();
  const isTaken = people.some((other) => other.id !== person.id && other.name.toLowerCase() === name.toLowerCase());
  const fault = rest.length === 0 ? 'expected WHO=NAME' : isTaken ? 'somebody else has that name' : nameFault(name);
  if (fault !== null)
    throw new UsageError(`--rename ${visible(words)}: ${fault}`, 'for example --rename expert-1=Asha');
  store.reviews.rename(person.id, name);
}
