import type { ReviewSection } from '../recipe/review-section.ts';
import type { ReviewItemRecord, ReviewRecord } from '../store/review-records.ts';
import type { Store } from '../store/store.ts';
import { queueOf, type Rater, ratersWanted, shortages, wantedFor } from './assignments.ts';
import { opaqueIds } from './blinding.ts';
import { checkPeople, type PersonInit, reviewPeople } from './people.ts';

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
 * their groups. A person who was shut out counts for what they have committed, and for nothing else.
 */
export function addPeople({ store, review, form, people, secret, expiresAt }: Added): readonly string[] {
  return store.transaction(() => {
    const there = store.reviews.people(review.id);
    checkPeople(form, [...there, ...people]);
    const ids = opaqueIds(secret, review.name);
    const made = reviewPeople(people, { reviewId: review.id, ids, secret, expiresAt });
    const items = store.reviews.items(review.id);
    const raters = new Map<string, Rater[]>(items.map(({ id }) => [id, []]));
    const committed = new Set(
      store.reviews.states(review.id).flatMap((one) => (one.committed ? [`${one.itemId} ${one.personId}`] : [])),
    );
    const byId = new Map(there.map((person) => [person.id, person]));
    for (const { itemId, personId } of store.reviews.assignments(review.id)) {
      const person = byId.get(personId);
      if (person === undefined) continue;
      if (person.revokedAt === null || committed.has(`${itemId} ${personId}`)) raters.get(itemId)?.push(person);
    }
    const assignments = made
      .filter(({ role }) => role === 'reviewer')
      .flatMap((person) => {
        const own = itemsFor(form, person, items, raters);
        for (const { id } of own) raters.get(id)?.push(person);
        return queueOf(person, own, review.seed);
      });
    store.reviews.addPeople(review.id, made, assignments);
    const present = there.filter(({ role, revokedAt }) => role === 'reviewer' && revokedAt === null);
    return shortages(form, items, [...present, ...made.filter(({ role }) => role === 'reviewer')]);
  });
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
