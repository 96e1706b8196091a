import { UsageError } from '../data/problems.ts';
import { shorten, UNSAFE, visible } from '../data/visible.ts';
import type { ReviewSection } from '../recipe/review-section.ts';
import type { ReviewPerson, ReviewRole } from '../store/review-records.ts';
import { closestNames } from '../text/closest-names.ts';
import type { OpaqueIds } from './blinding.ts';
import { hashToken, tokenOf } from './tokens.ts';

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
    const near = closestNames(unknown, known);
    throw new UsageError(
      `${visible(name)}: the form has no group ${visible(shorten(unknown))}`,
      known.size === 0
        ? 'its questions are for everybody: leave the group out'
        : near.length > 0
          ? `did you mean ${near.join(' or ')}?`
          : `groups: ${[...known].join(', ')}`,
    );
  }
}

/** People with the hashes of their first links. */
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
