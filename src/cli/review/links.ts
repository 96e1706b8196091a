import { UsageError } from '../../data/problems.ts';
import { visible } from '../../data/visible.ts';
import type { Section } from '../../report/document.ts';
import { safeJson } from '../../report/safe-json.ts';
import { shellWord } from '../../report/shell-word.ts';
import { addPeople } from '../../review/add-people.ts';
import {
  baseUrlOf,
  expiryOf,
  type PersonLink,
  personLink,
  personNamed,
  renewLink,
  USUAL_DAYS,
} from '../../review/links.ts';
import { nameFault, parsePerson, type PersonInit } from '../../review/people.ts';
import type { ReviewSnapshot } from '../../review/snapshot.ts';
import { reviewSecret } from '../../review/tokens.ts';
import type { Store } from '../../store/store.ts';
import { counted } from '../../text/figures.ts';
import { localFolder } from '../backend-of.ts';
import { command } from '../command.ts';
import * as flag from '../flags.ts';
import { dataOption, REVIEW_FLAGS, REVIEW_NAME, withReview } from './review-store.ts';

/** Where assay review serve listens by default. */
const DEFAULT_URL = 'http://127.0.0.1:4319';
const DAY_MS = 86_400_000;

const FLAGS = {
  renew: flag.texts('<who>', 'person who gets a new link; earlier ones stop working'),
  revoke: flag.texts('<who>', 'person to shut out; their answers stay'),
  add: flag.texts('<who[:group,…]>', 'reviewer to add'),
  rename: flag.texts('<who=name>', 'new name of a person; their answers and their link stay'),
  adjudicator: flag.texts('<who>', 'adjudicator to add'),
  owner: flag.texts('<who>', 'owner to add'),
  expires: flag.text('<time>', 'lifetime of new links: 90d, 12w, 12h', `${USUAL_DAYS}d`),
  baseUrl: flag.text('<url>', 'address at which reviewers reach assay review serve', DEFAULT_URL),
  ...REVIEW_FLAGS,
};

export const linksCommand = command({
  name: 'links',
  arguments: REVIEW_NAME,
  flags: FLAGS,
  help: `
A link lets anybody who has it in as that person: send each to its owner alone.
The token is after the #, which a browser sends to no server but this one.

Links to an address other than this machine's own (--base-url) work only if the
server knows it too: assay review serve --base-url with the same URL, or --host
0.0.0.0 if it is an address of this machine.

A reviewer who is added gets the items that have too few raters of their groups,
or all of their groups' items if none has.

Examples:
  $ assay review links pilot
  $ assay review links pilot --base-url https://review.example.org
  $ assay review links pilot --renew Asha --expires 12h
  $ assay review links pilot --rename expert-1=Asha
  $ assay review links pilot --revoke Ravi --add Lata:expert`,
  run({ name, ...flags }, terminal) {
    const baseUrl = baseUrlOf(flags.baseUrl);
    const expiresAt = expiryOf(flags.expires, new Date());
    const added = addedPeople(flags);
    const isChange = [added, flags.renew, flags.revoke, flags.rename].some((list) => list.length > 0);
    return withReview({ name, ...flags }, isChange ? 'change' : 'look', (snapshot, store) => {
      const secret = reviewSecret(localFolder(flags));
      const notices = isChange ? changePeople(store, snapshot, flags, { added, secret, expiresAt }) : [];
      const people = store.reviews.people(snapshot.review.id);
      const links = people.map((person) => personLink(person, secret, baseUrl, new Date()));
      const renew = `assay review links ${shellWord(name)} --renew WHO${dataOption(flags)} makes a new link`;
      const isClosed = links.some(({ closed }) => closed !== null);
      return {
        document: () => ({ title: `Links of ${name}`, sections: links.map(linkSection) }),
        json: () => safeJson(links),
        after: () => [...notices, ...(isClosed ? [renew] : [])].forEach((text) => terminal.note(`Note: ${text}.`)),
      };
    });
  },
});

type LinkFlags = flag.FlagValues<typeof FLAGS>;

function addedPeople({ add, adjudicator, owner }: LinkFlags): PersonInit[] {
  return [
    ...add.map((words) => parsePerson(words, 'reviewer')),
    ...adjudicator.map((words) => parsePerson(words, 'adjudicator')),
    ...owner.map((words) => parsePerson(words, 'owner')),
  ];
}

/** All changes or none. What came of them, for the user to know. */
function changePeople(
  store: Store,
  { review, form, people }: ReviewSnapshot,
  { renew, revoke, rename }: LinkFlags,
  link: { readonly added: readonly PersonInit[]; readonly secret: Buffer; readonly expiresAt: string },
): readonly string[] {
  const { added, secret, expiresAt } = link;
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

/** A link is on its own line, to be copied as a whole; one that ends within a day or two shows the time. */
function linkSection({ name, role, groups, link, closed, expiresAt }: PersonLink): Section {
  const title = `${name} (${[role, ...groups].join(', ')})`;
  if (link === null) return { title, blocks: [{ text: `no link: ${closed ?? ''}` }] };
  const until = Date.parse(expiresAt) - Date.now() < 2 * DAY_MS ? `${expiresAt.slice(0, 16)}Z` : expiresAt.slice(0, 10);
  return { title, about: `until ${until}`, blocks: [{ text: link, whole: true }] };
}
