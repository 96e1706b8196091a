import { UsageError } from '../data/problems.ts';
import { visible } from '../data/visible.ts';
import type { Store } from '../store/store.ts';
import { counted } from '../text/figures.ts';
import { addPeople } from './add-people.ts';
import { personNamed, renewLink } from './links.ts';
import { nameFault, type PersonInit } from './people.ts';
import type { ReviewSnapshot } from './snapshot.ts';

export interface PeopleChanges {
  /** People by their names. */
  readonly renew: readonly string[];
  readonly revoke: readonly string[];
  /** `WHO=NAME` */
  readonly rename: readonly string[];
  readonly added: readonly PersonInit[];
  /** Of new links. */
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
      return role === 'reviewer' ? [`${name} has ${counted(store.reviews.queue(id).length, 'item')}`] : [];
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
