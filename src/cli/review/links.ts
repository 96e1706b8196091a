import { Command } from 'commander';

import { UsageError } from '../../data/problems.ts';
import { visible } from '../../data/visible.ts';
import { counted } from '../../report/figures.ts';
import { safeJson } from '../../report/safe-json.ts';
import { safeText } from '../../report/safe-text.ts';
import { addPeople } from '../../review/add-people.ts';
import { expiryOf, type PersonLink, personLink, personNamed, renewLink, USUAL_DAYS } from '../../review/links.ts';
import { parsePerson, type PersonInit } from '../../review/people.ts';
import { loadSnapshot, type ReviewSnapshot } from '../../review/snapshot.ts';
import { reviewSecret } from '../../review/tokens.ts';
import type { Store } from '../../store/store.ts';
import { localFolder } from '../backend-of.ts';
import { repeated } from '../dataset/repeated.ts';
import { type StoreFlags, storeOption, withStore } from './review-store.ts';

interface LinkFlags extends StoreFlags {
  readonly renew?: readonly string[];
  readonly revoke?: readonly string[];
  readonly add?: readonly string[];
  readonly adjudicator?: readonly string[];
  readonly owner?: readonly string[];
  readonly expires: string;
  readonly baseUrl: string;
  readonly json?: boolean;
}

/** Where assay review serve listens unless told otherwise. */
const USUAL_URL = 'http://127.0.0.1:4319';

export function linksCommand(): Command {
  return storeOption(
    new Command('links')
      .description('everybody’s link to the review app; add, renew or revoke one')
      .argument('<name>', 'of the review')
      .addOption(repeated('--renew <who>', 'a new link; earlier ones stop working'))
      .addOption(repeated('--revoke <who>', 'shut somebody out; what they said stays'))
      .addOption(repeated('--add <who[:group,…]>', 'another reviewer'))
      .addOption(repeated('--adjudicator <who>', 'another adjudicator'))
      .addOption(repeated('--owner <who>', 'another owner'))
      .option('--expires <time>', 'how long new links are good: 90d, 12w', `${USUAL_DAYS}d`)
      .option('--base-url <url>', 'where people reach assay review serve', USUAL_URL)
      .option('--json', 'print them as JSON on standard output'),
  )
    .addHelpText('after', HELP)
    .action(links);
}

const HELP = `
Whoever has a link is let in as that person: send each to its owner alone. The
token stands after the #, which a browser tells no server but this one.

A reviewer who is added gets the items that have too few raters of their groups,
or all of their groups' items where none has.

Examples:
  $ assay review links pilot
  $ assay review links pilot --base-url https://review.example.org
  $ assay review links pilot --renew Asha --expires 30d
  $ assay review links pilot --revoke Ravi --add Lata:expert`;

async function links(name: string, flags: LinkFlags): Promise<void> {
  const baseUrl = checkedUrl(flags.baseUrl);
  const expiresAt = expiryOf(flags.expires, new Date());
  const added = peopleOf(flags);
  const isChange = added.length > 0 || flags.renew !== undefined || flags.revoke !== undefined;
  await withStore(flags, isChange ? 'change' : 'look', (store) => {
    const snapshot = loadSnapshot(store, name);
    const secret = reviewSecret(localFolder(flags));
    const notices = isChange ? change(store, snapshot, flags, { added, secret, expiresAt }) : [];
    const people = store.reviews.people(snapshot.review.id);
    const all = people.map((person) => personLink(person, secret, baseUrl, new Date()));
    process.stdout.write(flags.json === true ? safeJson(all) : `${all.map(lineOf).join('\n')}\n`);
    const isClosed = all.some(({ closed }) => closed !== null);
    for (const notice of [...notices, ...(isClosed ? ['--renew WHO makes a new link where there is none'] : [])])
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
  { renew = [], revoke = [] }: LinkFlags,
  given: { readonly added: readonly PersonInit[]; readonly secret: Buffer; readonly expiresAt: string },
): readonly string[] {
  const { added, secret, expiresAt } = given;
  const both = renew.find((who) => revoke.includes(who));
  if (both !== undefined) throw new UsageError(`${visible(both)} is to be renewed and revoked`, 'give one of the two');
  return store.transaction(() => {
    for (const who of new Set(revoke)) store.reviews.revoke(personNamed(people, who).id);
    for (const who of new Set(renew)) renewLink(store, personNamed(people, who), secret, expiresAt);
    if (added.length === 0) return [];
    const notices = addPeople({ store, review, form, people: added, secret, expiresAt });
    const queues = added.map(({ name }) => {
      const { id, role } = personNamed(store.reviews.people(review.id), name);
      return role === 'reviewer' ? [`${name} has ${counted(store.reviews.queue(id).length, 'item')}`] : [];
    });
    return [...queues.flat(), ...notices];
  });
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

function lineOf({ name, role, groups, link, closed, expiresAt }: PersonLink): string {
  const who = `${name} (${[role, ...groups].join(', ')})`;
  return safeText(`${who}: ${link === null ? `no link, ${closed ?? ''}` : `${link}  until ${expiresAt.slice(0, 10)}`}`);
}
