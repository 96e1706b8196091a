import { Command } from 'commander';

import { UsageError } from '../../data/problems.ts';
import { visible } from '../../data/visible.ts';
import { counted } from '../../text/figures.ts';
import { safeJson } from '../../report/safe-json.ts';
import { safeText } from '../../report/safe-text.ts';
import { shellWord } from '../../report/shell-word.ts';
import { addPeople } from '../../review/add-people.ts';
import { expiryOf, type PersonLink, personLink, personNamed, renewLink, USUAL_DAYS } from '../../review/links.ts';
import { nameFault, parsePerson, type PersonInit } from '../../review/people.ts';
import { loadSnapshot, type ReviewSnapshot } from '../../review/snapshot.ts';
import { reviewSecret } from '../../review/tokens.ts';
import type { Store } from '../../store/store.ts';
import { localFolder } from '../backend-of.ts';
import { repeated } from '../dataset/repeated.ts';
import { dataWords } from './data-words.ts';
import { type StoreFlags, storeOption, withStore } from './review-store.ts';

interface LinkFlags extends StoreFlags {
  readonly renew?: readonly string[];
  readonly revoke?: readonly string[];
  readonly add?: readonly string[];
  readonly rename?: readonly string[];
  readonly adjudicator?: readonly string[];
  readonly owner?: readonly string[];
  readonly expires: string;
  readonly baseUrl: string;
  readonly json?: boolean;
}

/** Where assay review serve listens unless told otherwise. */
const USUAL_URL = 'http://127.0.0.1:4319';
const DAY_MS = 86_400_000;

export function linksCommand(): Command {
  return storeOption(
    new Command('links')
      .description('everybody’s link to the review app; add, renew or revoke one')
      .argument('<name>', 'of the review')
      .addOption(repeated('--renew <who>', 'a new link; earlier ones stop working'))
      .addOption(repeated('--revoke <who>', 'shut somebody out; what they said stays'))
      .addOption(repeated('--add <who[:group,…]>', 'another reviewer'))
      .addOption(repeated('--rename <who=name>', 'another name for somebody; what they said, and their link, stay'))
      .addOption(repeated('--adjudicator <who>', 'another adjudicator'))
      .addOption(repeated('--owner <who>', 'another owner'))
      .option('--expires <time>', 'how long new links are good: 90d, 12w, 12h', `${USUAL_DAYS}d`)
      .option('--base-url <url>', 'where people reach assay review serve', USUAL_URL)
      .option('--json', 'print them as JSON on standard output'),
  )
    .addHelpText('after', HELP)
    .action(links);
}

const HELP = `
Whoever has a link is let in as that person: send each to its owner alone. The
token stands after the #, which a browser tells no server but this one.

Links to another address than this machine's own (--base-url) work only where
the server was told of it too: assay review serve --base-url with the same URL,
or --host 0.0.0.0 where it is an address of this machine.

A reviewer who is added gets the items that have too few raters of their groups,
or all of their groups' items where none has.

Examples:
  $ assay review links pilot
  $ assay review links pilot --base-url https://review.example.org
  $ assay review links pilot --renew Asha --expires 12h
  $ assay review links pilot --rename expert-1=Asha
  $ assay review links pilot --revoke Ravi --add Lata:expert`;

async function links(name: string, flags: LinkFlags): Promise<void> {
  const baseUrl = checkedUrl(flags.baseUrl);
  const expiresAt = expiryOf(flags.expires, new Date());
  const added = peopleOf(flags);
  const isChange = added.length > 0 || [flags.renew, flags.revoke, flags.rename].some((one) => one !== undefined);
  await withStore(flags, isChange ? 'change' : 'look', (store) => {
    const snapshot = loadSnapshot(store, name);
    const secret = reviewSecret(localFolder(flags));
    const notices = isChange ? change(store, snapshot, flags, { added, secret, expiresAt }) : [];
    const people = store.reviews.people(snapshot.review.id);
    const all = people.map((person) => personLink(person, secret, baseUrl, new Date()));
    process.stdout.write(flags.json === true ? safeJson(all) : `${all.map(linesOf).join('\n')}\n`);
    const isClosed = all.some(({ closed }) => closed !== null);
    const renew = `assay review links ${shellWord(name)} --renew WHO${dataWords(flags)} makes a new link where there is none`;
    for (const notice of [...notices, ...(isClosed ? [renew] : [])])
      process.stderr.write(`Note: ${safeText(notice)}.\n`);
  });
}

function peopleOf({ add = [], adjudicator = [], owner = [] }: LinkFlags): PersonInit[] {
  return [
    ...add.map((given) => parsePerson(given, 'reviewer')),
    ...adjudicator.map((given) => ({ name: given.trim(), role: 'adjudicator' as const, groups: [] })),
    ...owner.map((given) => ({ name: given.trim(), role: 'owner' as const, groups: [] })),
  ];
}

function change(
  store: Store,
  { review, form, people }: ReviewSnapshot,
  { renew = [], revoke = [], rename = [] }: LinkFlags,
  given: { readonly added: readonly PersonInit[]; readonly secret: Buffer; readonly expiresAt: string },
): readonly string[] {
  const { added, secret, expiresAt } = given;
  const both = renew.find((who) => revoke.includes(who));
  if (both !== undefined) throw new UsageError(`${visible(both)} is to be renewed and revoked`, 'give one of the two');
  return store.transaction(() => {
    for (const who of new Set(revoke)) store.reviews.revoke(personNamed(people, who).id);
    for (const who of new Set(renew)) renewLink(store, personNamed(people, who), secret, expiresAt);
    for (const one of rename) renamePerson(store, people, one);
    if (added.length === 0) return [];
    const notices = addPeople({ store, review, form, people: added, secret, expiresAt });
    const queues = added.map(({ name }) => {
      const { id, role } = personNamed(store.reviews.people(review.id), name);
      return role === 'reviewer' ? [`${name} has ${counted(store.reviews.queue(id).length, 'item')}`] : [];
    });
    return [...queues.flat(), ...notices];
  });
}

function renamePerson(store: Store, people: ReviewSnapshot['people'], given: string): void {
  const at = given.indexOf('=');
  const name = given.slice(at + 1).trim();
  const person = personNamed(people, at === -1 ? given : given.slice(0, at).trim());
  const isTaken = people.some((one) => one.id !== person.id && one.name.toLowerCase() === name.toLowerCase());
  const fault = at === -1 ? 'expected WHO=NAME' : isTaken ? 'somebody else has that name' : nameFault(name);
  if (fault !== null)
    throw new UsageError(`--rename ${visible(given)}: ${fault}`, 'for example --rename expert-1=Asha');
  store.reviews.rename(person.id, name);
}

function checkedUrl(given: string): string {
  const url = URL.parse(given);
  if (url === null || !['http:', 'https:'].includes(url.protocol) || url.hash !== '' || url.search !== '')
    throw new UsageError(
      `--base-url ${visible(given)}: expected an http or https address without ? and #`,
      `for example ${USUAL_URL}`,
    );
  return given;
}

/** A link stands on a line of its own, to be copied as a whole; a short one ends within the day, so the time counts. */
function linesOf({ name, role, groups, link, closed, expiresAt }: PersonLink): string {
  const who = `${name} (${[role, ...groups].join(', ')})`;
  const until = Date.parse(expiresAt) - Date.now() < 2 * DAY_MS ? `${expiresAt.slice(0, 16)}Z` : expiresAt.slice(0, 10);
  return link === null
    ? safeText(`${who}: no link, ${closed ?? ''}`)
    : `${safeText(`${who}, until ${until}:`)}\n  ${safeText(link)}`;
}
