import { safeJson, type Section, shellWord } from '../../plugin.ts';
import {
  baseUrlOf,
  changePeople,
  expiryOf,
  parsePerson,
  type PersonInit,
  type PersonLink,
  personLink,
  reviewSecret,
  USUAL_DAYS,
} from '../../review.ts';
import { localFolder } from '../backend-of.ts';
import { command } from '../command.ts';
import * as flag from '../flags.ts';
import { dataOption, REVIEW_FLAGS, REVIEW_NAME, withReview } from './review-store.ts';

/** Where assay review serve listens by default. */
const DEFAULT_URL = 'http://127.0.0.1:4319';
const DAY_MS = 86_400_000;

const FLAGS = {
  renew: flag.strings('<who>', 'person who gets a new link; earlier ones stop working'),
  revoke: flag.strings('<who>', 'person to shut out; their answers stay'),
  add: flag.strings('<who[:group,…]>', 'reviewer to add'),
  rename: flag.strings('<who=name>', 'new name of a person; their answers and their link stay'),
  adjudicator: flag.strings('<who>', 'adjudicator to add'),
  owner: flag.strings('<who>', 'owner to add'),
  expires: flag.string('<time>', 'lifetime of new links: 90d, 12w, 12h', `${USUAL_DAYS}d`),
  baseUrl: flag.string('<url>', 'address at which reviewers reach assay review serve', DEFAULT_URL),
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
      const notices = isChange ? changePeople(store, snapshot, { ...flags, added, secret, expiresAt }) : [];
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

/** A link is on its own line, to be copied as a whole; one that ends within a day or two shows the time. */
function linkSection({ name, role, groups, link, closed, expiresAt }: PersonLink): Section {
  const title = `${name} (${[role, ...groups].join(', ')})`;
  if (link === null) return { title, blocks: [{ text: `no link: ${closed ?? ''}` }] };
  const until = Date.parse(expiresAt) - Date.now() < 2 * DAY_MS ? `${expiresAt.slice(0, 16)}Z` : expiresAt.slice(0, 10);
  return { title, about: `until ${until}`, blocks: [{ text: link, whole: true }] };
}
